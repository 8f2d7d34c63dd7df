"""Which versions of a subject are looked at: all of them, or of a crowded one what arms bring."""

import hashlib
from dataclasses import replace
from uuid import UUID

import numpy as np

from ledger.policy import Policy
from ledger.selectors import AsOf
from recall import buffers, reading
from recall.arrays import Array
from recall.encoders import BUNDLED, Vectors
from recall.filters import NO_FILTERS, Filters
from recall.snapshot import AGENT_BYTES, Snapshot, find
from recall.unpacked import keep_unpacked, recall_unpacked
from tenants.crypto import SubjectCipher

# How an arm searched, and where the index came from, as the trace tells it.
EXACT, APPROXIMATE = "exact within the subject", "approximate, then exact"
NOT_ASKED = "not asked: the encoder is away"
WORDS = "BM25 over hashed terms"
AT_HAND, ANEW = "at hand", "read anew"


def look(
    cipher: SubjectCipher,
    state: reading.State,
    at: AsOf,
    policy: Policy,
    agent: str | None,
    vector: Vectors | None,
    postings: Array,
    missing: list[str],
    filters: Filters = NO_FILTERS,
) -> tuple[Snapshot, dict[str, str]]:
    """The versions that were believed at a point, of one agent if it is named, and how they were
    found, by arm. `state` is the index's in this transaction, since a buffer of before must not be
    used; `missing` is told of what was away.

    Of a crowded subject only those that match the `filters`: what does not must not take the places
    of candidates. Of any other all: there the gate applies them.
    """
    strategy = {"vector": EXACT, "lexical": WORDS}
    # The approximate index is of the bundled encoder; every other one compares everything.
    if state.crowded and state.encoder == BUNDLED:
        wanted = replace(filters, agent=agent or filters.agent)
        own = reading.read_matching(cipher.subject_id, wanted, at) if wanted.given else None
        if own is not None and len(own) <= policy.ranking.exact_up_to:
            some = _ids(own)
        else:
            strategy["vector"] = APPROXIMATE
            some = _candidates(cipher.subject_id, state, policy, vector, postings, own)
        snapshot = Snapshot.of(reading.read_some(cipher.subject_id, at, some))
    else:
        snapshot, strategy["index"] = _whole(cipher, at, state, policy, missing)
    if agent:
        name = hashlib.sha256(agent.encode()).digest()[:AGENT_BYTES]
        snapshot = snapshot.only(snapshot.versions["agent"] == np.void(name))
    return snapshot, strategy


def _whole(
    cipher: SubjectCipher, at: AsOf, state: reading.State, policy: Policy, missing: list[str]
) -> tuple[Snapshot, str]:
    """All versions believed at the point; of the newest state they may be at hand."""
    rules, subject_id = policy.cache, cipher.subject_id
    if not (at.newest and rules.active_minutes):
        return Snapshot.of(reading.read_snapshot(subject_id, at)), ANEW
    if unpacked := recall_unpacked(subject_id, state):
        return unpacked, AT_HAND
    snapshot, source = buffers.or_none(lambda: _kept(cipher, state), missing), AT_HAND
    if snapshot is None:
        read = reading.read_snapshot(subject_id, at)
        if "cache" not in missing:
            buffers.or_none(lambda: buffers.keep_packed(cipher, read, rules), missing)
        snapshot, source = Snapshot.of(read), ANEW
    keep_unpacked(subject_id, snapshot)
    return snapshot, source


def _kept(cipher: SubjectCipher, state: reading.State) -> Snapshot | None:
    """What the buffer has of this state, if it can be read. Raises RedisError."""
    packed = buffers.read_packed(cipher, state.seq, state.revision)
    return buffers.or_unreadable(lambda: Snapshot.of(packed)) if packed else None


def _candidates(
    subject_id: UUID,
    state: reading.State,
    policy: Policy,
    vector: Vectors | None,
    postings: Array,
    own: Array | None,
) -> list[UUID]:
    """Of a crowded subject, or of some of its versions (`own`: their ids), those that are about
    nearest, and those with rare words.
    """
    limit = policy.ranking.approximate_candidates
    if own is not None:
        postings = postings[find(postings["version"], own, np.argsort(own.view("S16")))[0]]
    found = _best_worded(postings, limit)
    if vector is not None:
        among = None if own is None else frozenset(_ids(own))
        found += reading.nearest_of_crowd(subject_id, state.encoder, vector, limit, among)
    return found


def _best_worded(postings: Array, limit: int) -> list[UUID]:
    """The versions that hold most words of the question, counted by their rarity."""
    if not len(postings):
        return []
    _, place, count = np.unique(postings["term"], return_inverse=True, return_counts=True)
    versions, owner = np.unique(postings["version"].copy().view("S16"), return_inverse=True)
    rarity = np.bincount(owner, weights=1 / np.log2(1 + count[place]))
    best = np.argsort(-rarity)[:limit]
    return _ids(versions[best])


def _ids(rows: Array) -> list[UUID]:
    """Ids as 16 bytes each, as such; numpy cuts zeros off the end of S16."""
    return [UUID(bytes=bytes(row).ljust(16, b"\0")) for row in rows]
