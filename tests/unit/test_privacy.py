"""What is private in a text is found, what is not is left alone, and placeholders stay whole."""

from itertools import pairwise

import pytest
from pydantic import ValidationError

from ledger.policy.privacy import Action, Privacy, PrivateKind
from ledger.privacy import (
    PLACEHOLDER,
    Finding,
    find_private,
    find_private_in,
    normal,
    placeholder,
    substitute,
)
from ledger.privacy.findings import CHECKED, CUED, GUESSED, settled

KIND = PrivateKind


def found(text: str, privacy: Privacy | None = None) -> list[tuple[str, str]]:
    findings = find_private(text, privacy or Privacy())
    return [(finding.kind.value, text[finding.start : finding.end]) for finding in findings]


def test_the_text_around_a_private_thing_is_kept():
    text = "电话13812345678，邮箱a.b@example.com。"
    masked = substitute(
        text, find_private(text, Privacy()), lambda finding: placeholder(finding.kind, 7)
    )
    assert masked == "电话[PHONE_7]，邮箱[EMAIL_7]。"


@pytest.mark.parametrize(
    "text",
    [
        "[NAME_1]说他的电话是[PHONE_1]，密码是[PASSWORD_1]。",
        "My name is [NAME_2] and my password is [PASSWORD_12], write to [EMAIL_3].",
        "token=[SECRET_1] card [BANK_CARD_1] id [ID_CARD_4] ip [IP_1] at [ADDRESS_9]",
    ],
)
def test_placeholders_pass_through_unharmed(text: str):
    assert found(text) == []


def test_what_stands_around_a_placeholder_is_found_without_breaking_it():
    text = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n[PHONE_1]\nBKcwggSjAgEAAoIBAQC7\n"
    text += "-----END PRIVATE KEY----- [NAME_1], 13812345678"
    findings = find_private(text, Privacy())
    masked = substitute(text, findings, lambda finding: "#")
    assert masked == "#\n[PHONE_1]\n# [NAME_1], #"


def test_a_placeholder_is_written_as_it_is_read():
    for kind in KIND:
        match = PLACEHOLDER.fullmatch(placeholder(kind, 3))
        assert match is not None
        assert match.groups() == (kind.value, "3")
    assert PLACEHOLDER.search("[PHONE_0] [phone_1] [THING_1]") is None


def test_kept_kinds_are_not_looked_for():
    text = "I am Deborah Miller, call +1 650 555 0199."
    assert found(text) == [("NAME", "Deborah Miller"), ("PHONE", "+1 650 555 0199")]
    keep_names = Privacy(actions={KIND.NAME: Action.KEEP})
    assert found(text, keep_names) == [("PHONE", "+1 650 555 0199")]
    assert found(text, Privacy(actions=dict.fromkeys(KIND, Action.KEEP))) == []


def test_findings_below_the_least_score_are_left_alone():
    text = "帮我提醒赵国栋，电话13812345678。"
    assert found(text) == [("NAME", "赵国栋"), ("PHONE", "13812345678")]
    assert found(text, Privacy(least_score=0.9)) == [("PHONE", "13812345678")]
    with pytest.raises(ValidationError):
        Privacy(least_score=1.5)


def test_a_batch_gives_what_its_texts_give_one_by_one():
    texts = ["I met Deborah.", "", "我叫张晓雯。", "no names here", "打13812345678", "Hi Marcus!"]
    alone = [find_private(text, Privacy()) for text in texts]
    assert find_private_in(texts, Privacy(batch=2)) == alone
    assert [len(findings) for findings in alone] == [1, 0, 1, 0, 1, 1]


def test_the_checked_kind_wins_over_the_vague_one():
    assert found("身份证11010519491231002X") == [("ID_CARD", "11010519491231002X")]
    assert found("mail deborah.miller@example.com") == [("EMAIL", "deborah.miller@example.com")]
    token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    assert found(f"my password is {token}") == [("SECRET", token)]


