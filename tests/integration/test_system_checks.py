"""The system checks of the wall: each has a model or a table that it refuses, and one it passes."""

from collections.abc import Iterator
from typing import Any, ClassVar

import psycopg
import pytest
from django.apps import apps
from django.core import checks
from django.core.management import CommandError, call_command
from django.db import models

from tenants.scoped import TenantManager, TenantModel
from tests.integration.tools import owner_url


@pytest.fixture
def drafts() -> Iterator[None]:
    """Models that a test declares in the app `ledger` are forgotten after it."""
    before = set(apps.all_models["ledger"])
    yield
    for name in set(apps.all_models["ledger"]) - before:
        del apps.all_models["ledger"][name]
    apps.clear_cache()


def found(tag: str = checks.Tags.models, **options: Any) -> dict[str, str]:
    """The tenants checks' errors: id → the object's name or the text."""
    return {
        str(error.id): getattr(error.obj, "__name__", error.msg)
        for error in checks.run_checks(tags=[tag], **options)
        if str(error.id).startswith("tenants.")
    }


def test_the_models_as_they_are_pass() -> None:
    assert found() == {}


def test_a_model_outside_the_wall_is_refused(drafts: None) -> None:
    class Loose(models.Model):  # noqa: DJ008
        class Meta:
            app_label = "ledger"

    assert found() == {"tenants.E001": "Loose"}


def test_a_model_whose_manager_asks_for_no_tenant_is_refused(drafts: None) -> None:
    class Unscoped(TenantModel):
        objects = models.Manager()  # type: ignore[assignment,misc]

        class Meta(TenantModel.Meta):
            app_label = "ledger"

    assert found() == {"tenants.E002": "Unscoped"}


@pytest.mark.parametrize(
    "constraint",
    [
        models.UniqueConstraint(fields=["word", "tenant"], name="draft_word"),
        models.UniqueConstraint(fields=["word"], name="draft_word"),
        models.UniqueConstraint(models.functions.Lower("word"), name="draft_word"),
    ],
)
def test_a_unique_key_that_does_not_begin_with_the_tenant_is_refused(
    drafts: None, constraint: models.UniqueConstraint
) -> None:
    """Foreign rows must not be told by what they make impossible."""

    class Draft(TenantModel):
        word = models.CharField(max_length=9)

        class Meta(TenantModel.Meta):
            app_label = "ledger"
            constraints: ClassVar = [constraint]

    assert found() == {"tenants.E003": "Draft"}


def test_a_model_inside_the_wall_passes(drafts: None) -> None:
    class Walled(TenantModel):
        word = models.CharField(max_length=9)
        everything = models.Manager()
        objects: ClassVar[Any] = TenantManager()

        class Meta(TenantModel.Meta):
            app_label = "ledger"
            default_manager_name = "objects"
            constraints: ClassVar = [
                models.UniqueConstraint(fields=["tenant", "word"], name="walled_word")
            ]

    assert found() == {}


@pytest.fixture
def stray_table() -> Iterator[None]:
    """A table that somebody made by hand."""
    with psycopg.connect(owner_url(), autocommit=True) as owner:
        owner.execute("CREATE TABLE stray_notes (words text)")
        yield
        owner.execute("DROP TABLE stray_notes")


def test_the_database_as_it_is_passes() -> None:
    assert found(checks.Tags.database, databases=["default"]) == {}


def test_a_table_that_the_wall_does_not_know_is_refused(stray_table: None) -> None:
    errors = found(checks.Tags.database, databases=["default"])
    assert errors == {"tenants.E004": "stray_notes: a table that the wall does not know"}
    with pytest.raises(CommandError, match="stray_notes"):
        call_command("check_isolation")


def test_the_command_says_that_the_wall_stands(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check_isolation")
    assert "The wall stands" in capsys.readouterr().out
