"""Decides how a new statement stands to one that is believed already: rules, then the judge.

A rule that finds one statement the same as the other, or in its place, has read it in their words;
it decides unless the learned judge holds it for unlikely. Where no rule knows, the judge is asked;
what no guard allows it cannot say. What is doubtful between texts that are plainly about one thing
is left to a person.
"""

from collections.abc import Callable

from ledger.merging.case import Case
from ledger.merging.judge import Chances, chances
from ledger.merging.rules import by_rules, newest
from ledger.merging.sentences import LONGEST
from ledger.merging.types import Compared, Judgement, Reason, Relation
from ledger.policy.merging import Merging

# What a rule may find that is more than that both hold.
DECISIVE = (Relation.SAME, Relation.REPLACES)
# The findings of the rules that nothing learned can better.
SETTLED = (Reason.IDENTICAL, Reason.SAME_SLOT_OTHER_VALUE, Reason.OLDER, Reason.UNRELATED)
# The guards, and their absence, whose word against the judge's is worth a person's time.
DOUBTED = (None, Reason.INCOMPATIBLE_VALUES, Reason.NEGATION_DIFFERS)


def compare(new: Compared, old: Compared, similarity: float, policy: Merging) -> Judgement:
    """How `new` stands to `old`, and why. `similarity` is a cosine, -1 to 1."""
    return judged(Case(new, old, similarity, policy), chances)


def judged(case: Case, chances_of: Callable[[Case, Judgement], Chances]) -> Judgement:
    """The judgement by the rules, or else by the judge that gives the chances."""
    verdict = by_rules(case)
    if _settled(case, verdict):
        return verdict
    chance = chances_of(case, verdict)
    if verdict.relation not in DECISIVE:
        return _likeliest(case, verdict, chance)
    if chance[verdict.relation] >= case.policy.confirmed_from:
        return verdict
    likeliest = _likeliest(case, Judgement(Relation.ADDS, Reason.OTHER_OBJECT), chance)
    if likeliest.relation == Relation.SAME:
        return likeliest
    if verdict.relation == Relation.REPLACES and _framed(case):
        return verdict
    return Judgement(Relation.UNCERTAIN, verdict.reason) if case.about_one_thing else likeliest


def _settled(case: Case, verdict: Judgement) -> bool:
    """Whether the judge is not asked: it costs more than the rules, and could say nothing new."""
    known = verdict.reason in SETTLED or verdict.relation == Relation.UNCERTAIN
    return known or not _readable(case)


def _framed(case: Case) -> bool:
    """Whether both texts put something into the one place of one frame: I live in …"""
    return case.pair.one_object and case.pair.old.slot and case.pair.new.slot


def _readable(case: Case) -> bool:
    """Whether the judge sees all of both texts, and words in both."""
    texts = (case.old.text, case.new.text)
    words = case.pair.old.words and case.pair.new.words
    return bool(words) and max(map(len, texts)) <= LONGEST


def _likeliest(case: Case, verdict: Judgement, chance: Chances) -> Judgement:
    """The likeliest relation that the guards allow; else both hold, so that nothing is lost.

    Where the judge takes for the same what differs in polarity, one of the two is mistaken: a
    person sees which.
    """
    policy, doubted = case.policy, chance[Relation.SAME] if _may_be_doubted(case) else 0.0
    replaced = chance[Relation.REPLACES] if _may_replace(case) else 0.0
    same_from = _same_from(case)
    if same_from is not None and chance[Relation.SAME] >= same_from:
        return Judgement(Relation.SAME, Reason.PARAPHRASE)
    if replaced >= policy.replace_from:
        return newest(case, Reason.INCOMPATIBLE_VALUES)
    if case.about_one_thing and doubted + replaced >= policy.doubt_from:
        return Judgement(Relation.UNCERTAIN, Reason.COULD_BE_EITHER)
    if chance[Relation.OTHER] > 1 - chance[Relation.OTHER] and not case.same_attribute:
        return Judgement(Relation.OTHER, Reason.UNRELATED)
    return verdict


def _same_from(case: Case) -> float | None:
    """How likely it must be; None where something forbids it: values, numbers, names, dates,
    subjects, polarity, tense.

    The tense of the same words decides; other words have their own.
    """
    policy = case.policy
    clash = case.tenses_clash and case.pair.overlap >= policy.overlap_from
    if case.values_differ or case.contradicts or clash:
        return None
    if case.guard:
        return policy.merge_uneven_from if case.uneven else None
    return policy.merge_from


def _may_be_doubted(case: Case) -> bool:
    """Whether a person might find it the same: it was read from no number, name, date, voice or
    object that the texts differ."""
    framed = case.pair.exchanged and case.pair.overlap >= case.policy.overlap_from
    differ = (framed and not case.opposite) or case.values_differ or case.supposed
    return case.guard in DOUBTED and not differ


def _may_replace(case: Case) -> bool:
    """Events happened; people, the values of an attribute of many, and what is over stand side by
    side; what is cited or supposed takes nobody's place."""
    beside = case.values_side_by_side or case.both_end or case.pair.other_subject
    return not (case.event or beside or case.supposed)
