"""Who did something, in words: the actors of entries and recalls, as a page names them."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tenants.models import ApiKey, Member
from tenants.principals import Principal


def actor_names(principal: Principal, actors: Iterable[str]) -> dict[str, str]:
    """Words for each actor ('member:3', 'key:mh_…', 'token:mh_…'), in the tenant in context."""
    parted = {actor: actor.partition(":")[::2] for actor in set(actors)}
    users = {int(mark) for kind, mark in parted.values() if kind == "member" and mark.isdigit()}
    keys = {mark for kind, mark in parted.values() if kind in ("key", "token")}
    members = Member.objects.select_related("user").filter(user_id__in=users)
    known = {f"member:{m.user_id}": m.user.get_username() for m in members}
    known |= {f"key:{key.prefix}": key.name for key in ApiKey.objects.filter(prefix__in=keys)}
    return {
        actor: _("you") if actor == principal.actor else _words(kind, mark, known)
        for actor, (kind, mark) in parted.items()
    }


def _words(kind: str, mark: str, known: dict[str, str]) -> str:
    if kind == "member":
        return known.get(f"member:{mark}", _("a former member"))
    name = known.get(f"key:{mark}", mark)
    if kind == "token":
        return _("a token of the API key “%(name)s”") % {"name": name}
    if kind == "key":
        return _("the API key “%(name)s”") % {"name": name}
    return f"{kind}:{mark}" if mark else kind
