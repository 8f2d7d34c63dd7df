"""The policy's section about private things in a text: what is done with each kind."""

from enum import StrEnum

from pydantic import Field, field_validator

from ledger.policy.section import Section


class PrivateKind(StrEnum):
    """What sort of private thing a span of text is; also the word in its placeholder."""

    NAME = "NAME"
    PHONE = "PHONE"
    EMAIL = "EMAIL"
    ID_CARD = "ID_CARD"
    PASSPORT = "PASSPORT"
    BANK_CARD = "BANK_CARD"
    ADDRESS = "ADDRESS"
    IP = "IP"
    SECRET = "SECRET"
    PRIVATE_KEY = "PRIVATE_KEY"
    PASSWORD = "PASSWORD"


class Action(StrEnum):
    """What is done with a private thing.

    keep: left as it is. mask: a stable placeholder stands for it, the original is kept encrypted.
    drop: a placeholder stands for it, the original is gone (but see drop_from).
    refuse: the text is not taken at all. device_only: nothing is stored, and the client is told to
    keep it on the device.
    """

    KEEP = "keep"
    MASK = "mask"
    DROP = "drop"
    REFUSE = "refuse"
    DEVICE_ONLY = "device_only"


# What opens doors.
CREDENTIALS = (PrivateKind.SECRET, PrivateKind.PRIVATE_KEY, PrivateKind.PASSWORD)
DEFAULT_ACTIONS = {
    **dict.fromkeys(PrivateKind, Action.MASK),
    **dict.fromkeys(CREDENTIALS, Action.DROP),
}


class Privacy(Section):
    """The action for each kind, and when a finding counts.

    A kind that is not named is treated as by default.
    """

    actions: dict[PrivateKind, Action] = Field(default_factory=lambda: dict(DEFAULT_ACTIONS))
    # How sure a rule must be of its finding: a model 0.6, a word beside it 0.8, a checksum 1.
    least_score: float = Field(0.5, ge=0, le=1)
    # How likely the tagger must find a word private: in general; a password, where one in ten finds
    # 99 of 100 in the lines for development; and what is glued to a private word, as the rest of an
    # address.
    read_from: float = Field(0.5, gt=0, lt=1)
    password_from: float = Field(0.1, gt=0, lt=1)
    glued_from: float = Field(0.12, gt=0, lt=1)
    # How likely the tagger must find what is dropped, of any kind: what is less likely is masked,
    # lest a plain word be lost.
    drop_from: float = Field(0.9, gt=0, lt=1)
    # Texts that the English model reads at once.
    batch: int = Field(64, ge=1, le=1_000)

    @field_validator("actions", mode="after")
    @classmethod
    def _complete(cls, actions: dict[PrivateKind, Action]) -> dict[PrivateKind, Action]:
        return DEFAULT_ACTIONS | actions
