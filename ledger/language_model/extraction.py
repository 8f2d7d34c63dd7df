"""Statements and summaries by a language model, each checked against the text before it is used."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from ledger.dates import Dated, find_dates
from ledger.drafts import Draft, Said
from ledger.language_model import moments, prompts
from ledger.language_model.answers import StatementAnswer, StatementsAnswer, SummaryAnswer
from ledger.language_model.client import Client
from ledger.language_model.grounding import Source, addresses_the_model, conditions, doubts
from ledger.language_model.quotes import Quoted, Span
from ledger.language_model.scripts import same_language, written_in
from ledger.language_model.settings import Failure, ModelSettings
from ledger.polarity import negated, stance
from ledger.policy.model import Model

DECIDED_BY = "language_model"


class Reason(StrEnum):
    """Why a statement, or a date of one, was thrown away."""

    QUOTE_NOT_IN_TEXT = "quote_not_in_text"
    OUTSIDE_SPANS = "outside_spans"
    ADDRESSES_THE_MODEL = "addresses_the_model"
    OTHER_LANGUAGE = "other_language"
    CONTENT_NOT_IN_TEXT = "content_not_in_text"
    VALUE_NOT_IN_TEXT = "value_not_in_text"
    NEGATION_DIFFERS = "negation_differs"
    CONDITION_LEFT_OUT = "condition_left_out"
    DATE_NOT_IN_TEXT = "date_not_in_text"
    TOO_MANY = "too_many"


@dataclass(frozen=True)
class Dropped:
    """What was thrown away: a statement's content, or a date that one had. For people to see."""

    reason: Reason
    text: str


@dataclass(frozen=True)
class Extracted:
    """Drafts, and what was thrown away. With a `failure` there are no drafts: rules take over."""

    drafts: list[Draft] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    failure: Failure | None = None


