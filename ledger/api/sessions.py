"""REST: sessions and their turns, and the jobs that learn from them."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from ledger.api.writing import IDEMPOTENCY_KEY, answer_once
from ledger.idempotency import Result
from ledger.jobs import get_job, send_again
from ledger.models import Job, JobKind, JobState, TurnRole
from ledger.services.end_session import end_session
from ledger.services.run_job import run_job
from ledger.services.take_turns import Message, Taken, check_turns, take_turns
from ledger.statements import CONTENT_LENGTH, MAX_TURNS, TURNS_LENGTH
from ledger.turns import TurnView, find_turns, job_outcomes, turn_views
from tenants.api.fields import (
    AwareDateTimeField,
    FlagField,
    IdField,
    LocalDateTimeField,
    StrictCharField,
    StrictSerializer,
    TimeZoneField,
)
from tenants.api.pagination import PageQuery, paginate
from tenants.api.views import TenantAPIView, validated
from tenants.context import tenant_context
from tenants.models import NAME_LENGTH


class TurnIn(StrictSerializer):
    """One message. `id` is the client's own, by which a re-send is known."""

    role = serializers.ChoiceField(choices=TurnRole.choices)
    content = StrictCharField(max_length=CONTENT_LENGTH)
    at = LocalDateTimeField(required=False)
    name = StrictCharField(required=False, max_length=NAME_LENGTH)
    id = IdField(required=False)


