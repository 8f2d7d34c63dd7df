"""Policies as documents: laid over a preset, checked, and equal when read again."""

from typing import Any

import pytest

from ledger.policies import BUILT_IN, BadPolicy, document_of, policy_from
from ledger.policy import Policy
from ledger.policy.presets import PRESETS
from ledger.policy.privacy import Action, PrivateKind
from ledger.services.set_policy import from_preset


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_policy_and_reads_back_as_it_was_stored(name: str) -> None:
    policy = policy_from(from_preset(name, {}))
    assert policy_from(document_of(policy)) == policy
    assert Policy.model_validate(document_of(policy)) == policy


def test_the_balanced_preset_is_the_built_in_policy() -> None:
    assert policy_from(from_preset("balanced", {})) == BUILT_IN


def test_changes_are_laid_over_a_preset_and_leave_it_as_it_is() -> None:
    before = {name: dict(rules) for name, rules in PRESETS.items()}
    changed = policy_from(from_preset("strict", {"privacy": {"actions": {"PHONE": "drop"}}}))
    assert changed.privacy.actions[PrivateKind.PHONE] == Action.DROP
    assert changed.privacy.actions[PrivateKind.ID_CARD] == Action.REFUSE
    assert before == PRESETS


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"version": 1}, "version"),
        ({"spelling": {}}, "spelling"),
        ({"merging": {"same_frm": 1}}, "merging.same_frm"),
        ({"merging": {"same_from": 2}}, "merging.same_from"),
        ({"merging": {"same_from": "0.5"}}, "merging.same_from"),
        ({"merging": {"same_from": None}}, "merging.same_from"),
        ({"admission": {"threshold": True}}, "admission.threshold"),
        ({"sessions": {"tail_turns": 1.5}}, "sessions.tail_turns"),
        ({"retention": {"memory_days": {"opinion": 3}}}, "retention.memory_days.opinion"),
        ({"privacy": {"actions": {"PHONE": "sell"}}}, "privacy.actions.PHONE"),
        ({"privacy": []}, "privacy"),
    ],
)
def test_a_wrong_rule_is_named(document: dict[str, Any], field: str) -> None:
    with pytest.raises(BadPolicy) as refused:
        policy_from(document)
    assert refused.value.field == field


def test_whole_numbers_and_lists_are_taken_where_they_are_meant() -> None:
    given = {
        "merging": {"same_from": 1},
        "attributes": {"single_valued": ["home_city"]},
        "retention": {"memory_days": {"event": 30}},
    }
    policy = policy_from(given)
    assert policy.merging.same_from == 1.0
    assert policy.attributes.single_valued == {"home_city"}
    assert policy.retention.memory_days == {"event": 30}


def test_an_unknown_preset_is_refused_with_the_names_of_the_known() -> None:
    with pytest.raises(BadPolicy, match="balanced"):
        from_preset("lax", {})
