"""Whether Valkey has room for what can be made again. It evicts nothing: the rest of its memory is
for what cannot, as queued tasks, working memory and the tails of conversations.
"""

import time
from typing import Any

from redis import ResponseError

# Share of the server's memory from which on nothing more is kept that can be made again.
SHARE = 0.7
# The server is asked once in so many seconds.
SECONDS = 1.0


class Room:
    """What the server last said of its memory."""

    def __init__(self) -> None:
        self._asked_at = -SECONDS
        self._left = True

    def left(self, client: Any) -> bool:
        """Whether there is room; a server that tells of no limit has always. Raises RedisError."""
        now = time.monotonic()
        if now >= self._asked_at + SECONDS:
            self._left = _left(client)
            self._asked_at = now
        return self._left


def _left(client: Any) -> bool:
    try:
        memory = client.info("memory")
    except ResponseError:  # it tells this user nothing of its memory
        return True
    most = memory.get("maxmemory", 0)
    return not most or memory.get("used_memory", 0) < SHARE * most


room = Room()
