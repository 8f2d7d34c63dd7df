"""REST: the base of every view, and minting subject tokens."""

from functools import cache
from typing import Any

from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tenants.api.fields import AwareDateTimeField, IdField, StrictSerializer, WholeNumberField
from tenants.authentication import principal_of
from tenants.errors import NotFound
from tenants.principals import Principal
from tenants.services.mint_token import MAX_TOKEN_SECONDS, mint_token
from tenants.services.record_access import record_refusal


class TenantAPIView(APIView):
    """A view whose caller is a Principal; the services it calls open the tenant's context.

    A refusal that concerns one object is audited in a transaction of its own, after the request's
    was rolled back.
    """

    @property
    def principal(self) -> Principal:
        return principal_of(self.request)

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, NotFound) and isinstance(self.request.user, Principal):
            record_refusal(self.request, self.principal, exc)
        return super().handle_exception(exc)


def validated(serializer: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """The data as the serializer understands it. Raises ValidationError."""
    values: dict[str, Any] = _made(serializer, get_language()).run_validation(data)
    return values


@cache
def _made(
    serializer: type[serializers.Serializer[Any]], language: str | None
) -> serializers.Serializer[Any]:
    """One of a kind and language: to make its fields anew takes longer than to check a body with
    them, and they keep their messages as they were first asked for.
    """
    return serializer()


class TokenRequest(StrictSerializer):
    subject = IdField()
    seconds = WholeNumberField(min_value=60, max_value=MAX_TOKEN_SECONDS, default=900)


class TokensView(TenantAPIView):
    """Short-lived tokens for code that runs on a person's own device."""

    @extend_schema(
        operation_id="mint_token",
        request=TokenRequest,
        responses={
            201: inline_serializer(
                "Token", {"token": serializers.CharField(), "expires_at": AwareDateTimeField()}
            )
        },
    )
    def post(self, request: Request) -> Response:
        """Mint a token that reads and writes one subject's memories and nothing else."""
        asked = validated(TokenRequest, request.data)
        token, expires_at = mint_token(self.principal, **asked)
        return Response(
            {"token": token, "expires_at": AwareDateTimeField().to_representation(expires_at)},
            status=201,
        )
