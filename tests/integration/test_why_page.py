"""The page that says why: in plain words, in both languages, and from it a memory is changed."""

import html
import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from ledger.chain import canonical
from recall.models import Trace
from recall.pages.words import MISSING_WORDS, STRATEGY_WORDS, VERDICT_WORDS
from tenants import clock, ids, keys
from tenants.context import tenant_context
from tenants.models import Role, Subject
from tenants.services.ensure_subject import ensure_subject
from tenants.services.members import add_member, create_user
from tests.cast import HOST, Actor, Api

QUESTION = "What does she drink?"


def member(tenant: Actor, role: str, subject: Subject | None = None) -> Client:
    """A browser of somebody with that role."""
    user = create_user(f"{role}-{uuid.uuid4().hex}", "a-password")
    with tenant_context(tenant.tenant_id):
        add_member(user, role, subject)
    client = Client(SERVER_NAME=HOST)
    client.force_login(user)
    return client


@pytest.fixture
def owner(tenant: Actor) -> Client:
    return member(tenant, Role.OWNER)


def page(client: Client, trace: str, language: str = "en") -> str:
    response = client.get(f"/recalls/{trace}", headers={"Accept-Language": language})
    assert response.status_code == 200
    return " ".join(html.unescape(response.content.decode()).split())


def change(client: Client, trace: str, memory: str, **fields: Any) -> Any:
    return client.post(f"/recalls/{trace}/memories/{memory}", fields)


def now(api: Api, memory: str) -> dict[str, Any]:
    found: dict[str, Any] = api.get(f"/api/v1/memories/{memory}").json()
    return found


@pytest.fixture(autouse=True)
def everything_answers(api: Api) -> None:
    """What is near enough to be returned is no matter of this page."""
    rules = {"rules": {"ranking": {"answerable_from": 0}}}
    assert api.post("/api/v1/policies", rules).status_code == 201


@pytest.fixture
def tea(api: Api) -> dict[str, Any]:
    found: dict[str, Any] = api.write("alice", "I like green tea")["memory"]
    return found


@pytest.fixture
def trace(api: Api, tea: dict[str, Any]) -> str:
    return str(api.recall("alice", QUESTION)["trace"])


def store(tenant: Actor, memory: dict[str, Any], **record: Any) -> str:
    """A trace as an earlier or a later version of the pipeline may have left it."""
    moment = clock.now().isoformat()
    candidate = {
        "memory": memory["id"],
        "version": memory["version"],
        "place": 1,
        "score": 0.5,
        "score_breakdown": {"relevance": 0.5, "recency": 1.0, "importance": 0.5},
        "arms": {"vector": {"score": 0.8, "rank": 1}},
        "weight": 1.0,
        "verdict": "returned",
        "in_context": True,
    }
    whole = {
        "query": QUESTION,
        "top_k": 10,
        "kinds": [],
        "min_score": None,
        "answered_at": {"valid_at": moment, "known_at": moment, "seq": 1},
        "encoder": "bundled",
        "policy": 0,
        "weights": {"relevance": 1.0, "recency": 0.1, "importance": 0.1},
        "strategy": {"vector": "exact within the subject"},
        "not_encoded_yet": 0,
        "candidates": [candidate | record.pop("candidate", {})],
        "tokens": 10,
        "milliseconds": {"scope": 1.0},
    } | record
    with tenant_context(tenant.tenant_id):
        subject = Subject.objects.get(external_id="alice")
        trace_id = ids.new_id()
        Trace(
            id=trace_id,
            subject=subject,
            actor="key:gone",
            expires_at=clock.now() + timedelta(days=1),
            sealed=keys.cipher_for(subject).seal(trace_id, canonical(whole)),
        ).save(force_insert=True)
    return str(trace_id)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_code_of_a_trace_is_said_in_the_readers_words(
    tenant: Actor, tea: dict[str, Any], owner: Client, language: str
) -> None:
    strategies = {f"arm {number}": text for number, text in enumerate(STRATEGY_WORDS)}
    for verdict, (title, reason) in VERDICT_WORDS.items():
        shown = page(
            owner,
            store(
                tenant,
                tea,
                candidate={"verdict": verdict},
                strategy=strategies,
                missing=list(MISSING_WORDS),
            ),
            language,
        )
        with translation.override(language):
            words = [title, reason, *STRATEGY_WORDS.values(), *MISSING_WORDS.values()]
            assert [str(text) for text in words if str(text) not in shown] == []


