"""What in one memory is a sign of something that several of them may show."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from ledger.models import Kind
from ledger.policy.reflection import Reflection
from ledger.reflection.lexicon import labels, read_data
from ledger.reflection.reading import Reading
from ledger.reflection.words import LONGEST_WORD, Token, fold, language_of, tokens_of

Words = dict[str, str]  # language -> what something is called in it

LONGEST_SEGMENT = 6  # characters of a Chinese word that no list knows
SHORTEST_SEGMENT = {True: 2, False: 3}  # characters, Chinese or Latin
POSITIVE_MOODS = frozenset({"happy"})
LANGUAGES = ("zh", "en")


@dataclass(frozen=True)
class Sign:
    """That one memory speaks for an insight about `topic`, or against it.

    `words` fill the places of the rule's text; the one for "x" is the insight's value.
    """

    topic: str
    speaks_for: bool = True
    # Whether it is more than a mention; a rule may ask for some of them.
    clear: bool = True
    words: dict[str, Words] = field(default_factory=dict)


def _known(topic: str, *, name: str = "topics.json") -> Words:
    entry = labels(name)[topic]
    return {language: str(entry[language]) for language in LANGUAGES}


def _same(text: str) -> Words:
    return dict.fromkeys(LANGUAGES, text)


def _text(name: str, topic: str) -> Words:
    found: Words = read_data("texts.json")[name][topic]
    return found


def _has_intent(reading: Reading, group: str) -> bool:
    return reading.fact.detail("intent").casefold() in read_data("intents.json")[group]


def _short_value(reading: Reading, policy: Reflection) -> str:
    value = " ".join((reading.fact.value or "").split())
    return value if len(value) <= policy.topic_length else ""


def _topics(reading: Reading, policy: Reflection) -> Iterator[tuple[str, Words, int]]:
    """What a memory is about, once each, with the stance to it: known topics, else its value."""
    stances: dict[str, int] = {}
    hits = reading.hits("topic")
    for hit in hits:
        stance = reading.stance(hit)
        if stance is not None:
            stances[hit.topic] = min(stance, stances.get(hit.topic, stance))
    yield from ((topic, _known(topic), stance) for topic, stance in stances.items())
    value, stance = _short_value(reading, policy), reading.lowest_stance
    if value and not hits and reading.fact.kind == Kind.PREFERENCE and stance is not None:
        folded = " ".join(token.stem for token in tokens_of(value))
        if folded:
            yield f"value {folded}", _same(value), stance


def price_signs(reading: Reading, policy: Reflection) -> Iterator[Sign]:
    if not reading.denied and (reading.affirmed("price") or _has_intent(reading, "price")):
        yield Sign("price")


def is_problem(reading: Reading) -> bool:
    if _has_intent(reading, "problem"):
        return True
    return any(hit.topic == "problem" for hit in reading.affirmed("problem"))


def problem_signs(reading: Reading, policy: Reflection) -> Iterator[Sign]:
    solved = any(hit.topic == "solved" for hit in reading.affirmed("problem"))
    if not solved and not is_problem(reading):
        return
    for topic, words in _problem_topics(reading, policy):
        yield Sign(topic, speaks_for=not solved, words={"x": words})


def _problem_topics(reading: Reading, policy: Reflection) -> Iterator[tuple[str, Words]]:
    """The areas or the device that a problem is with, else words that no list knows."""
    areas = {hit.topic for hit in reading.hits("area")}
    device = fold(reading.fact.detail("device").strip())
    if device and len(device) <= policy.topic_length and not areas:
        yield device, _same(device)
    elif areas:
        yield from ((area, _known(area, name="problems.json")) for area in sorted(areas))
    else:
        yield from ((topic, _same(word)) for topic, word in sorted(_open_words(reading).items()))


def _open_words(reading: Reading) -> dict[str, str]:
    """What is left of a text without common words and words for problems: stem -> word."""
    taken = {
        at
        for group in ("stop", "problem", "negation", "others")
        for hit in reading.hits(group)
        for at in range(hit.start, hit.end)
    }
    free = [None if at in taken else token for at, token in enumerate(reading.tokens)]
    latin = {token.stem: token.word for token in free if token and not token.han}
    runs = (list(run) for clause, run in groupby(free, _clause_of_han) if clause is not None)
    han = ["".join(token.word for token in run if token) for run in runs]
    return {
        topic: word
        for topic, word in (latin | dict(zip(han, han, strict=True))).items()
        if _is_word(word)
    }


def _clause_of_han(token: Token | None) -> int | None:
    return token.clause if token and token.han else None


def _is_word(word: str) -> bool:
    latin = word.isascii()
    longest = LONGEST_WORD if latin else LONGEST_SEGMENT
    return SHORTEST_SEGMENT[not latin] <= len(word) <= longest and not word.isdigit()


def habit_signs(reading: Reading, policy: Reflection) -> Iterator[Sign]:
    parts = {hit.topic for hit in reading.affirmed("daypart")}
    if reading.denied or len(parts) != 1:  # which one is meant cannot be told
        return
    part = parts.pop()
    for topic in sorted({hit.topic for hit in reading.affirmed("topic")}):
        activity = labels("topics.json")[topic].get("do")
        if activity:
            words = {"x": activity, "part": _text("parts", part)}
            yield Sign(f"{topic} {part}", words=words)


def interest_signs(reading: Reading, policy: Reflection) -> Iterator[Sign]:
    """Mentions; liking it, buying it, learning or doing it is clearer than that."""
    if is_problem(reading):
        return
    engaged = bool(reading.affirmed("buy") or reading.affirmed("engage"))
    engaged = engaged or _has_intent(reading, "buy")
    for topic, words, stance in _topics(reading, policy):
        entry = labels("topics.json").get(topic, {})
        if entry.get("liked", True):
            clear = stance > 0 or engaged or entry.get("done", False)
            yield Sign(topic, speaks_for=stance >= 0, clear=clear, words={"x": words})


def avoids_signs(reading: Reading, policy: Reflection) -> Iterator[Sign]:
    if is_problem(reading):
        return
    for topic, words, stance in _topics(reading, policy):
        yield Sign(topic, speaks_for=stance < 0, words={"x": words})


def _due_weekday(reading: Reading) -> str:
    """The weekday of a due time in its own offset; UTC does not tell a person's day."""
    due = due_at(reading.fact.detail("due_at"))
    offset = due.utcoffset() if due else None
    return str(due.weekday()) if due and offset else ""


