"""The one maker of identifiers."""

import uuid

from uuid_utils.compat import uuid7


def new_id() -> uuid.UUID:
    """A UUID version 7 (RFC 9562): unique, and ordered by time of making within a process."""
    return uuid7()


def random_id() -> uuid.UUID:
    """A UUID version 4, for ids whose beginning is shown to people and must not tell the time."""
    return uuid.uuid4()


def derived_id(parent: uuid.UUID, name: str) -> uuid.UUID:
    """A UUID version 5 under `parent`: the same inputs give the same id, as a rebuild needs."""
    return uuid.uuid5(parent, name)