def test_what_is_not_known_yet_is_shown_by_its_name(
    tenant: Actor, tea: dict[str, Any], owner: Client
) -> None:
    shown = page(
        owner,
        store(
            tenant,
            tea,
            candidate={"verdict": "too_blue", "arms": {"smell": {"score": 0.25, "rank": 7}}},
            strategy={"smell": "sniffed at"},
            missing=["nose"],
            milliseconds={"sniff": 3.0},
        ),
    )
    for name in ("too_blue", "smell", "sniffed at", "nose", "sniff"):
        assert name in shown


def test_a_trace_of_an_earlier_version_is_still_readable(
    tenant: Actor, tea: dict[str, Any], owner: Client
) -> None:
    shown = page(owner, store(tenant, tea))
    assert "I like green tea" in shown
    assert "likely that anything remembered" not in shown
    assert "<strong>83%</strong> likely that anything remembered answers it" in page(
        owner, store(tenant, tea, answerable=0.83)
    )


def test_the_reasons_are_those_of_the_arms(
    tenant: Actor, tea: dict[str, Any], owner: Client
) -> None:
    arms = {name: {"score": 1.0, "rank": 2} for name in ("exact", "period", "named", "lexical")}
    shown = page(owner, store(tenant, tea, candidate={"arms": arms}, missing=["vector"]))
    assert (
        "Holds exactly what was asked for; falls into the time that was asked about; said by "
        "somebody whom the question names; no. 2 by shared words; recent." in shown
    )
    assert "meaning had not been compared" not in shown


def test_what_was_held_back_has_the_place_that_it_would_have_had(
    tenant: Actor, tea: dict[str, Any], owner: Client
) -> None:
    arms = {name: {"score": 1.0, "rank": 1} for name in ("vector", "lexical")}
    held = page(owner, store(tenant, tea, candidate={"arms": arms, "verdict": "ended"}))
    assert "Would be no. 1 by meaning; would be no. 1 by shared words; recent." in held
    told = page(owner, store(tenant, tea, candidate={"arms": arms}))
    assert "The best match, both by meaning and by shared words; recent." in told


def test_stages_stand_in_the_order_in_which_they_ran(
    tenant: Actor, tea: dict[str, Any], owner: Client
) -> None:
    times = {"arms": 1.0, "encode": 2.0, "rank": 3.0, "scope": 4.0}
    shown = page(owner, store(tenant, tea, milliseconds=times))
    assert re.findall(r'class="figure">(\d\.\d)</td>', shown.split("Time taken")[1]) == [
        "4.0",
        "2.0",
        "1.0",
        "3.0",
    ]


def test_memories_that_were_looked_at_and_are_not_listed_are_counted(
    tenant: Actor, tea: dict[str, Any], owner: Client
) -> None:
    assert "6 more memories were looked at" in page(owner, store(tenant, tea, considered=7))
    assert "more memor" not in page(owner, store(tenant, tea, considered=1))


def test_an_answer_given_again_says_so_and_leads_to_the_first(
    api: Api, owner: Client, tea: dict[str, Any]
) -> None:
    api.recall("alice", "Warm up")
    first, again = api.recall("alice", QUESTION), api.recall("alice", QUESTION)
    assert again["cached"]
    assert f'href="/recalls/{first["trace"]}"' in page(owner, again["trace"])
    assert "answered from what was found at" in page(owner, again["trace"])
    assert "answered from what was found at" not in page(owner, first["trace"])


def test_what_the_agent_said_is_shown_with_what_it_used(
    api: Api, owner: Client, trace: str, tea: dict[str, Any]
) -> None:
    assert "What the agent said" not in page(owner, trace)
    words = "<b>Green</b> tea 绿茶"
    api.post(f"/api/v1/recall/{trace}/answer", {"text": words, "used": [tea["id"]]})
    shown = page(owner, trace)
    assert "What the agent said" in shown
    assert words in shown
    assert f'href="#v-{tea["version"]}"' in shown
    assert words.encode() not in owner.get(f"/recalls/{trace}").content


