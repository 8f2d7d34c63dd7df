"""Trains the tagger of what is private in sentences, from the labelled ones in the repository."""

from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import torch
from django.core.management.base import BaseCommand

from ledger.privacy.training import data_name, examples, held_out, learn, quality


class Command(BaseCommand):
    help = "Train the tagger that finds what is private by its sentence, and write its weights."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="print the cross-validation, write nothing"
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        if not check:
            self.stdout.write(f"wrote {learn(examples(), data_name())}")
            return
        texts = examples()
        # One learner for each core: side by side, each as it would learn alone.
        with ProcessPoolExecutor(
            mp_context=get_context("spawn"), initializer=torch.set_num_threads, initargs=(1,)
        ) as pool:
            found = held_out(texts, pool)
        for kind, figures in quality(texts, found).items():
            self.stdout.write(
                f"{kind}: {figures.covered} of {figures.told} found, {figures.false} more in "
                f"{figures.texts} texts (cross-validated)"
            )
