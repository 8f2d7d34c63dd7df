"""Passwords in sentences and assignments: the value alone is private, not what is said of it."""

from ledger.policy.privacy import PrivateKind
from ledger.privacy.passwords_keyed import KEYED_IN
from ledger.privacy.passwords_near import NEAR
from ledger.privacy.passwords_said import SAID
from ledger.privacy.passwords_written import WRITTEN
from ledger.privacy.passwords_zh import CHINESE
from ledger.privacy.rules import Shapes

RECOGNISERS = (Shapes(PrivateKind.PASSWORD, (*SAID, *KEYED_IN, *WRITTEN, *CHINESE, *NEAR)),)
