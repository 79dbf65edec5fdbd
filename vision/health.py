"""What makes cards hard to read: light, glare, focus, size, a camera that was moved, an odd deck.

:func:`measure` says in numbers what one frame is like. :class:`Health` makes complaints of that
over time: each is a plain sentence, with what to do. A complaint comes only after something was bad
for a while, and goes only when it is clearly over, so that none flickers. The limits are in
:class:`Limits`; ``python -m datasets.benchmarks.hardship`` measures where reading fails.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scorekeeper.messages import N_
from vision.detection.crops import View, flatten
from vision.detection.detections import Detection
from vision.geometry.drift import Drift
from vision.opencv import load_opencv
from vision.packs import BACK

Image = NDArray[np.uint8]

INSIDE = View(112, 160, 0.0)
"""A card without what lies around it, in the size that the limits below were chosen at."""
WHITE = 250
"""A pixel of at least this grey level shows no detail any more."""
EXTREME = 99.5
"""Percentile of grey levels that is taken for a picture's brightest part."""


class Problem(StrEnum):
    """What can make cards hard to read."""

    DARK = "dark"
    BRIGHT = "bright"
    GLARE = "glare"
    BLUR = "blur"
    SMALL = "small"
    MOVED = "moved"
    DECK = "deck"
    MIRRORED = "mirrored"


@dataclass(frozen=True)
class Limits:
    """The limits at which something is complained about, and at which it is well again.

    Each pair is (complain, well). Between the two a complaint stays if it was made, and none is
    made anew.

    Attributes:
        dark: Grey level of a card's paper.
        bare: Grey level of the brightest part of a table without cards.
        bright: Share of a card's pixels that show no detail, 0–1.
        glare: Share of one card's pixels that a lamp's reflection covers, 0–1.
        blur: Sharpness of the cards, see ``Measures``.
        small: Height of the cards, in pixels.
        moved: How far the picture has moved, as a share of its width.
        deck: Mean probability of readings, 0–1.
        comes: Seconds for which something must be bad before it is complained about.
        goes: Seconds for which it must be well before the complaint is taken back.
        apart: Longest time between two measures of one thing, in seconds, over which it counts as
            going on.
        readings: How many of the latest frames with cards a deck is judged by.
    """

    dark: tuple[float, float] = (50.0, 65.0)
    bare: tuple[float, float] = (25.0, 35.0)
    bright: tuple[float, float] = (0.78, 0.74)
    glare: tuple[float, float] = (0.10, 0.05)
    blur: tuple[float, float] = (0.12, 0.15)
    small: tuple[float, float] = (50.0, 57.0)
    moved: tuple[float, float] = (0.008, 0.004)
    deck: tuple[float, float] = (0.80, 0.88)
    comes: float = 2.0
    goes: float = 3.0
    apart: float = 1.5
    readings: int = 40


@dataclass(frozen=True)
class Measures:
    """One frame in numbers, or the median over its cards; None where nothing in it tells.

    Attributes:
        dark: Median over the cards of their paper's grey level.
        bare: Grey level of the table's brightest part, where no card lies face up.
        bright: Median over the cards of the share of pixels without detail, 0–1.
        glare: The largest share of one card's pixels that a reflection covers, 0–1.
        blur: Median over the cards of their sharpness: how much grey levels change from one pixel
            to the next at the steepest edges of the flattened card, as a share of its contrast. A
            sharp card has about 0.3.
        small: Median height of the cards, in pixels.
        sure: Mean probability of the likeliest readings, 0–1.
    """

    dark: float | None = None
    bare: float | None = None
    bright: float | None = None
    glare: float | None = None
    blur: float | None = None
    small: float | None = None
    sure: float | None = None


