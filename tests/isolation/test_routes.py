"""Every route × every actor × {own, foreign, random id}, generated from the URL configuration.

A route that is not listed here fails the suite, so that a new one cannot be forgotten. The suite is
about the wall: an actor gets what is theirs, and never a status or a word that tells of another's.
"""

import json
import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.urls import URLPattern, URLResolver, get_resolver

from tests.cast import Cast
from tests.isolation.routes import (
    ACCOUNT_ROUTES,
    API_ROUTES,
    LOCAL_ROUTES,
    OPEN_ROUTES,
    PAGE_ROUTES,
    TENANT_ROUTE,
    Route,
    Visitor,
)
from tests.isolation.world import World, build_world

TEAM = ("alice", "bob")
SHUT_OUT = ("anonymous", "expired", "revoked")
REQUEST_ID = re.compile(rb'"request_id": ?"[^"]*"')


@pytest.fixture(scope="module")
def world(cast: Cast) -> World:
    return build_world(cast)


def url_names(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    """The names of all routes; those of the console are prefixed with its namespace."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            yield from url_names(pattern, inner)
        elif isinstance(pattern, URLPattern):
            yield f"{prefix}{pattern.name}"


def calls(routes: dict[str, list[Route]]) -> list[Any]:
    return [
        pytest.param(route, id=f"{name}-{route.method}-{number}")
        for name, listed in routes.items()
        for number, route in enumerate(listed)
    ]


def test_every_route_is_listed() -> None:
    """A new route fails here until somebody says who may do what with it."""
    names = {n for n in url_names(get_resolver()) if not n.startswith("admin:")}
    listed = set(API_ROUTES) | set(PAGE_ROUTES) | OPEN_ROUTES | LOCAL_ROUTES | ACCOUNT_ROUTES
    listed.add(TENANT_ROUTE)
    assert names - listed == set()
    assert listed - names == set()


@pytest.mark.parametrize("route", calls(API_ROUTES) + calls(PAGE_ROUTES))
@pytest.mark.parametrize("name", [*TEAM, "charlie"])
def test_an_actor_gets_what_is_their_own(world: World, route: Route, name: str) -> None:
    visitor = world.visitor(name, route)
    mine, theirs = world.of(name), world.not_of(name)
    ids = world.fresh(name) if route.spends else mine.ids
    response = visitor.call(route, ids)
    assert response.status_code in route.own, (response.status_code, response.content[:500])
    if route.reads:
        assert mine.secret.encode() in response.content
    assert theirs.secret.encode() not in response.content


@pytest.mark.parametrize(
    "route", [c for c in calls(API_ROUTES) + calls(PAGE_ROUTES) if c.values[0].needs]
)
@pytest.mark.parametrize("name", [*TEAM, "charlie"])
def test_a_foreign_id_answers_exactly_like_a_random_one(
    world: World, route: Route, name: str
) -> None:
    visitor = world.visitor(name, route)
    foreign = visitor.call(route, world.not_of(name).ids)
    random = visitor.call(route, world.nobodys)
    assert foreign.status_code == random.status_code == 404
    assert _comparable(foreign) == _comparable(random)


@pytest.mark.parametrize("route", calls(API_ROUTES) + calls(PAGE_ROUTES))
@pytest.mark.parametrize("name", SHUT_OUT)
def test_without_a_live_credential_nothing_is_told(world: World, route: Route, name: str) -> None:
    if not route.is_api and name != "anonymous":
        name = "anonymous"  # keys do not open pages, whatever their state
    visitor = world.visitor(name, route)
    answers = [visitor.call(route, ids) for ids in (world.hers.ids, world.his.ids, world.nobodys)]
    for response in answers:
        assert response.status_code in route.shut, response.content[:300]
        assert world.hers.secret.encode() not in response.content
        assert world.his.secret.encode() not in response.content
    assert len({_comparable(response) for response in answers}) == 1


@pytest.mark.parametrize("route", calls(API_ROUTES) + calls(PAGE_ROUTES))
def test_a_credential_pinned_to_another_subject_sees_nothing(world: World, route: Route) -> None:
    response = world.visitor("pinned", route).call(route, world.hers.ids)
    assert response.status_code in route.pinned, response.content[:500]
    assert world.hers.secret.encode() not in response.content
    assert world.his.secret.encode() not in response.content


def test_a_subject_id_shared_by_two_tenants_is_two_subjects(world: World) -> None:
    """I2, I7, I11, I17: one id in two tenants, and scopes never mix."""
    listed = {
        name: Visitor(world.credential(name)).call(API_ROUTES["memories"][0], world.of(name).ids)
        for name in ("alice", "charlie")
    }
    found = {
        name: {m["id"] for m in json.loads(response.content)["results"]}
        for name, response in listed.items()
    }
    assert found["alice"]
    assert found["charlie"]
    assert not found["alice"] & found["charlie"]


@pytest.mark.parametrize("name", [*TEAM, "charlie", "pinned"])
def test_nobody_enters_a_tenant_of_which_they_are_no_member(world: World, name: str) -> None:
    client = world.signed_in(name)
    for tenant in (world.not_of(name).ids["tenant"], str(uuid.uuid4()), "", "x"):
        assert client.post("/tenant", {"tenant": tenant}).status_code == 404
    own = client.post("/tenant", {"tenant": world.of(name).ids["tenant"]})
    assert (own.status_code, own["Location"]) == (302, "/")


def console_paths(world: World, owner: str) -> Iterator[tuple[str, str]]:
    """Each page of the console that shows one object of `owner`'s tenant, and its model."""
    for model in admin.site._registry:
        label = f"{model._meta.app_label}/{model._meta.model_name}"
        for object_id in world.of(owner).console[model._meta.label]:
            yield label, f"/admin/{label}/{object_id}/change/"


@pytest.mark.parametrize("name", ["alice", "charlie"])
def test_the_console_shows_a_tenants_own_objects_only(world: World, name: str) -> None:
    client = world.signed_in(name)
    other = "charlie" if name == "alice" else "alice"
    seen = 0
    for label, path in console_paths(world, name):
        assert client.get(path).status_code == 200, path
        changelist = client.get(f"/admin/{label}/")
        assert changelist.status_code == 200
        # The audit repeats the ids that a visitor asked for, foreign ones too.
        if label != "tenants/accessevent":
            shown = changelist.content.decode()
            assert not any(i in shown for i in world.of(other).console_ids()), label
        seen += 1
    assert seen >= len(admin.site._registry)
    for label, path in console_paths(world, other):
        # Django's admin answers a missing object with a redirect to the index.
        missing = client.get(f"/admin/{label}/{uuid.uuid4()}/change/")
        foreign = client.get(path)
        assert foreign.status_code == missing.status_code == 302
        assert foreign["Location"] == missing["Location"]


@pytest.mark.parametrize("name", ["bob", "pinned", "anonymous"])
def test_the_console_is_closed_to_those_who_do_not_administer(world: World, name: str) -> None:
    client = world.signed_in(name)
    for _, path in console_paths(world, "alice"):
        assert client.get(path).status_code in (302, 403)
        assert client.get(path.split("/change/")[0] + "/delete/").status_code in (302, 403)
    assert client.get("/admin/").status_code in (302, 403)


def _comparable(response: Any) -> bytes:
    """An answer without what differs between any two requests."""
    body = REQUEST_ID.sub(b"", response.content)
    body = re.sub(rb'name="csrfmiddlewaretoken" value="[^"]*"', b"", body)
    body = re.sub(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", b"ID", body)
    return str(response.status_code).encode() + body
