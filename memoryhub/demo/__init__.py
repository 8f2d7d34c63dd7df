"""The demo tenant: a short bilingual conversation, a sign-in and an API key, made on first start.

How to get in is kept in the private data folder, since a password and a key are otherwise shown
only once.
"""

import json
import os
import secrets
from dataclasses import asdict, dataclass
from datetime import UTC
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model

from ledger.conversations import read_conversation
from ledger.services.import_turns import import_turns
from recall.exchange import Question
from recall.pipeline import ask
from tenants.context import tenant_context
from tenants.credentials import authenticate
from tenants.directory import find_tenant
from tenants.errors import NotFound, Unauthenticated
from tenants.models import Member, Role, Tenant
from tenants.principals import ALL_SCOPES, Principal
from tenants.services.api_keys import create_api_key
from tenants.services.create_tenant import create_tenant
from tenants.services.members import add_member, create_user

TENANT, USERNAME, SUBJECT = "Demo", "demo", "lin"
CONVERSATION = Path(__file__).with_name("conversation.json")
QUESTIONS = ("Where does Lin live now?", "Lin 吃肉吗？")


@dataclass(frozen=True)
class DemoAccess:
    """A sign-in and an API key of the demo tenant."""

    username: str
    password: str
    api_key: str


def load_demo() -> DemoAccess:
    """Make what is missing of the demo tenant; what is there stays as it is."""
    try:
        tenant, is_new = find_tenant(TENANT), False
    except NotFound:
        tenant, is_new = create_tenant(TENANT), True
    access = _working_access(tenant)
    if is_new:
        principal = authenticate(access.api_key)
        turns = read_conversation(json.loads(CONVERSATION.read_text("utf-8")), UTC)
        import_turns(principal, subject=SUBJECT, turns=turns)
        for question in QUESTIONS:
            ask(principal, Question(subject=SUBJECT, query=question))
    return access


def _working_access(tenant: Tenant) -> DemoAccess:
    """The kept sign-in and key if they still work, else new ones in their place."""
    kept = _kept() or DemoAccess(USERNAME, secrets.token_urlsafe(12), "")
    api_key = kept.api_key if _is_live(kept.api_key) else _new_key(tenant)
    access = DemoAccess(USERNAME, kept.password, api_key)
    _require_member(tenant, access.password)
    _keep(access)
    return access


def _require_member(tenant: Tenant, password: str) -> None:
    user = get_user_model().objects.filter(username=USERNAME).first()
    if user is None:
        user = create_user(USERNAME, password)
    elif not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    with tenant_context(tenant.id):
        if not Member.objects.filter(user=user).exists():
            add_member(user, Role.OWNER)


def _is_live(api_key: str) -> bool:
    try:
        return bool(api_key) and isinstance(authenticate(api_key), Principal)
    except Unauthenticated:
        return False


def _new_key(tenant: Tenant) -> str:
    with tenant_context(tenant.id):
        return create_api_key(name="demo", scopes=ALL_SCOPES)[1]


def _file() -> Path:
    return Path(settings.DATA_DIR) / "demo.json"


def _kept() -> DemoAccess | None:
    try:
        return DemoAccess(**json.loads(_file().read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _keep(access: DemoAccess) -> None:
    """Write the file so that no other user of the machine can read it, and never half of it."""
    draft = _file().with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(asdict(access), file)
    draft.replace(_file())
