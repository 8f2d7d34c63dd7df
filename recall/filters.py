"""Which memories an answer may be of, by what stands beside their words. Pure data."""

from dataclasses import dataclass, field
from typing import Any

from tenants.errors import Pinned
from tenants.principals import Principal


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What must hold of a memory, all of it; '' and {} ask nothing.

    `metadata` are labels by name, each a text, a number, true or false: a memory has them, equal,
    beside whatever others it has. Equal is what JSON calls so: 2 is 2.0 and not "2".
    """

    attribute: str = ""
    session: str = ""
    agent: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def given(self) -> dict[str, Any]:
        """Those that ask something, as a request names them."""
        return {name: wanted for name, wanted in vars(self).items() if wanted}

    def require_allowed(self, principal: Principal) -> None:
        """Raise Pinned for another agent than the caller's: nothing found would mean that this one
        was told nothing.
        """
        if principal.agent and self.agent not in ("", principal.agent):
            raise Pinned("This credential is pinned to another agent.", field="filters.agent")


NO_FILTERS = Filters()
