"""What confirmations and doubts do to the weight and confidence of what is believed."""

from ledger.policy.merging import Merging


def strengthened(
    weight: float, confidence: float, kind_is_inferred: bool, policy: Merging
) -> tuple[float, float]:
    """(weight, confidence) after the same thing was said once more.

    The weight covers a share of what is left to its cap, so that steps diminish; one that a person
    has set above the cap stays. An inferred confidence nears 1 in the same way; what was said
    outright is certain already.
    """
    risen = weight + max(policy.weight_cap - weight, 0.0) * policy.weight_step
    surer = confidence + (1 - confidence) * policy.confidence_step
    return max(risen, policy.weight_floor), surer if kind_is_inferred else 1.0


def weakened(weight: float, policy: Merging) -> float:
    """The weight after a contradiction that only doubts. Never below the floor, however often.

    A weight that is below the floor already is left as it is: doubt never raises it.
    """
    fallen = policy.weight_floor + (weight - policy.weight_floor) * (1 - policy.doubt_step)
    return min(weight, max(fallen, policy.weight_floor))