SENTENCES: Mapping[Problem, tuple[str, str]] = {
    Problem.DARK: (
        N_("It is too dark to read the cards."),
        N_("Switch on a lamp above the table."),
    ),
    Problem.BRIGHT: (
        N_("The cards are too bright: their print fades."),
        N_("Turn the lamp away from the table, or lower the camera's exposure."),
    ),
    Problem.GLARE: (
        N_("A lamp is reflected on a card."),
        N_("Move the lamp to the side, or the camera a little."),
    ),
    Problem.BLUR: (
        N_("The picture is out of focus."),
        N_("Wipe the lens, and let the camera focus on a card on the table."),
    ),
    Problem.SMALL: (
        N_("The cards are too small in the picture."),
        N_("Bring the camera nearer to the table, or zoom in."),
    ),
    Problem.MOVED: (
        N_("The camera was moved."),
        N_("Put the camera back as it was, or set up the table again."),
    ),
    Problem.DECK: (
        N_("This deck is not read well."),
        N_("Show it to the camera once, in its set-up, or play with another deck."),
    ),
    Problem.MIRRORED: (
        N_("The picture is mirrored."),
        N_("Switch mirroring off in the program or the phone that gives it."),
    ),
}
"""For each problem, what is wrong, and what to do."""


@dataclass(frozen=True)
class Complaint:
    """Something that makes cards hard to read."""

    problem: Problem

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """What is wrong, in the language of ``translate`` (gettext)."""
        return translate(SENTENCES[self.problem][0])

    def remedy(self, translate: Callable[[str], str] = str) -> str:
        """What to do, in the language of ``translate`` (gettext)."""
        return translate(SENTENCES[self.problem][1])


class TablePlane(Protocol):
    """What is needed of the table's plane; ``vision.geometry.table_plane.Plane`` has it."""

    @property
    def outline(self) -> NDArray[np.floating[Any]]:
        """The table's outline, shape (N, 2), in centimetres."""

    def to_frame(self, points: NDArray[Any]) -> NDArray[Any]:
        """Points of the table in the frame's pixels, shape (N, 2)."""


def measure(
    frame: Image, detections: Sequence[Detection], plane: TablePlane | None = None
) -> Measures:
    """Measures what a frame is like.

    Args:
        frame: BGR, 8 bits.
        detections: The cards in it.
        plane: Where the table is; the whole picture counts as table where it is not known.
    """
    cv2: Any = load_opencv()
    faces = [each for each in detections if each.readings and each.card != BACK]
    if not faces:
        grey = cv2.cvtColor(frame[::4, ::4], cv2.COLOR_BGR2GRAY)
        return Measures(bare=float(np.percentile(grey[_table(grey, plane)], EXTREME)))
    looks = [_look(cv2, frame, detection) for detection in faces]
    dark, bright, glare, blur, small = (list(values) for values in zip(*looks, strict=True))
    return Measures(
        dark=float(np.median(dark)),
        bright=float(np.median(bright)),
        glare=max(glare),
        blur=float(np.median(blur)),
        small=float(np.median(small)),
        sure=float(np.mean([detection.probability for detection in faces])),
    )


def _table(grey: NDArray[np.uint8], plane: TablePlane | None) -> NDArray[np.bool_]:
    """Which pixels of a picture, made smaller by four, show the table; all if none does."""
    if plane is None:
        return np.ones(grey.shape, np.bool_)
    cv2: Any = load_opencv()
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(plane.to_frame(plane.outline) / 4).astype(np.int32)], 1)
    return mask > 0 if mask.any() else np.ones(grey.shape, np.bool_)


def _look(cv2: Any, frame: Image, detection: Detection) -> tuple[float, float, float, float, float]:
    """A card's grey level of paper, share without detail, share under glare, sharpness, height."""
    corners = detection.corners
    tall = float(np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1]))
    grey = cv2.cvtColor(flatten(frame, corners, INSIDE), cv2.COLOR_BGR2GRAY)
    paper, ink = float(np.percentile(grey, 75)), float(np.percentile(grey, 3))
    white = grey >= WHITE
    # A reflection is brighter than the card's paper, which shows along the card's edge. Where the
    # edge has no detail either, the whole card is too bright, and nothing tells of a reflection.
    edge = np.concatenate([grey[2:8].ravel(), grey[-8:-2].ravel(), grey[:, 2:8].ravel(),
                           grey[:, -8:-2].ravel()])  # fmt: skip
    glare = float(white.mean()) if np.median(edge) < WHITE - 5 else 0.0
    soft = cv2.GaussianBlur(grey, (0, 0), 0.8)  # noise has steep edges of its own
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0) / 8
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1) / 8
    steep = float(np.percentile(np.hypot(across, down), 99))
    blur = steep / max(paper - ink, 8.0)
    return paper, float(white.mean()), glare, blur, tall / 2


