"""A real browser for the page tests, and something to look at."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
import requests
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.stack import ROOT, Stack

if TYPE_CHECKING:
    # At run time this waits until Django is set up.
    from tests.cast import Actor, Cast

RESULTS = ROOT / "test-results"
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SUBJECT = "lin/网页 #1"
TELL_VIOLATIONS = """addEventListener("securitypolicyviolation", (event) => console.error(
    `content policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, from the system."""
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright keeps an event loop in this thread, at which Django's models would take fright.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        program = os.environ.get("MEMORYHUB_CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Visitor:
    """One person's browser: a context of its own, and what its console complained about."""

    context: BrowserContext
    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)

    def goto(self, path: str) -> int:
        """Open a path of the service; gives the status."""
        response = self.page.goto(self.url + path)
        assert response is not None
        return response.status

    def sign_in(self, actor: Actor) -> None:
        """Through the form, as a person does."""
        self.goto("/sign-in")
        self.page.locator("[name=username]").fill(actor.username)
        self.page.locator("[name=password]").fill(actor.password)
        self.page.locator("main button").click()
        self.page.wait_for_selector("#account", state="attached")

    def open_subject(self, subject: str = SUBJECT) -> str:
        """Find a subject on the first page and open it; gives its path."""
        self.goto("/")
        self.page.locator("[name=begins]").fill(subject)
        self.page.locator("[name=begins]").press("Enter")
        self.page.get_by_role("link", name=subject, exact=True).click()
        self.page.wait_for_selector(".tabs")
        return self.page.url.removeprefix(self.url)


@pytest.fixture
def visitor(browser: Browser, stack: Stack, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """A visitor; a picture of the last page goes to test-results/."""
    with _visit(browser, stack) as visitor:
        yield visitor
        RESULTS.mkdir(exist_ok=True)
        name = re.sub(r"[^\w-]+", "-", request.node.name).strip("-")
        visitor.page.screenshot(path=RESULTS / f"{name}.png", full_page=True)


@pytest.fixture
def phone(browser: Browser, stack: Stack) -> Iterator[Visitor]:
    """A visitor with a screen of 360 pixels, in the dark."""
    with _visit(
        browser, stack, viewport={"width": 360, "height": 740}, color_scheme="dark"
    ) as visitor:
        yield visitor


class _visit:  # noqa: N801  (used as a function)
    def __init__(self, browser: Browser, stack: Stack, **options: Any) -> None:
        options = {"viewport": {"width": 1280, "height": 800}, "locale": "en-US"} | options
        self.context = browser.new_context(**options)
        self.context.add_init_script(TELL_VIOLATIONS)
        self.visitor = Visitor(self.context, self.context.new_page(), stack.url)

    def __enter__(self) -> Visitor:
        complaints = self.visitor.complaints
        page = self.visitor.page
        page.set_default_timeout(15_000)
        page.on(
            "console",
            lambda said: (
                complaints.append(said.text) if said.type in ("error", "warning") else None
            ),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return self.visitor

    def __exit__(self, *_: object) -> None:
        self.context.close()


@dataclass(frozen=True)
class Remembered:
    """What the tests look at: memories of Alice's tenant, and one that is Charlie's."""

    home: str
    tea: str
    foreign: str


@pytest.fixture(scope="session")
def remembered(stack: Stack, cast: Cast) -> Remembered:
    return Remembered(
        home=write(
            stack,
            cast.alice,
            content="Lin lived in Shanghai.",
            attribute="home_city",
            valid_from="2021-03-01T00:00:00+08:00",
            valid_to="2024-05-04T00:00:00+08:00",
        ),
        tea=write(stack, cast.alice, content="最喜欢龙井茶，不喝咖啡。", kind="preference"),
        foreign=write(stack, cast.charlie, content="Charlie's secret."),
    )


def write(stack: Stack, actor: Actor, **body: Any) -> str:
    """Write one memory over the API; gives its id."""
    response = requests.post(
        f"{stack.url}/api/v1/memories",
        json={"subject": SUBJECT} | body,
        headers={"Authorization": f"Bearer {actor.api_key}"},
        timeout=30,
    )
    assert response.status_code in (200, 201), response.text
    return str(response.json()["memory"]["id"])


TALKER = "mei/对话 #2"


@dataclass(frozen=True)
class Talked:
    """A conversation of Alice's tenant about TALKER: the path of its page, and its memories."""

    subject: str
    page: str
    memories: dict[str, str]


SAID = (
    ("user", "Hello! I live in Hangzhou. My phone number is 13812345678."),
    ("assistant", "Nice to meet you."),
    ("user", "I am allergic to peanuts. What is the weather like?"),
    ("user", "我必须在2099年5月1日之前交报告。"),
    ("user", "asdfghjkl"),
)
SAID_LATER = (
    ("user", "I am allergic to peanuts."),
    ("user", "I moved to Shanghai."),
)


@pytest.fixture(scope="session")
def talked(stack: Stack, cast: Cast) -> Talked:
    """Two conversations, learned from; the second says one thing again and changes another."""
    return talk_about(stack, cast.alice, TALKER)


def talk_about(stack: Stack, actor: Actor, subject: str) -> Talked:
    """Hold both conversations about a subject; gives what the first one made."""
    from ledger.models import Session
    from tenants.context import tenant_context

    first = say(stack, actor, subject, "talk/一 #1", SAID)
    say(stack, actor, subject, "talk/二 #2", SAID_LATER)
    with tenant_context(actor.tenant_id):
        row = Session.objects.select_related("subject").get(
            external_id="talk/一 #1", subject__external_id=subject
        )
        path = f"/subjects/{row.subject_id}"
        page = f"{path}/sessions/{row.id}"
    statements = [s for t in first["turns"] if t["outcome"] for s in t["outcome"]["statements"]]
    return Talked(path, page, {s["text"]: s["memory"] for s in statements})


def say(
    stack: Stack, actor: Actor, subject: str, session: str, said: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    """Send the turns of a conversation over the API, and wait until they are learned from."""
    response = requests.post(
        f"{stack.url}/api/v1/sessions/{quote(session, safe='')}/turns",
        json={
            "subject": subject,
            "turns": [
                {"role": role, "content": text, "at": f"2026-07-01T01:00:{second:02}Z"}
                for second, (role, text) in enumerate(said)
            ],
            "wait": True,
        },
        headers={"Authorization": f"Bearer {actor.api_key}"},
        timeout=60,
    )
    assert response.status_code in (200, 202), response.text
    body: dict[str, Any] = response.json()
    deadline = time.monotonic() + 60
    while body["job"] and body["job"]["state"] != "done":
        assert time.monotonic() < deadline, body["job"]
        time.sleep(0.2)
        job = requests.get(
            f"{stack.url}/api/v1/jobs/{body['job']['id']}",
            headers={"Authorization": f"Bearer {actor.api_key}"},
            timeout=30,
        )
        body["job"] = job.json()
    return body | {"turns": turns_of(stack, actor, subject, session)}


def turns_of(stack: Stack, actor: Actor, subject: str, session: str) -> list[dict[str, Any]]:
    """The turns of a conversation as the API tells them, newest first."""
    response = requests.get(
        f"{stack.url}/api/v1/sessions/{quote(session, safe='')}/turns",
        params={"subject": subject},
        headers={"Authorization": f"Bearer {actor.api_key}"},
        timeout=30,
    )
    assert response.status_code == 200, response.text
    results: list[dict[str, Any]] = response.json()["results"]
    return results