def test_findings_are_in_order_and_do_not_overlap():
    text = "王先生 13812345678 a@b.cn 密码是abc123 住在北京市朝阳区建国路88号，10.1.2.3。\n" * 5
    findings = find_private(text, Privacy())
    assert len(findings) == 30
    assert all(a.end <= b.start for a, b in pairwise(findings))
    assert all(isinstance(finding, Finding) and finding.rule for finding in findings)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        (KIND.PHONE, "138 1234 5678", "138-1234-5678"),
        (KIND.PHONE, "+86 13812345678", "１３８１２３４５６７８"),
        (KIND.PHONE, "0044 20 7946 0958", "+44 (20) 7946-0958"),
        (KIND.EMAIL, "Ann@Example.COM", "ann@example.com"),
        (KIND.BANK_CARD, "4111 1111 1111 1111", "4111-1111-1111-1111"),
        (KIND.ID_CARD, "11010519491231002x", "110105 19491231 002X"),
        (KIND.NAME, "Ann  SMITH", "ann smith"),
        (KIND.NAME, "Dr. Smith", "Smith"),
        (KIND.NAME, "Ｔｏｍ", "tom"),
        (KIND.NAME, "Ann’s", "Ann"),
        (KIND.NAME, "James'", "James."),
    ],
)
def test_two_spellings_of_one_value_have_one_normal_form(kind: PrivateKind, one: str, other: str):
    assert normal(kind, one) == normal(kind, other)


def test_different_values_have_different_normal_forms():
    assert normal(KIND.PASSWORD, "Hunter2") != normal(KIND.PASSWORD, "hunter2")
    assert normal(KIND.PHONE, "13812345678") != normal(KIND.PHONE, "13812345679")
    assert normal(KIND.NAME, "王先生") != normal(KIND.NAME, "王女士")
    assert normal(KIND.NAME, "Chris") != normal(KIND.NAME, "Chri")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\ud83d",
        "\ud83d Deborah Miller \udc00 张伟 13812345678",
        "\0" * 1000,
        "\u202e13812345678",
        "9" * 100_000,
        "😀张伟😀 (415) 555-2671 😀",
        "password is " * 1_000,
        "-----BEGIN PRIVATE KEY-----" * 500,
        "我住北京路12号，" * 1_000,
        "a@" * 5_000,
        "Aa " * 5_000,
    ],
)
def test_no_text_breaks_it(text: str):
    findings = find_private(text, Privacy())
    assert all(0 <= f.start < f.end <= len(text) for f in findings)


def test_what_is_guessed_is_kept_beside_what_is_known():
    text = "the wifi password is bob@corp.com Hunter22"
    findings = [
        Finding(KIND.PASSWORD, 21, 42, "guess", GUESSED),
        Finding(KIND.EMAIL, 21, 33, "e-mail", CHECKED),
    ]
    kept = [
        (finding.kind, text[finding.start : finding.end]) for finding in settled(text, findings)
    ]
    assert kept == [("EMAIL", "bob@corp.com"), ("PASSWORD", "Hunter22")]


@pytest.mark.parametrize("kind", KIND)
def test_a_policy_may_ask_for_any_kind_alone(kind: PrivateKind):
    alone = Privacy(actions=dict.fromkeys(KIND, Action.KEEP) | {kind: Action.MASK})
    text = "I live at 1845 Rue Saint-Denis, Montréal, QC H2X 3K8"
    assert {finding.kind for finding in find_private(text, alone)} <= {kind}


def test_a_guessed_password_is_no_part_of_a_name():
    text = "password Bailey Rose"
    findings = [
        Finding(KIND.PASSWORD, 9, 20, "guess", GUESSED),
        Finding(KIND.NAME, 9, 15, "list", CUED),
    ]
    assert [finding.kind for finding in settled(text, findings)] == ["PASSWORD"]


def test_a_password_that_is_less_likely_than_not_is_rather_a_name():
    text = "my manager is zhao ming"
    findings = [
        Finding(KIND.PASSWORD, 14, 23, "guess", GUESSED, 0.4),
        Finding(KIND.NAME, 14, 23, "list", CUED),
    ]
    assert [finding.kind for finding in settled(text, findings)] == ["NAME"]


@pytest.mark.parametrize(
    ("other", "chance"),
    [
        (Finding(KIND.SECRET, 9, 20, "guess", GUESSED, 0.95), 0.95),
        (Finding(KIND.SECRET, 12, 20, "random", GUESSED), 1.0),
        (Finding(KIND.NAME, 9, 15, "list", CUED), 0.6),
        (Finding(KIND.ADDRESS, 9, 20, "guess", GUESSED, 0.95), 0.6),
        (Finding(KIND.PASSWORD, 0, 8, "guess", GUESSED, 0.95), 0.6),
    ],
)
def test_a_credential_is_as_likely_as_the_surest_says(other: Finding, chance: float):
    guess = Finding(KIND.PASSWORD, 9, 20, "guess", GUESSED, 0.6)
    found = settled("password Bailey Rose", [guess, other])
    assert [f.chance for f in found if f.start == 9] == [chance]
