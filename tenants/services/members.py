"""Let people into a tenant."""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from tenants.errors import Conflict, Invalid
from tenants.models import Member, Role, Subject


def create_user(username: str, password: str) -> User:
    """A person who can sign in. Raises Conflict for a taken name, Invalid for a weak password."""
    require_new_user(username, password)
    return get_user_model().objects.create_user(username=username, password=password)


def require_new_user(username: str, password: str) -> None:
    """Raise Conflict for a taken name, Invalid for a weak password; make nobody."""
    users = get_user_model()
    if users.objects.filter(username=username).exists():
        raise Conflict(f"There is a user called {username!r} already.", field="username")
    try:
        validate_password(password, users(username=username))
    except ValidationError as error:
        raise Invalid(" ".join(error.messages), field="password") from error


def add_member(user: User, role: str, subject: Subject | None = None) -> Member:
    """Give `user` a role in the tenant in context, perhaps limited to one subject."""
    member = Member(user=user, role=Role(role), subject=subject)
    try:
        member.clean()
    except ValidationError as error:
        raise Invalid(" ".join(error.messages), field="subject") from error
    member.save(force_insert=True)
    return member
