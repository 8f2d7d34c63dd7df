"""The rules of comparisons, in order: what is written in the words of both statements.

Similarity is the cosine of the bundled encoder's passages. It says whether two texts are about one
thing; it gives "supported" and "not supported" the same, so it never decides alone.
"""

from collections.abc import Callable

from ledger.merging.case import Case
from ledger.merging.reading import State
from ledger.merging.types import Judgement, Reason, Relation

# What may end the old statement, at once or once a person says so.
_RETIRING = (Relation.REPLACES, Relation.UNCERTAIN)


def by_rules(case: Case) -> Judgement:
    """The judgement of the first rule that knows; ADDS or OTHER where none does.

    What the new one only cites or supposes takes nobody's place: without it, the same must follow.
    """
    verdict = _first(case)
    by_words = verdict.relation in _RETIRING and verdict.reason != Reason.SAME_SLOT_OTHER_VALUE
    if not (case.supposed and by_words):
        return verdict
    asserting = case.asserting()
    if asserting is not None and _first(asserting).relation == verdict.relation:
        return verdict
    return Judgement(Relation.ADDS, Reason.SUBJECTS_DIFFER)


def _first(case: Case) -> Judgement:
    return next(verdict for rule in RULES if (verdict := rule(case)) is not None)


def _identical(case: Case) -> Judgement | None:
    """The same words in the same order, but for case, spacing and punctuation."""
    differ = (case.same_attribute and case.values_differ) or case.voices_differ
    alike = case.pair.old.plain == case.pair.new.plain
    return Judgement(Relation.SAME, Reason.IDENTICAL) if alike and not differ else None


def _slot(case: Case) -> Judgement | None:
    """A single-valued attribute with another value; the ledger carves the periods."""
    if not (case.same_attribute and case.new.single_valued):
        return None
    if case.values_differ:
        return replaces(case, Reason.SAME_SLOT_OTHER_VALUE)
    known = case.new.value is not None and case.old.value is not None
    if known and not case.opposite and not case.guard:
        return Judgement(Relation.SAME, Reason.PARAPHRASE)
    return None


def _personal_states(case: Case) -> Judgement | None:
    """Two states of a person of which only one holds: single, married.

    Where nothing else says that the texts are about one thing, a person decides.
    """
    old, new = case.pair.old, case.pair.new
    others = case.pair.other_subject or (old.names - new.names and new.names - old.names)
    if others or case.pair.restated or not _states_differ(old.personal, new.personal):
        return None
    if not case.related:
        return Judgement(Relation.UNCERTAIN, Reason.INCOMPATIBLE_VALUES)
    return replaces(case, Reason.INCOMPATIBLE_VALUES)


def _topic_states(case: Case) -> Judgement | None:
    """Two states of one thing of which only one holds: open, closed."""
    pair = case.pair
    old, new = pair.old.topical, pair.new.topical
    if pair.restated or not _states_differ(old, new):
        return None
    gone = set(pair.gone).difference(*(state.words for state in old.values()))
    come = set(pair.come).difference(*(state.words for state in new.values()))
    if (gone and come) or _typed(case, (*gone, *come)) or not pair.shared:
        return None
    return replaces(case, Reason.INCOMPATIBLE_VALUES)


def _states_differ(old: dict[int, State], new: dict[int, State]) -> bool:
    return any(group in new and new[group].name != state.name for group, state in old.items())


def _unrelated(case: Case) -> Judgement | None:
    return None if case.related else Judgement(Relation.OTHER, Reason.UNRELATED)


def _polarity(case: Case) -> Judgement | None:
    """For and against one thing. If each names an object of its own, it is about two things."""
    if not case.opposite:
        return None
    pair, old, new = case.pair, case.pair.old, case.pair.new
    both = old.stance is not None and new.stance is not None
    reason = Reason.OPPOSITE_STANCE if both else Reason.NEGATION_DIFFERS
    moved_on = new.moved_on or new.perhaps_moved_on or new.changed
    if pair.other_subject or not pair.shared or (pair.gone and pair.come and not moved_on):
        return Judgement(Relation.ADDS, reason)
    narrower = len(pair.come) > len(pair.shared) or _typed(case, pair.come)
    if narrower and not moved_on:
        return Judgement(Relation.ADDS, reason)
    return replaces(case, reason)


