"""Made-up sentences that people might say, English and Chinese in turn, the same for one seed.

They are built from frames and words in sentences.json, so that each of many thousands says
something else: memories of them are rarely taken for one another.
"""

import json
import random
import string
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "zh")


@cache
def _words() -> dict[str, Any]:
    path = Path(__file__).with_name("sentences.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def sentences(count: int, seed: int) -> list[str]:
    """So many sentences, no two alike; every second one is Chinese."""
    chance = random.Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        made[_sentence(LANGUAGES[len(made) % 2], chance)] = None
    return list(made)


def _sentence(language: str, chance: random.Random) -> str:
    words = _words()[language]
    frame = chance.choice(words["frames"])
    slots = [name for _, name, _, _ in string.Formatter().parse(frame) if name]
    filled: str = frame.format(**{slot: chance.choice(words[slot]) for slot in slots})
    return filled[0].upper() + filled[1:]
