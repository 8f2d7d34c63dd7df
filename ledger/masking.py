"""The placeholders of one subject: which value each stands for, kept encrypted; how they are shown.

Finding what is private is ledger.privacy's; here a value gets its number, and gets its words back
for those who may see them. A value keeps its placeholder for as long as the subject exists.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any
from uuid import UUID

from django.db.models import Max, QuerySet

from ledger.models import EntryPayload, MaskedValue, MemoryVersion, Turn
from ledger.policy.privacy import CREDENTIALS, Action, Privacy, PrivateKind
from ledger.privacy import PLACEHOLDER, Finding, action, normal, placeholder, substitute
from ledger.projection import derived_views, words_of
from tenants import ids
from tenants.crypto import SubjectCipher
from tenants.principals import Principal, Scope
from tenants.statements import all_rows, one_value

# Runs of words, and of Han characters, of a question that are looked up among masked values.
LONGEST_WORDS = 6
LONGEST_CHARACTERS = 8
MOST_RUNS = 2_000
WORDED = (PrivateKind.NAME, PrivateKind.EMAIL)
# Looked up where a digit stands. No credentials: whoever may ask could try every PIN.
NUMBERED = tuple(kind for kind in PrivateKind if kind not in (PrivateKind.NAME, *CREDENTIALS))
KINDS = """
    SELECT array_agg(DISTINCT kind::text) FROM ledger_maskedvalue
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s
"""
KNOWN = """
    SELECT fingerprint, kind, number FROM ledger_maskedvalue
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND fingerprint = ANY(%(prints)b)
"""
VALUES = """
    SELECT id, kind, number, sealed FROM ledger_maskedvalue
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s
      AND kind = ANY(%(kinds)s) AND number = ANY(%(numbers)s)
"""
WORD = re.compile(r"[^\s,;:!?\"“”()\[\]，。；：！？、（）]+")


@dataclass(frozen=True)
class Value:
    """One private value, by its kind and normal form."""

    kind: PrivateKind
    normal: str


@dataclass
class Masks:
    """The private values in some texts of one subject, and the placeholders they get.

    Two steps, so that nothing slow happens under the subject's lock: `foresee` reads the numbers
    that there are and guesses those to come; `settle`, under the lock, makes them so and gives what
    was guessed wrong.
    """

    privacy: Privacy
    dropped: set[str] = field(default_factory=set)  # by their normal form, whatever kind
    originals: dict[Value, str] = field(default_factory=dict)
    placeholders: dict[Value, str] = field(default_factory=dict)

    def note(self, text: str, findings: Iterable[Finding]) -> None:
        """Take in the values of one text: those to be kept, and those that are dropped."""
        findings = list(findings)
        self.drop(text, findings)
        for found in findings:
            original = text[found.start : found.end]
            value = _value(found, original)
            if value.normal not in self.dropped:
                self.originals.setdefault(value, original)

    def drop(self, text: str, findings: Iterable[Finding]) -> None:
        """Take in the values of one text that are dropped: they are kept in none."""
        self.dropped |= {
            _value(found, text[found.start : found.end]).normal
            for found in findings
            if action(found, self.privacy) != Action.MASK
        }
        self.originals = {v: o for v, o in self.originals.items() if v.normal not in self.dropped}

    def foresee(self, cipher: SubjectCipher | None) -> None:
        """Read the placeholders of known values; new ones get the numbers that come next."""
        self._number(cipher, _known(cipher, self.originals) if cipher else {})

    def settle(self, cipher: SubjectCipher) -> dict[str, str]:
        """Under the subject's lock: store new values; gives foreseen → real where they differ."""
        foreseen = dict(self.placeholders)
        known = _known(cipher, self.originals)
        self._number(cipher, known)
        MaskedValue.objects.bulk_create(
            _row(cipher, value, original, self.placeholders[value])
            for value, original in self.originals.items()
            if value not in known
        )
        return {
            guess: self.placeholders[value]
            for value, guess in foreseen.items()
            if guess != self.placeholders[value]
        }

    def mask(self, text: str, findings: Iterable[Finding]) -> str:
        """The text with a placeholder for each finding; dropped values get one without a number."""
        return substitute(text, list(findings), lambda found: self._written(text, found))

    def _written(self, text: str, found: Finding) -> str:
        value = _value(found, text[found.start : found.end])
        return f"[{found.kind}]" if value.normal in self.dropped else self.placeholders[value]

    def _number(self, cipher: SubjectCipher | None, known: Mapping[Value, str]) -> None:
        last = _last_numbers(cipher) if cipher else {}
        self.placeholders = {}
        for value in self.originals:
            if value in known:
                self.placeholders[value] = known[value]
            else:
                last[value.kind] = last.get(value.kind, 0) + 1
                self.placeholders[value] = placeholder(value.kind, last[value.kind])


