"""Jobs: whatever happens to a worker, the work is done, once, or stays in the list."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from redis import ConnectionError as Away

from ledger import jobs, tasks
from ledger.models import Entry, Job, JobState, PolicyVersion, Session, Turn
from ledger.policy.storage import Jobs
from ledger.services import learn as learning
from ledger.services.run_job import run_job
from tenants import clock
from tenants.context import tenant_context
from tenants.principals import AGENT_SCOPES
from tests.cast import Actor, Api
from tests.integration.talking import contents, counted, key_with, memories, send, turns_of

PEANUTS, BEES, PARIS = (
    "I am allergic to peanuts.",
    "I keep bees in my garden.",
    "I live in Paris.",
)


def job_of(tenant: Actor, job_id: str) -> Job:
    with tenant_context(tenant.tenant_id):
        return Job.objects.get(id=job_id)


@pytest.fixture
def job(api: Api, tenant: Actor, unheard: list) -> str:
    """A job of three turns that waits."""
    return str(send(api, PEANUTS, BEES, PARIS).json()["job"]["id"])


def test_a_run_that_is_killed_between_turns_is_resumed_and_nothing_is_learned_twice(
    api: Api, tenant: Actor, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = learning.understand, []

    def understand(said: Any, policy: Any) -> Any:
        calls.append(said.text)
        if len(calls) == 2:
            raise SystemExit
        return real(said, policy)

    monkeypatch.setattr(learning, "understand", understand)
    with pytest.raises(SystemExit):
        run_job(tenant.tenant_id, UUID(job))
    assert contents(api) == [PEANUTS]
    running = job_of(tenant, job)
    assert (running.state, running.done, running.attempts) == (JobState.RUNNING, 1, 1)
    # While it counts as running nobody else takes it.
    run_job(tenant.tenant_id, UUID(job))
    assert contents(api) == [PEANUTS]
    with clock.frozen(clock.now() + timedelta(seconds=Jobs().lease_seconds + 1)):
        run_job(tenant.tenant_id, UUID(job))
    assert contents(api) == sorted([PEANUTS, BEES, PARIS])
    assert calls == [PEANUTS, BEES, BEES, PARIS]
    assert counted(tenant, Entry.objects.count) == 3
    finished = job_of(tenant, job)
    assert (finished.state, finished.done, finished.total) == (JobState.DONE, 3, 3)


def test_a_turn_is_learned_from_wholly_or_not_at_all(
    api: Api, tenant: Actor, unheard: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = send(api, f"{PEANUTS} {BEES}").json()["job"]["id"]
    real, calls = learning.believe, []

    def believe(*args: Any, **options: Any) -> Any:
        calls.append(options["statement"].content)
        if len(calls) == 2:
            raise RuntimeError("in the middle of a turn")
        return real(*args, **options)

    monkeypatch.setattr(learning, "believe", believe)
    run_job(tenant.tenant_id, UUID(job))
    assert contents(api) == []
    assert counted(tenant, Entry.objects.count) == 0
    assert turns_of(api)[0]["outcome"] is None
    failed = job_of(tenant, job)
    assert (failed.state, failed.error, failed.attempts) == (JobState.WAITING, "RuntimeError", 1)
    with clock.frozen(failed.due_at):
        run_job(tenant.tenant_id, UUID(job))
    assert contents(api) == sorted([PEANUTS, BEES])


def test_with_the_broker_away_turns_are_taken_and_the_sweeper_finds_the_job(
    api: Api, tenant: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise Away

    monkeypatch.setattr("ledger.tasks.run_job.delay", away)
    response = send(api, PEANUTS)
    assert response.status_code == 202
    job = response.json()["job"]["id"]
    nudges: list[tuple[str, str]] = []
    monkeypatch.setattr("ledger.tasks.run_job.delay", lambda *ids: nudges.append(ids))
    monkeypatch.setattr(tasks, "tenant_ids", lambda: [tenant.tenant_id])
    tasks.sweep_jobs()
    assert nudges == [(str(tenant.tenant_id), job)]
    tasks.run_job(*nudges[0])
    assert contents(api) == [PEANUTS]
    tasks.run_job(*nudges[0])  # a nudge that came twice
    tasks.sweep_jobs()
    assert len(nudges) == 1
    assert counted(tenant, Entry.objects.count) == 1


def test_a_job_that_fails_is_tried_later_and_later_then_given_up_listed_and_sent_again(
    api: Api, tenant: Actor, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise OSError(PEANUTS)

    monkeypatch.setattr(learning, "understand", broken)
    rules, waits, moment = Jobs(), [], clock.now()
    for _ in range(rules.attempts):
        with clock.frozen(moment):
            run_job(tenant.tenant_id, UUID(job))
        row = job_of(tenant, job)
        waits.append((row.due_at - moment).total_seconds())
        early = job_of(tenant, job).attempts
        with clock.frozen(moment):
            run_job(tenant.tenant_id, UUID(job))  # too early: nothing happens
        assert job_of(tenant, job).attempts == early
        moment = row.due_at
    expected = [rules.first_wait_seconds * 2**n for n in range(rules.attempts - 1)]
    assert waits[:-1] == expected
    told = api.get(f"/api/v1/jobs/{job}").json()
    assert (told["state"], told["attempts"], told["error"]) == ("dead", rules.attempts, "OSError")
    assert told["finished_at"]
    assert PEANUTS not in str(told)
    with tenant_context(tenant.tenant_id), clock.frozen(clock.now() + timedelta(days=1)):
        assert not jobs.overdue().exists()

    monkeypatch.undo()
    monkeypatch.setattr("ledger.tasks.run_job.delay", lambda *_: None)
    assert key_with(tenant, *AGENT_SCOPES).post(f"/api/v1/jobs/{job}/retry").status_code == 403
    again = api.post(f"/api/v1/jobs/{job}/retry")
    assert (again.status_code, again.json()["attempts"]) == (202, 0)
    assert again.json()["state"] == "waiting"
    run_job(tenant.tenant_id, UUID(job))
    assert contents(api) == sorted([PEANUTS, BEES, PARIS])
    refused = api.post(f"/api/v1/jobs/{job}/retry")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "job_not_given_up")


def test_the_policy_says_how_often_a_job_is_tried(
    api: Api, tenant: Actor, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tenant_context(tenant.tenant_id):
        PolicyVersion(
            number=1, document={"jobs": {"attempts": 1}}, actor="test", created_at=clock.now()
        ).save(force_insert=True)

    def broken(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr(learning, "understand", broken)
    run_job(tenant.tenant_id, UUID(job))
    assert job_of(tenant, job).state == JobState.DEAD


def test_a_failed_job_says_nothing_of_what_was_said(
    api: Api, tenant: Actor, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class PeanutsError(Exception):
        pass

    def broken(*_: Any) -> None:
        raise PeanutsError(PEANUTS)

    monkeypatch.setattr(learning, "understand", broken)
    run_job(tenant.tenant_id, UUID(job))
    assert job_of(tenant, job).error == "PeanutsError"


def test_a_reflection_that_waits_is_not_added_twice(api: Api, tenant: Actor, job: str) -> None:
    ended = [api.post("/api/v1/sessions/s1/end", {"subject": "alice"}).json() for _ in range(2)]
    assert ended[0]["job"]["id"] == ended[1]["job"]["id"]
    assert api.post("/api/v1/sessions/none/end", {"subject": "alice"}).status_code == 404
    assert api.post("/api/v1/sessions/s1/end", {"subject": "nobody"}).status_code == 404


def test_a_job_of_erased_turns_ends_quietly(api: Api, tenant: Actor, job: str) -> None:
    assert api.post("/api/v1/subjects/alice/erase", {"session": "s1"}).status_code == 200
    run_job(tenant.tenant_id, UUID(job))
    assert job_of(tenant, job).state == JobState.DONE
    assert counted(tenant, Turn.objects.count) == 0
    assert memories(api, status="any") == []


def test_sessions_ended_by_two_agents_get_jobs_of_their_own(
    api: Api, tenant: Actor, unheard: list
) -> None:
    """Each reflects on what its agent was told; one without an agent reflects on all."""
    ended, keys = {}, {"": api}
    for agent, said in (("cook", PEANUTS), ("banker", BEES)):
        keys[agent] = key_with(tenant, *AGENT_SCOPES, agent=agent)
        send(keys[agent], said)
    for agent, key in keys.items():
        jobs_made = [key.post("/api/v1/sessions/s1/end", {"subject": "alice"}) for _ in range(2)]
        assert [response.status_code for response in jobs_made] == [202, 202]
        first, again = (response.json()["job"]["id"] for response in jobs_made)
        assert first == again
        ended[agent] = first
    assert len(set(ended.values())) == 3
    assert {agent: job_of(tenant, job).agent for agent, job in ended.items()} == {
        agent: agent for agent in keys
    }


def test_the_end_of_another_agents_session_answers_like_a_missing_one(
    api: Api, tenant: Actor, unheard: list
) -> None:
    send(api, PEANUTS, agent="banker")
    cook = key_with(tenant, *AGENT_SCOPES, agent="cook")
    answers = []
    for session in ("s1", "none"):
        response = cook.post(f"/api/v1/sessions/{session}/end", {"subject": "alice"})
        error = response.json()["error"]
        answers.append((response.status_code, error["code"], error["message"]))
    assert answers[0] == answers[1]
    assert answers[0][:2] == (404, "not_found")
    with tenant_context(tenant.tenant_id):
        assert Session.objects.get().ended_at is None


def test_a_run_whose_lease_is_over_can_say_nothing_about_the_job_of_another(
    tenant: Actor, job: str
) -> None:
    rules = Jobs(attempts=2)
    with tenant_context(tenant.tenant_id):
        first = jobs.take(UUID(job), rules)
        later = clock.now() + timedelta(seconds=rules.lease_seconds + 1)
        with clock.frozen(later):
            second = jobs.take(UUID(job), rules)
        assert first is not None
        assert second is not None
        before = job_of(tenant, job)
        with clock.frozen(later + timedelta(seconds=1)):
            jobs.progress(first, 2, rules)
            jobs.fail(first, "late", rules)
            assert not jobs.finish(first)
            after = job_of(tenant, job)
            assert (after.state, after.done, after.error, after.due_at) == (
                JobState.RUNNING,
                before.done,
                "",
                before.due_at,
            )
            jobs.progress(second, 2, rules)
            assert job_of(tenant, job).done == 2
            assert jobs.finish(second)
            jobs.fail(second, "after the end", rules)
    finished = job_of(tenant, job)
    assert (finished.state, finished.done, finished.error) == (JobState.DONE, 3, "")
