"""How much of what is private is found, and how much that is not private is touched."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from ledger.policy.privacy import Privacy, PrivateKind
from ledger.privacy import Finding, find_private_in

Gold = tuple[int, int, str]


def measure(path: str | Path) -> dict[str, Any]:
    """Figures for a file of JSON lines {"text", "spans": [[start, end, kind], …], "language"}.

    "told": the spans per kind. "recall": per kind, the share of spans of which every letter and
    digit is covered: by findings of that kind, but for names by any. "recall_structured": of all
    spans that are no names. "false_masks_per_100": findings that touch no span, per 100 texts.
    "touched_percent": how many of the texts without spans have a finding. "missed" and "false":
    the texts, to look at.
    """
    cases = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines() if line]
    found = find_private_in([case["text"] for case in cases], Privacy())
    total: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    missed: list[dict[str, str]] = []
    false: list[dict[str, str]] = []
    for case, findings in zip(cases, found, strict=True):
        text = case["text"]
        for span in case["spans"]:
            total[span[2]] += 1
            if _is_covered(text, span, findings):
                hit[span[2]] += 1
            else:
                missed.append({"text": text, "kind": span[2], "value": text[span[0] : span[1]]})
        false += [
            {"text": text, "kind": f.kind, "value": text[f.start : f.end], "rule": f.rule}
            for f in findings
            if not _touches(f, case["spans"])
        ]
    return {
        "texts": len(cases),
        "spans": total.total(),
        "told": dict(total),
        "recall": {kind: round(hit[kind] / total[kind], 4) for kind in sorted(total)},
        "recall_structured": _share_of_structured(hit, total),
        "false_masks_per_100": round(100 * len(false) / max(1, len(cases)), 2),
        "touched_percent": _touched_percent(cases, found),
        "missed": missed,
        "false": false,
    }


def _is_covered(text: str, span: Gold, findings: list[Finding]) -> bool:
    start, end, kind = span
    covered = {
        i
        for finding in findings
        if kind in (PrivateKind.NAME, finding.kind)
        for i in range(finding.start, finding.end)
    }
    return all(i in covered for i in range(start, end) if text[i].isalnum())


def _touches(finding: Finding, spans: list[Gold]) -> bool:
    return any(finding.start < end and start < finding.end for start, end, _ in spans)


def _share_of_structured(hit: Counter[str], total: Counter[str]) -> float:
    kinds = [kind for kind in total if kind != PrivateKind.NAME]
    return round(sum(hit[k] for k in kinds) / max(1, sum(total[k] for k in kinds)), 4)


def _touched_percent(cases: list[dict[str, Any]], found: list[list[Finding]]) -> float:
    without = [findings for case, findings in zip(cases, found, strict=True) if not case["spans"]]
    return round(100 * sum(map(bool, without)) / max(1, len(without)), 2)
