"""Bad input over HTTP: each is refused with the status, the code and the field that it deserves."""

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import requests

from ledger.statements import MAX_TURNS
from tests.cast import Actor, Api, Cast
from tests.stack import Stack

MEMORIES, RECALL, TOKENS = "/api/v1/memories", "/api/v1/recall", "/api/v1/tokens"
TURNS, POLICIES = "/api/v1/sessions/s-1/turns", "/api/v1/policies"
MEMORY = {"subject": "alice", "content": "I like tea"}
TURN = {"role": "user", "content": "I like tea"}
QUESTION = {"subject": "alice", "query": "What does she drink?"}
MEBI = 1024 * 1024


@dataclass(frozen=True)
class Bad:
    """One bad request: what is sent, and how it must be refused."""

    name: str
    body: bytes = b""
    path: str = MEMORIES
    method: str = "POST"
    status: int = 400
    code: str = "invalid"
    blamed: str | None = None
    rule: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


def memory(name: str, code: str, blamed: str | None = None, /, **given: Any) -> Bad:
    """A memory with something wrong in it; the first thing given is to blame."""
    return Bad(
        name=f"memory: {name}",
        body=json.dumps(MEMORY | given).encode(),
        code=code,
        blamed=blamed or next(iter(given)),
    )


def question(name: str, code: str, blamed: str | None = None, /, **given: Any) -> Bad:
    return Bad(
        name=f"question: {name}",
        path=RECALL,
        body=json.dumps(QUESTION | given).encode(),
        code=code,
        blamed=blamed or next(iter(given)),
    )


def turns(name: str, code: str, blamed: str | None = None, /, **given: Any) -> Bad:
    """Turns with something wrong beside them; the first thing given is to blame."""
    return Bad(
        name=f"turns: {name}",
        path=TURNS,
        body=json.dumps({"subject": "alice", "turns": [TURN]} | given).encode(),
        code=code,
        blamed=blamed or next(iter(given)),
    )


def turn(name: str, code: str, /, **given: Any) -> Bad:
    """Two turns with something wrong in the second; the first thing given is to blame."""
    both = [TURN, TURN | given]
    return turns(f"a turn's {name}", code, f"turns.1.{next(iter(given))}", turns=both)


def policy(name: str, code: str, blamed: str | None, /, **given: Any) -> Bad:
    return Bad(
        name=f"policy: {name}",
        path=POLICIES,
        body=json.dumps(given).encode(),
        code=code,
        blamed=blamed,
        status=409 if code == "policy_moved_on" else 400,
    )


def rules(name: str, blamed: str, /, **sections: Any) -> Bad:
    """Rules that are none."""
    return policy(name, "bad_policy", blamed, rules=sections)


def junk(content: str, rule: str) -> Bad:
    """A memory that says nothing."""
    return Bad(
        name=f"junk: {content}",
        body=json.dumps(MEMORY | {"content": content}).encode(),
        status=422,
        code="not_admitted",
        blamed="content",
        rule=rule,
    )


def query(text: str, code: str, blamed: str | None = None, path: str = MEMORIES) -> Bad:
    """A list with something wrong in its parameters; the first one is to blame."""
    return Bad(
        name=f"list: {'' if path == MEMORIES else path}?{text[:40]}",
        method="GET",
        path=f"{path}?{text}",
        code=code,
        blamed=blamed or text.partition("=")[0],
    )


def raw(name: str, body: bytes | str, code: str, blamed: str | None = None, **more: Any) -> Bad:
    """A body sent as it is."""
    sent = body.encode() if isinstance(body, str) else body
    return Bad(name=f"body: {name}", body=sent, code=code, blamed=blamed, **more)


