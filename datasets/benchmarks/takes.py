"""Painted films as the watching table gets them: recorded in minutes, watched again in seconds.

``python -m datasets.benchmarks.takes record --game trut --seed 700`` paints a film, reads it, and
keeps what the watching table was given; ``python -m datasets.benchmarks.takes watch
data/takes/*.gz`` gives it to the watching table as the code is now, and says what came of it.

Where the models looked depended on what the table knew when the take was recorded. So a take shows
what a change of the table does; how good the table is, is said by films that are painted anew
(``datasets.benchmarks.table_sheet``).
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.benchmarks.table_pixels import PAINTED_HANDS, Pace, Studio, watch_stage
from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.tally import Tally
from datasets.cards.vector import DrawingError
from datasets.films.grades import GRADES
from scorekeeper.errors import FormatError, ScorekeeperError
from scorekeeper.games.rules import GAMES
from vision.detection.reader import Detection
from vision.geometry.table_plane import Plane
from vision.tracking.tracker import Covered, covered_by
from vision.watched_table import Happened, WatchingTable

_CELL = 8
"""Pixels of the frame to one of a mask of what is covered."""


class Moment(NamedTuple):
    """What the watching table was given of one frame.

    Attributes:
        at: the frame's time, in seconds of the film.
        detections: the cards that were seen.
        covered: shape (height / 8, width / 8): where hands were.
        reaching: the seats that reached over the table.
        homography: shape (3, 3): where the table was, see ``vision.geometry.table_plane.Plane``.
    """

    at: float
    detections: tuple[Detection, ...]
    covered: NDArray[np.bool_]
    reaching: frozenset[int]
    homography: NDArray[np.float64]

    def to_json(self) -> list[Any]:
        """The moment as a line of a take's file."""
        seen = [
            [np.round(each.corners, 2).tolist(), round(each.score, 4), each.readings]
            for each in self.detections
        ]
        mask = base64.b64encode(np.packbits(self.covered).tobytes()).decode()
        return [
            self.at, seen, [mask, *self.covered.shape], sorted(self.reaching),
            self.homography.tolist(),
        ]  # fmt: skip


def moment_from_json(data: list[Any]) -> Moment:
    """Reads what :meth:`Moment.to_json` made."""
    at, seen, (mask, height, width), reaching, homography = data
    bits = np.unpackbits(np.frombuffer(base64.b64decode(mask), np.uint8))
    detections = tuple(
        Detection(np.array(corners, np.float32), score, tuple((n, p) for n, p in readings))
        for corners, score, readings in seen
    )
    covered = bits[: height * width].reshape(height, width).astype(bool)
    return Moment(at, detections, covered, frozenset(reaching), np.array(homography))


