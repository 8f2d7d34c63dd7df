"""A real browser for the page tests, and something to look at."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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
