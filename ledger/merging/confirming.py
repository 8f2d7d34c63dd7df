"""What confirmations and doubts do to the weight and confidence of what is believed."""

from ledger.policy.merging import Merging


def strengthened(weight: float, confidence: float, policy: Merging) -> tuple[float, float]:
    """(weight, confidence) after the same thing was said once more.

    The weight covers a share of what is left to its cap, so that steps diminish; one that a person
    has set above the cap stays, and none is under the floor. A confidence that is not full nears 1
    in the same way.
    """
    risen = weight + max(policy.weight_cap - weight, 0.0) * policy.weight_step
    surer = confidence + (1 - confidence) * policy.confidence_step
    return max(risen, policy.weight_floor), surer
