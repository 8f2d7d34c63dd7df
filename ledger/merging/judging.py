"""Decides how a new statement stands to one that is believed already: rules, then the judge.

A rule that finds one statement the same as the other, or in its place, has read it in their words
and decides. Where none does, the learned judge is asked; what no guard allows it cannot say.
"""

from collections.abc import Callable

from ledger.merging.case import Case
from ledger.merging.judge import Chances, chances
from ledger.merging.rules import by_rules, newest
from ledger.merging.sentences import LONGEST
from ledger.merging.types import Compared, Judgement, Reason, Relation
from ledger.polarity import negated
from ledger.policy.merging import Merging


def compare(new: Compared, old: Compared, similarity: float, policy: Merging) -> Judgement:
    """How `new` stands to `old`, and why. `similarity` is a cosine, -1 to 1."""
    return judged(Case(new, old, similarity, policy), chances)


def judged(case: Case, chances_of: Callable[[Case, Judgement], Chances]) -> Judgement:
    """The judgement by the rules, or else by the judge that gives the chances."""
    verdict = by_rules(case)
    open_still = verdict.relation in {Relation.ADDS, Relation.OTHER}
    if not open_still or verdict.reason == Reason.OLDER or not _readable(case):
        return verdict
    return _likeliest(case, verdict, chances_of(case, verdict))


def _readable(case: Case) -> bool:
    """Whether the judge sees all of both texts, and words in both."""
    texts = (case.old.text, case.new.text)
    words = case.pair.old.words and case.pair.new.words
    return bool(words) and max(map(len, texts)) <= LONGEST


def _likeliest(case: Case, verdict: Judgement, chance: Chances) -> Judgement:
    """The likeliest relation that the guards allow; in doubt both hold, so that nothing is lost."""
    policy, replaced = case.policy, chance[Relation.REPLACES]
    if _may_be_same(case) and chance[Relation.SAME] >= policy.merge_from:
        return Judgement(Relation.SAME, Reason.PARAPHRASE)
    if _may_replace(case) and replaced >= policy.replace_from:
        return newest(case, Reason.INCOMPATIBLE_VALUES)
    if case.same_attribute and replaced >= policy.replace_from - policy.uncertain_within:
        return Judgement(Relation.UNCERTAIN, Reason.COULD_BE_EITHER)
    if chance[Relation.OTHER] > 1 - chance[Relation.OTHER] and not case.same_attribute:
        return Judgement(Relation.OTHER, Reason.UNRELATED)
    if verdict.relation == Relation.OTHER:
        return Judgement(Relation.ADDS, Reason.OTHER_OBJECT)
    return verdict


def _may_be_same(case: Case) -> bool:
    """Whether nothing forbids it: values, numbers, names, dates, subjects, polarity, tense.

    The tense of the same words decides; other words have their own.
    """
    old, new = case.pair.old, case.pair.new
    if case.guard or case.values_differ or case.opposite:
        return False
    if old.stance != new.stance or negated(case.old.text) != negated(case.new.text):
        return False
    return not case.tense_differs or case.pair.overlap < case.policy.overlap_from


def _may_replace(case: Case) -> bool:
    """Events happened; people, the values of an attribute of many, and what is over stand side by
    side; what is cited or supposed takes nobody's place."""
    beside = case.values_side_by_side or case.both_end or case.pair.other_subject
    return not (case.event or beside or case.supposed)
