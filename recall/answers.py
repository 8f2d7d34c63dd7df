"""Answers kept for questions that come again: the same words of the same caller, and nothing new.

Equal questions only: vectors of "I like it" and "I don't like it" are neighbours, so that a near
question is not the same question (docs/decisions).
"""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from django.utils import translation
from pydantic import TypeAdapter

from ledger.chain import canonical
from recall import buffers
from recall.exchange import Answer, Asked
from recall.ranking import Found
from recall.reading import State
from recall.snapshot import NEVER, moment
from recall.traces import store_repetition
from tenants import clock
from tenants.principals import Scope

FORM = TypeAdapter(Answer)


def kept(asked: Asked, state: State, missing: list[str]) -> Answer | None:
    """The answer that was given before, if it would be given again; its repetition is traced."""
    if not _may_be_kept(asked):
        return None
    found = buffers.or_none(lambda: buffers.read_answer(asked.cipher, _name(asked)), missing)
    answer = found and buffers.or_unreadable(lambda: _current(asked, state, found))
    if not (found and answer):
        return None
    expires_at = datetime.fromisoformat(found["trace_expires_at"])
    trace = store_repetition(asked, answer.trace, expires_at)
    return replace(answer, trace=trace.id, at=asked.at, cached=True)


def _current(asked: Asked, state: State, kept: dict[str, Any]) -> Answer | None:
    """The answer, if nothing and no time has changed since. Raises what reading it raises."""
    same = kept["of"] == [state.seq, state.revision, state.waiting]
    if not same or kept["until"] <= moment(asked.at.valid_at):
        return None
    return FORM.validate_json(kept["answer"])


def keep(asked: Asked, found: Found, answer: Answer, state: State) -> None:
    """Keep an answer that the same question would get again for a while.

    `state` is the index's from before anything was searched: words and versions are read one after
    the other, and an answer beside which something was written may lack it.
    """
    if not _may_be_kept(asked) or answer.missing or answer.not_encoded:
        return
    if (found.snapshot.seq, found.snapshot.revision) != (state.seq, state.revision):
        return
    rules = asked.policy
    expires_at = clock.now() + timedelta(days=rules.retention.trace_days)
    kept_form = {
        "of": [found.snapshot.seq, found.snapshot.revision, 0],
        "until": _until(asked, found),
        "trace_expires_at": expires_at.isoformat(),
        "answer": FORM.dump_json(answer).decode(),
    }
    buffers.or_none(
        lambda: buffers.keep_answer(asked.cipher, _name(asked), kept_form, rules.cache),
        answer.missing,
    )


def _may_be_kept(asked: Asked) -> bool:
    """Only what is asked of now: another moment is asked for once. Sessions and tasks go on."""
    question = asked.question
    moving = question.session or question.task
    now = question.valid_at is None and asked.at.newest and not moving
    return now and asked.policy.cache.answer_seconds > 0


def _name(asked: Asked) -> str:
    """What makes two questions the same one, as a fingerprint that tells nothing."""
    question = asked.question
    same: dict[str, Any] = {
        "agent": asked.principal.agent or "",
        "reveals": Scope.REVEAL in asked.principal.scopes,
        "language": translation.get_language() or "",
        "policy": asked.policy.version,
        "time_zone": asked.subject.time_zone,
        "query": " ".join(question.query.split()),
        "said": " ".join(asked.said.split()),
        "top_k": question.top_k,
        "token_budget": question.token_budget,
        "kinds": sorted(question.kinds),
        "filters": question.filters.given,
        "min_score": question.min_score,
    }
    return asked.cipher.fingerprint(canonical(same).decode()).hex()


def _until(asked: Asked, found: Found) -> int:
    """When time alone may change the answer: something begins or ends, the person's day does
    (today is another one then), or the policy says so.
    """
    rows, now = found.snapshot.versions, moment(asked.at.valid_at)
    longest = timedelta(seconds=asked.policy.cache.answer_seconds)
    edges = np.concatenate([rows["valid_from"], rows["valid_to"], rows["expires_at"]])
    coming = edges[edges > now].astype(np.int64)
    last = min(asked.at.valid_at + longest, _midnight(asked))
    return min(int(coming.min(initial=NEVER)), moment(last))


def _midnight(asked: Asked) -> datetime:
    """When the person's day ends."""
    zone = ZoneInfo(asked.subject.time_zone)
    tomorrow = asked.at.valid_at.astimezone(zone).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(), zone).astimezone(UTC)
