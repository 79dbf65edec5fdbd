"""Eyes that err as the models that ship do, from the films that the scoring sheet read with them.

``python -m datasets.simulation.table_eyes --journal build/evaluation/table.jsonl`` reads what was
measured there, and writes ``datasets/simulation/measured_eyes.json``: for each grade the settings
of ``datasets.simulation.seen.Eyes`` with what they were measured on. They say what is easily
counted. They do not say that the models may be surer than they are right (``calibrated`` there
compares both), that wrong readings gather on a few cards of a deck, and that things on the table
are taken for backs.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from datasets.simulation.seen import MEASURED_EYES, Eyes

Film = Mapping[str, Any]
"""What ``measured.Measured.to_json`` says of a film, and ``rate`` and ``lag``."""

CORNER = 1.23
"""Mean distance of a corner from its place, for eyes whose ``corner`` is 1: of two deviations of
0.9 and 0.4, in two directions."""


def eyes_from(films: Sequence[Film]) -> Eyes:
    """Eyes that err as others did.

    Args:
        films: what was measured on each.
    """

    def share(name: str, otherwise: float) -> float:
        total, count, _ = _total(films, name)
        return total / count if count else otherwise

    decks = sorted(
        total / count
        for film in films
        for total, count, _ in [film["sums"].get("rank right, free", (0, 0, 0))]
        if count >= 50
    ) or [share("rank right, free", 1.0)]
    frames = sum(film["frames"] for film in films)
    miss = 1 - share("found, free", 1.0)
    return Eyes(
        rate=round(sum(film["rate"] for film in films) / len(films), 1),
        lag=round(sum(film["lag"] for film in films) / len(films), 3),
        rank_right=(_round(decks[0]), _round(decks[-1])),
        suit_right=_round(share("suit right", 1.0)),
        back_right=_round(share("backs right", 1.0)),
        back_false=_round(share("taken for backs", 0.0)),
        unreadable=_round(max(share("rank right, covered", 0.55), 0.5)),
        blurred=_round(max(share("rank right, moving", 0.6), 0.5)),
        spread=_round(_spread(films)),
        # Two readings in a row are the one that stays: with the square of how often that is read.
        stubborn=_round(math.sqrt(share("alike after unsure", 0.0))),
        miss=_round(miss),
        miss_moving=_round(1 - share("found, moving", 1.0)),
        miss_cover=_round(max(1 - share("found, half covered", 1.0) - miss, 0.0) / (1 - miss)),
        corner=_round(sum(film["corner"] for film in films) / len(films) / CORNER),
        double=_round(share("doubled, free", 0.0)),
        false=_round(_total(films, "false faces")[0] / max(frames, 1)),
        haunted=_round(sum(film["haunted"] for film in films) / len(films)),
    )


def _spread(films: Sequence[Film]) -> float:
    """How unequal readings are: of the beta distribution between a half and one."""
    total, count, squares = _total(films, "probability")
    if not count:
        return 0.5
    mean = total / count
    variance = 4 * max(squares / count - mean * mean, 1e-6)
    mean = min(max(2 * mean - 1, 0.01), 0.99)
    return min(max(mean * (1 - mean) / variance - 1, 0.05), 50.0)


def _total(films: Sequence[Film], name: str) -> tuple[float, float, float]:
    entries = [film["sums"][name] for film in films if name in film["sums"]]
    return tuple(sum(entry[place] for entry in entries) for place in range(3))  # type: ignore[return-value]


def _round(value: float) -> float:
    return round(value, 4)


def main(arguments: list[str] | None = None) -> int:
    """Make eyes that err as the models that ship did on the films of the scoring sheet."""
    parser = argparse.ArgumentParser(
        prog="datasets.simulation.table_eyes", description=main.__doc__
    )
    parser.add_argument("--journal", type=Path, default=Path("build/evaluation/table.jsonl"))
    parser.add_argument("--out", type=Path, default=MEASURED_EYES)
    options = parser.parse_args(arguments)
    try:
        lines = options.journal.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        reason = f"cannot read {options.journal.name}: {error.strerror}"
        print(f"datasets.simulation.table_eyes: {reason}", file=sys.stderr)
        return 2
    entries = [json.loads(line) for line in lines]
    entries = [entry for entry in entries if "measured" in entry["result"]]
    if not entries:
        print(
            "datasets.simulation.table_eyes: no film of this sheet was read by models",
            file=sys.stderr,
        )
        return 2
    # Of several versions of the models the latest counts.
    weights = entries[-1]["key"]["settings"]["weights"]
    entries = [e for e in entries if e["key"]["settings"]["weights"] == weights]
    grades: dict[str, object] = {}
    for grade in dict.fromkeys(entry["key"]["grade"] for entry in entries):
        films = [e["result"]["measured"] for e in entries if e["key"]["grade"] == grade]
        counts = {name: int(_total(films, name)[1]) for film in films for name in film["sums"]}
        total, count, _ = _total(films, "probability")
        right, cards, _ = _total(films, "rank right, free")
        grades[grade] = {
            "eyes": asdict(eyes_from(films)),
            "films": len(films),
            "frames": sum(film["frames"] for film in films),
            "decks": sorted({film["deck"] for film in films}),
            "counted": dict(sorted(counts.items())),
            "calibrated": {
                "says": _round(total / max(count, 1)), "right": _round(right / max(cards, 1)),
            },
        }  # fmt: skip
    told = {
        "made_by": "make evaluate-table EYES=models, then python -m datasets.simulation.table_eyes",
        "weights": weights,
        "grades": grades,
    }
    options.out.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(f"{options.out.name}: {', '.join(grades)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
