"""Settings from the environment: what is wrong is named, secrets never are."""

import json
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from memoryhub import env

NAME = "MEMORYHUB_OF_THIS_TEST"


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMORYHUB_DATA_DIR", str(tmp_path))
    monkeypatch.delenv(NAME, raising=False)
    return tmp_path


def file_values(data_dir: Path, **values: str) -> None:
    (data_dir / "environment.json").write_text(json.dumps(values))


def test_the_environment_comes_before_the_file_and_the_file_before_the_default(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert env.text(NAME, "default") == "default"
    file_values(data_dir, **{NAME: "from the file"})
    assert env.text(NAME, "default") == "from the file"
    monkeypatch.setenv(NAME, "from the environment")
    assert env.text(NAME, "default") == "from the environment"


def test_what_has_no_default_must_be_set() -> None:
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} is not set"):
        env.text(NAME)


def test_a_damaged_file_is_named(data_dir: Path) -> None:
    (data_dir / "environment.json").write_text("{")
    with pytest.raises(ImproperlyConfigured, match=r"environment\.json is not JSON"):
        env.text(NAME, "default")


def test_the_embedded_owner_is_not_mixed_with_a_database_of_ones_own(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file_values(data_dir, MEMORYHUB_OWNER_DATABASE_URL="postgresql://owner@/embedded")
    monkeypatch.delenv("MEMORYHUB_OWNER_DATABASE_URL", raising=False)
    monkeypatch.delenv("MEMORYHUB_DATABASE_URL", raising=False)
    assert env.text("MEMORYHUB_OWNER_DATABASE_URL", "") == "postgresql://owner@/embedded"
    monkeypatch.setenv("MEMORYHUB_DATABASE_URL", "postgresql://app@elsewhere/memories")
    assert env.text("MEMORYHUB_OWNER_DATABASE_URL", "") == ""


@pytest.mark.parametrize(
    ("value", "means"),
    [("1", True), ("TRUE", True), ("yes", True), ("on", True), ("0", False), ("No", False)],
)
def test_a_flag_is_said_in_the_usual_words(
    value: str, means: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME, value)
    assert env.flag(NAME, default=not means) is means


def test_a_flag_in_other_words_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "maybe")
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} must be true or false, not 'maybe'"):
        env.flag(NAME)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("ten", "must be a whole number, not 'ten'"),
        ("1.5", "must be a whole number"),
        ("0", "must be at least 1, not 0"),
        ("11", "must be at most 10, not 11"),
    ],
)
def test_a_number_that_is_none_or_out_of_bounds_is_refused(
    value: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME, value)
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} {says}"):
        env.integer(NAME, 5, least=1, most=10)


def test_a_number_within_its_bounds_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.integer(NAME, 5, least=1, most=10) == 5
    for value in ("1", "10", " 7 "):
        monkeypatch.setenv(NAME, value)
        assert env.integer(NAME, 5, least=1, most=10) == int(value)


def test_a_list_has_no_empty_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, " a, ,b,")
    assert env.listing(NAME) == ["a", "b"]
    monkeypatch.delenv(NAME)
    assert env.listing(NAME, "x,y") == ["x", "y"]
    assert env.listing(NAME) == []


def test_an_address_has_one_of_the_schemes_and_is_never_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(NAME, "redis://:hunter2@localhost/0")
    assert env.url(NAME, ("redis", "rediss")) == "redis://:hunter2@localhost/0"
    monkeypatch.setenv(NAME, "http://:hunter2@localhost/0")
    with pytest.raises(ImproperlyConfigured, match="must begin with redis:// or rediss://") as said:
        env.url(NAME, ("redis", "rediss"))
    assert "hunter2" not in str(said.value)


def test_a_short_secret_is_refused_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "x" * 32)
    assert env.secret(NAME) == "x" * 32
    monkeypatch.setenv(NAME, "hunter2")
    with pytest.raises(ImproperlyConfigured, match="32 random characters or more") as said:
        env.secret(NAME)
    assert "hunter2" not in str(said.value)


def test_a_database_address_is_taken_apart() -> None:
    found = env.database("postgresql://me:p%40ss@db.example:5433/memories?sslmode=require")
    assert found == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "memories",
        "USER": "me",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }
    assert env.database("postgresql://me@/memories?host=/run/sockets")["HOST"] == "/run/sockets"


@pytest.mark.parametrize(
    "address",
    [
        "mysql://me:hunter2@db/memories",
        "postgresql://me:hunter2@db",
        "postgresql://:hunter2@db/memories",
        "postgresql://me:hunter2@db:port/memories",
        "postgresql://me:hunter2%@db/memories",
        "postgresql://me:hunter2@db/memories?nonsense=1",
        "hunter2",
    ],
)
def test_a_database_address_that_cannot_be_used_is_refused_and_never_shown(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="MEMORYHUB_DATABASE_URL must") as said:
        env.database(address)
    assert "hunter2" not in str(said.value)
    assert said.value.__cause__ is None
