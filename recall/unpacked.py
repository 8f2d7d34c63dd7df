"""The snapshots that this process used last, unpacked: reading and unpacking one takes longer than
ranking it. Ids and numbers only, no words; one of another state is never used.
"""

from collections import OrderedDict
from threading import Lock
from uuid import UUID

from recall.reading import State
from recall.snapshot import Snapshot

# Of a thousand versions with two vectors each, three megabytes; a larger one counts for several.
MOST_VERSIONS = 32_000

_lock = Lock()
_kept: OrderedDict[UUID, Snapshot] = OrderedDict()


def recall_unpacked(subject_id: UUID, state: State) -> Snapshot | None:
    """The snapshot of a subject in this state, if this process has it."""
    with _lock:
        kept = _kept.get(subject_id)
        if kept is None or (kept.seq, kept.revision) != (state.seq, state.revision):
            return None
        _kept.move_to_end(subject_id)
        return kept


def keep_unpacked(subject_id: UUID, snapshot: Snapshot) -> None:
    """Keep a snapshot; those that were not used for longest make room."""
    with _lock:
        _kept[subject_id] = snapshot
        _kept.move_to_end(subject_id)
        while len(_kept) > 1 and sum(map(len, _kept.values())) > MOST_VERSIONS:
            _kept.popitem(last=False)


def forget_unpacked(subject_id: UUID) -> None:
    """Drop it here; other processes never see its state again, and drop it in their turn."""
    with _lock:
        _kept.pop(subject_id, None)
