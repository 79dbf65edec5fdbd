"""Keeps what the watching table is given of a painted film, to watch it again in seconds.

Such a take has the format of takes of real evenings (``vision.evidence.takes``).
``datasets.benchmarks.corpus`` records and watches many of them. Where the models looked in a frame
depends on what the table knew when the take was recorded. So takes compare a changed table with the
one before. How good a table is, only films that are painted again can say
(``datasets.benchmarks.table_sheet``).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from datasets.benchmarks.table_pixels import PAINTED_HANDS, Pace, Studio, watch_stage
from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.tally import Tally
from datasets.benchmarks.taps import CAREFUL, Taps
from scorekeeper.errors import FormatError
from vision.detection.detections import Detection
from vision.evidence.takes import VERSION, Beginning, Encoder, Moment, read_take
from vision.geometry.table_plane import Plane
from vision.tracking.covered import Covered, covered_by
from vision.watched_table import Happened, WatchingTable

_CELL = 8
"""One pixel of a mask of what is covered stands for so many pixels of the frame on each side."""


class Recorder:
    """Keeps what a watching table is given.

    Args:
        size: width and height of a frame, in pixels.

    Attributes:
        moments: what the table was given, frame by frame.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self.moments: list[Moment] = []
        self._shape = size[1] // _CELL, size[0] // _CELL
        rows, columns = np.indices(self._shape)
        self._points = (np.column_stack([columns.ravel(), rows.ravel()]) + 0.5) * _CELL

    def attach(self, table: WatchingTable) -> None:
        """Keeps all that a table is given from now on."""
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


def record(path: Path, film: Mapping[str, Any], studio: Studio, *, deck: str) -> Tally:
    """Paints a film, reads it and keeps it as a take.

    Args:
        path: the take's file.
        film: ``game``, ``seats``, ``grade``, ``seed`` and ``pack`` of the film.
        studio: what it is painted and read with; the take names its rate and resolution.
        deck: the kind of deck that it is painted with; the take names it.

    Returns:
        How well it was watched while it was recorded.

    Raises:
        DrawingError: there are no decks.
        ModelError: there are no models.
    """
    film = {**film, "resolution": studio.resolution}
    stage = filmed(**film, hands=PAINTED_HANDS)
    recorder, tally = Recorder(stage.camera.size), Tally()
    watch_stage(stage, studio, tally, Pace(), attach=lambda run: recorder.attach(run.table))
    path.parent.mkdir(parents=True, exist_ok=True)
    save(path, {**film, "rate": studio.rate, "deck": deck}, recorder.moments)
    return tally


def save(path: Path, film: Mapping[str, object], moments: Iterable[Moment]) -> None:
    """Writes a take. An interrupted write leaves no incomplete take.

    Args:
        path: the take's file.
        film: ``game``, ``seats``, ``grade``, ``seed``, ``pack`` and ``resolution`` of the film, the
            kind of its ``deck``, and the ``rate``: how many frames a second were read.
        moments: what the watching table was given.
    """
    whole = path.with_suffix(".new")
    encoder = Encoder()
    with gzip.open(whole, "wt", encoding="utf-8") as file:
        for line in ({"take": VERSION, **film}, *map(encoder.line, moments)):
            file.write(json.dumps(line) + "\n")
    whole.replace(path)


@contextmanager
def opened_take(path: Path) -> Iterator[tuple[dict[str, Any], Iterator[Moment]]]:
    """Opens a take of a painted film.

    Args:
        path: the take's file.

    Yields:
        The argument ``film`` of :func:`save`, and the moments.

    Raises:
        FormatError: the file is no take, or one of a real evening.
        OSError: it cannot be read.
    """
    with closing(read_take(path)) as lines:
        first = next(lines, None)
        if not isinstance(first, Beginning) or first.header is not None:
            raise FormatError(f"{path} is of no painted film: watch it with datasets.takes")
        yield dict(first.about), (line for line in lines if isinstance(line, Moment))


def watch(
    film: Mapping[str, Any], moments: Iterable[Moment], tally: Tally, *, taps: Taps = CAREFUL,
    trace: bool = False, attach: Callable[[Run], None] = lambda run: None,
) -> None:  # fmt: skip
    """Gives a take to a watching table; a simulated person answers the questions.

    Args:
        film: see :func:`save`.
        moments: what the watching table is given.
        tally: counts what comes of it.
        taps: how carefully people tap what they say.
        trace: whether each failure is described in full.
        attach: called with the run before it begins.
    """
    names = ("game", "seats", "grade", "seed", "pack", "resolution")
    told = {name: film[name] for name in names if name in film}  # old takes lack the last two
    stage = filmed(**told, hands=PAINTED_HANDS)
    run = Run(stage, tally, answer=True, trace=trace, taps=taps)
    attach(run)
    for moment in moments:
        run.go_on(moment.at)
        run.table.plane = Plane(moment.homography, stage.outline, len(stage.header.seats))
        happened = run.table.see(
            moment.at,
            moment.detections,
            None if moment.covered is None else covered_by(moment.covered, 1 / _CELL),
            lambda moment=moment: moment.reaching,  # type: ignore[misc]
        )
        run.take(moment.at, moment.at + 1 / film["rate"], happened)
    run.finish()