def due_at(text: str) -> datetime | None:
    """An RFC 3339 moment with its offset, or None."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def routine_signs(reading: Reading, policy: Reflection) -> Iterator[Sign]:
    recurs = reading.fact.kind in {Kind.COMMITMENT, Kind.EVENT} or reading.fact.detail("pattern")
    if reading.denied or not recurs:
        return
    days = {hit.topic for hit in reading.affirmed("weekday")} or {_due_weekday(reading)} - {""}
    topics = sorted({hit.topic for hit in reading.affirmed("topic")})
    for day in sorted(days):
        for topic in topics:
            words = {"day": _text("days", day), "x": _known(topic)}
            yield Sign(f"{day} {topic}", words=words)


def mood_signs(reading: Reading, policy: Reflection) -> Iterator[Sign]:
    moods = {hit.topic for hit in reading.affirmed("mood")}
    for mood in sorted(moods):
        yield Sign(mood, words={"x": _text("moods", mood)})
    for mood in read_data("texts.json")["moods"]:
        if mood not in moods and any(_opposed(mood, other) for other in moods):
            yield Sign(mood, speaks_for=False)


def _opposed(one: str, other: str) -> bool:
    return (one in POSITIVE_MOODS) != (other in POSITIVE_MOODS)


def language_signs(reading: Reading, policy: Reflection) -> Iterator[Sign]:
    spoken = language_of(reading.fact.content[: policy.read_characters])
    for language in LANGUAGES if spoken else ():
        words = {"x": _text("languages", language)}
        yield Sign(language, speaks_for=language == spoken, words=words)