def cursor(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


UNKNOWN_FIELDS = [
    memory("unknown field", "unknown_field", x=1),
    memory("identity in the body", "unknown_field", user_id="bob"),  # I5
    memory("tenant in the body", "unknown_field", tenant_id="bob"),
    memory("recorded time in the body", "unknown_field", recorded_at="2024-05-01T00:00:00Z"),
    memory("a file's path", "unknown_field", doc_path="/etc/passwd"),
    question("unknown field", "unknown_field", x=1),
    question(  # Q3
        "operator filter", "unknown_field", "filters.score", filters={"score": {"gt": 5}}
    ),
    query("unknown=1", "unknown_field"),
    query("subject[]=alice", "unknown_field"),
    query("format=xml", "unknown_field"),
    query("offset=10", "unknown_field"),
    raw(
        "unknown token field",
        '{"subject":"a","scopes":["admin"]}',
        "unknown_field",
        "scopes",
        path=TOKENS,
    ),
]
WRONG_TYPES = [
    memory("subject is a number", "invalid", subject=5),
    memory("subject is an operator", "invalid", subject={"in": "alice"}),  # I16
    memory("subject is a list", "invalid", subject=["alice"]),
    memory("subject is null", "null", subject=None),
    memory("content is a list", "invalid", content=["I like tea"]),
    memory("content is true", "invalid", content=True),
    memory("kind is a list", "invalid_choice", kind=["fact"]),
    memory("kind is unknown", "invalid_choice", kind="opinion"),
    memory("value is a number", "invalid", value=5),
    memory("importance is a text", "invalid", importance="5"),
    memory("importance is true", "invalid", importance=True),
    memory("importance is a fraction", "invalid", importance=5.5),
    memory("importance is too high", "max_value", importance=11),
    memory("importance is too low", "min_value", importance=0),
    memory("confidence is a text", "invalid", confidence="0.5"),
    memory("confidence is NaN as text", "invalid", confidence="nan"),
    memory("confidence is true", "invalid", confidence=True),
    memory("confidence is too high", "max_value", confidence=1.01),
    memory("confidence is negative", "min_value", confidence=-0.01),
    memory("verbatim is a text", "invalid", verbatim="yes"),
    memory("verbatim is a number", "invalid", verbatim=1),
    memory("metadata is a list", "not_a_dict", metadata=[]),
    memory("metadata is a text", "not_a_dict", metadata="x"),
    memory("metadata is too large", "too_long", metadata={"a": "x" * 8_192}),
    memory("attribute is a sentence", "invalid", attribute="home city"),
    question("query is a number", "invalid", query=5),
    question("top_k is a text", "invalid", top_k="5"),
    question("top_k is zero", "min_value", top_k=0),
    question("top_k is negative", "min_value", top_k=-1),
    question("top_k is huge", "max_value", top_k=101),
    question("token_budget is tiny", "min_value", token_budget=49),
    question("token_budget is huge", "max_value", token_budget=100_001),
    question("kinds is a text", "not_a_list", kinds="fact"),
    question("kinds holds an unknown one", "invalid_choice", "kinds.0", kinds=["opinion"]),
    question("min_score is a text", "invalid", min_score="nan"),
    question("min_score is an operator", "invalid", min_score={"gt": 5}),
    raw("a list", "[]", "invalid"),
    raw("a text", '"x"', "invalid"),
    raw("null", "null", "null"),
    raw("nothing", "", "required", "subject"),
    raw("no content", '{"subject":"alice"}', "required", "content"),
    raw("no query", '{"subject":"alice"}', "required", "query", path=RECALL),
    raw("seconds as text", '{"subject":"a","seconds":"60"}', "invalid", "seconds", path=TOKENS),
]
TIMES = [
    memory("naive", "naive", valid_from="2024-05-01T09:30:00"),  # T4
    memory("a date only", "naive", valid_to="2024-05-01"),
    memory("no time", "invalid", expires_at="soon"),
    memory("a number", "invalid", valid_from=1_700_000_000),
    memory("before the calendar", "invalid", valid_from="0001-01-01T00:00:00+14:00"),  # T6
    memory("after the calendar", "invalid", valid_from="9999-12-31T23:59:59-14:00"),
    memory("in Chinese", "invalid", valid_from="十万年前"),
    memory(
        "ends before it begins",
        "empty_period",
        "valid_to",
        valid_from="2024-05-01T00:00:00Z",
        valid_to="2024-04-01T00:00:00Z",
    ),
    memory("ended already", "empty_period", valid_to="2000-01-01T00:00:00Z"),
    question("naive", "naive", valid_at="2024-05-01T09:30:00"),
    question("known_at is a number", "invalid", known_at=5),
    query("valid_at=2024-05-01", "naive"),
    query("valid_at=yesterday", "invalid"),
    query("valid_at=2024-05-01T00:00:00%2B08:00%00", "invalid"),
    query("known_at=2024-05-01T09:30:00", "naive"),
    query("known_at=seq:-1&subject=alice", "invalid"),
    query("known_at=seq:1", "invalid", "subject"),
]
LIMITS = [
    query("limit=-1", "min_value"),  # L16
    query("limit=0", "min_value"),
    query("limit=201", "max_value"),
    query("limit=x", "invalid"),
    query("limit=1.5", "invalid"),
    query("limit=", "invalid"),
    query("limit=" + "9" * 100, "max_value"),
    query("limit=1&limit=-1", "min_value"),
    query("cursor=x", "invalid_cursor"),
    query(f"cursor={cursor([1, 2])}", "invalid_cursor"),
    query(f"cursor={cursor(['2024-05-01T00:00:00', 'x'])}", "invalid_cursor"),
    query("cursor=", "blank"),
    query("status=superseded-by-magic", "invalid_choice"),
    query("kind=opinion", "invalid_choice"),
    query("q=tea", "invalid", "subject"),  # I8
    query("q=" + "x" * 501 + "&subject=alice", "max_length"),
    query("attribute=9", "invalid"),
]
BLANKS = [
    memory("empty subject", "blank", subject=""),  # I15
    memory("blank subject", "blank", subject="   "),
    memory("invisible subject", "blank", subject="\u200b\ufeff"),
    memory("ideographic space", "blank", subject="\u3000"),
    memory("empty content", "blank", content=""),  # L11
    memory("blank content", "blank", content=" \n\t"),
    memory("empty value", "blank", value=""),
    memory("blank session", "blank", session=" "),
    memory("blank agent", "blank", agent=" "),
    memory("blank attribute", "blank", attribute=" "),
    question("empty subject", "blank", subject=""),
    question("blank subject", "blank", subject="   "),
    question("empty query", "blank", query=""),
    question("blank query", "blank", query="   "),  # L12
    query("subject=", "blank"),
    query("subject=%20%20", "blank"),
    query("q=%20&subject=alice", "blank"),
    query("session=", "blank"),
    raw("blank subject of a token", '{"subject":" "}', "blank", "subject", path=TOKENS),
]
UNSTORABLE = [
    memory("NUL in content", "invalid_text", content="a\x00b"),
    memory("NUL in subject", "invalid_text", subject="a\x00b"),
    memory("NUL in metadata", "invalid_text", "metadata.a.0", metadata={"a": ["\x00"]}),
    memory("NUL in a label's name", "invalid_text", "metadata", metadata={"\x00": 1}),
    question("NUL", "invalid_text", query="\x00"),
    query("subject=a%00b", "invalid_text"),
    query("q=%00&subject=alice", "invalid_text"),
    query("session=%00", "invalid_text"),
    raw(
        "lone surrogate in a question",
        '{"subject":"a","query":"\\ud83d"}',
        "invalid_text",
        "query",
        path=RECALL,
    ),  # L8
    raw(
        "lone surrogate in content",
        '{"subject":"a","content":"\\udc00x"}',
        "invalid_text",
        "content",
    ),
    raw("lone surrogate in a name", '{"subject":"a","content":"x","\\ud83d":1}', "invalid_text"),
    raw("surrogate as UTF-8", b'{"subject":"a","content":"\xed\xa0\xbd"}', "malformed_json"),
]
SIZES = [
    memory("200,000 characters", "max_length", content="x" * 200_000),  # L13
    memory("200,000 Chinese characters", "max_length", content="我" * 200_000),
    memory("one character too many", "max_length", content="x" * 20_001),
    memory("a long subject", "max_length", subject="x" * 256),
    memory("a long session", "max_length", session="x" * 256),
    memory("a long value", "max_length", value="x" * 2_001),
    question("a long query", "max_length", query="x" * 4_001),
    raw("over the limit", b" " * (4 * MEBI + 1), "body_too_large", status=413),
    raw("far over the limit", b"[" * (9 * MEBI), "body_too_large", status=413),
    raw(
        "over the limit, to nowhere",
        b" " * (4 * MEBI + 1),
        "body_too_large",
        status=413,
        path="/api/v1/x",
    ),
]
TURNS_AND_JOBS = [
    turns("none", "empty", turns=[]),  # L11
    turns("too many", "max_length", turns=[TURN] * (MAX_TURNS + 1)),
    turns("a text", "not_a_list", turns="I like tea"),
    turns("an object", "not_a_list", turns={"0": TURN}),
    turns("null", "null", turns=None),
    turns("of texts", "invalid", "turns.0", turns=["I like tea"]),
    turns("unknown field", "unknown_field", x=1),
    turns("session in the body", "unknown_field", session="s-2"),
    turns("wait is a text", "invalid", wait="yes"),
    turns("wait is a number", "invalid", wait=1),
    turns("blank subject", "blank", subject=" "),
    turns("blank agent", "blank", agent=" "),
    turns("a subject that no path could name", "reserved_subject_id", subject="bob/"),
    turns("a zone that is none", "invalid", time_zone="Mars/Olympus"),
    turn("role is unknown", "invalid_choice", role="robot"),
    turn("role is null", "null", role=None),
    turn("content is empty", "blank", content=""),
    turn("content is blank", "blank", content=" \n"),  # L11
    turn("content is a number", "invalid", content=5),
    turn("content is too long", "max_length", content="x" * 20_001),  # L13
    turn("content holds NUL", "invalid_text", content="a\x00b"),
    turn("time is naive", "naive", at="2024-05-01T09:30:00"),  # T4
    turn("time is a number", "invalid", at=1_700_000_000),
    turn("time is before the calendar", "invalid", at="0001-01-01T00:00:00+14:00"),  # T6
    turn("id is too long", "max_length", id="x" * 256),
    turn("id is blank", "blank", id=" "),
    turn("id is a number", "invalid", id=5),
    turn("name is blank", "blank", name=" "),
    turn("name is too long", "max_length", name="x" * 1_000),
    turn("field is unknown", "unknown_field", user_id="bob"),
    raw("no turns", '{"subject":"alice"}', "required", "turns", path=TURNS),
    raw("no subject of turns", json.dumps({"turns": [TURN]}), "required", "subject", path=TURNS),
    raw(
        "a lone surrogate in a turn",
        '{"subject":"a","turns":[{"role":"user","content":"\\ud83d"}]}',
        "invalid_text",
        "turns.0.content",
        path=TURNS,
    ),  # L8
    *(
        raw(
            f"turns of a session called {name}",
            json.dumps({"subject": "alice", "turns": [TURN]}),
            "blank",
            "session",
            path=f"/api/v1/sessions/{path}/turns",
        )
        for name, path in (("blank", "%20"), ("invisible", "%E2%80%8B"))
    ),
    raw(
        "turns of a session called NUL",
        json.dumps({"subject": "alice", "turns": [TURN]}),
        "not_found",
        path="/api/v1/sessions/a%00b/turns",
        status=404,
    ),
    query("limit=1", "required", "subject", path=TURNS),
    query("subject=%20", "blank", path=TURNS),
    query("subject=alice&x=1", "unknown_field", "x", path=TURNS),
    raw("an end without a subject", "{}", "required", "subject", path="/api/v1/sessions/s/end"),
    query("valid_at=2024-05-01", "naive", path="/api/v1/subjects/alice/profile"),
    query("known_at=seq:-1", "invalid", path="/api/v1/subjects/alice/profile"),
    query("limit=1", "unknown_field", path="/api/v1/subjects/alice/profile"),
    Bad("a job that is none", method="GET", path="/api/v1/jobs/x", status=404, code="not_found"),
    Bad(
        "a subject with NUL",
        method="GET",
        path="/api/v1/subjects/a%00b",
        status=404,
        code="not_found",
    ),
]
POLICY = [
    policy("unknown preset", "invalid_choice", "preset", preset="lax"),
    policy("rules are a list", "not_a_dict", "rules", rules=[]),
    policy("version given beside", "unknown_field", "version", version=3),
    policy("after is a text", "invalid", "after", after="0"),
    policy("after is negative", "min_value", "after", after=-1),
    policy("written since", "policy_moved_on", "after", after=99),
    policy("NUL", "invalid_text", "rules.a.0", rules={"a": ["\x00"]}),
    rules("version given", "version", version=3),
    rules("unknown section", "spelling", spelling={}),
    rules("unknown rule", "privacy.mask", privacy={"mask": True}),
    rules("no section", "merging", merging=5),
    rules("too high", "merging.same_from", merging={"same_from": 1.5}),
    rules("too low", "jobs.attempts", jobs={"attempts": 0}),
    rules("no action", "privacy.actions.PHONE", privacy={"actions": {"PHONE": "sell"}}),
    rules("days", "retention.memory_days.fact", retention={"memory_days": {"fact": 0}}),
]
JUNK = [
    junk("x", "too_short"),
    junk("hello", "greeting"),
    junk("asdfghjkl", "key_mash"),
    junk("哈哈哈哈哈", "repeated"),
    junk("谢谢", "thanks"),
]
JSON = {"Content-Type": "application/json"}
MALFORMED = [
    raw("cut off", '{"subject":', "malformed_json"),
    raw("a comma too many", '{"subject":"a","content":"b",}', "malformed_json"),
    raw("two values", "{} {}", "malformed_json"),
    raw("single quotes", "{'subject':'a'}", "malformed_json"),
    raw("NaN", '{"subject":"a","content":"b","confidence":NaN}', "malformed_json"),
    raw("Infinity", '{"subject":"a","content":"b","confidence":-Infinity}', "malformed_json"),
    raw(
        "a number beyond doubles",
        '{"subject":"a","content":"b","metadata":{"x":1e400}}',
        "malformed_json",
    ),
    raw("a number without end", '{"metadata":' + "9" * 10_000 + "}", "malformed_json"),
    raw("a name twice", '{"subject":"a","subject":"b","content":"x"}', "malformed_json"),
    raw("not UTF-8", b'{"subject":"\xff"}', "malformed_json"),
    raw("UTF-16", json.dumps(MEMORY).encode("utf-16"), "malformed_json"),
    raw("a byte order mark", b"\xef\xbb\xbf" + json.dumps(MEMORY).encode(), "malformed_json"),
    raw("compressed", b"\x1f\x8b\x08\x00", "malformed_json", headers={"Content-Encoding": "gzip"}),
    raw("unclosed nesting", "[" * 100_000, "too_deep"),
    raw("closed nesting", "[" * 100_000 + "]" * 100_000, "too_deep"),
    raw("nested objects", '{"a":' * 50_000 + "1" + "}" * 50_000, "too_deep"),
    raw(
        "nested labels",
        '{"subject":"a","content":"b","metadata":' + '{"a":' * 20 + "1" + "}" * 21,
        "too_deep",
    ),
]
TYPES = [
    raw(
        f"as {kind or 'nothing'}",
        json.dumps(MEMORY),
        "unsupported_media_type",
        status=415,
        headers={"Content-Type": kind},
    )
    for kind in (
        "",
        "text/plain",
        "text/json",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "nonsense",
    )
]
ACCEPTED = [
    Bad(
        name="accepts XML only",
        method="GET",
        status=406,
        code="not_acceptable",
        headers={"Accept": "application/xml"},
    ),
    Bad(
        name="accepts nonsense only",
        method="GET",
        status=406,
        code="not_acceptable",
        headers={"Accept": "nonsense"},
    ),
]
ALL = [
    *UNKNOWN_FIELDS,
    *WRONG_TYPES,
    *TIMES,
    *LIMITS,
    *BLANKS,
    *UNSTORABLE,
    *SIZES,
    *MALFORMED,
    *TYPES,
    *ACCEPTED,
    *TURNS_AND_JOBS,
    *POLICY,
    *JUNK,
]


@pytest.fixture(scope="module", autouse=True)
def policy_before(cast: Cast) -> int:
    """The version that ruled before anything here was refused."""
    return int(Api(cast.alice.api_key).get(POLICIES).json()["current"]["version"])


@pytest.fixture(scope="module")
def session(cast: Cast) -> Iterator[requests.Session]:
    """One connection for all of them, so that a refusal that breaks it is noticed too."""
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {cast.alice.api_key}"
        yield session


@pytest.mark.parametrize("bad", ALL, ids=lambda bad: bad.name)
def test_it_is_refused_with_a_code_a_message_and_the_field_to_blame(
    stack: Stack, session: requests.Session, bad: Bad
) -> None:
    headers = (JSON if bad.method == "POST" else {}) | bad.headers
    response = session.request(
        bad.method, stack.url + bad.path, data=bad.body, headers=headers, timeout=30
    )
    assert response.status_code == bad.status, response.text[:500]
    assert response.headers["Content-Type"].startswith("application/json")
    error = response.json()["error"]
    assert (error["code"], error.get("field")) == (bad.code, bad.blamed)
    assert error.get("rule") == bad.rule
    assert error["message"].strip()
    assert error["request_id"] == response.headers["X-Request-ID"]
    assert set(error) <= {"code", "message", "field", "rule", "request_id"}


@pytest.mark.parametrize(
    ("path", "key", "kind", "status"),
    [
        (MEMORIES, True, "application/json", 400),
        (MEMORIES, True, "text/plain", 415),
        (MEMORIES, False, "application/json", 401),
        ("/api/v1/nothing", True, "application/json", 404),
        ("/healthz", True, "application/json", 405),
    ],
)
def test_a_large_body_that_is_refused_unread_leaves_the_connection_usable(
    stack: Stack, cast: Cast, path: str, key: bool, kind: str, status: int
) -> None:
    with requests.Session() as session:
        session.headers["Content-Type"] = kind
        if key:
            session.headers["Authorization"] = f"Bearer {cast.alice.api_key}"
        for size, expected in ((3 * MEBI, status), (9 * MEBI, 413), (3 * MEBI, status)):
            response = session.post(stack.url + path, data=b"[" * size, timeout=30)
            assert response.status_code == expected


def test_after_all_that_the_service_is_well_and_nothing_was_stored(
    stack: Stack, cast: Cast, policy_before: int
) -> None:
    assert requests.get(f"{stack.url}/readyz", timeout=30).status_code == 200
    api = Api(cast.alice.api_key)
    assert api.get("/api/v1/memories", subject="alice").json()["results"] == []
    assert api.get("/api/v1/memories", subject="a").json()["results"] == []
    assert api.get(TURNS, subject="alice").status_code == 404
    assert api.get(POLICIES).json()["current"]["version"] == policy_before


@pytest.mark.parametrize(
    "given",
    [
        {"content": "x" * 20_000, "verbatim": True},
        {"subject": "用" * 255, "session": "s" * 255, "agent": "a" * 255},
        {"importance": 1, "confidence": 0},
        {"importance": 10, "confidence": 1},
        {"content": "<|endoftext|>", "verbatim": True},
        {"content": "I like <|endoftext|> tea"},
        {"content": "I like tea\u200b and cake"},
        {"metadata": {"a": {"b": {"c": [1, 2.5, None, "城"]}}}},
        {"valid_from": "0001-01-01T00:00:00Z"},
        {"expires_at": "9999-12-31T23:59:59Z"},
    ],
    ids=lambda given: ascii(given)[:40],
)
def test_what_is_just_within_the_limits_is_stored(stack: Stack, tenant: Actor, given: dict) -> None:
    """L10, L13: so that the refusals above are for the right reason."""
    response = requests.post(
        stack.url + MEMORIES,
        json=MEMORY | given,
        headers={"Authorization": f"Bearer {tenant.api_key}"},
        timeout=30,
    )
    assert response.status_code == 201, response.text[:500]
    stored = response.json()["memory"]
    for name in given.keys() - {"session", "agent", "valid_from", "expires_at", "verbatim"}:
        assert stored[name] == given[name]


def test_the_longest_filters_fit_into_an_address(stack: Stack, tenant: Actor) -> None:
    response = requests.get(
        stack.url + MEMORIES,
        params={"subject": "用" * 255, "q": "茶" * 500},
        headers={"Authorization": f"Bearer {tenant.api_key}"},
        timeout=30,
    )
    assert response.status_code == 200
