"""Rate limits, counted in the cache: per principal for work, per address for failed credentials.

Counted in fixed windows, with one atomic counter each: whoever straddles two windows may for a
moment get twice the rate, and nobody's count is lost to another request at the same time. While the
cache is away each process counts for itself: a limit then holds for each of them.
"""

from threading import Lock
from typing import Any, cast

from django.conf import settings
from django_redis import get_redis_connection
from redis import RedisError
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

# Windows that a process counts at a time; one more, and the oldest is forgotten.
MOST_WINDOWS = 10_000


class OwnCounts:
    """What one process has counted, by the window's name."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._lock = Lock()

    def add(self, name: str) -> int:
        """Count one more, and tell how many that makes."""
        with self._lock:
            if name not in self._counts and len(self._counts) >= MOST_WINDOWS:
                del self._counts[next(iter(self._counts))]
            self._counts[name] = self._counts.get(name, 0) + 1
            return self._counts[name]

    def get(self, name: str) -> int:
        return self._counts.get(name, 0)


_own = OwnCounts()


class WindowThrottle(SimpleRateThrottle):
    """So many requests in each window of so many seconds, as the rate says ("60/minute")."""

    def allow_request(self, request: Any, view: Any) -> bool:
        """Count one request, and tell whether it was within the limit."""
        most, key = self._window(request, view)
        name = self.cache.make_key(key)
        try:
            with get_redis_connection("default").pipeline(transaction=False) as pipe:
                pipe.set(name, 0, nx=True, px=int(self.left * 1000) + 1000)
                pipe.incr(name)
                count = pipe.execute()[1]
        except RedisError:
            count = _own.add(name)
        return bool(count <= most)

    def exhausted(self, request: Any) -> bool:
        """Whether the limit is used up; does not count."""
        most, key = self._window(request, None)
        name = self.cache.make_key(key)
        try:
            count = int(get_redis_connection("default").get(name) or 0)
        except RedisError:
            count = _own.get(name)
        return count >= most

    def wait(self) -> float:
        """Seconds until the window that was last asked about ends."""
        return self.left

    def _window(self, request: Any, view: Any) -> tuple[int, str]:
        """The limit, and the counter of the window in which the request falls."""
        most, seconds = self.parse_rate(self.get_rate())
        assert most is not None
        assert seconds is not None
        number, passed = divmod(self.timer(), seconds)
        self.left = seconds - passed
        return most, f"{self.get_cache_key(request, view)}:{int(number)}"


class PrincipalThrottle(WindowThrottle):
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


class FailureThrottle(WindowThrottle):
    """MEMORYHUB_FAILED_SIGN_IN_LIMIT for each address that offers wrong credentials."""

    scope = "failure"

    def get_rate(self) -> str:
        return str(settings.FAILED_SIGN_IN_LIMIT)

    def get_cache_key(self, request: Any, view: Any = None) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


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
