"""Whether there is room in Valkey, from what the server tells of its memory."""

import pytest
from redis import ResponseError

from recall import room as rooms
from recall.room import SECONDS, SHARE, Room


class Server:
    """Answers INFO with what it is told to, and counts how often."""

    def __init__(self, **memory: int) -> None:
        self.memory, self.asked = memory, 0

    def info(self, section: str) -> dict[str, int]:
        assert section == "memory"
        self.asked += 1
        return self.memory


@pytest.mark.parametrize(
    ("memory", "left"),
    [
        ({"maxmemory": 1000, "used_memory": int(1000 * SHARE) - 1}, True),
        ({"maxmemory": 1000, "used_memory": int(1000 * SHARE)}, False),
        ({"maxmemory": 0, "used_memory": 10**12}, True),
        ({"used_memory": 10**12}, True),
    ],
)
def test_there_is_room_up_to_a_share_of_what_the_server_may_use(
    memory: dict[str, int], left: bool
) -> None:
    assert Room().left(Server(**memory)) is left


def test_a_server_that_tells_nothing_of_its_memory_has_room() -> None:
    class Silent(Server):
        def info(self, section: str) -> dict[str, int]:
            raise ResponseError("NOPERM")

    assert Room().left(Silent())


def test_the_server_is_asked_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(rooms.time, "monotonic", lambda: now[0])
    room, server = Room(), Server(maxmemory=1000, used_memory=0)
    assert room.left(server)
    server.memory["used_memory"] = 1000
    assert room.left(server)
    now[0] += SECONDS
    assert not room.left(server)
    assert server.asked == 2
