"""Ready-made policies to start from: each is what differs from the built-in one."""

from typing import Any

from ledger.policy.privacy import CREDENTIALS, Action, PrivateKind
from ledger.policy.recall import Occasion

PRESETS: dict[str, dict[str, Any]] = {
    # What everybody begins with.
    "balanced": {},
    # For health, money and law: numbers that identify a person are not taken at all.
    "strict": {
        "privacy": {
            "actions": {
                PrivateKind.ID_CARD: Action.REFUSE,
                PrivateKind.PASSPORT: Action.REFUSE,
                PrivateKind.BANK_CARD: Action.REFUSE,
                PrivateKind.SECRET: Action.REFUSE,
                PrivateKind.PRIVATE_KEY: Action.REFUSE,
                PrivateKind.PASSWORD: Action.REFUSE,
            }
        },
        "admission": {"threshold": 0.7},
        # An agent must know of an allergy; of the others it need not speak by itself.
        "sensitive": dict.fromkeys(
            ("religion", "politics", "sexuality", "ethnicity"), Occasion.WHEN_ASKED
        ),
        "retention": {"turn_days": 30, "trace_days": 14},
    },
    # What identifies somebody stays on the person's own device.
    "on_device": {
        "privacy": {"actions": dict.fromkeys(PrivateKind, Action.DEVICE_ONLY)},
        "retention": {"turn_days": 7, "trace_days": 7},
    },
    # For test data and public texts: nothing is masked but what opens doors.
    "open": {
        "privacy": {
            "actions": {
                **dict.fromkeys(PrivateKind, Action.KEEP),
                **dict.fromkeys(CREDENTIALS, Action.DROP),
            }
        },
        "admission": {"threshold": 0.3},
    },
}
