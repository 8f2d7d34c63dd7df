"""The corridor of a message, in order: mask → admit → extract → date → merge → record.

Masking comes before anything else reads the text. Each stage is one function with typed input and
output, and leaves a record of what it decided and why. What a stage does is in its own package:

    mask     ledger.privacy, ledger.masking
    admit    ledger.admission
    extract  ledger.extraction, ledger.language_model; dates are resolved on the way (ledger.dates)
    merge    ledger.merging, under the subject's lock (ledger.services.believe)
    record   ledger.writing

Nothing here needs a transaction: encoders and models work while none is open.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ledger.admission import Verdict, classifier, judge
from ledger.configured_model import configured_model
from ledger.drafts import Draft, Said
from ledger.extraction import extract, sentences
from ledger.meaning import MeaningAway, Vectors, meaning
from ledger.metrics import ADMISSION
from ledger.policy import Policy
from ledger.policy.admission import Admission

Span = tuple[int, int]

# Among the decisions about a memory: it was judged, read and compared by rules alone.
AWAY = {"encoder_away": True}


@dataclass(frozen=True)
class Judged:
    """One sentence of a message, and whether it is worth remembering."""

    span: Span
    text: str
    verdict: Verdict

    def record(self) -> dict[str, Any]:
        """As people see it."""
        score = self.verdict.score
        return {
            "text": self.text,
            "admitted": self.verdict.admitted,
            "rule": self.verdict.rule,
            "score": None if score is None else round(score, 4),
        }


@dataclass(frozen=True)
class Extracted:
    """The drafts of one message, who made them, and what was thrown away on the way."""

    drafts: list[Draft]
    by: str
    failure: str | None = None
    dropped: list[dict[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Understood:
    """What was understood of one message, before it meets what is believed."""

    judged: list[Judged]
    extracted: Extracted
    vectors: Vectors

    def admission_of(self, draft: Draft) -> dict[str, Any]:
        """Why the sentence was admitted from which a draft was taken."""
        start = draft.span[0]
        found = next((j for j in self.judged if j.span[0] <= start < j.span[1]), None)
        if found is None:
            return {}
        why = {"admitted_by": found.verdict.rule, "score": found.verdict.score}
        return why | AWAY if self.vectors.away else why


def understand(said: Said, policy: Policy) -> Understood:
    """A masked message as drafts of memories. Slow: it may encode and ask a language model."""
    vectors = Vectors()
    judged = admit(said, policy.admission, vectors)
    admitted = [item.span for item in judged if item.verdict.admitted]
    return Understood(judged, draft(said, admitted, policy, vectors), vectors)


def admit(said: Said, policy: Admission, vectors: Vectors) -> list[Judged]:
    """Each sentence with its verdict. The encoder is asked only where no rule decides."""
    judged, before = [], list(said.before)
    for start, end in sentences(said.text):
        text = said.text[start:end]
        verdict = judge_text(text, policy, vectors, before)
        count(verdict)
        judged.append(Judged((start, end), text, verdict))
        before.append(text)
    return judged


def judge_text(
    text: str, policy: Admission, vectors: Vectors, before: Sequence[str] = ()
) -> Verdict:
    """Whether one text is worth remembering. White space says nothing.

    While the encoder is away a text that no rule decides is admitted, as if it had no classifier.
    """
    text = " ".join(text.split())
    known = classifier(meaning().encoder) if policy.threshold else None

    def probability(of: str) -> float | None:
        try:
            return known.probability(vectors.of(of)) if known else None
        except MeaningAway:
            return None

    return judge(text, policy, probability, before)


def count(verdict: Verdict) -> None:
    """Count a verdict that counts: one about something that was said, not about a trial."""
    ADMISSION.labels("admitted" if verdict.admitted else "refused", verdict.rule).inc()


def draft(said: Said, admitted: list[Span], policy: Policy, vectors: Vectors) -> Extracted:
    """The statements in the admitted sentences: by the model if there is one, else by rules.

    Where the model fails the rules take over, so that nothing that was said is lost.
    """
    if not admitted:
        return Extracted([], "nobody")
    failure, dropped = None, []
    model = configured_model(policy.model) if policy.extraction.use_model else None
    if model is not None:
        answer = model.extract(said, admitted)
        failure = answer.failure
        dropped = [{"text": item.text, "reason": item.reason} for item in answer.dropped]
        if failure is None:
            return Extracted(answer.drafts, "model", None, dropped)
    return Extracted(_by_rules(said, admitted, policy, vectors), "rules", failure, dropped)


def _by_rules(said: Said, admitted: list[Span], policy: Policy, vectors: Vectors) -> list[Draft]:
    """The drafts that rules find; while the encoder is away, keywords alone tell what is meant."""
    try:
        return extract(said, admitted, policy.extraction, vectors.all, meaning().encoder)
    except MeaningAway:
        return extract(said, admitted, policy.extraction, None)