def rename(text: str, renamed: Mapping[str, str]) -> str:
    """The text with foreseen placeholders replaced by the real ones."""
    return PLACEHOLDER.sub(lambda m: renamed.get(m[0], m[0]), text) if renamed else text


def rename_in(value: Any, renamed: Mapping[str, str]) -> Any:
    """The same for every text in a JSON value."""
    if not renamed:
        return value
    return json.loads(rename(json.dumps(value, ensure_ascii=False), renamed))


def disarm(text: str) -> str:
    """The text with what looks like a placeholder made plain words.

    For a caller that is limited to one agent: it could otherwise name a value that it was never
    told, and have it shown.
    """
    return PLACEHOLDER.sub(lambda m: f"({m[1]} {m[2]})", text)


def unused_values(subject_id: UUID, cipher: SubjectCipher) -> QuerySet[MaskedValue]:
    """The values to which no words of the subject refer any more, neither entries nor turns."""
    used = placeholders_in(EntryPayload.objects.filter(subject_id=subject_id), cipher)
    used |= placeholders_in(Turn.objects.filter(subject_id=subject_id), cipher)
    rows = MaskedValue.objects.filter(subject_id=subject_id)
    named = {placeholder(PrivateKind(row.kind), row.number): row.id for row in rows}
    return rows.filter(id__in=[row for name, row in named.items() if name not in used])


def placeholders_in(
    rows: QuerySet[EntryPayload] | QuerySet[Turn], cipher: SubjectCipher
) -> set[str]:
    """The placeholders that occur in sealed words."""
    return {
        match[0]
        for row in rows
        for match in PLACEHOLDER.finditer(cipher.open(row.id, row.sealed).decode())
    }


def blind(text: str, cipher: SubjectCipher, agent: str = "") -> str:
    """A question with the subject's known private values replaced by their placeholders.

    For a caller that is limited to one agent those only that this agent was told: another one's
    placeholder would tell that the value is known.

    Every run of words and of characters is looked up by its fingerprint: what was masked once is
    found again without asking the models, which read a short question badly.
    """
    there = one_value(KINDS, subject=cipher.subject_id)
    if not there:
        return text
    numbered, worded = ([k for k in kinds if k in there] for kinds in (NUMBERED, WORDED))
    digits = list(accumulate((c.isdigit() for c in text), initial=0))
    prints = {
        cipher.fingerprint(_meaning(Value(kind, normal(kind, text[start:end])))): (start, end)
        for start, end in sorted(_runs(text))[:MOST_RUNS]
        for kind in (numbered if digits[start] < digits[end] else worded)
    }
    found = [(prints[known], name) for known, name in _placeholders(cipher, prints).items()]
    if agent:
        found = [(span, name) for span, name in found if _told_to(agent, name, cipher)]
    found.sort(key=lambda item: (item[0][0] - item[0][1], item[0]))  # the longest first
    taken: list[tuple[tuple[int, int], str]] = []
    for span, written in found:
        if all(span[1] <= s or e <= span[0] for (s, e), _ in taken):
            taken.append((span, written))
    for (start, end), written in sorted(taken, reverse=True):
        text = text[:start] + written + text[end:]
    return text


def _told_to(agent: str, written: str, cipher: SubjectCipher) -> bool:
    """Whether a placeholder stands in a memory of this agent."""
    rows = MemoryVersion.objects.filter(subject_id=cipher.subject_id, agent=agent)
    return any(
        rows.filter(id__in=view.containing(written, cipher)).exists() for view in derived_views()
    )


