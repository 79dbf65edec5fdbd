"""Where to look for cards in a frame, and which of the detections to believe.

* In a whole frame made small the finder takes two overlapping cards for one. So it is shown only
  the table, and while something moves only the part around it: there the cards are larger.
* Each look is turned by a quarter against the one before. An outline that is wrong in one look is
  hardly wrong in the same way in the next: so one mistake is not taken for many that agree.
* A known card that the finder misses still lies there if its place looks as it did.
* Where the table looks as it did before, nothing has come. So a book with a pattern that always lay
  there is no card face down.
* All cards of a table have one size. Once it is known, outlines of another size are given this one
  (``vision.geometry.card_size``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.detection.deck_templates import KnownDeck
from vision.detection.detections import ONE_CARD, SAME_CARD, Detection, one_a_card
from vision.detection.outlines import Found, overlaps
from vision.detection.reader import CardReader, How, Image, Region
from vision.geometry.card_size import CardSize, card_heights
from vision.geometry.table_plane import Plane
from vision.occlusion.cover import FrameState
from vision.packs import BACK
from vision.tracking.tracked_card import TrackedCard

Outline = NDArray[np.float32]

EVERY = 2.0
"""Seconds after which all of the table is looked at again."""

MOST = 0.6
"""Where regions make up a larger part of the table than this, all of it is looked at."""

ENOUGH, SELDOM = 10, 3
"""A card that was read in ten pictures, and lies as it lay, is read only in every third look. It is
not left out for good: another card may have been laid exactly onto it."""

BARE = 0.85
"""A detection of which at least this part looks as the table did before has always lain there. Even
white cards on a white cloth differed from it in a quarter of their place. Such a detection is read
in every third look only, and is no card if it reads as a back."""

CLEAR = 0.9
"""Where the table looks as it did before, a face that is not known is a card only if it is read
with at least this probability: things with a pattern are hardly ever read so surely."""

UNSURE = 0.5
"""Where a known card lies as it lay, a reading of another card with less than this probability does
not count."""

SAME_PLACE = 0.3
"""A detection is of a known card if their middles are nearer than this part of its height."""


class CardSearch:
    """Looks for cards in frames, one after the other.

    Args:
        reader: finds and reads them.
    """

    def __init__(self, reader: CardReader) -> None:
        self._reader, self._size = reader, CardSize()
        self._whole = -np.inf
        self._looks = 0

    def look(
        self,
        at: float,
        frame: Image,
        plane: Plane,
        cards: Sequence[TrackedCard],
        state: FrameState,
        *,
        before: Sequence[Image] = (),
        doubtful: Sequence[NDArray[np.floating]] = (),
        pack: Collection[str] | None = None,
        deck: KnownDeck | None = None,
    ) -> list[Detection]:
        """Finds and reads the cards of a frame, and adds the known ones that lie as they lay.

        Args:
            at: its time, in seconds.
            frame: BGR, 8 bits.
            plane: where the table is in it.
            cards: the tracked cards as they were known before.
            state: what ``Cover`` says of the frame.
            before: see ``CardReader.read``.
            doubtful: outlines of what may be a card, in pixels of the frame. They are looked at
                even where nothing moves any more: a card that lies on others is not found in every
                look.
            pack: see ``CardReader.read``.
            deck: see ``CardReader.read``.

        Returns:
            The detections. That of a card that lies as it lay, and was not read this time, has no
            readings.
        """
        self._looks += 1
        self._size.see(plane, ((card.id, card.corners) for card in cards if _shows_size(card)))
        outlines = {card.id: plane.to_frame(card.quad).astype(np.float32) for card in cards}

        def is_known(found: Found | Detection) -> bool:
            return any(_is_at(found, outline) for outline in outlines.values())

        def has_come(found: Found | Detection) -> bool | None:
            bare = state.bare(found.corners.astype(np.float64))
            return None if bare is None else bare < BARE

        rest = [outlines[card.id] for card in cards if self._may_rest(card) and state.lies(card.id)]

        seldom = self._looks % SELDOM != 0

        def skip(found: Found) -> bool:
            if any(overlaps(found.corners, outline)[0] > ONE_CARD for outline in rest):
                return True
            return seldom and not is_known(found) and has_come(found) is False

        resize = partial(self._size.resized, plane=plane, bare=state.bare)
        found = one_a_card([
            detection
            for region in self._regions(at, frame, plane, [*state.regions, *map(_bounds, doubtful)])
            for detection in self._reader.read(
                frame, before=before, pack=pack, deck=deck, region=region, skip=skip,
                how=How(self._looks % 4), resize=resize,
            )
        ])  # fmt: skip
        found = [each for each in found if is_known(each) or _may_be(each, has_come(each))]
        for card in cards:
            outline = outlines[card.id]
            sure = (each for each in found if _is_at(each, outline) and not _is_unsure(each, card))
            if not any(sure) and state.lies(card.id):
                found = _lying(card, outline, found)
        return found

    def _may_rest(self, card: TrackedCard) -> bool:
        """Whether a known card need not be read this time, if it lies as it lay."""
        seldom = (self._looks + card.id) % SELDOM != 0
        return seldom and card.detections >= ENOUGH and not card.contradicted

    def _regions(
        self, at: float, frame: Image, plane: Plane, boxes: Sequence[Region]
    ) -> list[Region]:
        """The parts of the frame in which cards are looked for.

        Args:
            at: the frame's time, in seconds.
            frame: BGR, 8 bits.
            plane: where the table is in it.
            boxes: where something may be new.
        """
        around = float(
            card_heights(plane).max()
        )  # a card of which only an edge moved is seen whole
        table = _box_of(plane.to_frame(plane.outline), around / 4, frame)
        regions: list[Region] = []
        for box in boxes:
            left, top, right, bottom = grown = _grown(box, around, table)
            if left < right and top < bottom:  # a doubtful outline may lie beside the table
                regions = _with(regions, grown)
        if not regions or sum(map(_area, regions)) > MOST * _area(table):
            regions = [table]
        elif at - self._whole >= EVERY:
            regions.append(table)
        if regions[-1] == table:
            self._whole = at
        return regions


def _shows_size(card: TrackedCard) -> bool:
    """Whether a card shows how large cards are; a back does not, for it may be a whole heap."""
    return card.sure and not card.down and not card.missing and card.detections >= ENOUGH


def _lying(card: TrackedCard, outline: Outline, found: list[Detection]) -> list[Detection]:
    """The detections of a frame, with one of a card that lies as it lay added.

    The finder guesses the outline of a card that is partly covered. The outline known from before
    is better, so it replaces the guess. If the same card was read by the guess, that reading stays;
    unsure readings of another card are dropped.
    """
    found = [each for each in found if not (_is_at(each, outline) and _is_unsure(each, card))]
    same = [
        each
        for each in found
        if each.card == card.best != BACK and overlaps(each.corners, outline)[1] > SAME_CARD
    ]
    readings = same[0].readings if same else ()
    return [
        *(each for each in found if not any(each is other for other in same)),
        Detection(outline, 1.0, readings),
    ]


def _may_be(detection: Detection, has_come: bool | None) -> bool:
    """Whether a detection where no card was known may be a card.

    Args:
        detection: it.
        has_come: whether something new lies there; None where nobody knows.
    """
    if detection.card == BACK:
        return bool(has_come)
    return has_come is not False or detection.probability >= CLEAR


def _is_unsure(detection: Detection, card: TrackedCard) -> bool:
    """Whether a detection at a known card's place reads as another one, and with little chance."""
    return detection.probability < UNSURE and detection.card != card.best


