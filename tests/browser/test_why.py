"""From the page that says why, a person changes what an answer was made of."""

import uuid
from typing import Any

import pytest
import requests
from playwright.sync_api import expect

from tests.browser.conftest import Visitor, write
from tests.cast import Cast
from tests.stack import Stack


@pytest.fixture
def trace(stack: Stack, cast: Cast) -> str:
    """A question that was answered from two memories, and what an agent said with it."""
    subject = uuid.uuid4().hex
    tea = write(stack, cast.alice, subject=subject, content="Lin drinks green tea every morning.")
    write(stack, cast.alice, subject=subject, content="Lin drinks oolong tea every evening.")
    answer = _post(
        stack, cast, "recall", {"subject": subject, "query": "Lin drinks which tea every morning?"}
    )
    said = {"text": "Green tea.", "used": [tea]}
    _post(stack, cast, f"recall/{answer['trace']}/answer", said)
    return str(answer["trace"])


def _post(stack: Stack, cast: Cast, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = requests.post(
        f"{stack.url}/api/v1/{path}",
        json=body,
        headers={"Authorization": f"Bearer {cast.alice.api_key}"},
        timeout=30,
    )
    assert response.ok, response.text
    found: dict[str, Any] = response.json()
    return found


def test_what_the_agent_said_leads_to_what_it_used(
    visitor: Visitor, cast: Cast, trace: str
) -> None:
    visitor.sign_in(cast.alice)
    visitor.goto(f"/recalls/{trace}")
    said = visitor.page.locator("section", has_text="What the agent said").last
    expect(said.locator(".words")).to_have_text("Green tea.")
    said.get_by_role("link", name="memory 1").click()
    expect(visitor.page.locator(".answer > .card:target .content")).to_have_text(
        "Lin drinks green tea every morning."
    )


def test_a_person_weighs_corrects_and_erases_a_memory_by_keyboard_and_mouse(
    visitor: Visitor, cast: Cast, trace: str
) -> None:
    visitor.sign_in(cast.alice)
    visitor.goto(f"/recalls/{trace}")
    first = visitor.page.locator(".answer > .card").first
    first.locator(".change > summary").press("Enter")
    first.get_by_role("button", name="Weigh more").press("Enter")
    expect(visitor.page.get_by_role("status").first).to_contain_text("it weighs as you said")

    first.locator(".change > summary").click()
    expect(first.locator(".change")).to_contain_text("Its weight is 2")
    first.get_by_label("This is wrong").fill("Lin drinks white tea every morning.")
    first.get_by_role("button", name="Correct it").click()
    expect(visitor.page.get_by_role("status").first).to_contain_text("It is corrected.")

    first.locator(".change > summary").click()
    expect(first.get_by_label("This is wrong")).to_have_value("Lin drinks white tea every morning.")
    first.locator(".change details summary").click()
    first.get_by_role("button", name="Erase it").click()
    expect(visitor.page.get_by_role("status").first).to_contain_text("It is erased")
    expect(visitor.page.locator(".tabs")).to_be_visible()
    assert visitor.complaints == []
