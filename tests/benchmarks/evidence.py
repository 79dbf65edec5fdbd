"""Measures what a kept picture and clip cost: ``python -m tests.benchmarks.evidence [FILM …]``.

Without a film, it draws a table with a moving card and the noise of a camera.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.storage.media import ABOUT, CLIP, STILL, Pictures
from tests.scorekeeper.talk import NAMES, TRUT, event
from tests.vision.tabletop import corners, plane
from vision.belief.context import RefereeContext
from vision.belief.proposals import Proposal
from vision.capture.sources import Frame
from vision.evidence.recorder import Evidence
from vision.watched_table import Appended

SIZE, ZOOM = (1920, 1080), 1.5
RATE = 30
EVERY = 3.0
"""Seconds from one event to the next."""
MOST = 45.0
"""At most so many seconds of a film are used."""
EXPECTED = RefereeContext(replay(Header(game=TRUT, seats=NAMES[:2]), [event("0 deal 3")]), 1)


def main() -> int:
    """Measures and prints."""
    cv2.setNumThreads(1)
    for path in sys.argv[1:]:
        _measure(Path(path).name, _film(path))
    if not sys.argv[1:]:
        _measure("a drawn table", _drawn())
    return 0


def _measure(name: str, pictures: Iterable[np.ndarray]) -> None:
    table = plane(2)
    table = replace(table, homography=table.homography @ np.diag([1 / ZOOM, 1 / ZOOM, 1]))
    busy: dict[str, list[float]] = {STILL: [], CLIP: []}
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        kept = Pictures(Path(folder))
        evidence = _timed_evidence(kept, busy)
        evidence.begin(1)
        keeping, seq, due = [], 0, EVERY
        for number, picture in enumerate(pictures):
            at = number / RATE
            evidence.see(Frame(cv2.resize(picture, SIZE), at, number), table, cards=(), played=())
            if at >= due:
                seq, due = seq + 1, due + EVERY
                said = event("1 play KS")
                proposal = Proposal(said, 1, "it lies there", 1.0, at - 0.3)
                start = time.perf_counter()
                evidence.keep(Appended(seq, said, proposal, EXPECTED), ZOOM * corners(0, 20, 0.2))
                keeping.append(time.perf_counter() - start)
        evidence.close(60.0)
        size = {
            kind: [path.stat().st_size / 1000 for path in Path(folder).rglob(f"*{kind}")]
            for kind in (ABOUT, STILL, CLIP)
        }
    print(f"{name}: {seq} events, 1920×1080")
    print(f"  an event on the watching side: {_ms(keeping)}")
    for kind, what in ((STILL, "picture"), (CLIP, "clip")):
        print(f"  a {what}, in its thread: {_ms(busy[kind])} of processor time, {_kb(size[kind])}")
    for hitch in evidence.hitches:
        print(f"  {hitch.sentence()}")


def _timed_evidence(kept: Pictures, busy: dict[str, list[float]]) -> Evidence:
    class Timed(Evidence):
        def _keep_still(self, case: Any) -> None:
            start = time.thread_time()
            super()._keep_still(case)
            busy[STILL].append(time.thread_time() - start)

        def _keep_clip(self, case: Any) -> None:
            start = time.thread_time()
            super()._keep_clip(case)
            busy[CLIP].append(time.thread_time() - start)

    return Timed(kept)


def _film(path: str) -> Iterator[np.ndarray]:
    film = cv2.VideoCapture(path)
    for _ in range(round(MOST * RATE)):
        there, picture = film.read()
        if not there:
            return
        yield picture


def _drawn() -> Iterator[np.ndarray]:
    rng = np.random.default_rng(1)
    wood = cv2.GaussianBlur(rng.integers(60, 140, (720, 1280, 3), np.uint8), (0, 0), 3)
    noise = [rng.integers(0, 6, wood.shape, np.uint8) for _ in range(8)]
    for number in range(round(MOST * RATE)):
        drawn = wood.copy()
        x = 40 * np.sin(number / 20)
        cv2.fillConvexPoly(drawn, np.round(corners(x, 10, x)).astype(np.int32), (240, 240, 240))
        yield cv2.add(drawn, noise[number % 8])


def _ms(seconds: list[float]) -> str:
    return f"median {median(seconds) * 1000:.1f} ms, at most {max(seconds) * 1000:.1f} ms"


def _kb(sizes: list[float]) -> str:
    return f"median {median(sizes):.0f} kB, at most {max(sizes):.0f} kB"


if __name__ == "__main__":
    sys.exit(main())
