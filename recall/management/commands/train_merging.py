"""Trains the judge of comparisons for merging, from the labelled pairs in the repository."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ledger.bundled.tuning import side_by_side
from ledger.merging import tuning
from ledger.merging.judging import judged
from ledger.merging.training import (
    REWORDED,
    case_of,
    cross_validated,
    data_name,
    examples,
    expanded,
    features_of,
    quality,
    strangers,
    train,
)
from recall.encoders import encoder


class Command(BaseCommand):
    help = "Train the judge that tells the same from a change, and write its weights."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="print the cross-validation, write nothing"
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        told, reworded = examples(), examples(REWORDED)
        pairs = [*told, *strangers(told)]
        both = [*pairs, *expanded(told), *reworded, *expanded(reworded)]
        texts = dict.fromkeys(text for pair in pairs for text in (pair.old, pair.new))
        # One at a time: a text's vector must not depend on what it is encoded with.
        vectors = {text: encoder().passages([text])[0] for text in texts}
        cases = [case_of(pair, float(vectors[pair.old] @ vectors[pair.new])) for pair in pairs]
        seen = features_of(cases)
        with side_by_side() as pool:
            learning = None if check else pool.submit(tuning.learn, both, data_name())
            leanings = tuning.held_out(both, pool)[: len(pairs)]
            if learning:
                self.stdout.write(f"wrote {learning.result()}")
                judge = train(seen, leanings, [pair.relation for pair in pairs], data_name())
                self.stdout.write(f"wrote {judge.save()}")
        given = cross_validated(pairs, seen, leanings, len(told))
        found = [
            judged(case, lambda *_, chances=chances: chances).relation
            for case, chances in zip(cases, given, strict=False)
        ]
        for name, share in quality(told, found).items():
            self.stdout.write(f"{name}: {share:.3f} (cross-validated, {len(told)} pairs)")