@dataclass
class _Latch:
    """One complaint over time. Times are seconds.

    Attributes:
        bad: Since when it has been bad without a break; None where it is not.
        well: Since when it has been well without a break; None where it is not.
        said: Since when it has been bad, if it is complained about; else None.
        seen: When it was measured last.
    """

    bad: float | None = None
    well: float | None = None
    said: float | None = None
    seen: float = -math.inf

    def update(
        self, at: float, value: float | None, limits: tuple[float, float], times: Limits
    ) -> None:
        """Takes one more value.

        Args:
            at: When it was measured, in seconds.
            value: The value; None where nothing was measured.
            limits: Complain, and well. Where the first is larger, larger values are worse.
            times: How long each must last.
        """
        if at - self.seen > times.apart:
            self.bad = self.well = None
        if value is None:
            return
        self.seen = at
        complain, well = limits
        worse = 1.0 if complain > well else -1.0
        is_bad, is_well = value * worse >= complain * worse, value * worse <= well * worse
        self.bad = (at if self.bad is None else self.bad) if is_bad else None
        self.well = (at if self.well is None else self.well) if is_well else None
        if self.said is None and self.bad is not None and at - self.bad >= times.comes:
            self.said = self.bad
        if self.said is not None and self.well is not None and at - self.well >= times.goes:
            self.said = None


@dataclass
class Health:
    """Tells what is to be complained about, over time.

    Args:
        limits: When something is complained about.
    """

    limits: Limits = field(default_factory=Limits)
    _latches: dict[Problem, _Latch] = field(
        default_factory=lambda: {problem: _Latch() for problem in Problem}
    )
    _drift: Drift = field(default_factory=Drift)
    _sure: list[float] = field(default_factory=list)

    def check(
        self,
        at: float,
        frame: Image,
        detections: Sequence[Detection],
        plane: TablePlane | None = None,
        *,
        empty: bool = True,
    ) -> list[Complaint]:
        """Looks at one more frame; once or twice a second is enough.

        Args:
            at: When it was taken, in seconds; never earlier than the one before.
            frame: BGR, 8 bits.
            detections: The cards that lie in it; those that are moving say nothing about focus.
            plane: Where the table is.
            empty: Whether nothing lies on the table, not even a back, or a card that moves.

        Returns:
            What is complained about now, in the order of ``Problem``.
        """
        found = measure(frame, detections, plane)
        limits = self.limits
        bare = found.bare if empty else None  # the paper of a back is brighter than a table
        if found.dark is not None:
            self._latch(at, Problem.DARK, found.dark, limits.dark)
        else:
            self._latch(at, Problem.DARK, bare, limits.bare)
        self._latch(at, Problem.BRIGHT, found.bright, limits.bright)
        self._latch(at, Problem.GLARE, found.glare, limits.glare)
        self._latch(at, Problem.SMALL, found.small, limits.small)
        # A small card is blurred because it is made larger: that is no fault of the lens.
        large = found.small is not None and found.small > limits.small[1]
        self._latch(at, Problem.BLUR, found.blur if large else None, limits.blur)
        self._latch(at, Problem.MOVED, self._drift.update(frame), limits.moved)
        self._latch(at, Problem.DECK, self._deck(found), limits.deck)
        return [
            Complaint(problem) for problem, latch in self._latches.items() if latch.said is not None
        ]

    def _latch(
        self, at: float, problem: Problem, value: float | None, limits: tuple[float, float]
    ) -> None:
        self._latches[problem].update(at, value, limits, self.limits)

    def placed(self) -> None:
        """Notes that the camera stands as it should; from now on moves are told against this."""
        self._drift = Drift()
        self._latches[Problem.MOVED] = _Latch()

    def _deck(self, found: Measures) -> float | None:
        """The mean probability of readings, 0–1, of frames in which nothing else explains doubt.

        None while there are too few such frames.
        """
        limits = self.limits
        explained = any(
            self._latches[problem].said is not None or self._latches[problem].bad is not None
            for problem in Problem
            if problem is not Problem.DECK
        )
        if found.sure is not None and not explained:
            self._sure.append(found.sure)
            del self._sure[: -limits.readings]
        if len(self._sure) < limits.readings:
            return None
        return float(np.mean(self._sure))
