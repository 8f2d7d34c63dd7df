"""What was found in a text, which finding gives way to which, and what is put in its place."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ledger.policy.privacy import CREDENTIALS, Action, Privacy, PrivateKind

PLACEHOLDER = re.compile(rf"\[({'|'.join(PrivateKind)})_([1-9][0-9]{{0,8}})\]")

# How sure a rule is (0 to 1), by what it goes by. The policy says from which on it counts.
CHECKED = 1.0  # a checksum or a prefix that only this kind has
SHAPED = 0.9  # a shape that little else has
CUED = 0.8  # a word beside it
GUESSED = 0.6  # a model of the language, or that it looks random

# Where two findings overlap, the kind that stands first here takes the characters: the more a
# kind is told by a checksum, a prefix or a word beside it, the earlier it stands.
_PRECEDENCE = (
    PrivateKind.PRIVATE_KEY,
    PrivateKind.SECRET,
    PrivateKind.PASSWORD,
    PrivateKind.EMAIL,
    PrivateKind.ID_CARD,
    PrivateKind.BANK_CARD,
    PrivateKind.PHONE,
    PrivateKind.IP,
    PrivateKind.PASSPORT,
    PrivateKind.ADDRESS,
    PrivateKind.NAME,
)
_RANK = {kind: rank for rank, kind in enumerate(_PRECEDENCE)}
# What is guessed of these gives way to the kinds that have a shape of their own, down to IP; where
# it is less likely than not, to all.
_RANK_OF_GUESSES = {
    PrivateKind.PASSWORD: _RANK[PrivateKind.IP] + 0.4,
    PrivateKind.SECRET: _RANK[PrivateKind.IP] + 0.5,
    PrivateKind.PHONE: _RANK[PrivateKind.IP] + 0.6,
}
_EVEN = 0.5
_MIN_LEFT = 2  # letters or digits; a shorter rest says nothing


@dataclass(frozen=True)
class Finding:
    """One private thing: [start, end) in characters, and how sure (0 to 1) which rule is of it.

    `chance` (0 to 1) is what the tagger gives it; what else finds is taken at its word.
    """

    kind: PrivateKind
    start: int
    end: int
    rule: str
    score: float
    chance: float = 1.0


def action(found: Finding, privacy: Privacy) -> Action:
    """What the policy says of its kind, but what the tagger is not sure of is not lost for good."""
    said = privacy.actions[found.kind]
    return Action.MASK if said == Action.DROP and found.chance < privacy.drop_from else said


def placeholder(kind: PrivateKind, number: int) -> str:
    """What stands for the `number`th (from 1) private thing of a kind, e.g. `[PHONE_2]`."""
    return f"[{kind}_{number}]"


def substitute(text: str, findings: Iterable[Finding], written: Callable[[Finding], str]) -> str:
    """The text with what `written` gives in place of each finding (in order, not overlapping)."""
    parts = []
    end = 0
    for finding in findings:
        parts += [text[end : finding.start], written(finding)]
        end = finding.end
    return "".join([*parts, text[end:]])


def settled(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """The findings in order and without overlaps; placeholders in the text are left whole.

    A credential is as likely one as the surest says of those who found one there.
    """
    owner = [False] * len(text)
    for match in PLACEHOLDER.finditer(text):
        owner[match.start() : match.end()] = [True] * (match.end() - match.start())
    around = list(owner)  # placeholders alone: they divide a finding of any kind
    kept = []
    for finding in sorted(findings, key=_precedence):
        # What is left of these beside a finding that took a part is still private.
        divisible = finding.kind == PrivateKind.NAME or finding.score <= GUESSED
        taken = owner if divisible else around
        for piece in _pieces(text, finding, taken):
            if not any(owner[piece.start : piece.end]):
                owner[piece.start : piece.end] = [True] * (piece.end - piece.start)
                kept.append(piece)
    credentials = [finding for finding in findings if finding.kind in CREDENTIALS]
    surest = [_surest(one, credentials) if one.kind in CREDENTIALS else one for one in kept]
    return sorted(surest, key=lambda finding: finding.start)


def _surest(one: Finding, others: Sequence[Finding]) -> Finding:
    chances = [other.chance for other in others if other.start < one.end and one.start < other.end]
    return replace(one, chance=max([one.chance, *chances]))


def _precedence(finding: Finding) -> tuple[float, int, float, int, str]:
    ranks = _RANK | _RANK_OF_GUESSES if finding.score <= GUESSED else _RANK
    rank = ranks[finding.kind] + (len(_RANK) if finding.chance < _EVEN else 0)
    length = finding.end - finding.start
    return (rank, -length, -finding.score, finding.start, finding.rule)


def _pieces(text: str, finding: Finding, taken: Sequence[bool]) -> list[Finding]:
    """The parts of a finding that lie on free characters, without blanks at their ends."""
    if not any(taken[finding.start : finding.end]):
        return [finding]
    free = "".join("\0" if taken[i] else text[i] for i in range(finding.start, finding.end))
    pieces = []
    for match in re.finditer(r"[^\0]+", free):
        if sum(map(str.isalnum, match[0])) >= _MIN_LEFT:
            start = finding.start + match.end() - len(match[0].lstrip())
            end = finding.start + match.start() + len(match[0].rstrip())
            pieces.append(replace(finding, start=start, end=end))
    return pieces
