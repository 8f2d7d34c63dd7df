"""What the pages of profiles, conversations and memories promise to a person, in a browser."""

import re
import uuid
from typing import Any

import pytest
from playwright.sync_api import expect

from ledger.models import Job, JobState, Turn
from ledger.outcomes import outcome_of, seal_outcome
from ledger.policies import current_policy
from ledger.services.remember import remember
from ledger.statements import Statement
from tenants import clock, keys
from tenants.context import tenant_context
from tenants.services.ensure_subject import ensure_subject
from tests.browser.conftest import TALKER, Talked, Visitor, say, talk_about, write
from tests.browser.test_pages import LANGUAGES, speak
from tests.cast import Actor, Cast
from tests.stack import Stack

PHONE = "13812345678"
WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "tabs": ["Memories", "Profile", "Conversations", "Questions"],
        "greeting": "a greeting",
        "question": "a question that states nothing",
        "mash": "keys hit at random",
        "states": "it states something to keep",
        "new": "new memory",
        "city": "it tells this about the person: home city",
        "merged": "merged with what was known",
        "same": "says the same: the same words",
        "replaced": "gives way to it: another value where there can be only one",
        "then": "has changed since",
        "places": "Places",
        "allergy": "allergy",
        "due": "due 1 May 2099",
        "heard": "Heard again",
        "due_term": "Due",
        "drawn": "Drawn from",
        "nothing": "Nothing is known about this subject at this moment.",
        "no_talk": "No conversation with this subject is kept.",
        "waits": "Not learned from yet: it waits for a worker.",
        "running": "Not learned from yet: it is being read at this moment.",
        "failed": "the last attempt failed (broken_thing)",
        "dead": "after 5 attempts it was given up (broken_thing)",
        "model": "The language model gave nothing to use: it took too long. The rules took over.",
        "dropped": "it says more than was said",
    },
    "zh-hans": {
        "tabs": ["记忆", "画像", "对话", "提问"],
        "greeting": "问候",
        "question": "提问，没有陈述任何事",
        "mash": "胡乱敲打键盘",
        "states": "它陈述了值得记住的内容",
        "new": "新记忆",
        "city": "它说明了本人的：居住城市",
        "merged": "已与原有记忆合并",
        "same": "说的是同一件事：用词相同",
        "replaced": "被新内容取代：只能有一个值，而这是另一个",
        "then": "后来有变化",
        "places": "地点",
        "allergy": "过敏",
        "due": "2099年5月1日 到期",
        "heard": "再次听到",
        "due_term": "到期",
        "drawn": "由此得出",
        "nothing": "此刻对该主体一无所知。",
        "no_talk": "没有保留与该主体的对话。",
        "waits": "尚未学习：正在等待处理。",
        "running": "尚未学习：正在读取。",
        "failed": "上次尝试失败（broken_thing）",
        "dead": "尝试 5 次后已放弃（broken_thing）",
        "model": "语言模型没有给出可用的结果：耗时过长。已改由规则处理。",
        "dropped": "说得比原话多",
    },
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_conversation_says_what_became_of_each_message_and_why(
    visitor: Visitor, cast: Cast, talked: Talked, language: str
) -> None:
    words, page = WORDS[language], visitor.page
    visitor.sign_in(cast.alice)
    speak(visitor, language)
    visitor.open_subject(TALKER)
    expect(page.locator(".tabs a")).to_have_text(words["tabs"])
    page.locator(".tabs a").nth(2).click()
    expect(page.locator(".tabs [aria-current]")).to_have_text(words["tabs"][2])
    expect(page.locator(".rows .content")).to_have_count(2)
    page.get_by_role("link", name="talk/一 #1").click()
    expect(page.locator("h1")).to_have_text("talk/一 #1")

    first, agent, third = (page.locator(f"#turn-{n}") for n in (1, 2, 3))
    expect(first.locator(".verdicts li").first).to_contain_text(words["greeting"])
    expect(first.locator(".verdicts li").nth(1)).to_contain_text(words["states"])
    expect(first.locator(".learned > li").first).to_contain_text(words["new"])
    expect(first.locator(".learned > li").first).to_contain_text(words["city"])
    expect(agent.locator(".became")).to_have_count(0)
    expect(third.locator(".verdicts li").last).to_contain_text(words["question"])
    expect(page.locator("#turn-5")).to_contain_text(words["mash"])

    third.locator(".learned .content").click()
    expect(page.locator(".said")).to_have_text("I am allergic to peanuts.")
    expect(page.locator("main")).to_contain_text(words["heard"])
    expect(page.locator(".heard li")).to_have_count(1)
    page.get_by_role("link", name="talk/一 #1").click()
    page.wait_for_url(re.compile("#turn-3$"))
    expect(page.locator("#turn-3")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_message_was_compared_with_is_shown_as_it_was_then(
    visitor: Visitor, cast: Cast, talked: Talked, language: str
) -> None:
    words, page = WORDS[language], visitor.page
    visitor.sign_in(cast.alice)
    speak(visitor, language)
    visitor.goto(f"{talked.subject}/sessions")
    page.get_by_role("link", name="talk/二 #2").click()
    again, moved = page.locator("#turn-1"), page.locator("#turn-2")
    expect(again).to_contain_text(words["merged"])
    expect(again.locator(".compared").first).to_contain_text(words["same"])
    met = moved.locator(".compared > li").first
    expect(met.locator("a")).to_have_text("I live in Hangzhou.")
    expect(met).to_contain_text(words["then"])
    expect(met).to_contain_text(words["replaced"])
    met.locator("a").click()
    expect(page.locator(".said")).to_have_text("I live in Hangzhou.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_profile_shows_what_is_believed_now_by_section(
    visitor: Visitor, cast: Cast, talked: Talked, language: str
) -> None:
    words, page = WORDS[language], visitor.page
    visitor.sign_in(cast.alice)
    speak(visitor, language)
    visitor.goto(f"{talked.subject}/profile")
    places = page.locator("section", has=page.get_by_role("heading", name=words["places"]))
    expect(places).to_contain_text("Shanghai")
    expect(places).not_to_contain_text("Hangzhou")
    expect(page.locator("main")).to_contain_text(words["allergy"])
    expect(page.locator("main")).to_contain_text(words["due"])
    assert page.locator("section").count() == page.locator("section:has(li)").count()
    places.locator("a").click()
    expect(page.locator(".said")).to_have_text("I moved to Shanghai.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_memory_says_when_it_is_due(
    visitor: Visitor, cast: Cast, talked: Talked, language: str
) -> None:
    visitor.sign_in(cast.alice)
    speak(visitor, language)
    visitor.goto(f"/memories/{talked.memories['我必须在2099年5月1日之前交报告。']}")
    due = visitor.page.locator("dt", has_text=re.compile(f"^{WORDS[language]['due_term']}$"))
    expect(due.locator("+ dd time")).to_have_attribute("datetime", re.compile("^2099-05-01"))


def test_private_values_are_placeholders_for_those_who_may_not_see_them(
    visitor: Visitor, cast: Cast, talked: Talked
) -> None:
    memory = talked.memories[f"My phone number is {PHONE}."]
    paths = [talked.page, f"{talked.subject}/profile", f"/memories/{memory}"]
    visitor.sign_in(cast.bob)
    for path in paths:
        assert visitor.goto(path) == 200
        expect(visitor.page.locator("main")).to_contain_text("[PHONE_1]")
        assert PHONE not in visitor.page.content(), path
    visitor.context.clear_cookies()
    visitor.sign_in(cast.alice)
    for path in paths:
        visitor.goto(path)
        expect(visitor.page.locator("main")).to_contain_text(PHONE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_there_is_nothing_the_page_says_so(
    visitor: Visitor, cast: Cast, language: str
) -> None:
    with tenant_context(cast.alice.tenant_id):
        subject = ensure_subject(f"nobody {uuid.uuid4().hex}")
    visitor.sign_in(cast.alice)
    speak(visitor, language)
    for tab, words in (("profile", "nothing"), ("sessions", "no_talk")):
        assert visitor.goto(f"/subjects/{subject.id}/{tab}") == 200
        expect(visitor.page.locator(".empty")).to_contain_text(WORDS[language][words])


def fresh(stack: Stack, actor: Actor) -> Talked:
    return talk_about(stack, actor, f"talker {uuid.uuid4().hex}")


def unlearn(actor: Actor, talk: Talked, **job: Any) -> None:
    """Take back that the first turn was learned from, and put its job into another state."""
    session = talk.page.rpartition("/")[2]
    with tenant_context(actor.tenant_id):
        Turn.objects.filter(session_id=session, number=1).update(
            sealed_outcome=None, learned_at=None
        )
        Job.objects.filter(session_id=session, kind="learn").update(**job)


STANDINGS: dict[str, dict[str, Any]] = {
    "waits": {"state": JobState.WAITING, "attempts": 0},
    "running": {"state": JobState.RUNNING, "attempts": 1},
    "failed": {"state": JobState.WAITING, "attempts": 1, "error": "broken_thing"},
    "dead": {"state": JobState.DEAD, "attempts": 5, "error": "broken_thing"},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_that_was_not_learned_from_says_how_its_job_stands(
    visitor: Visitor, cast: Cast, stack: Stack, language: str
) -> None:
    talk = fresh(stack, cast.alice)
    visitor.sign_in(cast.alice)
    speak(visitor, language)
    for standing, job in STANDINGS.items():
        # Far off, so that no sweeper takes it.
        unlearn(cast.alice, talk, due_at=clock.now().replace(year=2098), **job)
        visitor.goto(talk.page)
        expect(visitor.page.locator("#turn-1 .became")).to_contain_text(WORDS[language][standing])
    visitor.page.locator("#turn-1 .became a").click()
    expect(visitor.page.locator("#result_list")).to_contain_text("broken_thing")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_language_model_failed_at_or_made_up_is_told(
    visitor: Visitor, cast: Cast, stack: Stack, language: str
) -> None:
    talk = fresh(stack, cast.alice)
    with tenant_context(cast.alice.tenant_id):
        turn = Turn.objects.select_related("subject").get(
            session_id=talk.page.rpartition("/")[2], number=1
        )
        cipher = keys.cipher_for(turn.subject)
        outcome = outcome_of(turn, cipher) or {}
        outcome |= {
            "model_failure": "timeout",
            "dropped": [
                {"text": "Likes <b>cats</b>.", "reason": "content_not_in_text"},
                {"text": "Is tall.", "reason": "a_reason_of_tomorrow"},
            ],
        }
        sealed = seal_outcome(turn.id, outcome, cipher)
        Turn.objects.filter(id=turn.id).update(sealed_outcome=sealed)
    visitor.sign_in(cast.alice)
    speak(visitor, language)
    visitor.goto(talk.page)
    became = visitor.page.locator("#turn-1 .became")
    expect(became).to_contain_text(WORDS[language]["model"])
    became.locator("> details summary").click()
    expect(became).to_contain_text("Likes <b>cats</b>.")
    expect(became).to_contain_text(WORDS[language]["dropped"])
    expect(became).to_contain_text("a_reason_of_tomorrow")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_drawn_from_memories_names_them(
    visitor: Visitor, cast: Cast, talked: Talked, language: str
) -> None:
    source = talked.memories["I am allergic to peanuts."]
    with tenant_context(cast.alice.tenant_id):
        written = remember(
            cast.alice.principal,
            subject=TALKER,
            statement=Statement(
                content=f"Avoids nuts ({language}).", kind="insight", sources=(uuid.UUID(source),)
            ),
            policy=current_policy(),
        )
        memory = written.version.memory_id
    visitor.sign_in(cast.alice)
    speak(visitor, language)
    visitor.goto(f"/memories/{memory}")
    expect(visitor.page.get_by_role("heading", name=WORDS[language]["drawn"])).to_be_visible()
    visitor.page.locator(".sources a").click()
    expect(visitor.page.locator(".said")).to_have_text("I am allergic to peanuts.")


def test_a_memory_that_was_written_says_why_it_was_admitted(
    visitor: Visitor, cast: Cast, stack: Stack
) -> None:
    subject = f"writer {uuid.uuid4().hex}"
    judged = write(stack, cast.alice, subject=subject, content="I live in Suzhou.")
    verbatim = write(stack, cast.alice, subject=subject, content="hm", verbatim=True)
    visitor.sign_in(cast.alice)
    visitor.goto(f"/memories/{judged}")
    expect(visitor.page.locator("main")).to_contain_text("it states something to keep")
    visitor.goto(f"/memories/{verbatim}")
    expect(visitor.page.locator("main")).to_contain_text("as it was given, without being judged")


def test_a_long_conversation_is_read_page_by_page_in_order(
    visitor: Visitor, cast: Cast, stack: Stack
) -> None:
    subject = f"long {uuid.uuid4().hex}"
    say(stack, cast.alice, subject, "long", [("assistant", f"Word {n}.") for n in range(1, 46)])
    visitor.sign_in(cast.alice)
    visitor.open_subject(subject)
    visitor.page.get_by_role("link", name="Conversations").click()
    visitor.page.get_by_role("link", name="long", exact=True).click()
    seen = []
    while True:
        seen += visitor.page.locator(".turn .words").all_inner_texts()
        if not visitor.page.locator("[rel=next]").count():
            break
        with visitor.page.expect_navigation():
            visitor.page.locator("[rel=next]").click()
    assert seen == [f"Word {n}." for n in range(1, 46)]
    assert (
        visitor.goto(f"{visitor.page.url.removeprefix(visitor.url).split('?')[0]}?after=x") == 400
    )


def test_a_conversation_of_another_subject_or_tenant_is_not_found(
    visitor: Visitor, cast: Cast, talked: Talked, stack: Stack
) -> None:
    other = fresh(stack, cast.alice)
    foreign = fresh(stack, cast.charlie)
    session = talked.page.rpartition("/")[2]
    visitor.sign_in(cast.alice)
    assert visitor.goto(talked.page) == 200
    assert visitor.goto(f"{other.subject}/sessions/{session}") == 404
    assert visitor.goto(foreign.page) == 404
    assert visitor.goto(f"{foreign.subject}/profile") == 404
    assert visitor.goto(f"{foreign.subject}/sessions") == 404
