"""The judge of comparisons: what it may say, and that its weights belong to its data."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from ledger.merging import Compared, Judgement, Relation, compare
from ledger.merging.case import Case
from ledger.merging.features import combined
from ledger.merging.judge import RELATIONS, WEIGHTS, Judge, Weights, judge, read
from ledger.merging.judging import judged
from ledger.merging.sentences import LONGEST
from ledger.merging.training import (
    COMBINED,
    FEW,
    Example,
    case_of,
    data_name,
    examples,
    expanded,
    features_of,
    folds,
    strangers,
    train,
)
from ledger.polarity import negated, stance
from ledger.policy.merging import Merging

THEN = datetime(2025, 1, 1, tzinfo=UTC)
LATER = THEN + timedelta(days=30)
# What the judge holds for likelier than not; a tenant's policy asks for more before it acts on it.
LIKELY = Merging(merge_from=0.5, replace_from=0.55)


def case(old: str, new: str, policy: Merging | None = None, **slot: object) -> Case:
    def said(text: str, at: datetime) -> Compared:
        return Compared(text=text, valid_from=at, **{"kind": "fact", **slot})  # type: ignore[arg-type]

    return Case(said(new, LATER), said(old, THEN), 0.93, policy or Merging())


def sure_of(relation: Relation, share: float = 1.0):
    """A judge that always says one thing."""
    rest = (1 - share) / 3
    return lambda *_: {each: share if each == relation else rest for each in RELATIONS}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The jacket is in stock", "We have the jacket available"),
        ("我膝盖疼", "膝盖让我难受得很"),
        ("I'm pregnant", "I'm expecting a baby"),
    ],
)
def test_a_paraphrase_with_few_common_words_is_the_same(old: str, new: str) -> None:
    found = compare(case(old, new).new, case(old, new).old, 0.93, LIKELY)
    assert found == Judgement(Relation.SAME, "paraphrase")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I have long hair", "I got a pixie cut yesterday"),
        ("灯开着", "灯关掉了"),
        ("The jacket is in stock", "The jacket is sold out"),
    ],
)
def test_a_change_without_a_word_for_it_replaces(old: str, new: str) -> None:
    found = compare(case(old, new).new, case(old, new).old, 0.93, LIKELY)
    assert found.relation == Relation.REPLACES


def _stances_oppose(pair: Example) -> bool:
    old, new = stance(pair.old), stance(pair.new)
    told_apart = pair.relation != Relation.SAME
    return told_apart and old is not None and new is not None and old == -new


def test_opposites_in_the_training_data_never_merge_however_sure_the_judge() -> None:
    opposite = [
        pair
        for pair in examples()
        if _stances_oppose(pair)
        or (pair.relation == Relation.REPLACES and negated(pair.old) != negated(pair.new))
    ]
    assert len(opposite) > 300
    for pair in opposite:
        found = judged(case_of(pair, 0.9), sure_of(Relation.SAME))
        assert found.relation != Relation.SAME, pair


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My rent is 900 euros", "I pay 980 euros of rent"),
        ("Anna leads the team", "The team is led by Berta"),
        ("周二开会", "会议在周四开"),
        ("My son lives in Oslo", "Oslo is where my daughter lives"),
    ],
)
def test_no_judge_makes_other_numbers_names_dates_or_people_the_same(old: str, new: str) -> None:
    assert judged(case(old, new), sure_of(Relation.SAME)).relation != Relation.SAME


def test_without_a_guard_the_surest_judge_decides() -> None:
    plain = case("I rent my flat", "I'm a tenant")
    assert judged(plain, sure_of(Relation.SAME)).relation == Relation.SAME
    assert judged(plain, sure_of(Relation.REPLACES)).relation == Relation.REPLACES
    assert judged(plain, sure_of(Relation.OTHER)).relation == Relation.OTHER


def test_a_judge_in_doubt_retires_nothing() -> None:
    for relation in RELATIONS:
        found = judged(case("I rent my flat", "I'm a tenant"), sure_of(relation, 0.4))
        assert found.relation in {Relation.ADDS, Relation.UNCERTAIN}


def test_the_policy_says_how_sure_the_judge_must_be() -> None:
    for relation, name in ((Relation.SAME, "merge_from"), (Relation.REPLACES, "replace_from")):
        for at, expected in ((0.8, relation), (0.9, Relation.ADDS)):
            policy = Merging.model_validate({name: at, "doubt_from": 1})
            plain = case("I rent my flat", "I'm a tenant", policy)
            assert judged(plain, sure_of(relation, 0.85)).relation == expected


@pytest.mark.parametrize("relation", [Relation.SAME, Relation.REPLACES])
def test_a_person_decides_what_is_doubtful_between_texts_about_one_thing(
    relation: Relation,
) -> None:
    half = sure_of(relation, 0.45)
    texts = "I rent my flat", "Somebody else owns the place"
    policy = Merging(doubt_similar=0.9)
    assert judged(case(*texts, policy), half) == Judgement(Relation.UNCERTAIN, "could_be_either")
    apart = Merging(doubt_similar=0.95)
    assert judged(case(*texts, apart), half).relation == Relation.ADDS
    slot = case(*texts, apart, attribute="home")
    assert judged(slot, half).relation == Relation.UNCERTAIN


def test_what_a_rule_found_and_the_judge_holds_for_unlikely_is_left_to_a_person() -> None:
    change = case("I love opera", "I hate opera now")
    assert judged(change, sure_of(Relation.REPLACES)).relation == Relation.REPLACES
    assert judged(change, sure_of(Relation.ADDS)).relation == Relation.UNCERTAIN


def test_a_surely_same_text_of_another_polarity_is_left_to_a_person() -> None:
    texts = "I have no idea how to change a tyre", "Changing a tyre is beyond me"
    found = judged(case(*texts), sure_of(Relation.SAME))
    assert found == Judgement(Relation.UNCERTAIN, "could_be_either")


def test_one_common_word_makes_no_doubt_of_texts_that_are_not_similar() -> None:
    one, other = (
        case("I paint every day but feel no progress", "I feel better now"),
        sure_of("same"),
    )
    far = Case(one.new, one.old, 0.5, Merging())
    assert judged(far, other) == Judgement(Relation.OTHER, "unrelated")


def test_the_judge_replaces_no_event_and_nothing_that_holds_later() -> None:
    sure = sure_of(Relation.REPLACES)
    dinner = case("Dinner with the board", "We ate at home", kind="event")
    assert judged(dinner, sure).relation == Relation.ADDS
    plain = case("I rent my flat", "The flat belongs to me")
    early = Case(
        replace(plain.new, valid_from=THEN - timedelta(days=1)), plain.old, 0.93, Merging()
    )
    assert judged(early, sure) == Judgement(Relation.ADDS, "older_than_believed")
    at_once = Case(replace(plain.new, valid_from=THEN), plain.old, 0.93, Merging())
    assert judged(at_once, sure).relation == Relation.UNCERTAIN


def test_a_text_that_the_judge_cannot_see_whole_is_left_to_the_rules() -> None:
    long = "my neighbour plays music " * (LONGEST // 20)
    assert judged(case(long, "It is loud next door"), sure_of(Relation.SAME)).relation != "same"


def test_the_weights_belong_to_the_training_data() -> None:
    """If this fails: python manage.py train_merging"""
    assert json.loads(WEIGHTS.read_text(encoding="utf-8"))["data"] == data_name()
    seen = features_of([case("I like tea", "I like coffee")])
    assert judge().glance.weights.shape == (seen.shape[1], len(RELATIONS))
    assert judge().reading.weights.shape == (seen.shape[1] + len(RELATIONS), len(RELATIONS))
    assert len(combined(case("I like tea", "I like coffee"))) == sum(COMBINED)


def test_no_pair_is_labelled_twice_in_different_ways() -> None:
    labels: dict[tuple[str, str], str] = {}
    for pair in examples():
        assert labels.setdefault((pair.old, pair.new), pair.relation) == pair.relation


def test_strangers_are_tied_by_no_pair_and_of_one_language() -> None:
    told = examples()[::40]
    family = folds(told)
    tied = {(pair.old, pair.new) for pair in told}
    found = strangers(told)
    assert len(family) == len(told)
    assert len(found) > len({pair.old for pair in told}) / FEW
    assert all(pair.relation == Relation.OTHER and pair.old != pair.new for pair in found)
    assert tied.isdisjoint((pair.old, pair.new) for pair in found)


def test_pairs_that_share_a_text_are_held_out_together() -> None:
    told = [
        Example("a", "b", "same", "en"),
        Example("a", "c", "replaces", "en"),
        Example("d", "b", "adds", "en"),
    ]
    assert len(set(folds([*told, *expanded(told)]))) == 1


def test_training_finds_what_tells_the_relations_apart_and_is_repeatable() -> None:
    labels = [str(relation) for relation in RELATIONS] * 20
    signs = np.array([[label == relation for relation in RELATIONS] for label in labels], float)
    features = np.c_[signs, np.tile([0.1, -0.1], (len(labels), sum(COMBINED) // 2))]
    features[::2, -1] = 0.2
    leanings = np.zeros((len(labels), len(RELATIONS)))
    one, two = (train(features, leanings, labels, "") for _ in range(2))
    assert np.array_equal(one.reading.weights, two.reading.weights)
    for step, inputs in ((one.glance, features), (one.reading, read(features, leanings))):
        best = step.chances(inputs).argmax(axis=1)
        assert [str(RELATIONS[at]) for at in best] == labels


def test_what_plainly_stands_side_by_side_is_not_read_together() -> None:
    """Most of what lies near a statement does, and reading takes several times as long."""
    seen, calls = np.zeros(1), []

    def lean() -> np.ndarray:
        calls.append(1)
        return np.array([9.0, 0, 0, 0])

    def weights(features: int, biases: list[float]) -> Weights:
        return Weights(np.eye(features, len(RELATIONS)), np.array(biases))

    apart = Judge(weights(1, [0, 0, 9, 9]), weights(5, [0.0] * 4), "")
    assert apart.chances(seen, lean, 0.1).argmax() >= 2
    assert calls == []
    close = Judge(weights(1, [0, 9, 9, 0]), weights(5, [0.0] * 4), "")
    assert RELATIONS[close.chances(seen, lean, 0.1).argmax()] == Relation.SAME
    assert calls == [1]
