"""Admission: which texts are worth remembering. Garbage in, garbage out."""

from ledger.admission.classifier import Classifier, classifier
from ledger.admission.judging import RULES, judge
from ledger.admission.verdict import Verdict

__all__ = ["RULES", "Classifier", "Verdict", "classifier", "judge"]