class Recorder:
    """Keeps what a watching table is given.

    Args:
        size: width and height of a frame, in pixels.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self.moments: list[Moment] = []
        self._shape = size[1] // _CELL, size[0] // _CELL
        rows, columns = np.indices(self._shape)
        self._points = (np.column_stack([columns.ravel(), rows.ravel()]) + 0.5) * _CELL

    def attach(self, table: WatchingTable) -> None:
        """From now on, all that the table is given is kept."""
        see = table.see

        def kept(
            at: float, detections: Sequence[Detection], covered: Covered,
            reaching: Callable[[], frozenset[int]],
        ) -> Happened:  # fmt: skip
            mask = covered(self._points).reshape(self._shape)
            place = table.plane.homography
            self.moments.append(Moment(at, tuple(detections), mask, reaching(), place))
            return see(at, detections, covered, reaching)

        table.see = kept  # type: ignore[method-assign, assignment]


def record(options: argparse.Namespace) -> str:
    """Paints a film and keeps it as a take; says how it was watched.

    Raises:
        DrawingError: there are no decks.
        ModelError: there are no models.
    """
    film = {name: getattr(options, name) for name in ("game", "seats", "grade", "seed")}
    stage = filmed(**film, hands=PAINTED_HANDS)
    studio = Studio(options.models, options.cache, options.rate)
    recorder, tally = Recorder(stage.camera.size), Tally()
    watch_stage(stage, studio, tally, Pace(), attach=recorder.attach)
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "{game}-{seats}-{grade}-{seed}.json.gz".format(**film)
    save(path, {**film, "rate": options.rate}, recorder.moments)
    return f"{path}: {told(tally)}"


def save(path: Path, film: Mapping[str, object], moments: Iterable[Moment]) -> None:
    """Writes a take.

    Args:
        path: its file.
        film: ``game``, ``seats``, ``grade`` and ``seed`` of the film, and the frames read a second,
            its ``rate``.
        moments: what the watching table was given.
    """
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for line in ({"take": 1, **film}, *(moment.to_json() for moment in moments)):
            file.write(json.dumps(line) + "\n")


def watch(lines: Iterator[str], tally: Tally, *, trace: bool = False) -> None:
    """Gives a take to a watching table; somebody answers the questions.

    Args:
        lines: of the take's file.
        tally: what to count in.
        trace: whether failures are told in full.

    Raises:
        FormatError: it is no take.
    """
    film = json.loads(next(lines, "{}"))
    if not isinstance(film, dict) or film.pop("take", None) != 1:
        raise FormatError("this is no take: its first line does not say so")
    lag = 1 / film.pop("rate")
    stage = filmed(**film, hands=PAINTED_HANDS)
    run = Run(stage, tally, answer=True, trace=trace)
    for line in lines:
        moment = moment_from_json(json.loads(line))
        run.go_on(moment.at)
        run.table.plane = Plane(moment.homography, stage.outline, len(stage.header.seats))
        happened = run.table.see(
            moment.at,
            moment.detections,
            covered_by(moment.covered, 1 / _CELL),
            lambda moment=moment: moment.reaching,  # type: ignore[misc]
        )
        run.take(moment.at, moment.at + lag, happened)
    run.finish()


def told(tally: Tally) -> str:
    """What came of some hands, in words."""
    delays = tally.delays or [float("nan")]
    return (
        f"{tally.hands} hands: {tally.right} right, {tally.untouched} without a touch, "
        f"{tally.false_plays} false plays, {sum(tally.questions.values())} questions, "
        f"p50 {np.median(delays):.2f}, p95 {np.quantile(delays, 0.95):.2f} s"
    )


def main(arguments: list[str] | None = None) -> int:
    """Record painted films, or watch them again."""
    parser = argparse.ArgumentParser(prog="datasets.benchmarks.takes", description=main.__doc__)
    does = parser.add_subparsers(dest="do", required=True)
    recording = does.add_parser("record", help="paint a film and keep it")
    recording.add_argument("--game", choices=list(GAMES), default="trut")
    recording.add_argument("--seats", type=int, choices=(2, 4), default=4)
    recording.add_argument("--grade", choices=list(GRADES), default="bar")
    recording.add_argument("--seed", type=int, default=700)
    recording.add_argument("--models", type=Path, default=Path("vision/weights"))
    recording.add_argument("--cache", type=Path, default=Path("data/decks"))
    recording.add_argument("--rate", type=float, default=10.0, help="frames read a second")
    recording.add_argument("--out", type=Path, default=Path("data/takes"), help="a folder")
    watching = does.add_parser("watch", help="watch takes")
    watching.add_argument("takes", type=Path, nargs="+")
    watching.add_argument("--trace", action="store_true", help="tell each failure in full")
    options = parser.parse_args(arguments)
    try:
        if options.do == "record":
            print(record(options))
            return 0
        tally = Tally()
        for path in options.takes:
            with gzip.open(path, "rt", encoding="utf-8") as file:
                watch(iter(file), tally, trace=options.trace)
        for failure in tally.failures:
            print(failure)
        print(told(tally))
    except (ScorekeeperError, DrawingError, OSError, json.JSONDecodeError) as error:
        print(f"datasets.benchmarks.takes: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
