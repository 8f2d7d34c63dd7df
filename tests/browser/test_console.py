"""The console's pages of jobs and policies, in a browser."""

import uuid

import requests
from playwright.sync_api import expect

from ledger.models import Job, JobState
from tenants.context import tenant_context
from tenants.models import Role
from tenants.services.members import add_member, create_user
from tests.browser.conftest import Visitor, talk_about
from tests.cast import Actor, Cast
from tests.stack import Stack


def given_up(stack: Stack, actor: Actor) -> str:
    """A job that was given up; gives its id."""
    talk = talk_about(stack, actor, f"given up {uuid.uuid4().hex}")
    with tenant_context(actor.tenant_id):
        jobs = Job.objects.filter(session_id=talk.page.rpartition("/")[2], kind="learn")
        jobs.update(state=JobState.DEAD, attempts=5, error="broken_thing")
        return str(jobs.get().id)


def test_a_job_that_was_given_up_is_found_and_sent_again(
    visitor: Visitor, cast: Cast, stack: Stack
) -> None:
    job = given_up(stack, cast.alice)
    page = visitor.page
    visitor.sign_in(cast.alice)
    assert visitor.goto("/admin/ledger/job/?state__exact=dead") == 200
    expect(page.locator("#result_list")).to_contain_text("broken_thing")
    page.locator(f"[name=_selected_action][value='{job}']").check()
    page.locator("[name=action]").select_option("send_again")
    page.locator("[name=index]").click()
    expect(page.locator(".messagelist")).to_contain_text("1 job was sent again.")
    with tenant_context(cast.alice.tenant_id):
        assert Job.objects.get(id=job).state != JobState.DEAD

    visitor.goto(f"/admin/ledger/job/{job}/change/")
    expect(page.locator("main")).to_contain_text("talk/一 #1")
    expect(page.locator("[name=_save], .deletelink")).to_have_count(0)
    visitor.goto(f"/admin/tenants/accessevent/?object_id={job}")
    expect(page.locator("#result_list")).to_contain_text("admin send again job")
    assert visitor.complaints == []


def test_a_job_that_was_not_given_up_is_left_alone(
    visitor: Visitor, cast: Cast, stack: Stack
) -> None:
    job = given_up(stack, cast.alice)
    with tenant_context(cast.alice.tenant_id):
        Job.objects.filter(id=job).update(state=JobState.DONE)
    visitor.sign_in(cast.alice)
    visitor.goto("/admin/ledger/job/")
    visitor.page.locator(f"[name=_selected_action][value='{job}']").check()
    visitor.page.locator("[name=action]").select_option("send_again")
    visitor.page.locator("[name=index]").click()
    expect(visitor.page.locator(".messagelist")).to_contain_text("1 job was left alone")


def test_an_auditor_sees_jobs_and_sends_none(visitor: Visitor, cast: Cast, stack: Stack) -> None:
    given_up(stack, cast.alice)
    password = uuid.uuid4().hex
    user = create_user(f"grace-{uuid.uuid4().hex[:8]}", password)
    with tenant_context(cast.alice.tenant_id):
        add_member(user, Role.AUDITOR)
    visitor.sign_in(Actor(cast.alice.tenant_id, "", user.username, password))
    visitor.goto("/admin/ledger/job/?state__exact=dead")
    expect(visitor.page.locator("#result_list")).to_contain_text("broken_thing")
    expect(visitor.page.locator("[name=action]")).to_have_count(0)


def test_a_policy_is_shown_as_it_was_written_and_cannot_be_changed_here(
    visitor: Visitor, cast: Cast, stack: Stack
) -> None:
    written = requests.post(
        f"{stack.url}/api/v1/policies",
        json={"preset": "balanced", "rules": {"merging": {"candidates": 7}}},
        headers={"Authorization": f"Bearer {cast.alice.api_key}"},
        timeout=30,
    )
    assert written.status_code == 201, written.text
    visitor.sign_in(cast.alice)
    visitor.goto("/admin/ledger/policyversion/")
    visitor.page.locator("#result_list tbody th a").first.click()
    expect(visitor.page.locator("pre")).to_contain_text('"candidates": 7')
    expect(visitor.page.locator("[name=_save], .deletelink, .addlink")).to_have_count(0)
    assert visitor.complaints == []