class LanguageModel:
    """One configured model. Safe for threads; to be made after a fork, not before."""

    def __init__(
        self, settings: ModelSettings, policy: Model, *, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._policy = policy
        self._client = Client(settings, policy, wait=wait)

    def extract(self, said: Said, spans: Sequence[Span]) -> Extracted:
        """The statements in the spans ([start, end) in characters) of a masked text.

        Raises nothing: a failure is told in the result. Without words in the spans nobody is asked.
        """
        if not any(said.text[start:end].strip() for start, end in spans):
            return Extracted()
        if len(said.text) > self._policy.text_characters:
            return Extracted(failure=Failure.TOO_LONG)
        instructions, data = prompts.extraction(said, spans, self._policy)
        answer = self._client.ask(instructions, data, StatementsAnswer)
        if isinstance(answer, Failure):
            return Extracted(failure=answer)
        return Check(said, spans, self._policy).all(answer.statements)

    def close(self) -> None:
        """Close its connections."""
        self._client.close()

    def summarise(self, texts: Sequence[str], language: str) -> str | None:
        """A summary of masked texts in a language ("zh", "en"); None if there is none to trust."""
        whole = "\n".join(texts)
        if not whole.strip() or len(whole) > self._policy.text_characters:
            return None
        answer = self._client.ask(*prompts.summary(texts, language), SummaryAnswer)
        if isinstance(answer, Failure) or not written_in(answer.summary, language):
            return None
        share = self._policy.summary_grounded_share
        known = Source(whole).supports(answer.summary, share, paraphrased=True)
        return answer.summary.strip() if known else None


class Check:
    """The checks of one text's statements."""

    def __init__(self, said: Said, spans: Sequence[Span], policy: Model) -> None:
        self._said = said
        # Which characters stand in a span.
        self._given = bytearray(len(said.text))
        for start, end in spans:
            self._given[start:end] = b"\x01" * len(self._given[start:end])
        self._policy = policy
        self._quoted = Quoted(said.text)
        self._also = frozenset({said.speaker} if said.speaker else ())
        self._source = Source(said.text, self._also)
        self._dates: Sequence[Dated] = find_dates(said.text, said.at, said.zone)

    def all(self, answers: Sequence[StatementAnswer]) -> Extracted:
        """Each statement as a draft or with the reason why it is none."""
        drafts: list[Draft] = []
        dropped: list[Dropped] = []
        for place, answer in enumerate(answers):
            if place >= self._policy.statements:
                dropped.append(Dropped(Reason.TOO_MANY, answer.content))
                continue
            checked = self._statement(answer)
            if isinstance(checked, Reason):
                dropped.append(Dropped(checked, answer.content))
            else:
                drafts.append(self._draft(answer, checked, dropped))
        failure = None if drafts or not answers else Failure.NOTHING_HELD
        return Extracted(drafts, dropped, failure)

    def _statement(self, answer: StatementAnswer) -> Span | Reason:
        """Where the statement stands in the text, or why it may not be kept."""
        found = self._quoted.find(answer.quote)
        if not found:
            return Reason.QUOTE_NOT_IN_TEXT
        given = self._given
        span = next((each for each in found if given[each[0]] and given[each[1] - 1]), None)
        if span is None:
            return Reason.OUTSIDE_SPANS
        if addresses_the_model(self._quoted.until(span)):
            return Reason.ADDRESSES_THE_MODEL
        return self._words(answer, span) or span

    def _words(self, answer: StatementAnswer, span: Span) -> Reason | None:
        if not same_language(answer.content, self._quoted.sentence(span)):
            return Reason.OTHER_LANGUAGE
        if not self._source.supports(answer.content, self._policy.grounded_share):
            return Reason.CONTENT_NOT_IN_TEXT
        if answer.value is not None and not self._quoted.find(answer.value):
            return Reason.VALUE_NOT_IN_TEXT
        bearing = self._bearing(answer.content, span)
        same = negated(answer.content) == negated(bearing)
        if not same or stance(answer.content) != stance(bearing):
            return Reason.NEGATION_DIFFERS
        kept = conditions(answer.content) >= conditions(self._quoted.leading(span))
        if not kept or not doubts(answer.content) >= doubts(self._quoted.clause(span)):
            return Reason.CONDITION_LEFT_OUT
        return None

    def _bearing(self, content: str, span: Span) -> str:
        """The piece of the text whose negation the content must have.

        The quote alone only if it has a negation itself: it may leave out one that bears on it. The
        whole sentence if the content takes words from outside the quote's clause.
        """
        quote, clause = self._said.text[slice(*span)], self._quoted.clause(span)
        if negated(quote) and self._says(quote, content):
            return quote
        return clause if self._says(clause, content) else self._quoted.sentence(span)

    def _says(self, piece: str, content: str) -> bool:
        """Whether the piece has all words of the content."""
        return Source(piece, self._also).supports(content, 1)

    def _draft(self, answer: StatementAnswer, span: Span, dropped: list[Dropped]) -> Draft:
        valid_from = self._date(answer.valid_from, moments.begins, dropped)
        valid_to = self._date(answer.valid_to, moments.ends, dropped)
        if valid_from and valid_to and valid_to <= valid_from:
            dropped.append(Dropped(Reason.DATE_NOT_IN_TEXT, str(answer.valid_to)))
            valid_to = None
        due_at = self._date(answer.due_at, moments.due, dropped)
        attribute = answer.attribute if answer.attribute in self._policy.attributes else None
        return Draft(
            content=answer.content.strip(),
            span=span,
            kind=answer.kind,
            attribute=attribute or "",
            value=answer.value if attribute else None,
            polarity=_polarity(answer.content),
            confidence=min(answer.confidence, self._policy.most_confidence),
            importance=answer.importance,
            valid_from=valid_from,
            valid_to=valid_to,
            details={"due_at": due_at.astimezone(UTC).isoformat()} if due_at else {},
            decided_by=(DECIDED_BY,),
        )

    def _date(
        self,
        given: str | None,
        read: Callable[[str, Sequence[Dated], Said], datetime | None],
        dropped: list[Dropped],
    ) -> datetime | None:
        if given is None:
            return None
        moment = read(given, self._dates, self._said)
        if moment is None:
            dropped.append(Dropped(Reason.DATE_NOT_IN_TEXT, given))
        return moment


def _polarity(content: str) -> int:
    """What the checked words say; the model's own polarity could be made up."""
    return stance(content) or (-1 if negated(content) else 1)
