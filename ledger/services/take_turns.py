"""Take the turns of a session in: masked and stored at the door, learned from soon after.

What a client sends again is stored once: a turn with an id or a time of its own is the same turn
wherever it comes again, and the turns without that begin with are compared with the session's end,
since many agents send the whole conversation each time.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from django.db.models import QuerySet

from ledger import tail
from ledger.append import lock_head
from ledger.echo import without_echo
from ledger.jobs import enqueue
from ledger.masking import Masks, disarm
from ledger.models import Job, JobKind, Session, Turn, TurnRole
from ledger.policies import current_policy
from ledger.policy import Policy
from ledger.policy.privacy import Action, PrivateKind
from ledger.privacy import Finding, find_private_in
from ledger.services.mask_words import count, kind_with, require_taken
from ledger.statements import DatedBy
from tenants import clock, ids, keys
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.services.ensure_subject import ensure_subject, require_nameable


@dataclass(frozen=True, kw_only=True)
class Message:
    """One turn as a client sends it. `at` is aware; `ref` is the client's own id for it."""

    role: str
    content: str
    at: datetime | None = None
    name: str = ""
    ref: str = ""


@dataclass(frozen=True)
class Private:
    """What the privacy stage found in one message: in its words, and in its speaker's name."""

    findings: list[Finding]
    name: list[Finding]
    device_only: str | None


@dataclass(frozen=True)
class Taken:
    """What became of the messages: the job that learns from the new ones, if there are any.

    `device_only` names the kind, by the number of the message, of what is to stay on the device.
    """

    session: Session
    job: Job | None
    stored: int
    known: int
    device_only: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Checked:
    """Messages that passed the privacy stage, under the policy that ruled it."""

    policy: Policy
    messages: Sequence[Message]
    private: list[Private]


def check_turns(
    principal: Principal, subject: str, messages: Sequence[Message], agent: str = ""
) -> Checked:
    """The privacy stage, outside a transaction: models read the texts.

    Raises ScopeMissing, Pinned, PrivateRefused (for all messages together: half a conversation
    would be stored otherwise).
    """
    principal.require(Scope.WRITE)
    principal.require_subject(subject)
    principal.acting_agent(agent)
    require_nameable(subject)
    with tenant_context(principal.tenant_id):
        policy = current_policy()
    messages = [_as_said(message, subject, armed=not principal.agent) for message in messages]
    found = find_private_in([message.content for message in messages], policy.privacy)
    private = []
    for number, (findings, name) in enumerate(zip(found, _in_names(messages, policy), strict=True)):
        device_only = kind_with(policy, [*findings, *name], Action.DEVICE_ONLY)
        if device_only is None:
            require_taken(policy, [findings], f"turns.{number}.content")
            require_taken(policy, [name], f"turns.{number}.name")
        count(policy, findings)
        private.append(Private(findings, name, device_only))
    return Checked(policy, messages, private)


def take_turns(
    principal: Principal,
    *,
    subject: str,
    session: str,
    checked: Checked,
    agent: str = "",
    time_zone: str = "",
    learned_here: bool = False,
) -> Taken:
    """Store what is new of the messages, in the tenant context that is open.

    `time_zone` is the person's, by its IANA name; it is kept for what comes later. With
    `learned_here` the caller runs the job itself.
    """
    agent = principal.acting_agent(agent)
    person = ensure_subject(subject)
    # Placeholders are numbered, and the session's turns too, by one writer at a time.
    lock_head(person)
    cipher = keys.cipher_for(person)
    kept = [n for n, private in enumerate(checked.private) if private.device_only is None]
    device_only = {n: p.device_only for n, p in enumerate(checked.private) if p.device_only}
    if time_zone and time_zone != person.time_zone:
        Subject.objects.filter(id=person.id).update(time_zone=time_zone)
    row = _session(person, session)
    drafts = [_Draft(checked, n, cipher, agent) for n in kept]
    new = _without_known(row, drafts, agent)
    known = len(drafts) - len(new)
    if not new:
        return Taken(row, None, 0, known, device_only)
    turns = _store(row, new, checked, cipher, agent)
    job = _job(principal, row, turns, nudged=not learned_here)
    tail.push(row, turns, checked.policy.sessions)
    return Taken(row, job, len(turns), known, device_only)


def _as_said(message: Message, subject: str, *, armed: bool) -> Message:
    """A message without our contexts and, unless it is `armed`, without placeholders.

    A person who is called like the subject is the subject, whose words need no name.
    """
    content = without_echo(message.content) if message.role == TurnRole.USER else message.content
    name = "" if message.name.casefold() == subject.casefold() else message.name
    if armed:
        return replace(message, content=content, name=name)
    return replace(message, content=disarm(content), name=disarm(name), ref=disarm(message.ref))


