"""What: the append-only ledger, what was said, and the memories that are derived from it."""

from ledger.models.conversations import Job, JobKind, JobState, MaskedValue, Session, Turn, TurnRole
from ledger.models.entries import BIGGEST_SEQ, Entry, EntryPayload, Head, Verb
from ledger.models.memories import (
    ATTRIBUTE_LENGTH,
    DERIVED,
    Kind,
    Memory,
    MemorySource,
    MemoryVersion,
)
from ledger.models.upkeep import (
    Checkpoint,
    CheckpointHead,
    IdempotentAnswer,
    PolicyVersion,
    RebuildRun,
    SigningKey,
)

__all__ = [
    "ATTRIBUTE_LENGTH",
    "BIGGEST_SEQ",
    "DERIVED",
    "Checkpoint",
    "CheckpointHead",
    "Entry",
    "EntryPayload",
    "Head",
    "IdempotentAnswer",
    "Job",
    "JobKind",
    "JobState",
    "Kind",
    "MaskedValue",
    "Memory",
    "MemorySource",
    "MemoryVersion",
    "PolicyVersion",
    "RebuildRun",
    "Session",
    "SigningKey",
    "Turn",
    "TurnRole",
    "Verb",
]
