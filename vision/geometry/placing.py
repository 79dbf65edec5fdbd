"""Where the table is in a camera's picture, found at the start and checked all the time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scorekeeper.messages import N_
from vision.detection.detections import Detection
from vision.detection.reader import NO_CARDS
from vision.geometry.calibration import Check, PlaneKeeper
from vision.geometry.markers import Marker
from vision.geometry.table_plane import (
    CORNERS,
    Plane,
    PlaneError,
    from_above,
    from_markers,
    scaled_by_cards,
)

LOOKS = 8
"""Looks at corner markers, or at cards, that must agree before the table's place is believed."""

SPREAD_CM = 1.0
"""Two places of the table agree if their outlines differ by no more than this, in centimetres."""

SURE = 0.9
"""Only what is read as a face with at least this probability tells how large a card is: backs may
be other things."""

OFF_SCALE = 0.15
"""The size of a table that somebody showed is put right if the cards show one that differs by more
than this part."""

UNSEEN = N_(
    "The camera does not see the table yet: lay the four corner markers on it, show where it is in "
    "the picture, or, if it looks straight down, lay a card there face up."
)


class Placing:
    """Finds the table by its four corner markers; without these, as seen from straight above.

    If somebody has shown the table's corners in the picture, the first cards on the table tell how
    large it is.

    Args:
        seats: two or four.
        turn: quarters of a turn by which seat 0 sits further; see
            ``vision.geometry.table_plane.turned``.
        plane: where the table is, if a person has shown it or it was kept; else None.

    Attributes:
        seats: two or four.
        turn: see above.
        lack: why the table's place is not known; None where it is known.
    """

    def __init__(self, seats: int, *, turn: int = 0, plane: Plane | None = None) -> None:
        self.seats, self.turn = seats, turn
        self.lack = None if plane else PlaneError(UNSEEN)
        self._keeper = None if plane is None else PlaneKeeper(plane)
        self._away: Plane | None = None  # where it was in pictures of another shape
        self._tries: list[Plane] = []
        self._quads: list[NDArray[np.floating]] = []
        self._looks = 0
        self._scaled = False

    @property
    def plane(self) -> Plane | None:
        """Where the table is; None while nobody knows."""
        return None if self._keeper is None else self._keeper.plane

    def fit(self, size: tuple[int, int]) -> None:
        """Adapts the table's place to the size of the pictures.

        If they have another shape than before, the place is unknown until they have the old shape
        again: a phone may be turned for a moment.

        Args:
            size: width and height of the pictures, in pixels.
        """
        known = self._away if self._keeper is None else self._keeper.plane
        plane = None if known is None else known.in_picture(size)
        if plane is not None and (self._keeper is None or plane is not known):
            self._keeper, self._away, self.lack = PlaneKeeper(plane), None, None
        elif plane is None and self._keeper is not None:
            self._keeper, self._away, self.lack = None, known, PlaneError(UNSEEN)

    def look(
        self,
        markers: Mapping[int, NDArray[np.floating]],
        detections: Sequence[Detection],
        size: tuple[int, int],
        *,
        begun: bool = True,
    ) -> Check:
        """Looks at one more frame.

        Args:
            markers: id of each corner marker that is seen to its corners, shape (4, 2), in pixels.
            detections: the cards that are seen.
            size: width and height of the frame, in pixels.
            begun: whether the first hand has begun. From then on a single marker that lies
                elsewhere was pushed, and the table stays where it is. Before that, people are still
                laying the markers, and the table is found anew.

        Returns:
            ``FOUND`` where the table was found just now; else as ``PlaneKeeper.check_markers``
            says, ``UNSEEN`` too while the table is not known.
        """
        keeper = self._keeper
        if keeper is not None and (len(markers) < 4 or keeper.fits(markers, but=int(begun))):
            if keeper.plane.markers:
                return keeper.check_markers(markers)
            return Check.STEADY if self._scaled else self._scale(keeper.plane, _faces(detections))
        try:
            return self._find(markers, detections, size)
        except PlaneError as error:
            self._tries.clear()
            if self._keeper is None:
                self.lack = error
        return Check.STEADY if self._keeper else Check.UNSEEN

    def _find(
        self,
        markers: Mapping[int, NDArray[np.floating]],
        detections: Sequence[Detection],
        size: tuple[int, int],
    ) -> Check:
        """Looks for the table where it is not known, or the markers were moved."""
        if markers:  # where somebody has laid markers, only these tell
            self._agree(from_markers(markers, self.seats, turn=self.turn))
            self._quads.clear()
            self._looks = 0
        else:
            faces = _faces(detections)
            self._quads += faces
            self._looks += bool(faces)
            if self._looks < LOOKS:
                return Check.UNSEEN
            quads, self._quads, self._looks = self._quads, [], 0
            plane = from_above(size, quads, self.seats, turn=self.turn)
            self._tries, self._scaled = [plane] * LOOKS, True
        if len(self._tries) < LOOKS:
            return Check.STEADY if self._keeper else Check.UNSEEN
        self._keeper = PlaneKeeper(replace(self._tries[-1], size=size))
        self._tries.clear()
        self.lack = None
        return Check.FOUND

    def _scale(self, shown: Plane, faces: Sequence[NDArray[np.floating]]) -> Check:
        """Puts right, once, the size of a table that somebody showed in the picture."""
        if not faces:
            return Check.STEADY
        try:
            self._agree(scaled_by_cards(shown, faces))
        except PlaneError:
            return Check.STEADY
        if len(self._tries) < LOOKS:
            return Check.STEADY
        plane, self._scaled = self._tries[-1], True
        self._tries.clear()
        grown = np.ptp(plane.outline, axis=0) / np.ptp(shown.outline, axis=0)
        if np.abs(grown - 1).max() <= OFF_SCALE:
            return Check.STEADY
        self._keeper = PlaneKeeper(plane)
        return Check.FOUND

    def _agree(self, plane: Plane) -> None:
        """Collects places that agree, so that a marker in a moving hand does not count."""
        if self._tries:
            before = self._tries[-1]
            there = plane.to_table(before.to_frame(before.outline))
            if np.abs(there - before.outline).max() > SPREAD_CM:
                self._tries.clear()
        self._tries.append(plane)


def _faces(detections: Sequence[Detection]) -> list[NDArray[np.floating]]:
    """The corners of what is surely a card that lies face up."""
    return [
        detection.corners
        for detection in detections
        if detection.card not in NO_CARDS and detection.probability >= SURE
    ]


def corners_of(markers: Sequence[Marker]) -> dict[int, NDArray[np.floating]]:
    """The corner markers among markers, by number, each with its corners, shape (4, 2), in pixels.

    If a number is there twice, as where a second printed sheet lies about, the outer one counts.
    """
    corners = [marker for marker in markers if marker.id in CORNERS]
    if not corners:
        return {}
    middle = np.mean([marker.corners.mean(axis=0) for marker in corners], axis=0)
    outwards = sorted(corners, key=lambda each: float(np.hypot(*(each.corners.mean(0) - middle))))
    return {marker.id: marker.corners for marker in outwards}
