"""REST: working memory, what an agent notes down while it does one task."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from recall.working import LONGEST_SECONDS, NAME_LENGTH, Place
from recall.working_store import Note
from tenants.api.fields import (
    AwareDateTimeField,
    IdField,
    StrictCharField,
    StrictSerializer,
    WholeNumberField,
)
from tenants.api.pagination import InvalidCursor, PageQuery
from tenants.api.views import TenantAPIView, validated


class TaskPath(StrictSerializer):
    """What names a task and a key in the path, percent-encoded."""

    task = StrictCharField(max_length=NAME_LENGTH)
    key = StrictCharField(max_length=NAME_LENGTH, required=False)


class WorkingIn(StrictSerializer):
    """Any JSON. Name the subject wherever the value tells of a person: erasing them forgets it."""

    value = serializers.JSONField(allow_null=True)
    ttl = WholeNumberField(min_value=1, max_value=LONGEST_SECONDS, required=False)
    subject = IdField(required=False)


class WorkingQuery(StrictSerializer):
    subject = IdField(required=False)


class WorkingPageQuery(WorkingQuery, PageQuery):
    """The parameters of a list of values."""


class WorkingOut(serializers.Serializer[Any]):
    """One value, and when it ends by itself."""

    task = serializers.CharField()
    key = serializers.CharField()
    subject = serializers.CharField(allow_null=True)
    value = serializers.JSONField(allow_null=True)
    expires_at = AwareDateTimeField()


class WorkingPage(serializers.Serializer[Any]):
    results = WorkingOut(many=True)
    next = serializers.CharField(allow_null=True)


class DeletedOut(serializers.Serializer[Any]):
    deleted = serializers.IntegerField()


class WorkingView(TenantAPIView):
    """One value under its task's and its own name."""

    @extend_schema(
        operation_id="put_working",
        request=WorkingIn,
        responses={200: WorkingOut, 201: WorkingOut},
    )
    def put(self, request: Request, task: str, key: str) -> Response:
        """Keep a value, in the place of what stood there; it ends after `ttl` seconds by itself.

        A task's name holds no '/', a key's may, but not at its end.
        """
        named = validated(TaskPath, {"task": task, "key": key})
        given = validated(WorkingIn, request.data)
        place = Place(self.principal, named["task"], given.pop("subject", ""))
        note = place.put(named["key"], **given)
        return Response(note_body(place, note), status=201 if note.created else 200)

    @extend_schema(
        operation_id="read_working", parameters=[WorkingQuery], responses={200: WorkingOut}
    )
    def get(self, request: Request, task: str, key: str) -> Response:
        """Read one value; what has ended is not there."""
        place, name = self._place(task, key)
        return Response(note_body(place, place.get(name)))

    @extend_schema(
        operation_id="delete_working", parameters=[WorkingQuery], responses={200: DeletedOut}
    )
    def delete(self, request: Request, task: str, key: str) -> Response:
        """Forget one value. A second time answers 404."""
        place, name = self._place(task, key)
        return Response({"deleted": place.drop(name)})

    def _place(self, task: str, key: str) -> tuple[Place, str]:
        named = validated(TaskPath, {"task": task, "key": key})
        given = validated(WorkingQuery, self.request.query_params.dict())
        return Place(self.principal, named["task"], **given), named["key"]


class WorkingTaskView(TenantAPIView):
    """All values of one task."""

    @extend_schema(
        operation_id="list_working", parameters=[WorkingPageQuery], responses={200: WorkingPage}
    )
    def get(self, request: Request, task: str) -> Response:
        """List a task's values, in an order of their own that stays the same."""
        named = validated(TaskPath, {"task": task})
        given = validated(WorkingPageQuery, request.query_params.dict())
        place = Place(self.principal, named["task"], given.get("subject", ""))
        notes, following = place.page(given["limit"], _after(given.get("cursor")))
        results = [note_body(place, note) for note in notes]
        return Response({"results": results, "next": following.hex if following else None})

    @extend_schema(
        operation_id="delete_working_task",
        parameters=[WorkingQuery],
        responses={200: DeletedOut},
    )
    def delete(self, request: Request, task: str) -> Response:
        """Forget all values of a task. A second time answers 404."""
        named = validated(TaskPath, {"task": task})
        given = validated(WorkingQuery, request.query_params.dict())
        return Response({"deleted": Place(self.principal, named["task"], **given).drop()})


def note_body(place: Place, note: Note) -> dict[str, Any]:
    """A value in the shape of WorkingOut."""
    shown = WorkingOut(
        {
            "task": place.task,
            "key": note.key,
            "subject": place.about or None,
            "value": note.value,
            "expires_at": note.ends,
        }
    )
    return dict(shown.data)


def _after(cursor: str | None) -> UUID | None:
    if cursor is None:
        return None
    try:
        return UUID(cursor)
    except ValueError as error:
        raise InvalidCursor(field="cursor") from error
