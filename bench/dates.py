"""How well time expressions are found and resolved: `python -m bench.dates [file.jsonl]`.

A line is {"text", "at", "zone", "expect": [[begins, ends], …], "language"}; moments are RFC 3339,
`ends` is null where a period is open. A line is right when what is found equals what is expected.
"""

import json
import sys
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ledger.dates import find_dates

DEV = Path(__file__).parent / "data" / "dates" / "dev.jsonl"


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _check(line: dict[str, Any]) -> dict[str, Any] | None:
    """The mistake in a line, or None."""
    at, zone = datetime.fromisoformat(line["at"]), ZoneInfo(line["zone"])
    found = find_dates(line["text"], at, zone)
    expected = [(_moment(begins), _moment(ends)) for begins, ends in line["expect"]]
    if [(dated.begins, dated.ends) for dated in found] == expected:
        return None
    return {
        "text": line["text"],
        "language": line["language"],
        "expect": line["expect"],
        "found": [
            [dated.begins.isoformat(), dated.ends and dated.ends.isoformat(), dated.rule]
            for dated in found
        ],
    }


def measure(path: Path) -> dict[str, Any]:
    """{"accuracy": {language or "all": share of right lines, 0 to 1}, "lines": how many of each,
    "mistakes": [{"text", "language", "expect", "found"}]}"""
    lines: dict[str, int] = defaultdict(int)
    wrong: dict[str, int] = defaultdict(int)
    mistakes = []
    for text in path.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        mistake = _check(line)
        for group in (line["language"], "all"):
            lines[group] += 1
            wrong[group] += mistake is not None
        if mistake is not None:
            mistakes.append(mistake)
    accuracy = {group: 1 - wrong[group] / count for group, count in lines.items()}
    return {"accuracy": accuracy, "lines": dict(lines), "mistakes": mistakes}


if __name__ == "__main__":
    chosen = Path(sys.argv[1]) if len(sys.argv) > 1 else DEV
    print(json.dumps(measure(chosen), ensure_ascii=False, indent=2))
