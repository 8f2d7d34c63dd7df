"""The two credentials of the API: long-lived keys for agents, short-lived tokens for one subject.

An API key is 'mh_' and the base64url of 64 bytes: key id, tenant id, 32 random bytes. It names its
tenant, so that it can be looked up *inside* that tenant's wall, where its secret must then match:
authentication needs no way around row-level security.

A subject token is a JWT (RFC 7519, HS256) signed with its tenant's own key and bound to the API key
that minted it: it dies with that key.
"""

import base64
import binascii
import hashlib
import hmac
import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

import jwt

from tenants import clock, keys
from tenants.context import tenant_context
from tenants.errors import CredentialExpired, CredentialRevoked, Unauthenticated
from tenants.models import ApiKey, Tenant
from tenants.principals import OWN_SCOPES, Principal, Scope
from tenants.statements import one_row

KEY_MARK = "mh_"
SECRET_BYTES = 32
PREFIX_LENGTH = 11
MAX_CREDENTIAL_LENGTH = 2_000
LAST_USED_RESOLUTION = timedelta(minutes=1)
TOKEN_ALGORITHM = "HS256"
TOKEN_ISSUER = "memoryhub"
KEY = """
    SELECT key.id, key.prefix, key.secret_digest, key.scopes, key.agent, subject.external_id,
           key.expires_at, key.revoked_at, key.last_used_at
    FROM tenants_apikey AS key
    LEFT JOIN tenants_subject AS subject
        ON subject.tenant_id = key.tenant_id AND subject.id = key.subject_id
    WHERE key.tenant_id = %(tenant)s AND key.id = %(id)s
"""


class StoredKey(NamedTuple):
    """What is kept of an API key; `subject` and `agent` are those to which it is limited."""

    id: UUID
    prefix: str
    secret_digest: bytes
    scopes: list[str]
    agent: str
    subject: str | None
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True)
class KeyMaterial:
    """A new key: the text to show once, and what is kept of it."""

    text: str
    prefix: str
    secret_digest: bytes


def new_key_material(key_id: UUID, tenant_id: UUID) -> KeyMaterial:
    """Make the text of an API key."""
    secret = os.urandom(SECRET_BYTES)
    body = base64.urlsafe_b64encode(key_id.bytes + tenant_id.bytes + secret).rstrip(b"=").decode()
    text = KEY_MARK + body
    return KeyMaterial(text, text[:PREFIX_LENGTH], hashlib.sha256(secret).digest())


def authenticate(credential: str) -> Principal:
    """The principal behind a credential.

    Raises Unauthenticated, CredentialExpired or CredentialRevoked; the last two only after the
    secret was proved, so that they tell a stranger nothing.
    """
    if len(credential) > MAX_CREDENTIAL_LENGTH:
        raise Unauthenticated("This credential is not valid.")
    if credential.startswith(KEY_MARK):
        return _authenticate_key(credential)
    return _authenticate_token(credential)


def _authenticate_key(text: str) -> Principal:
    try:
        body = text.removeprefix(KEY_MARK)
        raw = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        if base64.urlsafe_b64encode(raw).rstrip(b"=").decode() != body:
            raise Unauthenticated("This credential is not valid.")  # another spelling of the same
        key_id, tenant_id, secret = UUID(bytes=raw[:16]), UUID(bytes=raw[16:32]), raw[32:]
    except (binascii.Error, ValueError) as error:
        raise Unauthenticated("This credential is not valid.") from error
    with tenant_context(tenant_id):
        key = _stored_key(key_id)
        expected = key.secret_digest if key else b""
        if not hmac.compare_digest(hashlib.sha256(secret).digest(), expected) or key is None:
            raise Unauthenticated("This credential is not valid.")
        _require_live(key)
        _note_use(key)
        return Principal(
            tenant_id=tenant_id,
            actor=f"key:{key.prefix}",
            scopes=frozenset(Scope(scope) for scope in key.scopes),
            subject=key.subject,
            agent=key.agent or None,
            key_id=key.id,
        )


def _stored_key(key_id: UUID) -> StoredKey | None:
    row = one_row(KEY, id=key_id)
    return StoredKey(*row) if row else None


def _require_live(key: StoredKey) -> None:
    if key.revoked_at:
        raise CredentialRevoked
    if key.expires_at and key.expires_at <= clock.now():
        raise CredentialExpired


def _note_use(key: StoredKey) -> None:
    """Remember the use, at most once a minute: every request would otherwise write."""
    moment = clock.now()
    if key.last_used_at is None or moment - key.last_used_at > LAST_USED_RESOLUTION:
        ApiKey.objects.filter(id=key.id).update(last_used_at=moment)


def sign_token(*, principal: Principal, tenant: Tenant, subject: str, seconds: int) -> str:
    """A token for one subject with no more than the scopes of the key that mints it."""
    now = clock.now()
    claims = {
        "iss": TOKEN_ISSUER,
        "iat": int(now.timestamp()),
        "exp": int(now.timestamp()) + seconds,
        "tenant": str(principal.tenant_id),
        "key": str(principal.key_id),
        "sub": subject,
        "agent": principal.agent or "",
        "scopes": sorted(principal.scopes & OWN_SCOPES),
    }
    return jwt.encode(claims, keys.unwrap(tenant.token_key), algorithm=TOKEN_ALGORITHM)


def _authenticate_token(text: str) -> Principal:
    try:
        unproved = jwt.decode(text, options={"verify_signature": False})
        tenant_id, key_id = UUID(str(unproved["tenant"])), UUID(str(unproved["key"]))
    except (jwt.PyJWTError, KeyError, ValueError, TypeError) as error:
        raise Unauthenticated("This credential is not valid.") from error
    with tenant_context(tenant_id):
        tenant = Tenant.objects.first()
        if tenant is None:
            raise Unauthenticated("This credential is not valid.")
        claims = _proved_claims(text, keys.unwrap(tenant.token_key))
        key = _stored_key(key_id)
        if key is None:
            raise CredentialRevoked
        _require_live(key)
    return Principal(
        tenant_id=tenant_id,
        actor=f"token:{key.prefix}",
        scopes=frozenset(Scope(scope) for scope in claims["scopes"]),
        subject=claims["sub"],
        agent=claims["agent"] or None,
    )


def _proved_claims(text: str, signing_key: bytes) -> dict:
    try:
        return jwt.decode(
            text,
            signing_key,
            algorithms=[TOKEN_ALGORITHM],
            issuer=TOKEN_ISSUER,
            options={"require": ["exp", "iat", "sub"]},
        )
    except jwt.ExpiredSignatureError as error:
        raise CredentialExpired from error
    except jwt.PyJWTError as error:
        raise Unauthenticated("This credential is not valid.") from error
