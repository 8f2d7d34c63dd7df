"""Trains the tagger of what is private in sentences, from the labelled ones in the repository."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ledger.bundled.tuning import side_by_side
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
        with side_by_side() as pool:
            found = held_out(texts, pool)
        for kind, figures in quality(texts, found).items():
            self.stdout.write(
                f"{kind}: {figures.covered} of {figures.told} found, {figures.false} more in "
                f"{figures.texts} texts (cross-validated)"
            )
