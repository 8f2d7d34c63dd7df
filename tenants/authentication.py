"""Reads the credential of a REST request. Identity comes from here and from nowhere else."""

from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from tenants import credentials
from tenants.errors import Unauthenticated
from tenants.principals import Principal
from tenants.throttling import require_few_failures

SCHEMES = frozenset({"bearer", "token"})


class CredentialAuthentication(BaseAuthentication):
    """`Authorization: Bearer …` (or `Token …`) or `X-API-Key: …`; cookies never count."""

    def authenticate(self, request: Request) -> tuple[Principal, None]:
        credential = offered_credential(request)
        require_few_failures(request)
        try:
            return credentials.authenticate(credential), None
        except Unauthenticated:
            require_few_failures(request, failed=True)
            raise

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def offered_credential(request: Request) -> str:
    """The one credential that the request carries. Raises Unauthenticated for none, or for two."""
    header = request.headers.get("Authorization", "")
    api_key = request.headers.get("X-API-Key", "").strip()
    scheme, _, value = header.strip().partition(" ")
    if header and api_key:
        raise Unauthenticated("Send one credential: Authorization or X-API-Key, not both.")
    if header and scheme.lower() not in SCHEMES:
        raise Unauthenticated
    credential = value.strip() or api_key
    if not credential:
        raise Unauthenticated
    return credential


def principal_of(request: Request) -> Principal:
    """The authenticated caller of a REST request."""
    principal: Any = request.user
    if not isinstance(principal, Principal):
        raise Unauthenticated
    return principal
