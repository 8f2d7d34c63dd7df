"""What was just said in a session, for the beginning of the context: its summary, newest turns."""

from ledger import tail
from ledger.models import Kind, MemoryVersion, Session, Turn
from ledger.projection import words_of
from recall.exchange import Asked
from recall.packing import NOTHING, Recent


def recent_words(asked: Asked) -> Recent:
    """The words of the session that the question names, to a caller for one agent those of its own.

    Nothing where it names none, or asks for what was known before now. A session is of its
    subject: a foreign one is like one that does not exist.
    """
    if not asked.question.session:
        return NOTHING
    session = Session.objects.filter(
        subject=asked.subject, external_id=asked.question.session
    ).first()
    if session is None or not asked.at.newest:
        return NOTHING
    turns = tail.recent(session, asked.cipher, asked.policy.context.recent_turns)
    if asked.principal.agent:
        told = Turn.objects.filter(session=session, agent=asked.principal.agent)
        numbers = set(told.values_list("number", flat=True))
        turns = [turn for turn in turns if turn["number"] in numbers]
    return Recent(
        _summary(asked, session),
        tuple((turn["role"], asked.reader.show(turn["content"])) for turn in turns),
    )


def _summary(asked: Asked, session: Session) -> str:
    rows = MemoryVersion.objects.filter(
        subject=asked.subject,
        session=session.external_id,
        kind=Kind.SUMMARY,
        recorded_to=None,
        pending=False,
    )
    if asked.principal.agent:
        rows = rows.filter(agent=asked.principal.agent)
    newest = rows.order_by("-recorded_from").first()
    return asked.reader.show(words_of(newest, asked.cipher)["content"]) if newest else ""