class Reader:
    """Opens what is sealed of one subject, for somebody who may see private values or may not."""

    def __init__(self, cipher: SubjectCipher, *, reveals: bool) -> None:
        self.cipher = cipher
        self._reveals = reveals
        self._values: dict[str, str | None] = {}
        self._expected: dict[UUID, dict[str, Any]] = {}

    def words(self, version: MemoryVersion) -> dict[str, Any]:
        """The words of one version, as this reader may see them."""
        masked = self._expected.pop(version.id, None) or words_of(version, self.cipher)
        words: dict[str, Any] = self.show_in(masked)
        return words

    def expect(self, versions: Iterable[MemoryVersion]) -> None:
        """Read the values that some versions need in one query instead of one for each; their words
        are asked for next."""
        if self._reveals:
            self._expected = {version.id: words_of(version, self.cipher) for version in versions}
            self._expect(json.dumps(list(self._expected.values())))

    def show(self, text: str) -> str:
        """A masked text as this reader may see it."""
        self._expect(text)
        return PLACEHOLDER.sub(lambda m: self._values.get(m[0]) or m[0], text)

    def show_in(self, value: Any) -> Any:
        """A JSON value with every text in it as this reader may see it."""
        if isinstance(value, str):
            return self.show(value)
        if isinstance(value, dict):
            return {name: self.show_in(item) for name, item in value.items()}
        return [self.show_in(item) for item in value] if isinstance(value, list) else value

    def _expect(self, text: str) -> None:
        """Read the values of the placeholders in a text that are not known yet, in one query."""
        if not self._reveals:
            return
        named = {m[0]: m for m in PLACEHOLDER.finditer(text) if m[0] not in self._values}
        if not named:
            return
        self._values |= dict.fromkeys(named)
        kinds = list({match[1] for match in named.values()})
        numbers = list({int(match[2]) for match in named.values()})
        subject = self.cipher.subject_id
        for row_id, kind, number, sealed in all_rows(
            VALUES, subject=subject, kinds=kinds, numbers=numbers
        ):
            if (shown := placeholder(PrivateKind(kind), number)) in named:
                self._values[shown] = self.cipher.open(row_id, sealed).decode()


def keep_values(cipher: SubjectCipher, rows: Iterable[Mapping[str, Any]]) -> None:
    """Store values with the placeholders that they had elsewhere: {"kind", "number", "value"}.

    Raises ValueError, KeyError for rows that are none.
    """
    MaskedValue.objects.bulk_create(
        _row(
            cipher,
            Value(kind := PrivateKind(row["kind"]), normal(kind, row["value"])),
            row["value"],
            placeholder(kind, int(row["number"])),
        )
        for row in rows
    )


def _value(found: Finding, original: str) -> Value:
    return Value(found.kind, normal(found.kind, original))


def _meaning(value: Value) -> str:
    return f"masked\x1f{value.kind}\x1f{value.normal}"


def _known(cipher: SubjectCipher, values: Iterable[Value]) -> dict[Value, str]:
    prints = {cipher.fingerprint(_meaning(value)): value for value in values}
    return {prints[known]: name for known, name in _placeholders(cipher, prints).items()}


def _placeholders(cipher: SubjectCipher, prints: Iterable[bytes]) -> dict[bytes, str]:
    """Of fingerprints those of the subject's values, and the placeholder of each."""
    if not (wanted := list(prints)):
        return {}
    rows = all_rows(KNOWN, subject=cipher.subject_id, prints=wanted)
    return {known: placeholder(PrivateKind(kind), number) for known, kind, number in rows}


def _last_numbers(cipher: SubjectCipher) -> dict[str, int]:
    rows = MaskedValue.objects.filter(subject_id=cipher.subject_id)
    return dict(rows.values_list("kind").annotate(last=Max("number")))


def _row(cipher: SubjectCipher, value: Value, original: str, written: str) -> MaskedValue:
    row_id = ids.new_id()
    match = PLACEHOLDER.fullmatch(written)
    assert match is not None
    return MaskedValue(
        id=row_id,
        subject_id=cipher.subject_id,
        kind=value.kind,
        number=int(match[2]),
        fingerprint=cipher.fingerprint(_meaning(value)),
        sealed=cipher.seal(row_id, original.encode()),
    )


def _runs(text: str) -> set[tuple[int, int]]:
    """Spans of a question that may be a masked value: runs of words, and of Han characters."""
    words = [m.span() for m in WORD.finditer(text)]
    runs = {
        (words[first][0], words[last][1])
        for first in range(len(words))
        for last in range(first, min(first + LONGEST_WORDS, len(words)))
    }
    for start, end in words:
        if any("\u4e00" <= c <= "\u9fff" for c in text[start:end]):
            runs |= {
                (s, min(s + n, end))
                for s in range(start, end)
                for n in range(2, LONGEST_CHARACTERS + 1)
            }
            # A number glued to Han characters.
            runs |= {
                (start + m.start(), start + m.end())
                for m in re.finditer(r"[!-~]{4,}", text[start:end])
            }
    return runs


def reader_for(principal: Principal, cipher: SubjectCipher) -> Reader:
    """How `principal` reads a subject that it may see."""
    return Reader(cipher, reveals=Scope.REVEAL in principal.scopes)
