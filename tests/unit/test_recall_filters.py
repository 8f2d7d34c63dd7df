"""A question's filters: what they ask, and of whom they may ask it."""

import uuid

import pytest

from recall.filters import NO_FILTERS, Filters
from tenants.errors import Pinned
from tenants.principals import AGENT_SCOPES, Principal


def caller(agent: str | None) -> Principal:
    return Principal(tenant_id=uuid.uuid4(), actor="key:x", scopes=AGENT_SCOPES, agent=agent)


def test_only_what_is_asked_counts_as_given() -> None:
    assert NO_FILTERS.given == {}
    asked = Filters(session="s1", metadata={"tier": 0, "new": False, "note": ""})
    assert asked.given == {"session": "s1", "metadata": {"tier": 0, "new": False, "note": ""}}


def test_a_caller_for_one_agent_asks_for_no_other() -> None:
    for pinned, wanted in (("cook", "cook"), ("cook", ""), (None, "cook"), (None, "")):
        Filters(agent=wanted).require_allowed(caller(pinned))
    with pytest.raises(Pinned) as refused:
        Filters(agent="banker").require_allowed(caller("cook"))
    assert refused.value.field == "filters.agent"
