"""Numbers, addresses, keys and passwords: each form is found whole, and its look-alikes are not."""

import re

import pytest

from ledger.policy.privacy import Privacy
from ledger.privacy import find_private
from ledger.privacy.reading import words

MARK = re.compile(r"\{([A-Z_]+)\|(.*?)\}", re.DOTALL)


def parsed(marked: str) -> tuple[str, list[tuple[str, str]]]:
    return MARK.sub(lambda match: match[2], marked), MARK.findall(marked)


def found(text: str) -> list[tuple[str, str]]:
    return [(f.kind.value, text[f.start : f.end]) for f in find_private(text, Privacy())]


@pytest.mark.parametrize(
    "marked",
    [
        "我的手机号是{PHONE|13812345678}请联系",
        "电话：{PHONE|138 1234 5678} 或{PHONE|+86 138-1234-5678}或 {PHONE|１３８１２３４５６７８}",
        "座机{PHONE|010-62345678}，深圳{PHONE|0755-26123456}",
        "Call {PHONE|(415) 555-2671}, {PHONE|+44 20 7946 0958} or {PHONE|212-555-0187}.",
        "my phone is {PHONE|555-0147}",
        "号{ID_CARD|11010519491231002X}码",
        "旧证{ID_CARD|130503670401001}号",
        "護照{PASSPORT|E12345678}，passport number {PASSPORT|C03005988}",
        "卡号{BANK_CARD|4111 1111 1111 1111}，或{BANK_CARD|5105-1051-0510-5100}",
        "邮箱{EMAIL|zhang.san@example.com}收到",
        "地址{IP|203.0.113.77}和{IP|2001:db8:85a3::8a2e:370:7334}",
        "我住在{ADDRESS|北京市朝阳区建国路88号院3号楼2单元501室}。",
        "我住{ADDRESS|臺北市大安區忠孝東路四段100號5樓之2}",
        "I live at {ADDRESS|221B Baker Street}",
        "Go to {ADDRESS|1600 Pennsylvania Ave NW, Washington, DC 20500}.",
    ],
)
def test_numbers_and_addresses_are_found_whole(marked: str):
    """L7: also where they touch Chinese characters."""
    text, expected = parsed(marked)
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The laptop costs 12999.00 dollars in 2024.",
        "订单号20231105998877已经发货，共12999元。",
        "编号110105194912310021",  # the shape and the date of an identity card, a wrong checksum
        "card 4111 1111 1111 1112",
        "version 1.2.3.4 and std::vector at 10:30:45",
        "300.1.2.3 is no address, 127.0.0.1 is everybody's",
        "北京 and Paris alone, 长安街很宽，坐5号线",
        "walk 5 miles down the road",
        "ISBN 978-3-16-148410-0",
        "ABC13812345678DEF and 138****5678",
    ],
)
def test_look_alikes_are_left_alone(text: str):
    assert found(text) == []


@pytest.mark.parametrize(
    "marked",
    [
        "凭证为{SECRET|sk_test_AAAAAAAAAAAAAAAAAAAA}",
        "密钥{SECRET|sk-proj-aB3dE5fG7hI9jK1lM3nO5pQ7}泄露",
        "{SECRET|AKIAIOSFODNN7EXAMPLE} {SECRET|wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY}",
        "用{SECRET|ghp_16C7e42F292c6912E7710c838347Ae178B4a}推送",
        "Bearer {SECRET|eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc123DEF456}",
        'api_key = "{SECRET|9f8e7d6c5b4a39281706}"',
        "我们的{SECRET|mh_k3J9x2LmQ8vT5rW1pZ7n}在用",
        "{PRIVATE_KEY|-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx5P2\n"
        "-----END RSA PRIVATE KEY-----}收好",
        "{PRIVATE_KEY|-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIrYSSNQFaA2Hwf1}\n\nis cut off",
    ],
)
def test_keys_and_tokens_are_found(marked: str):
    """L7"""
    text, expected = parsed(marked)
    assert found(text) == expected


@pytest.mark.parametrize(
    "marked",
    [
        "my password is {PASSWORD|hunter2}",
        "The password is {PASSWORD|swordfish}.",
        "The wifi password for the guest network is {PASSWORD|sunshine99}.",
        "I changed my password to {PASSWORD|maplesyrup7}.",
        "pwd={PASSWORD|q1w2e3}; user=admin",
        "My bank PIN is {PASSWORD|4821}.",
        "密码是 {PASSWORD|abc123}，别告诉别人",
        "口令:{PASSWORD|Zx9!kLm}",
        "我把密码改成了{PASSWORD|qwer5678}。",
        "postgres://app:{PASSWORD|s3cr3tpw}@db.internal:5432/app",
    ],
)
def test_of_a_password_the_value_alone_is_private(marked: str):
    text, expected = parsed(marked)
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password again.",
        "The password is wrong.",
        "Your password must be at least 12 characters long.",
        "我忘记密码了，怎么找回？",
        "密码至少要8位，密码是错的。",
        "My token limit is 4096 per request.",
    ],
)
def test_talk_about_passwords_gives_none_away(text: str):
    assert found(text) == []


def test_every_token_has_a_name_and_a_pattern():
    lines = [line.split("\t") for line in words("tokens.txt")]
    assert all(len(line) == 2 and re.compile(line[1]) for line in lines)
