"""What a benchmark found: rows with figures and targets, as one table and as JSON. Pure."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

HEAD = ("part", "what", "figures", "target", "", "from")


@dataclass(frozen=True)
class Target:
    """The bounds that every figure of a row must keep, both included."""

    least: float | None = None
    most: float | None = None

    def __str__(self) -> str:
        bounds = [f"≥ {self.least:g}"] if self.least is not None else []
        bounds += [f"≤ {self.most:g}"] if self.most is not None else []
        return ", ".join(bounds)

    def is_met(self, figures: Iterable[float]) -> bool:
        """Whether all figures keep the bounds; NaN keeps none."""
        least = -math.inf if self.least is None else self.least
        most = math.inf if self.most is None else self.most
        return all(least <= figure <= most for figure in figures)


@dataclass(frozen=True)
class Row:
    """One measurement. `figures` are named with their units, `source` says what they stand on."""

    what: str
    figures: Mapping[str, float]
    target: Target | None = None
    source: str = ""

    @property
    def verdict(self) -> str:
        if self.target is None:
            return ""
        return "met" if self.target.is_met(self.figures.values()) else "missed"


@dataclass
class Part:
    """What one part of a benchmark found. `failures` says what could not be measured, and why."""

    name: str
    rows: list[Row] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    sizes: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that at least `percent` of all values do not exceed (nearest rank).

    Raises ValueError without values, or for a percentage that is not above 0 and up to 100.
    """
    if not values or not 0 < percent <= 100:
        raise ValueError("A percentile needs values and a percentage above 0, at most 100.")
    # Rounded first: 0.07 * 100 is a little more than 7.
    rank = math.ceil(round(len(values) * percent / 100, 9))
    return sorted(values)[rank - 1]


def timed(seconds: float, milliseconds: Sequence[float]) -> dict[str, float]:
    """The figures of requests that took `milliseconds` each and `seconds` together."""
    return {
        "per_second": round(len(milliseconds) / seconds, 2),
        "p50_ms": round(percentile(milliseconds, 50), 2),
        "p99_ms": round(percentile(milliseconds, 99), 2),
    }


def table(parts: Sequence[Part]) -> str:
    """All rows of all parts, then what has to be said about them."""
    lines: list[tuple[str, ...]] = [HEAD]
    for part in parts:
        lines += [_cells(part.name, row) for row in part.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rule = tuple("-" * width for width in widths)
    aligned = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in (HEAD, rule, *lines[1:])
    ]
    said = [f"{part.name}: {remark}" for part in parts for remark in _remarks(part)]
    return "\n".join([*aligned, "", *said])


def _cells(part: str, row: Row) -> tuple[str, ...]:
    figures = " · ".join(
        f"{name.replace('_', ' ')} {_number(value)}" for name, value in row.figures.items()
    )
    return (part, row.what, figures, str(row.target or ""), row.verdict, row.source)


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _remarks(part: Part) -> list[str]:
    failed = [f"FAILED, figures are missing: {failure}" for failure in part.failures]
    return [*part.remarks, *failed, f"took {part.seconds:.1f} s"]


def document(about: Mapping[str, Any], parts: Sequence[Part]) -> str:
    """The same as JSON: `about` (machine, moment, …), then the parts by name."""
    found = {
        part.name: {
            "seconds": round(part.seconds, 1),
            "failures": part.failures,
            "sizes": part.sizes,
            "remarks": part.remarks,
            "rows": [_as_json(row) for row in part.rows],
        }
        for part in parts
    }
    return json.dumps({**about, "parts": found}, ensure_ascii=False, indent=1) + "\n"


def _as_json(row: Row) -> dict[str, Any]:
    bounds = row.target and {"least": row.target.least, "most": row.target.most}
    return {
        "what": row.what,
        "figures": dict(row.figures),
        "target": bounds,
        "verdict": row.verdict or None,
        "source": row.source,
    }
