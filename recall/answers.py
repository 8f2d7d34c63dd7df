"""Answers kept for questions that come again: the same words of the same caller, and nothing new.

Equal questions only: vectors of "I like it" and "I don't like it" are neighbours, so that a near
question is not the same question (docs/decisions).
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any

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
from tenants.principals import Scope

FORM = TypeAdapter(Answer)


def kept(asked: Asked, state: State, missing: list[str]) -> Answer | None:
    """The answer that was given before, if it would be given again; its repetition is traced."""
    if not _may_be_kept(asked):
        return None
    found = buffers.or_none(lambda: buffers.read_answer(asked.cipher, _name(asked)), missing)
    if found is None or found["of"] != [state.seq, state.revision, state.waiting]:
        return None
    if found["until"] <= moment(asked.at.valid_at):
        return None
    answer = FORM.validate_python(found["answer"])
    trace = store_repetition(asked, answer.trace)
    return replace(answer, trace=trace.id, at=asked.at, cached=True) if trace else None


def keep(asked: Asked, found: Found, answer: Answer) -> None:
    """Keep an answer that the same question would get again for a while."""
    if not _may_be_kept(asked) or answer.missing or answer.not_encoded:
        return
    kept_form = {
        "of": [found.snapshot.seq, found.snapshot.revision, 0],
        "until": _until(asked, found),
        "answer": FORM.dump_python(answer, mode="json"),
    }
    buffers.or_none(
        lambda: buffers.keep_answer(asked.cipher, _name(asked), kept_form, asked.policy.cache),
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
        "query": " ".join(question.query.split()),
        "said": " ".join(asked.said.split()),
        "top_k": question.top_k,
        "token_budget": question.token_budget,
        "kinds": sorted(question.kinds),
        "min_score": question.min_score,
    }
    return asked.cipher.fingerprint(canonical(same).decode()).hex()


def _until(asked: Asked, found: Found) -> int:
    """When time alone may change the answer: something begins or ends, or the policy says so."""
    rows, now = found.snapshot.versions, moment(asked.at.valid_at)
    longest = timedelta(seconds=asked.policy.cache.answer_seconds)
    edges = np.concatenate([rows["valid_from"], rows["valid_to"], rows["expires_at"]])
    coming = edges[edges > now].astype(np.int64)
    return min(int(coming.min(initial=NEVER)), now + longest // timedelta(microseconds=1))