def test_a_memory_is_weighed_corrected_and_ended_from_the_page(
    api: Api, owner: Client, trace: str, tea: dict[str, Any]
) -> None:
    done = change(owner, trace, tea["id"], do="weigh", weight="2")
    assert (done.status_code, done["Location"]) == (302, f"/recalls/{trace}#v-{tea['version']}")
    assert now(api, tea["id"])["weight"] == 2
    assert "From now on it weighs as you said." in page(owner, trace)

    version = now(api, tea["id"])["version"]
    change(owner, trace, tea["id"], do="correct", version=version, content="I like\r\nblack tea")
    assert now(api, tea["id"])["content"] == "I like\nblack tea"
    assert "It was changed since." in page(owner, trace)
    stale = change(owner, trace, tea["id"], do="correct", version=version, content="I like rum")
    assert stale.status_code == 409

    change(owner, trace, tea["id"], do="end")
    assert now(api, tea["id"])["status"] == "ended"


def test_a_memory_is_withdrawn_or_erased_from_the_page(
    api: Api, owner: Client, trace: str, tea: dict[str, Any]
) -> None:
    coffee = api.write("alice", "I drink coffee")["memory"]
    both = str(api.recall("alice", "Which drinks?")["trace"])
    change(owner, both, coffee["id"], do="retract")
    assert api.get(f"/api/v1/memories/{coffee['id']}").status_code == 404
    assert api.get(f"/api/v1/memories/{coffee['id']}/history").status_code == 200
    assert f'action="/recalls/{both}/memories/{coffee["id"]}"' not in page(owner, both)

    gone = change(owner, both, tea["id"], do="erase")
    assert re.fullmatch(r"/subjects/[0-9a-f-]+/recalls", gone["Location"])
    assert api.get(f"/api/v1/memories/{tea['id']}/history").status_code == 404
    assert owner.get(f"/recalls/{both}").status_code == 404
    assert "It is erased" in owner.get(gone["Location"]).content.decode()


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({}, "This field is required"),
        ({"do": "sing"}, "Select a valid choice"),
        ({"do": "weigh"}, "Weight: This field is required"),
        ({"do": "weigh", "weight": "heavy"}, "Weight: Enter a number"),
        ({"do": "weigh", "weight": "nan"}, "Weight: Enter a number"),
        ({"do": "weigh", "weight": "1000"}, "Weight: Ensure this value"),
        ({"do": "correct", "content": "x"}, "This field is required"),
        ({"do": "correct", "version": "{version}", "content": "\u200b"}, "What is right: This"),
        ({"do": "correct", "version": "x", "content": "x"}, "Enter a valid UUID"),
    ],
)
def test_a_change_that_is_not_understood_says_so_and_changes_nothing(
    api: Api,
    owner: Client,
    trace: str,
    tea: dict[str, Any],
    fields: dict[str, str],
    complaint: str,
) -> None:
    filled = {name: text.format(**tea) for name, text in fields.items()}
    refused = change(owner, trace, tea["id"], **filled)
    assert refused.status_code == 400
    assert complaint in html.unescape(refused.content.decode())
    assert now(api, tea["id"])["version"] == tea["version"]


def test_who_may_not_change_is_shown_no_form_and_is_refused(
    api: Api, tenant: Actor, trace: str, tea: dict[str, Any]
) -> None:
    auditor = member(tenant, Role.AUDITOR)
    assert "Change this memory" not in page(auditor, trace)
    assert change(auditor, trace, tea["id"], do="weigh", weight="2").status_code == 403

    with tenant_context(tenant.tenant_id):
        alice, bob = ensure_subject("alice"), ensure_subject("bob")
    person = member(tenant, Role.MEMBER, alice)
    assert "Change this memory" in page(person, trace)
    assert "Erase it for good" not in page(person, trace)
    assert change(person, trace, tea["id"], do="erase").status_code == 403
    assert change(person, trace, tea["id"], do="weigh", weight="2").status_code == 302
    other = member(tenant, Role.MEMBER, bob)
    assert change(other, trace, tea["id"], do="weigh", weight="4").status_code == 404
    assert now(api, tea["id"])["weight"] == 2


def test_only_what_the_recall_has_met_is_changed_through_it(
    api: Api, owner: Client, trace: str
) -> None:
    other = api.write("bob", "I like coffee")["memory"]
    assert change(owner, trace, other["id"], do="weigh", weight="2").status_code == 404
    assert now(api, other["id"])["weight"] == 1


def test_a_change_needs_the_pages_own_form(tenant: Actor, trace: str, tea: dict[str, Any]) -> None:
    client = member(tenant, Role.OWNER)
    client.handler.enforce_csrf_checks = True
    assert change(client, trace, tea["id"], do="weigh", weight="2").status_code == 403
    assert client.get(f"/recalls/{trace}/memories/{tea['id']}").status_code == 405
