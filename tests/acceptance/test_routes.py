"""Addresses: with and without a trailing slash, wrong methods, and what is not there."""

import re
import uuid
from typing import Any

import pytest
import requests
import yaml

from tests.cast import Actor
from tests.stack import Stack

NOTHING = uuid.uuid4()
ROUTES = {
    "/healthz": {"GET": 200},
    "/readyz": {"GET": 200},
    "/metrics": {"GET": 200},
    "/api/schema": {"GET": 200},
    "/api/docs": {"GET": 200},
    "/api/v1/memories": {"GET": 200, "POST": 400},
    f"/api/v1/memories/{NOTHING}": {"GET": 404, "DELETE": 404},
    f"/api/v1/memories/{NOTHING}/history": {"GET": 404},
    **{
        f"/api/v1/memories/{NOTHING}/{verb}": {"POST": status}
        for verb, status in [
            ("change", 404),
            ("correct", 400),
            ("end", 404),
            ("retract", 404),
            ("weigh", 400),
            ("approve", 404),
            ("decline", 404),
            ("undo", 400),
            ("erase", 404),
        ]
    },
    "/api/v1/subjects": {"GET": 200},
    f"/api/v1/subjects/{NOTHING}": {"GET": 404, "DELETE": 404},
    f"/api/v1/subjects/{NOTHING}/erase": {"POST": 400},
    f"/api/v1/subjects/{NOTHING}/retract": {"POST": 400},
    f"/api/v1/subjects/{NOTHING}/export": {"GET": 404},
    f"/api/v1/subjects/{NOTHING}/profile": {"GET": 404},
    f"/api/v1/sessions/{NOTHING}/turns": {"GET": 400, "POST": 400},
    f"/api/v1/sessions/{NOTHING}/end": {"POST": 400},
    f"/api/v1/jobs/{NOTHING}": {"GET": 404},
    f"/api/v1/jobs/{NOTHING}/retry": {"POST": 404},
    "/api/v1/policies": {"GET": 200, "POST": 201},
    "/api/v1/policies/dry-run": {"POST": 200},
    "/api/v1/ledger": {"GET": 400},
    "/api/v1/ledger/verify": {"GET": 200},
    "/api/v1/recall": {"POST": 400},
    f"/api/v1/recall/{NOTHING}": {"GET": 404},
    f"/api/v1/recall/{NOTHING}/answer": {"POST": 400},
    f"/api/v1/working/{NOTHING}": {"GET": 404, "DELETE": 404},
    f"/api/v1/working/{NOTHING}/{NOTHING}": {"GET": 404, "PUT": 400, "DELETE": 404},
    "/api/v1/tokens": {"POST": 400},
}
CALLS = [(path, method, status) for path, m in ROUTES.items() for method, status in m.items()]
WRONG = [
    (path, method)
    for path, methods in ROUTES.items()
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "FETCH")
    if method not in methods
]


@pytest.fixture(scope="module")
def session(cast: Any) -> requests.Session:
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {cast.alice.api_key}"
    return session


@pytest.mark.parametrize(("path", "method", "status"), CALLS)
def test_a_route_answers_with_and_without_a_trailing_slash(
    stack: Stack, session: requests.Session, path: str, method: str, status: int
) -> None:
    answers = [
        session.request(method, stack.url + path + slash, timeout=30, allow_redirects=False)
        for slash in ("", "/")
    ]
    assert [a.status_code for a in answers] == [status, status]
    if status >= 400:
        codes = {a.json()["error"]["code"] for a in answers}
        assert codes <= ({"not_found"} if status == 404 else {"required", "invalid"})
        assert len(codes) == 1


def test_every_route_of_the_schema_is_called_above(stack: Stack) -> None:
    """A new one fails here until it is listed."""
    schema = yaml.safe_load(requests.get(f"{stack.url}/api/schema", timeout=30).text)
    documented = {
        (re.sub(r"\{\w+\}", str(NOTHING), path).rstrip("/"), method.upper())
        for path, operations in schema["paths"].items()
        for method in operations
    }
    assert documented == {(p, m) for p, m, _ in CALLS if p.startswith("/api/v1/")}


@pytest.mark.parametrize(("path", "method"), WRONG)
def test_a_wrong_method_is_405_and_changes_nothing(
    stack: Stack, session: requests.Session, path: str, method: str
) -> None:
    response = session.request(method, stack.url + path, timeout=30)
    assert response.status_code == 405
    allowed = set(re.findall(r"\w+", response.headers["Allow"]))
    assert set(ROUTES[path]) <= allowed
    if path.startswith("/api/v1/"):
        assert response.json()["error"]["code"] == "method_not_allowed"


@pytest.mark.parametrize("path", [p for p, methods in ROUTES.items() if "GET" in methods])
def test_head_is_get_without_a_body(stack: Stack, session: requests.Session, path: str) -> None:
    response = session.head(stack.url + path, timeout=30)
    assert response.status_code == ROUTES[path]["GET"]
    assert response.content == b""
    assert response.headers["X-Request-ID"]


@pytest.mark.parametrize("path", [p for p in ROUTES if p.startswith("/api/v1/")])
def test_options_tells_the_methods_and_nothing_of_anybody(
    stack: Stack, session: requests.Session, path: str
) -> None:
    response = session.options(stack.url + path, timeout=30)
    assert response.status_code == 200
    assert set(ROUTES[path]) <= set(re.findall(r"\w+", response.headers["Allow"]))
    assert requests.options(stack.url + path, timeout=30).status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        "/api/",
        "/api/v1",
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v1/memories/not-an-id",
        "/api/v1/memories//",
        f"/api/v1/memories/{NOTHING}/nothing",
        "/api/v1/memories/..%2f..%2fetc%2fpasswd",
        "/api/v1/memories/%00",
        "/api/v1/%ff%fe",
        "/api/v1/" + "x" * 3_000,
        "/api/v2/memories",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_what_is_not_there_is_a_404_in_json(
    stack: Stack, session: requests.Session, path: str, method: str
) -> None:
    """I5: a path reads no file."""
    response = session.request(method, stack.url + path, timeout=30)
    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/json"
    error = response.json()["error"]
    assert error["code"] == "not_found"
    assert error["request_id"] == response.headers["X-Request-ID"]


def test_a_host_that_is_not_ours_is_refused(stack: Stack, tenant: Actor) -> None:
    response = requests.get(
        f"{stack.url}/api/v1/memories",
        headers={"Host": "evil.example", "Authorization": f"Bearer {tenant.api_key}"},
        timeout=30,
    )
    assert response.status_code == 400
    assert response.json()["error"]["code"] == "invalid"


def test_the_documentation_needs_no_other_host(stack: Stack) -> None:
    page = requests.get(f"{stack.url}/api/docs", timeout=30)
    assert page.headers["Content-Type"].startswith("text/html")
    links = re.findall(r"""(?:src|href)=["']([^"']+)""", page.text)
    assert links
    assert all(link.startswith(("/", "data:")) and not link.startswith("//") for link in links)
    for link in links:
        if link.startswith("/"):
            assert requests.get(stack.url + link, timeout=30).status_code == 200, link
    assert "unsafe" not in page.headers["Content-Security-Policy"]
