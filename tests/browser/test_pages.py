"""What the pages promise to a person, in a real browser."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from ledger.policies import BUILT_IN
from tenants.context import tenant_context
from tenants.models import Role
from tenants.services.ensure_subject import ensure_subject
from tenants.services.members import add_member, create_user
from tests.browser.conftest import SUBJECT, Remembered, Talked, Visitor, write
from tests.cast import Actor, Cast, new_tenant
from tests.stack import Stack

TEA = "最喜欢龙井茶，不喝咖啡。"
LANGUAGES = {
    "en": {"button": "English", "subjects": "Subjects", "current": "current", "why": "Why"},
    "zh-hans": {"button": "中文", "subjects": "主体", "current": "当前有效", "why": "为何"},
}


def speak(visitor: Visitor, language: str) -> None:
    """Change the language with the button in the header, if need be."""
    button = visitor.page.locator(f"header button[value='{language}']")
    if button.count():
        button.click()
        visitor.page.wait_for_selector(f"html[lang='{language}']")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_person_signs_in_and_reads_the_memories(
    visitor: Visitor, cast: Cast, remembered: Remembered, language: str
) -> None:
    words = LANGUAGES[language]
    visitor.sign_in(cast.bob)
    speak(visitor, language)
    expect(visitor.page.locator("h1")).to_have_text(words["subjects"])
    visitor.open_subject()
    expect(visitor.page.locator(".rows")).to_contain_text(TEA)
    expect(visitor.page.locator(".rows .badge.active").first).to_have_text(words["current"])
    visitor.page.get_by_role("link", name=TEA).click()
    expect(visitor.page.locator(".said")).to_have_text(TEA)
    expect(visitor.page.locator("html")).to_have_attribute("lang", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_leads_to_the_page_that_says_why(
    visitor: Visitor, cast: Cast, remembered: Remembered, language: str
) -> None:
    visitor.sign_in(cast.bob)
    speak(visitor, language)
    path = visitor.open_subject()
    visitor.page.locator("[name=query]").fill("Lin 喜欢喝什么茶？")
    visitor.page.locator("[name=query]").press("Enter")
    visitor.page.wait_for_url(re.compile("/recalls/"))

    answer = visitor.page.locator(".answer > li").first
    expect(visitor.page.locator("h1")).to_have_text("Lin 喜欢喝什么茶？")
    expect(visitor.page.locator(".kicker")).to_contain_text(LANGUAGES[language]["why"])
    expect(answer.locator(".content")).to_have_text(TEA)
    expect(answer.locator(".because")).to_contain_text(
        re.compile({"en": "(in|by) meaning", "zh-hans": "含义"}[language])
    )
    answer.locator(".numbers summary").click()
    expect(answer.locator(".numbers table").first).to_contain_text(f"× {BUILT_IN.ranking.recency}")
    left_out = visitor.page.locator(".group", has_text=re.compile("No longer true|已不成立"))
    left_out.locator("summary").first.click()
    expect(left_out).to_contain_text("Lin lived in Shanghai.")
    answer.locator(".content").click()
    expect(visitor.page.locator(".said")).to_have_text(TEA)

    visitor.goto(f"{path}/recalls")
    expect(visitor.page.locator(".rows .content").first).to_have_text("Lin 喜欢喝什么茶？")


def test_a_filter_without_hits_keeps_the_controls(
    visitor: Visitor, cast: Cast, remembered: Remembered
) -> None:
    """Q6."""
    visitor.sign_in(cast.bob)
    visitor.open_subject()
    visitor.page.locator("[name=attribute]").fill("nothing_like_this")
    visitor.page.locator("[name=attribute]").press("Enter")
    expect(visitor.page.locator(".empty")).to_contain_text("No memory matches")
    expect(visitor.page.locator("[name=attribute]")).to_have_value("nothing_like_this")
    visitor.page.get_by_role("link", name="Show everything").click()
    expect(visitor.page.locator(".rows")).to_contain_text("Lin lived in Shanghai.")


MISUNDERSTOOD = {
    "kind=poem": "Kind: Select a valid choice",
    "status=poem": "Status: Select a valid choice",
    "attribute=1st": "Attribute: An attribute's name",
    "valid_at=yesterday": "True at: Enter a valid date",
    "valid_at=0001-01-01T00:00%2B14:00": "True at: Enter a valid date",
    "known_at=2024-01-01T00:00&seq=3": "Give a time or an entry's number",
    "seq=-1": "entry no.: Ensure this value",
    "q=%00": "With the words: Null characters",
    "cursor=poem": "This cursor was not given out by this list.",
}


def test_a_filter_that_is_not_understood_says_so(
    visitor: Visitor, cast: Cast, remembered: Remembered
) -> None:
    visitor.sign_in(cast.bob)
    path = visitor.open_subject()
    for query, complaint in MISUNDERSTOOD.items():
        assert visitor.goto(f"{path}?{query}") == 400, query
        expect(visitor.page.get_by_role("alert")).to_contain_text(complaint)
        expect(visitor.page.locator("[name=attribute]")).to_be_visible()
        expect(visitor.page.locator(".rows, .empty")).to_have_count(0)


def test_a_question_of_nothing_visible_is_not_asked(
    visitor: Visitor, cast: Cast, remembered: Remembered
) -> None:
    """L12."""
    visitor.sign_in(cast.bob)
    visitor.open_subject()
    visitor.page.locator("[name=query]").fill("\u200b \u200b")
    with visitor.page.expect_navigation() as navigation:
        visitor.page.locator("[name=query]").press("Enter")
    assert navigation.value is not None
    assert navigation.value.status == 400
    expect(visitor.page.get_by_role("alert")).to_contain_text("Question: This field is required.")


def test_memories_are_shown_as_of_a_point_on_both_axes(
    visitor: Visitor, cast: Cast, remembered: Remembered
) -> None:
    visitor.sign_in(cast.bob)
    path = visitor.open_subject()
    visitor.page.locator(".as-of summary").click()
    visitor.page.locator("[name=valid_at]").fill("2022-06-01T00:00")
    visitor.page.get_by_role("button", name="Show").click()
    expect(visitor.page.locator(".rows .content")).to_have_text(["Lin lived in Shanghai."])
    expect(visitor.page.get_by_role("status")).to_contain_text("1 Jun 2022")

    visitor.page.locator(".rows .content").click()
    expect(visitor.page.locator(".badge.active")).to_be_visible()
    visitor.goto(f"{path}?valid_at=2022-06-01T00:00&known_at=2022-06-01T00:00")
    expect(visitor.page.locator(".rows")).to_have_count(0)
    visitor.goto(f"/memories/{remembered.home}?known_at=2022-06-01T00:00")
    expect(visitor.page.locator(".empty")).to_contain_text("did not hold this memory")


def test_the_keyboard_alone_signs_in_and_reads(
    visitor: Visitor, cast: Cast, remembered: Remembered
) -> None:
    page = visitor.page
    visitor.goto("/sign-in")
    expect(page.locator("[name=username]")).to_be_focused()
    page.keyboard.type(cast.bob.username)
    page.keyboard.press("Tab")
    expect(page.locator("[name=password]")).to_be_focused()
    page.keyboard.type(cast.bob.password)
    page.keyboard.press("Enter")
    page.wait_for_selector("#account", state="attached")

    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    expect(page.locator(":focus")).to_be_in_viewport()
    page.keyboard.press("Enter")
    reach(visitor, f"a:text-is('{SUBJECT}')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".tabs")
    reach(visitor, f"a:text-is('{TEA}')")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    expect(page.locator(".said")).to_have_text(TEA)

    reach(visitor, "button.account")
    page.keyboard.press("Enter")
    reach(visitor, "button:text-is('Sign out')")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sign-in")


def reach(visitor: Visitor, selector: str) -> None:
    """Press the tabulator until the element has the focus."""
    wanted = visitor.page.locator(selector)
    for _ in range(60):
        visitor.page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"the keyboard does not reach {selector}")


def pages(visitor: Visitor, remembered: Remembered, talked: Talked) -> list[str]:
    """Every page there is for Alice, each once."""
    path = visitor.open_subject()
    visitor.page.locator("[name=query]").fill("Where did Lin live?")
    visitor.page.locator("[name=query]").press("Enter")
    visitor.page.wait_for_url(re.compile("/recalls/"))
    why = visitor.page.url.removeprefix(visitor.url)
    member = visitor.page.context.request.get(f"{visitor.url}/admin/tenants/member/").text()
    found = re.search(r"/admin/tenants/member/[0-9a-f-]+/change/", member)
    assert found is not None
    return [
        "/",
        path,
        f"{path}?status=any&valid_at=2022-01-01T00:00",
        f"{path}/recalls",
        why,
        f"/memories/{remembered.home}",
        f"{path}/profile",
        f"{path}/sessions",
        f"{talked.subject}/profile",
        f"{talked.subject}/sessions",
        talked.page,
        *(f"/memories/{memory}" for memory in talked.memories.values()),
        "/password",
        "/admin/",
        "/admin/tenants/member/",
        found[0],
        "/admin/tenants/subject/",
        "/admin/tenants/apikey/",
        "/admin/tenants/accessevent/",
        "/admin/ledger/job/",
        "/admin/ledger/policyversion/",
        "/api/docs",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_breaks_the_content_policy_or_complains(
    visitor: Visitor, cast: Cast, remembered: Remembered, talked: Talked, language: str
) -> None:
    visitor.sign_in(cast.alice)
    speak(visitor, language)
    for path in pages(visitor, remembered, talked):
        assert visitor.goto(path) == 200, path
        visitor.page.wait_for_load_state("networkidle")
        if path == "/api/docs":
            expect(visitor.page.locator(".opblock").first).to_be_visible()
        assert visitor.complaints == [], path


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_scrolls_sideways_on_a_phone(
    phone: Visitor,
    cast: Cast,
    remembered: Remembered,
    talked: Talked,
    stack: Stack,
    language: str,
) -> None:
    write(stack, cast.alice, content="longwordwithoutspaces" * 60, verbatim=True)
    phone.sign_in(cast.alice)
    speak(phone, language)
    for path in [
        p for p in pages(phone, remembered, talked) if not p.startswith(("/admin", "/api"))
    ]:
        phone.goto(path)
        phone.page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        too_wide = phone.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert too_wide <= 0, path


def test_the_content_policy_holds_back_what_a_page_must_not_run(visitor: Visitor) -> None:
    """The check above would notice: an inline script is refused, and reported."""
    visitor.goto("/sign-in")
    visitor.page.evaluate(
        "const script = document.createElement('script'); script.text = 'hacked = 1';"
        "document.body.append(script)"
    )
    assert visitor.page.evaluate("typeof hacked") == "undefined"
    assert any("script-src" in complaint for complaint in visitor.complaints)


def test_a_person_switches_between_their_own_tenants_only(
    visitor: Visitor, cast: Cast, remembered: Remembered
) -> None:
    second = new_tenant(f"Second {uuid.uuid4().hex[:8]}")
    password = uuid.uuid4().hex
    user = create_user(f"dora-{uuid.uuid4().hex[:8]}", password)
    for tenant_id in (cast.alice.tenant_id, second.tenant_id):
        with tenant_context(tenant_id):
            add_member(user, Role.ADMIN)
    visitor.sign_in(Actor(second.tenant_id, "", user.username, password))

    for name, sees in (("Second", False), ("Alice's", True)):
        visitor.page.locator("button.account").click()
        visitor.page.locator("#account button", has_text=name).click()
        expect(visitor.page.locator(".head")).to_contain_text(name)
        expect(visitor.page.get_by_role("link", name=SUBJECT)).to_have_count(int(sees))

    visitor.page.locator("button.account").click()
    mine = visitor.page.locator("#account button[name=tenant]").first
    mine.evaluate("(button, id) => { button.value = id }", str(cast.charlie.tenant_id))
    with visitor.page.expect_navigation() as navigation:
        mine.click()
    assert navigation.value is not None
    assert navigation.value.status == 404
    visitor.goto("/")
    expect(visitor.page.locator(".head")).to_contain_text("Alice's")


def test_a_foreign_memory_and_a_missing_one_give_the_same_page(
    visitor: Visitor, cast: Cast, remembered: Remembered
) -> None:
    visitor.sign_in(cast.alice)
    texts = []
    for memory_id in (remembered.foreign, uuid.uuid4()):
        assert visitor.goto(f"/memories/{memory_id}") == 404
        texts.append(visitor.page.locator("main").inner_text())
    assert texts[0] == texts[1]
    assert "There is no such object here." in texts[0]
    assert visitor.goto(f"/memories/{remembered.tea}") == 200


def test_a_member_pinned_to_one_subject_sees_nothing_else(
    visitor: Visitor, cast: Cast, remembered: Remembered, stack: Stack
) -> None:
    other = f"other {uuid.uuid4().hex}"
    password = uuid.uuid4().hex
    user = create_user(f"eve-{uuid.uuid4().hex[:8]}", password)
    with tenant_context(cast.alice.tenant_id):
        add_member(user, Role.MEMBER, ensure_subject(other))
    write(stack, cast.alice, subject=other, content="Only mine.")

    visitor.sign_in(Actor(cast.alice.tenant_id, "", user.username, password))
    expect(visitor.page.locator("h1")).to_have_text(other)
    expect(visitor.page.locator(".rows")).to_contain_text("Only mine.")
    expect(visitor.page.get_by_role("link", name="Console")).to_have_count(0)
    assert visitor.goto(f"/memories/{remembered.tea}") == 404
    assert visitor.goto("/admin/") == 403


def test_the_console_is_for_those_who_may_read_all_of_it(visitor: Visitor, cast: Cast) -> None:
    assert visitor.goto("/admin/") == 200
    expect(visitor.page).to_have_url(re.compile(r"/sign-in\?next=/admin/"))
    visitor.sign_in(cast.bob)
    assert visitor.goto("/admin/tenants/member/") == 403
    visitor.page.locator("main a").click()
    visitor.page.locator("button.account").click()
    visitor.page.get_by_role("button", name="Sign out").click()
    visitor.page.wait_for_url("**/sign-in")
    visitor.sign_in(cast.alice)
    assert visitor.goto("/admin/tenants/member/") == 200
    expect(visitor.page.locator("#result_list")).to_contain_text(cast.bob.username)
    expect(visitor.page.locator("#result_list")).not_to_contain_text(cast.charlie.username)


def test_the_console_changes_a_role_and_the_audit_says_so(visitor: Visitor, cast: Cast) -> None:
    name = f"frank-{uuid.uuid4().hex[:8]}"
    with tenant_context(cast.alice.tenant_id):
        member = add_member(create_user(name, uuid.uuid4().hex), Role.MEMBER)
    visitor.sign_in(cast.alice)
    visitor.goto(f"/admin/tenants/member/{member.id}/change/")
    visitor.page.locator("[name=role]").select_option("auditor")
    visitor.page.locator("[name=_save]").click()
    expect(visitor.page.locator(".messagelist")).to_contain_text(name)
    visitor.goto(f"/admin/tenants/member/{member.id}/change/")
    expect(visitor.page.locator("[name=role]")).to_have_value("auditor")

    visitor.page.locator("a.historylink").click()
    expect(visitor.page.locator("#result_list")).to_contain_text("admin change member")
    expect(visitor.page.locator("#result_list tbody tr")).to_have_count(1)
    assert visitor.complaints == []


def test_what_was_seen_is_gone_after_signing_out(
    visitor: Visitor, cast: Cast, remembered: Remembered
) -> None:
    visitor.sign_in(cast.bob)
    visitor.goto(f"/memories/{remembered.tea}")
    visitor.page.locator("button.account").click()
    visitor.page.get_by_role("button", name="Sign out").click()
    visitor.page.wait_for_url("**/sign-in")
    visitor.page.go_back()
    expect(visitor.page.locator("body")).not_to_contain_text(TEA)
    visitor.goto(f"/memories/{remembered.tea}")
    expect(visitor.page).to_have_url(re.compile("/sign-in"))


def test_what_a_memory_says_is_never_markup(visitor: Visitor, cast: Cast, stack: Stack) -> None:
    words = '<img src=x onerror=alert(1)> <b>& "quoted" {{ 7|add:7 }}'
    subject = f"<i>{uuid.uuid4().hex}</i>"
    write(stack, cast.alice, subject=subject, content=words, metadata={"<u>": "<s>"})
    visitor.sign_in(cast.alice)
    visitor.open_subject(subject)
    expect(visitor.page.locator(".rows .content")).to_have_text(words)
    visitor.page.locator(".rows .content").click()
    expect(visitor.page.locator(".said")).to_have_text(words)
    expect(visitor.page.locator("dl").first).to_contain_text("<s>")
    assert visitor.complaints == []