def _moved_on(case: Case) -> Judgement | None:
    """A word says that the new took the old one's place: switched to, instead, 换成.

    Such a word moves on from something: where the two have little in common, from something else.
    """
    pair, new = case.pair, case.pair.new
    if case.event or pair.other_subject or not pair.gone or case.both_end or pair.restated:
        return None
    about_one = case.same_attribute or pair.overlap >= case.policy.overlap_from
    if (new.moved_on and about_one) or _perhaps_moved_on(case):
        return replaces(case, Reason.MOVED_ON_CUE)
    return None


def _perhaps_moved_on(case: Case) -> bool:
    """Whether a weaker word for it (now, 现在, 了) stands in the frame of something that is one."""
    pair, old, new = case.pair, case.pair.old, case.pair.new
    framed = pair.one_object or (old.front_value and new.front_value)
    if not framed or new.event or new.many or old.many:
        return False
    about_one = case.policy.overlap_from
    by_word = new.perhaps_moved_on and pair.overlap >= about_one
    return by_word or (new.changed and pair.overlap > about_one)


def _one_at_a_time(case: Case) -> Judgement | None:
    """One frame with another object, where the frame holds one: lives in, the deadline is."""
    pair = case.pair
    if case.event or case.values_side_by_side or case.both_end or not pair.one_object:
        return None
    reason = case.guard or Reason.OTHER_OBJECT
    if _other_value(case):
        return newest(case, reason)
    return None


def _other_value(case: Case) -> bool:
    """Whether what differs is the frame's value and not what it is about."""
    pair, old, new = case.pair, case.pair.old, case.pair.new
    told = len(pair.shared) > 1 and not _typed(case, pair.tail)
    if old.front_value and new.front_value and told:
        return True
    if pair.other_subject:
        return False
    if pair.opposed:
        return True
    numbers = {f"{value}|{unit}" for value, unit in old.numbers | new.numbers}
    counted = set(pair.old_part) | set(pair.new_part) <= numbers
    if counted and case.guard == Reason.NUMBERS_DIFFER:
        return True
    fronted = not pair.head and not (old.subject and new.subject)
    return old.slot and new.slot and not fronted and not _typed(case, pair.tail)


def _typed(case: Case, words: tuple[str, ...]) -> bool:
    """Whether a number, name or time is among the words."""
    return any(
        word in side.names or word in side.times or "|" in word
        for side in (case.pair.old, case.pair.new)
        for word in words
    )


def _same(case: Case) -> Judgement | None:
    """No guard holds, and hardly a word is missing on either side."""
    pair = case.pair
    other_sign = pair.old.sign != pair.new.sign or case.half_denied
    told_apart = other_sign or case.tense_differs or case.tenses_clash
    if case.guard or told_apart or case.values_differ:
        return None
    if pair.gone or pair.come:
        alike = case.similarity >= case.same_from and not pair.exchanged
    else:
        alike = bool(pair.shared)
    return Judgement(Relation.SAME, Reason.PARAPHRASE) if alike else None


def _adds(case: Case) -> Judgement:
    """What is left: about the same thing, and nothing is retired."""
    pair = case.pair
    if case.same_attribute and case.new.single_valued:
        return replaces(case, Reason.SAME_SLOT_OTHER_VALUE)
    one_sided = not (pair.gone and pair.come)
    reason = case.guard or (Reason.MORE_DETAIL if one_sided else Reason.OTHER_OBJECT)
    return Judgement(Relation.ADDS, reason)


def replaces(case: Case, reason: Reason) -> Judgement:
    """What held earlier retires nothing that holds later."""
    if case.new.valid_from < case.old.valid_from:
        return Judgement(Relation.ADDS, Reason.OLDER)
    return Judgement(Relation.REPLACES, reason)


def newest(case: Case, reason: Reason) -> Judgement:
    """Like `replaces`, where only the dates say which of the two holds."""
    if case.new.valid_from == case.old.valid_from:
        return Judgement(Relation.UNCERTAIN, Reason.COULD_BE_EITHER)
    return replaces(case, reason)


# The first that knows decides; the last always does.
RULES: tuple[Callable[[Case], Judgement | None], ...] = (
    _identical,
    _slot,
    _personal_states,
    _unrelated,
    _topic_states,
    _polarity,
    _moved_on,
    _one_at_a_time,
    _same,
    _adds,
)
