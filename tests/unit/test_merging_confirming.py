"""Confirming: what being told again does to weight and confidence."""

from itertools import pairwise

import pytest

from ledger.merging import strengthened
from ledger.policy.merging import Merging

POLICY = Merging()


def confirmed(weight: float, confidence: float, times: int) -> list[tuple[float, float]]:
    found = [(weight, confidence)]
    for _ in range(times):
        found.append(strengthened(*found[-1], POLICY))
    return found


def test_confirmations_raise_the_weight_by_ever_smaller_steps_up_to_the_cap() -> None:
    weights = [weight for weight, _ in confirmed(1.0, 0.3, 200)]
    steps = [after - before for before, after in pairwise(weights[:20])]
    assert all(later < earlier for earlier, later in pairwise(steps))
    assert all(step > 0 for step in steps)
    assert weights[-1] == pytest.approx(POLICY.weight_cap)


def test_an_inferred_confidence_rises_towards_one_and_never_over() -> None:
    confidences = [confidence for _, confidence in confirmed(1.0, 0.3, 200)]
    assert confidences[1] == pytest.approx(0.3 + 0.7 * POLICY.confidence_step)
    assert all(later >= earlier for earlier, later in pairwise(confidences))
    assert confidences[-1] == pytest.approx(1.0)
    assert max(confidences) <= 1.0


def test_what_was_said_outright_stays_certain() -> None:
    assert strengthened(1.0, 1.0, POLICY)[1] == 1.0


def test_a_confirmation_never_lowers_a_weight_and_lifts_it_to_the_floor() -> None:
    assert strengthened(5.0, 1.0, POLICY)[0] == 5.0
    floor = Merging(weight_floor=0.9, weight_step=0.01)
    assert strengthened(0.0, 1.0, floor)[0] == 0.9