class TurnsIn(StrictSerializer):
    """Messages of one session, oldest first. With `wait` the answer comes when they are learned.

    Words like "tomorrow" are meant in the offset of a turn's `at`, unless that is Z; else in the
    person's `time_zone`, which is kept from one request to the next.
    """

    subject = IdField()
    turns = serializers.ListField(child=TurnIn(), allow_empty=False, max_length=MAX_TURNS)
    agent = IdField(required=False)
    time_zone = TimeZoneField(required=False)
    wait = FlagField(default=False)

    def validate_turns(self, turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if sum(len(turn["content"]) for turn in turns) > TURNS_LENGTH:
            raise serializers.ValidationError(
                f"The turns of one request have at most {TURNS_LENGTH} characters together.",
                code="max_length",
            )
        return turns


class JobOut(serializers.Serializer[Any]):
    """How work outside a request stands. `error` is a stable code of its last failure."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=JobKind.choices)
    state = serializers.ChoiceField(choices=JobState.choices)
    subject = serializers.CharField(source="subject.external_id")
    session = serializers.CharField(source="session.external_id", default=None, allow_null=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    attempts = serializers.IntegerField()
    error = serializers.CharField()
    created_at = AwareDateTimeField()
    due_at = AwareDateTimeField()
    finished_at = AwareDateTimeField(allow_null=True)


class SentenceOut(serializers.Serializer[Any]):
    text = serializers.CharField()
    admitted = serializers.BooleanField()
    rule = serializers.CharField()
    score = serializers.FloatField(allow_null=True)


class ComparedOut(serializers.Serializer[Any]):
    memory = serializers.UUIDField()
    similarity = serializers.FloatField()
    relation = serializers.CharField()
    reason = serializers.CharField()


class LearnedOut(serializers.Serializer[Any]):
    text = serializers.CharField()
    memory = serializers.UUIDField()
    disposition = serializers.CharField()
    decided_by = serializers.ListField(child=serializers.CharField())
    compared = ComparedOut(many=True)


class DroppedOut(serializers.Serializer[Any]):
    text = serializers.CharField()
    reason = serializers.CharField()


class OutcomeOut(serializers.Serializer[Any]):
    """What the write path decided about a turn, stage by stage."""

    sentences = SentenceOut(many=True)
    extracted_by = serializers.ChoiceField(choices=["rules", "model", "nobody"])
    model_failure = serializers.CharField(allow_null=True)
    dropped = DroppedOut(many=True)
    statements = LearnedOut(many=True)


class TurnOut(serializers.Serializer[Any]):
    """A turn as it is kept; `outcome` is null while nothing was learned from it."""

    id = serializers.UUIDField()
    session = serializers.CharField()
    number = serializers.IntegerField()
    role = serializers.ChoiceField(choices=TurnRole.choices)
    content = serializers.CharField()
    name = serializers.CharField(allow_null=True)
    at = AwareDateTimeField()
    dated_by = serializers.ChoiceField(choices=["client", "recording"])
    outcome = OutcomeOut(allow_null=True)


class DeviceOnlyOut(serializers.Serializer[Any]):
    """A turn that was not stored, by its place in the request: keep it on the device."""

    turn = serializers.IntegerField()
    rule = serializers.CharField()


class TurnsOut(serializers.Serializer[Any]):
    """What became of the turns. `known` counts those that had been sent before."""

    session = serializers.CharField()
    stored = serializers.IntegerField()
    known = serializers.IntegerField()
    device_only = DeviceOnlyOut(many=True)
    job = JobOut(allow_null=True)
    turns = TurnOut(many=True)


class SessionPath(StrictSerializer):
    """The session's id, as it stands in the path."""

    session = IdField()


class SessionIn(StrictSerializer):
    subject = IdField()


class TurnsQuery(StrictSerializer, PageQuery):
    """The parameters of a list of turns."""

    subject = IdField()


class TurnPage(serializers.Serializer[Any]):
    results = TurnOut(many=True)
    next = serializers.CharField(allow_null=True)


class JobResultOut(serializers.Serializer[Any]):
    """The answer to the end of a session: the job that summarises it."""

    job = JobOut()


class TurnsView(TenantAPIView):
    """The turns of one session, named by the tenant's own id (percent-encoded in the path)."""

    @extend_schema(
        operation_id="add_turns",
        parameters=[IDEMPOTENCY_KEY],
        request=TurnsIn,
        responses={200: TurnsOut, 202: TurnsOut},
    )
    def post(self, request: Request, session: str) -> Response:
        """Add messages; what a person said is learned soon (202), or at once with `wait` (200).

        Turns that were sent before are not stored again.
        """
        validated(SessionPath, {"session": session})
        given = validated(TurnsIn, request.data)
        wait = given.pop("wait")
        messages = [_message(turn) for turn in given.pop("turns")]
        checked = check_turns(self.principal, given["subject"], messages, given.get("agent", ""))

        def work() -> Result:
            taken = take_turns(
                self.principal, session=session, checked=checked, learned_here=wait, **given
            )
            return Result(202, _taken_body(taken), taken.session.subject)

        response = answer_once(request, self.principal, work)
        if wait and response.data["job"]:
            return self._learned(response.data)
        response.status_code = 200 if wait else 202
        return response

    def _learned(self, body: dict[str, Any]) -> Response:
        """The same answer once the job has run: here and now, unless a worker was faster."""
        job_id = UUID(body["job"]["id"])
        run_job(self.principal.tenant_id, job_id)
        with tenant_context(self.principal.tenant_id):
            job = get_job(self.principal, job_id)
            turns = job_outcomes(self.principal, job)
            over = job.state == JobState.DONE
            learned = {"job": JobOut(job).data, "turns": _turns(turns)}
            return Response(body | learned, status=200 if over else 202)

    @extend_schema(operation_id="list_turns", parameters=[TurnsQuery], responses={200: TurnPage})
    def get(self, request: Request, session: str) -> Response:
        """List a session's turns, newest first, each with what became of it and why."""
        given = validated(TurnsQuery, request.query_params.dict())
        with tenant_context(self.principal.tenant_id):
            rows = find_turns(self.principal, given.pop("subject"), session)
            page = paginate(rows, moment="created_at", **given)
            results = _turns(turn_views(self.principal, page.rows))
        return Response({"results": results, "next": page.next})


class SessionEndView(TenantAPIView):
    @extend_schema(
        operation_id="end_session",
        parameters=[IDEMPOTENCY_KEY],
        request=SessionIn,
        responses={202: JobResultOut},
    )
    def post(self, request: Request, session: str) -> Response:
        """End a session: it is summarised, and insights are drawn."""
        given = validated(SessionIn, request.data)

        def work() -> Result:
            job = end_session(self.principal, session=session, **given)
            return Result(202, {"job": dict(JobOut(job).data)}, job.subject)

        return answer_once(request, self.principal, work)


class JobView(TenantAPIView):
    @extend_schema(operation_id="read_job", responses={200: JobOut})
    def get(self, request: Request, job_id: str) -> Response:
        """How a job stands."""
        with tenant_context(self.principal.tenant_id):
            return Response(JobOut(get_job(self.principal, UUID(job_id))).data)


class JobRetryView(TenantAPIView):
    @extend_schema(operation_id="retry_job", request=None, responses={202: JobOut})
    def post(self, request: Request, job_id: str) -> Response:
        """Send a job again that was given up. Needs the scope "admin"."""
        with tenant_context(self.principal.tenant_id):
            send_again(self.principal, UUID(job_id))
            return Response(JobOut(get_job(self.principal, UUID(job_id))).data, status=202)


def _message(given: dict[str, Any]) -> Message:
    return Message(ref=given.pop("id", ""), **given)


def _turns(turns: list[TurnView]) -> list[dict[str, Any]]:
    return [dict(TurnOut(turn).data) for turn in turns]


def _taken_body(taken: Taken) -> dict[str, Any]:
    job: Job | None = taken.job
    return {
        "session": taken.session.external_id,
        "stored": taken.stored,
        "known": taken.known,
        "device_only": [
            {"turn": number, "rule": f"privacy.{kind}"}
            for number, kind in taken.device_only.items()
        ],
        "job": dict(JobOut(job).data) if job else None,
        "turns": [],
    }