def _box_of(points: np.ndarray, around: float, frame: Image) -> Region:
    """A box around points, wider by some pixels; all of the frame where it is outside of that."""
    low = np.maximum(points.min(axis=0) - around, 0)
    high = np.minimum(points.max(axis=0) + around, frame.shape[1::-1])
    if (high - low).min() < 1:  # the table is not in the picture
        return (0, 0, frame.shape[1], frame.shape[0])
    return (int(low[0]), int(low[1]), int(np.ceil(high[0])), int(np.ceil(high[1])))


def _bounds(outline: NDArray[np.floating]) -> Region:
    (left, top), (right, bottom) = outline.min(axis=0).astype(int), outline.max(axis=0).astype(int)
    return (int(left), int(top), int(right), int(bottom))


def _grown(box: Region, around: float, within: Region) -> Region:
    by = round(around)
    return (
        max(box[0] - by, within[0]), max(box[1] - by, within[1]),
        min(box[2] + by, within[2]), min(box[3] + by, within[3]),
    )  # fmt: skip


def _with(regions: list[Region], new: Region) -> list[Region]:
    """Regions and one more; those that overlap become one."""
    for box in regions:
        if box[0] < new[2] and new[0] < box[2] and box[1] < new[3] and new[1] < box[3]:
            both = np.array([box, new])
            left, top = (int(value) for value in both[:, :2].min(axis=0))
            right, bottom = (int(value) for value in both[:, 2:].max(axis=0))
            return _with([each for each in regions if each != box], (left, top, right, bottom))
    return [*regions, new]


def _area(box: Region) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _is_at(detection: Detection | Found, outline: Outline) -> bool:
    """Whether a detection is at a known card's place."""
    height = float(np.linalg.norm(outline - np.roll(outline, 1, axis=0), axis=1).max())
    apart = float(np.linalg.norm(detection.corners.mean(axis=0) - outline.mean(axis=0)))
    return apart < SAME_PLACE * height
