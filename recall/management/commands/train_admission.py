"""Trains admission's classifier for the configured encoder, from the examples in the repository."""

from argparse import ArgumentParser
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from ledger.admission.classifier import classifier
from ledger.admission.training import cross_validated, examples, quality, train
from recall.encoders import encoder


class Command(BaseCommand):
    help = "Train the classifier that decides what is worth remembering, and write its weights."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="cross-validate, and fail if the weights are not what the examples give",
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        texts = examples()
        # One at a time: a text's vector must not depend on what it is encoded with.
        vectors = np.vstack([encoder().passages([example.text]) for example in texts]).astype(float)
        for language, found in quality(texts, cross_validated(texts, vectors)).items():
            self.stdout.write(
                f"{language}: precision {found.precision:.3f}, recall {found.recall:.3f}, "
                f"{found.texts} texts, {len(found.mistakes)} mistakes (cross-validated)"
            )
        labels = np.array([example.admit for example in texts], dtype=float)
        trained = train(encoder().name, vectors, labels)
        if not check:
            self.stdout.write(f"wrote {trained.save()}")
            return
        kept = classifier(encoder().name)
        if kept is None or not kept.same_as(trained):
            raise CommandError("The weights are not what the examples give: train again.")
