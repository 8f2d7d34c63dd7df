"""Rate limits, counted in the cache: per principal for work, per address for failed credentials."""

from typing import Any, cast

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle


class PrincipalThrottle(SimpleRateThrottle):
    """MEMORYHUB_RATE_LIMIT for each tenant's each credential; on open routes, for each address."""

    scope = "principal"

    def get_rate(self) -> str:
        return str(settings.RATE_LIMIT)

    def get_cache_key(self, request: Request, view: Any) -> str:
        # Pages keep their caller beside the signed-in user (tenants.membership).
        principal: Any = getattr(request, "principal", None) or request.user
        # Open routes (schema, docs) have none: they are limited by address.
        ident = f"{principal.tenant_id}:{principal.actor}" if principal else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}


class FailureThrottle(SimpleRateThrottle):
    """MEMORYHUB_FAILED_SIGN_IN_LIMIT for each address that offers wrong credentials."""

    scope = "failure"

    def get_rate(self) -> str:
        return str(settings.FAILED_SIGN_IN_LIMIT)

    def get_cache_key(self, request: Any, view: Any = None) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}

    def exhausted(self, request: Any) -> bool:
        """Whether the address has used up its failures; does not count one."""
        most, seconds = self.parse_rate(self.get_rate())
        self.now = self.timer()
        self.history = [
            moment
            for moment in self.cache.get(self.get_cache_key(request), [])
            if moment > self.now - (seconds or 0)
        ]
        return most is not None and len(self.history) >= most


def require_pace(request: Any) -> None:
    """Raise Throttled when a signed-in person asks for more than the rate limit."""
    throttle = PrincipalThrottle()
    if not throttle.allow_request(request, view=cast(Any, None)):
        raise Throttled(wait=throttle.wait())


def require_few_failures(request: Any, *, failed: bool = False) -> None:
    """Raise Throttled when an address guesses too often; `failed` counts one more failure."""
    throttle = FailureThrottle()
    if failed:
        throttle.allow_request(request, view=cast(Any, None))
    elif throttle.exhausted(request):
        raise Throttled(wait=throttle.wait())