class _Draft:
    """A message on its way into a row: what tells it from others."""

    def __init__(self, checked: Checked, number: int, cipher: SubjectCipher, agent: str) -> None:
        self.message = checked.messages[number]
        self.findings = checked.private[number].findings
        self.name = checked.private[number].name
        said = [agent, self.message.role, self.message.name, self.message.content]
        self.fingerprint = cipher.fingerprint(json.dumps(["turn", *said]))
        self.identity: bytes | None = None
        if self.message.ref:
            self.identity = cipher.fingerprint(json.dumps(["turn ref", agent, self.message.ref]))
        elif self.message.at:
            moment = self.message.at.astimezone(UTC).isoformat()
            self.identity = cipher.fingerprint(json.dumps(["turn at", moment, *said]))


def _session(subject: Subject, external_id: str) -> Session:
    """The session, made on first use, locked by the head of its subject."""
    found = Session.objects.filter(subject=subject, external_id=external_id).first()
    if found is not None:
        return found
    moment = clock.now()
    row = Session(subject=subject, external_id=external_id, created_at=moment, last_at=moment)
    row.save(force_insert=True)
    return row


def _without_known(session: Session, drafts: list[_Draft], agent: str) -> list[_Draft]:
    """The drafts that the session does not hold yet from this agent.

    What another agent sent counts for nothing: an agent would learn from it what others were told.
    """
    identities = [d.identity for d in drafts if d.identity]
    rows = Turn.objects.filter(session=session, agent=agent)
    known = {bytes(row.identity) for row in rows.filter(identity__in=identities) if row.identity}
    new: list[_Draft] = []
    for draft in drafts:
        if draft.identity is None or draft.identity not in known:
            new.append(draft)
        if draft.identity:
            known.add(draft.identity)
    unnamed = all(draft.identity is None for draft in drafts)
    return new[_overlap(rows, new) :] if unnamed else new


def _overlap(turns: QuerySet[Turn], drafts: list[_Draft]) -> int:
    """How many of the first drafts are the last of these turns sent again."""
    rows = turns.order_by("-number")
    prints = [bytes(row.content_fingerprint) for row in rows[: len(drafts)]]
    last = prints[::-1]
    sent = [draft.fingerprint for draft in drafts]
    return next(n for n in range(len(last), -1, -1) if last[len(last) - n :] == sent[:n])


def _store(
    session: Session, drafts: list[_Draft], checked: Checked, cipher: SubjectCipher, agent: str
) -> list[Turn]:
    masks = Masks(checked.policy.privacy)
    for message, private in zip(checked.messages, checked.private, strict=True):
        masks.drop(message.content, private.findings)  # of those sent again, too
    for draft in drafts:
        masks.note(draft.message.content, draft.findings)
        masks.note(draft.message.name, draft.name)
    masks.settle(cipher)
    moment = clock.now()
    turns = [
        _turn(session, number, draft, masks, cipher, moment, agent)
        for number, draft in enumerate(drafts, start=session.turns + 1)
    ]
    Turn.objects.bulk_create(turns)
    session.turns += len(turns)
    Session.objects.filter(id=session.id).update(
        turns=session.turns, last_at=max(t.at for t in turns), ended_at=None
    )
    return turns


def _in_names(messages: Sequence[Message], policy: Policy) -> list[list[Finding]]:
    """A speaker's name is a name, whatever it looks like; where names are kept, what else it is."""
    names = [message.name for message in messages]
    if policy.privacy.actions[PrivateKind.NAME] == Action.KEEP:
        return find_private_in(names, policy.privacy)
    return [
        [Finding(PrivateKind.NAME, 0, len(name), "speaker", 1.0)] if name else [] for name in names
    ]


def _turn(
    session: Session,
    number: int,
    draft: _Draft,
    masks: Masks,
    cipher: SubjectCipher,
    moment: datetime,
    agent: str,
) -> Turn:
    turn_id, message = ids.new_id(), draft.message
    words: dict[str, Any] = {
        "role": message.role,
        "name": masks.mask(message.name, draft.name),
        "content": masks.mask(message.content, draft.findings),
        "ref": message.ref,
        "offset": _offset(message.at),
        "agent": agent,
    }
    return Turn(
        id=turn_id,
        subject_id=session.subject_id,
        session=session,
        number=number,
        role=message.role,
        at=message.at.astimezone(UTC) if message.at else moment,
        dated_by=DatedBy.CLIENT if message.at else DatedBy.RECORDING,
        agent=agent,
        identity=draft.identity,
        content_fingerprint=draft.fingerprint,
        sealed=cipher.seal(turn_id, json.dumps(words, ensure_ascii=False).encode()),
        created_at=moment,
    )


def _offset(moment: datetime | None) -> int | None:
    """Where the speaker was, in minutes east of UTC; None if the moment does not tell."""
    away = moment.utcoffset() if moment else None
    return round(away.total_seconds() / 60) if away else None


def _job(principal: Principal, session: Session, turns: list[Turn], *, nudged: bool) -> Job | None:
    """The job that learns from what people said in these turns; none if nobody said anything."""
    heard = [turn for turn in turns if turn.role == TurnRole.USER]
    if not heard:
        return None
    return enqueue(
        principal,
        session.subject,
        JobKind.LEARN,
        session=session,
        turns=(turns[0].number, turns[-1].number),
        total=len(heard),
        nudged=nudged,
    )
