"""The list of routes for the isolation suite: how each is called, and what each actor may get."""

import json
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from tests.cast import HOST

SUBJECT = "shared-subject-id"
QUERY = "Under which stone do I hide my ladder?"


@dataclass(frozen=True)
class Route:
    """One call. `needs` names the things whose ids stand in the path, in order.

    `reads` says that the owner's secret must be in the answer: a suite in which nobody sees
    anything would prove nothing. `spends` says that a call uses up what it names, so that the
    owner is given something fresh. `own`, `shut` and `pinned` are the statuses for the owner, for
    those without a live credential, and for a credential pinned to another subject.
    """

    method: str
    path: str
    needs: tuple[str, ...] = ()
    body: dict[str, Any] | None = None
    reads: bool = False
    spends: bool = False
    own: frozenset[int] = frozenset({200})
    shut: frozenset[int] = frozenset({401})
    pinned: frozenset[int] = frozenset({404})

    @property
    def is_api(self) -> bool:
        return self.path.startswith("/api/")


def api(method: str, path: str, *needs: str, **options: Any) -> Route:
    return Route(method, "/api/v1/" + path, needs, **options)


def page(method: str, path: str, *needs: str, **options: Any) -> Route:
    options.setdefault("shut", frozenset({302}))
    return Route(method, path, needs, **options)


def one_of(*statuses: int) -> frozenset[int]:
    return frozenset(statuses)


PINNED_BY_NAME = one_of(403)

# Route name → calls. A route that writes writes about SUBJECT, which both tenants have.
API_ROUTES: dict[str, list[Route]] = {
    "tokens": [
        api("POST", "tokens", body={"subject": SUBJECT}, own=one_of(201), pinned=PINNED_BY_NAME)
    ],
    "memories": [
        api("GET", f"memories?subject={SUBJECT}", reads=True, pinned=PINNED_BY_NAME),
        api("GET", "memories", reads=True, pinned=one_of(200)),
        api(
            "POST",
            "memories",
            body={"subject": SUBJECT, "content": "I like what the suite says"},
            own=one_of(200, 201),
            pinned=PINNED_BY_NAME,
        ),
    ],
    "memory": [
        api("GET", "memories/{}", "memory", reads=True),
        api("DELETE", "memories/{}", "memory", spends=True),
    ],
    "history": [api("GET", "memories/{}/history", "memory", reads=True)],
    **{
        f"{verb}-memory": [
            api("POST", f"memories/{{}}/{verb}", "memory", body=body, spends=True, own=own)
        ]
        for verb, body, own in [
            ("change", {"content": "I like another suite"}, one_of(200)),
            ("correct", {"content": "I like a better suite", "version": "{version}"}, one_of(200)),
            ("end", {"valid_to": "2999-01-01T00:00:00Z"}, one_of(200)),
            ("retract", {}, one_of(200)),
            ("weigh", {"weight": 2.0}, one_of(200)),
            ("approve", {}, one_of(409)),
            ("decline", {}, one_of(409)),
            ("undo", {"entry": "{entry}"}, one_of(200)),
            ("erase", {}, one_of(200)),
        ]
    },
    "subjects": [api("GET", "subjects", pinned=one_of(200))],
    "subject": [
        api("GET", "subjects/{}", "name"),
        api("DELETE", "subjects/{}?dry_run=true", "name"),
        api("DELETE", "subjects/{}", "name", spends=True),
    ],
    "erase-learned": [
        api("POST", "subjects/{}/erase", "name", body={"session": "none"}),
    ],
    "retract-learned": [
        api("POST", "subjects/{}/retract", "name", body={"session": "none"}),
    ],
    "export": [api("GET", "subjects/{}/export", "name")],
    "profile": [api("GET", "subjects/{}/profile", "name")],
    "turns": [
        api(
            "POST",
            "sessions/suite/turns",
            body={"subject": SUBJECT, "turns": [{"role": "user", "content": "I like tea"}]},
            own=one_of(202),
            pinned=PINNED_BY_NAME,
        ),
        api("GET", f"sessions/{{}}/turns?subject={SUBJECT}", "session", reads=True),
    ],
    "end-session": [
        api("POST", "sessions/{}/end", "session", body={"subject": SUBJECT}, own=one_of(202)),
    ],
    "job": [api("GET", "jobs/{}", "job")],
    "retry-job": [api("POST", "jobs/{}/retry", "job", own=one_of(409))],
    "policies": [
        api("GET", "policies", pinned=one_of(200)),
        api("POST", "policies", body={}, own=one_of(201), pinned=PINNED_BY_NAME),
    ],
    "try-policy": [api("POST", "policies/dry-run", body={}, pinned=PINNED_BY_NAME)],
    "ledger": [api("GET", f"ledger?subject={SUBJECT}", pinned=PINNED_BY_NAME)],
    "verify-ledger": [
        api("GET", "ledger/verify", pinned=PINNED_BY_NAME),
        api("GET", f"ledger/verify?subject={SUBJECT}", pinned=PINNED_BY_NAME),
    ],
    "recall": [
        api(
            "POST",
            "recall",
            body={"subject": SUBJECT, "query": QUERY},
            reads=True,
            pinned=PINNED_BY_NAME,
        )
    ],
    "trace": [api("GET", "recall/{}", "trace", reads=True)],
    "reply": [
        api("POST", "recall/{}/answer", "trace", body={"text": "As you said."}, own=one_of(201))
    ],
    "working": [
        api(
            "GET",
            f"working/{{}}/note?subject={SUBJECT}",
            "task",
            reads=True,
            pinned=PINNED_BY_NAME,
        ),
        api(
            "PUT",
            "working/suite/note",
            body={"subject": SUBJECT, "value": "what the suite says"},
            own=one_of(200, 201),
            pinned=PINNED_BY_NAME,
        ),
        api(
            "DELETE",
            f"working/{{}}/note?subject={SUBJECT}",
            "task",
            spends=True,
            pinned=PINNED_BY_NAME,
        ),
    ],
    "working-task": [
        api("GET", f"working/{{}}?subject={SUBJECT}", "task", reads=True, pinned=PINNED_BY_NAME),
        api(
            "DELETE", f"working/{{}}?subject={SUBJECT}", "task", spends=True, pinned=PINNED_BY_NAME
        ),
    ],
}

