"""A tenant of the benchmark under one policy, in which conversations are remembered and asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.progress import Progress
from bench.retrieval import Question

if TYPE_CHECKING:
    # At run time these wait until Django is set up.
    from ledger.conversations import Turn
    from tenants.principals import Principal

ENCODED_AT_ONCE = 128
OPEN, MASKED = "open", "balanced"


@dataclass(frozen=True)
class Talk:
    """One person's conversation: its turns, each a memory, and questions about it.

    Groups are reported apart, if there are several.
    """

    subject: str
    turns: "list[Turn]"
    questions: list[Question]
    group: str = ""


class Room:
    """A fresh tenant under a policy preset. A conversation is taken in when it is first asked."""

    def __init__(self, preset: str, title: str) -> None:
        from tenants.principals import AGENT_SCOPES, Principal
        from tests.cast import new_tenant

        self.preset = preset
        self._owner = new_tenant(f"{title}, {preset}").principal
        self.agent = Principal(self._owner.tenant_id, "bench:recall", AGENT_SCOPES)
        self._there: set[str] = set()
        self._answers: dict[str, list[list[str]]] = {}
        self.rule({})

    def rule(self, changes: dict[str, Any]) -> None:
        """Rule by the preset with these changes from now on."""
        from ledger.services.set_policy import from_preset, set_policy
        from tenants.context import tenant_context

        with tenant_context(self._owner.tenant_id):
            set_policy(self._owner, from_preset(self.preset, changes))

    def take_in(self, talk: Talk) -> None:
        """Import a conversation and encode all of it, once."""
        from ledger.services.import_turns import import_turns

        if talk.subject in self._there:
            return
        progress = Progress(f"{talk.subject}, {self.preset}: turns imported", len(talk.turns))
        import_turns(self.agent, subject=talk.subject, turns=talk.turns, progress=progress)
        encode_all(self.agent, talk.subject)
        self._there.add(talk.subject)

    def ask(self, talk: Talk, texts: Sequence[str], top: int) -> list[list[str]]:
        """For each text the turns of the memories that come back, the best first."""
        from recall.exchange import Question as Asked
        from recall.pipeline import ask

        self.take_in(talk)
        progress = Progress(f"{talk.subject}, {self.preset}: questions asked", len(texts))
        found = []
        for number, text in enumerate(texts, start=1):
            answer = ask(self.agent, Asked(subject=talk.subject, query=text, top_k=top))
            found.append([ref for m in answer.memories for ref in m.memory.provenance["turns"]])
            progress(number)
        return found

    def answers(self, talk: Talk, top: int) -> list[list[str]]:
        """What its own questions bring under the preset as it is; asked once."""
        if talk.subject not in self._answers:
            texts = [question.text for question in talk.questions]
            self._answers[talk.subject] = self.ask(talk, texts, top)
        return self._answers[talk.subject]

    def counts(self) -> dict[str, int]:
        """What the tenant holds by now."""
        from ledger.models import MaskedValue, Memory
        from tenants.context import tenant_context

        with tenant_context(self.agent.tenant_id):
            return {
                "memories": Memory.objects.count(),
                "masked_values": MaskedValue.objects.count(),
            }


def encode_all(agent: "Principal", subject: str) -> int:
    """Encode all that waits of a subject, here and now; gives how many memories that were."""
    from recall.encoding import encode_waiting, waiting
    from tenants.context import tenant_context
    from tenants.models import Subject

    with tenant_context(agent.tenant_id):
        subject_id = Subject.objects.get(external_id=subject).id
        total = waiting(subject_id).count()
    progress, done = Progress(f"{subject}: memories encoded", total), 0
    while encoded := encode_waiting(agent.tenant_id, subject_id, ENCODED_AT_ONCE):
        done += encoded
        progress(done)
    return done
