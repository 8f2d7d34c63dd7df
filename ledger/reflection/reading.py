"""One memory read for evidence: whose it is, what it speaks of, for or against."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

from ledger.models import Kind
from ledger.reflection.lexicon import NEGATION_REACH, Hit, lexicons, read_data
from ledger.reflection.remembered import Remembered
from ledger.reflection.sensitive import sensitive_topics
from ledger.reflection.words import Token, tokens_of

SUBJECT = ""
SOMEBODY_ELSE = "?"
NAMED = re.compile(r"\W{0,8}(\[NAME_\d{1,9}\])")
NAME_TOKENS = 2  # "NAME" and its number
AND_ME = {("and", "i"), ("和", "我"), ("跟", "我"), ("与", "我")}
OWN_NAMES = frozenset({"name", "nickname"})


def names_of(facts: Iterable[Remembered]) -> frozenset[str]:
    """The placeholders that stand for the subject's own name."""
    return frozenset(fact.value for fact in facts if fact.attribute in OWN_NAMES and fact.value)


@dataclass(frozen=True)
class Reading:
    """A memory and what is found in its first `limit` characters. `own` are the subject's names."""

    fact: Remembered
    own: frozenset[str]
    limit: int

    @cached_property
    def tokens(self) -> list[Token]:
        return tokens_of(self.fact.content[: self.limit])

    @cached_property
    def _found(self) -> dict[str, list[Hit]]:
        return {}

    def _all(self, group: str) -> list[Hit]:
        """Words of a group, looked for once."""
        if group not in self._found:
            self._found[group] = list(lexicons()[group].hits(self.tokens))
        return self._found[group]

    def hits(self, group: str) -> list[Hit]:
        """Words of a group, without those after a contrast ("tea rather than coffee")."""
        return [hit for hit in self._all(group) if not self._is_instead(hit)]

    def affirmed(self, group: str) -> list[Hit]:
        """Words of a group that no negation stands before."""
        return [hit for hit in self.hits(group) if not self.negated(hit)]

    def negated(self, hit: Hit) -> bool:
        """Whether a negation stands shortly before it in the same thought."""
        ends = range(max(0, hit.start - NEGATION_REACH), hit.start + 1)
        return any(self._negation_ends.get(end) == self._thoughts[hit.start] for end in ends)

    @cached_property
    def _negation_ends(self) -> dict[int, int]:
        return {no.end: self._thoughts[no.start] for no in self._all("negation")}

    @cached_property
    def _thoughts(self) -> list[int]:
        """For each token the number of its thought: a clause, or what follows a "but" in one."""
        starts = {hit.start for hit in self._all("contrast")}
        thoughts: list[int] = []
        thought, clause = 0, 0
        for at, token in enumerate(self.tokens):
            thought += at in starts or token.clause != clause
            clause = token.clause
            thoughts.append(thought)
        return thoughts

    @cached_property
    def _instead(self) -> dict[int, int]:
        """Where in a clause a contrast follows a liking; "more than" alone is none."""
        liked: dict[int, int] = {}
        for like in self._all("stance"):
            if like.topic == "like":
                liked.setdefault(like.clause, like.end)
        found: dict[int, int] = {}
        for hit in self._all("instead"):
            if liked.get(hit.clause, hit.end) <= hit.start:
                found.setdefault(hit.clause, hit.end)
        return found

    def _is_instead(self, hit: Hit) -> bool:
        return self._instead.get(hit.clause, hit.end) <= hit.start

    @cached_property
    def _stances(self) -> dict[int, int]:
        """Thought -> what is felt in it."""
        found: dict[int, int] = {}
        for hit in self.hits("stance"):
            liked, no = hit.topic == "like", self.negated(hit)
            sign = (-1 if no else 1) if liked else (0 if no else -1)
            thought = self._thoughts[hit.start]
            found[thought] = min(sign, found.get(thought, sign))
        return found

    @cached_property
    def denied(self) -> bool:
        """Whether the memory as a whole says that something is not so."""
        return self.fact.details.get("polarity") == -1

    @cached_property
    def _general_stance(self) -> int | None:
        sections = attributes_of_sections()
        if self.fact.attribute.casefold() in sections["dislikes"]:
            return -1
        if self.fact.kind == Kind.PREFERENCE or self.fact.attribute.casefold() in sections["likes"]:
            return -1 if self.denied else 1
        return None if self.denied else 0

    def stance(self, hit: Hit) -> int | None:
        """What is felt about the thing at `hit`: liking 1, nothing 0, dislike or refusal -1.

        None where a thing is merely absent: "no coffee today" is neither for nor against coffee.
        """
        felt = self._stances.get(self._thoughts[hit.start], self._general_stance)
        return None if felt != -1 and self.negated(hit) else felt

    @cached_property
    def lowest_stance(self) -> int | None:
        """The stance of a memory in which one thing only is spoken of."""
        return min(self._stances.values(), default=self._general_stance)

    @cached_property
    def sensitive(self) -> set[str]:
        """Of which sensitive topics it speaks, value included."""
        fact, limit = self.fact, self.limit
        value = (fact.value or "")[:limit]
        return sensitive_topics(fact.content[:limit], fact.attribute, value)

    @cached_property
    def holder(self) -> str:
        """Whom it is about: SUBJECT, the placeholder of a name, or SOMEBODY_ELSE."""
        if named := NAMED.match(self.fact.content):
            return SUBJECT if named[1] in self.own or self._and_me(NAME_TOKENS) else named[1]
        for hit in self._all("others"):
            if hit.start == 0 and not self._and_me(hit.end):
                return SOMEBODY_ELSE
        return SUBJECT

    def _and_me(self, at: int) -> bool:
        return tuple(token.word for token in self.tokens[at : at + 2]) in AND_ME


@cache
def attributes_of_sections() -> dict[str, frozenset[str]]:
    """The attributes that belong to each section of a profile."""
    return {
        section: frozenset(entry["attributes"])
        for section, entry in read_data("sections.json").items()
    }