PAGE_ROUTES: dict[str, list[Route]] = {
    "home": [page("GET", "/", pinned=one_of(302))],
    "subject-page": [page("GET", "/subjects/{}", "subject", reads=True)],
    "profile-page": [page("GET", "/subjects/{}/profile", "subject", reads=True)],
    "sessions-page": [page("GET", "/subjects/{}/sessions", "subject")],
    "session-page": [
        page("GET", "/subjects/{}/sessions/{}", "subject", "conversation", reads=True)
    ],
    "memory-page": [page("GET", "/memories/{}", "memory", reads=True)],
    "recalls-page": [
        page("GET", "/subjects/{}/recalls", "subject"),
        page("POST", "/subjects/{}/recalls", "subject", body={"query": QUERY}, own=one_of(302)),
    ],
    "why-page": [page("GET", "/recalls/{}", "trace", reads=True)],
    "change-page": [
        page(
            "POST",
            "/recalls/{}/memories/{}",
            "trace",
            "memory",
            body={"do": "weigh", "weight": "2"},
            own=one_of(302),
        )
    ],
}

# These show nothing of any tenant; anybody may ask.
OPEN_ROUTES = frozenset(
    {"healthz", "readyz", "schema", "api-docs", "sign-in", "language", "favicon"}
)
# These concern nothing but one's own account; tests/browser walks them.
ACCOUNT_ROUTES = frozenset({"sign-out", "password"})
# Takes a tenant's id and has a test of its own below.
TENANT_ROUTE = "tenant"
# Closed by where the caller is and not by who it is; tests/integration proves its rule.
LOCAL_ROUTES = frozenset({"metrics"})


@dataclass
class Visitor:
    """Somebody with a credential for the API, or with a session for the pages."""

    credential: str = ""
    client: Client = field(default_factory=lambda: Client(SERVER_NAME=HOST))

    def call(self, route: Route, ids: dict[str, str]) -> Any:
        """Send the route's request with the ids that it needs."""
        path = route.path.format(*(ids[need] for need in route.needs))
        headers = {"Authorization": f"Bearer {self.credential}"} if self.credential else {}
        if route.method == "GET":
            return self.client.get(path, headers=headers)
        if route.is_api:
            filled = {
                name: value.format(**ids) if isinstance(value, str) else value
                for name, value in (route.body or {}).items()
            }
            data, content_type = json.dumps(filled), "application/json"
            return self.client.generic(
                route.method, path, data, content_type=content_type, headers=headers
            )
        body = {name: str(text).format(**ids) for name, text in (route.body or {}).items()}
        return self.client.post(path, body)
