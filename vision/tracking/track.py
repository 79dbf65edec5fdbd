"""A card from frame to frame: what one frame shows of it, and what is known of it by now."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vision.detection.detections import Detection
from vision.geometry.table_plane import Plane, Points, mapped
from vision.packs import BACK
from vision.tracking.tracked_card import TrackedCard, TrackerSettings
from vision.tracking.trajectories import Place
from vision.tracking.views import Readings, Views

_SURE = 0.8
"""A reading with at least this probability is clear by itself."""

TURNED = 0.35
"""A card that is turned by more than this, in radians, was moved."""

_NO_DOUBT = 0.97
"""A reading with at least this probability is beyond doubt."""

_COLOURS = {"C": "black", "S": "black", "D": "red", "H": "red"}
"""In bad light suits of one colour look alike; each Spanish one has its own."""


def turn_between(one: float, other: float) -> float:
    """The angle between two long sides, 0 to π/2; a card looks the same turned by half."""
    apart = abs(one - other) % math.pi
    return min(apart, math.pi - apart)


def _passed(since: float, at: float) -> float:
    """Seconds from one time to another; a little more, so that rounding misses no limit."""
    return at - since + 1e-6


def _rank_and_colour(name: str) -> tuple[str, str]:
    """Rank and colour of a card, by which it is known in bad light."""
    return name[:-1], _COLOURS.get(name[-1:], name[-1:])


class Look(NamedTuple):
    """One detection on the table.

    Attributes:
        corners: shape (4, 2), in pixels.
        quad: shape (4, 2), in centimetres.
        place: the middle of that, x and y.
        turn: the angle of the long side, 0 to π.
        flat: whether it is about as large as a card that lies on the table; one that is held above
            it looks larger.
        shaped: whether its sides are about as long as a card's. Where two cards overlap the outline
            may go round both, and then its readings are wrong.
        readings: see ``Detection.readings``.
        best: the likeliest reading; empty where nothing was read.
        chance: the probability of that, 0–1.
        score: how sure the finder is that this is a card, 0–1.
    """

    corners: Points
    quad: Points
    place: Place
    turn: float
    flat: bool
    shaped: bool
    readings: Readings
    best: str
    chance: float
    score: float

    def unread(self) -> Look:
        """The same look without its readings: something lies over the card, so they mislead."""
        return self._replace(readings=())


def looks_at(
    detections: Sequence[Detection], plane: Plane, settings: TrackerSettings
) -> list[Look]:
    """The detections of a frame as they lie on the table; all at once, which is faster.

    Args:
        detections: what was seen in the frame.
        plane: where the table is.
        settings: the tracker's settings.
    """
    if not detections:
        return []
    corners = np.array([detection.corners for detection in detections], np.float64)
    quads = plane.to_table(corners.reshape(-1, 2)).reshape(-1, 4, 2)
    narrow, tall = settings.card_cm
    usual = math.sqrt(narrow * tall)
    found = []
    for detection, pixels, quad, ((ax, ay), (bx, by), (cx, cy), (dx, dy)) in zip(
        detections, corners, quads, quads.tolist(), strict=True
    ):
        across = ((bx - ax + cx - dx) / 2, (by - ay + cy - dy) / 2)
        down = ((dx - ax + cx - bx) / 2, (dy - ay + cy - by) / 2)
        width, height = math.hypot(*across), math.hypot(*down)
        if width > height:
            across, down = down, across
        size = math.sqrt(max(width * height, 1e-9)) / usual
        best, chance = detection.readings[0] if detection.readings else ("", 0.0)
        found.append(
            Look(
                corners=pixels,
                quad=quad,
                place=((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4),
                turn=math.atan2(down[1], down[0]) % math.pi,
                flat=abs(size - 1) < settings.off_size,
                shaped=abs(min(width, height) / narrow - 1) < settings.off_shape
                and abs(max(width, height) / tall - 1) < settings.off_shape,
                readings=detection.readings,
                best=best,
                chance=chance,
                score=detection.score,
            )
        )
    return found


class Track:
    """What may be a card, over time. Times are seconds, places are x and y in centimetres.

    Args:
        number: its number.
        look: its first detection.
        at: the time of that, in seconds.
        settings: the tracker's settings.

    Attributes:
        id: its number; -1 once it is gone.
        settled: whether it has ever come to rest: from then on it is a card on the table.
        appeared: when it first came to rest; NaN before that.
        watched: whether the table was watched then, and just before.
        views: what its pictures say that it is.
        missed: for how long it has been missed while nothing seemed to cover it.
        hidden: whether hands or other cards cover its place now.
        bare: whether it is gone, and its place was seen with nothing over it.
        contradicting: the latest looks at its place that clearly show something else.
        read_as: the names that at least one clear reading gave it.
        from_turnover: whether ``Tracker._turn_over`` made it, as a card that lay there was turned
            over, or has this one exactly on it. Its first pictures were taken for that card's.
        last_covered: when something last covered it; minus infinity once it was read again.
        moved_from: ``since`` at the last change that was told of it; a later one was a push.
        began: when it was first seen on its way here.
        came: where it was first seen on its way here.
        reached: see ``TrackedCard.reached``.
        anchor: where it lies: the mean of the places at which it was seen there.
        turn: the angle of its long side when it came there, 0 to π.
        since: when it was first seen there.
        held: in how many looks it was seen there.
        stopped: when it may have come to a stop; see ``TrackerSettings.still_alone``.
        frames: how many frames there were after ``since``, with those that missed it.
        scores: the sum of the finder's scores there; outlines of a wrong shape add nothing.
        sure: whether the finder is sure of it: by the mean of these scores.
        place: see ``Look``; of the latest look, as ``flat``, ``quad`` and ``corners`` are.
        seen: the time of the latest look.
    """

    def __init__(self, number: int, look: Look, at: float, settings: TrackerSettings) -> None:
        self.id = number
        self.settings = settings
        self.settled = False
        self.appeared = math.nan
        self.watched = True
        self.views = Views(settings)
        self.missed = 0.0
        self.hidden = False
        self.bare = False
        self.contradicting: list[Look] = []
        self.read_as: set[str] = set()
        self.from_turnover = False
        self.last_covered = -math.inf
        self.moved_from = at
        self.began, self.came = at, look.place  # known when it has come to rest
        self.reached: frozenset[int] = frozenset()  # known when it has come to rest
        self._rest(look, at)
        self._take(look, at)

    def _rest(self, look: Look, at: float) -> None:
        """Counts anew, for it lies somewhere else than before."""
        self.anchor = look.place
        self.turn = look.turn
        self.held = 1
        self.since = at
        self._stop(look, at)
        self.frames, self.scores = 0, 0.0
        if not self.settled:  # what was read on the way is blurred
            self.views = Views(self.settings)

    def _stop(self, look: Look, at: float) -> None:
        """Notes that it may have come to a stop here; see ``TrackerSettings.still_alone``."""
        self._stopped_at, self.stopped = look.place, at

    def _take(self, look: Look, at: float) -> None:
        """Keeps what the latest look shows."""
        self.place, self.flat = look.place, look.flat
        self.quad, self.corners = look.quad, look.corners
        self.seen, self.missed, self.hidden = at, 0.0, False
        self.scores += look.score * look.shaped
        self.sure = self.scores / max(self.held, self.frames) >= self.settings.sure
        if not self.settled or self.held >= self.settings.least:
            # While a card is pushed, or taken away, its pictures mislead.
            self.views.add(look.readings, 1.0 if look.shaped else self.settings.misshapen)

    def see(self, look: Look, at: float) -> None:
        """Takes in one more look at it."""
        if look.readings and look.chance >= _SURE:
            self.read_as.add(look.best)
        if look.chance >= _SURE and _rank_and_colour(look.best) == _rank_and_colour(self.best):
            self.last_covered = -math.inf  # it is read as before, so nothing lies on it
        offset = math.dist(look.place, self.anchor)
        if offset > self.settings.still or turn_between(look.turn, self.turn) > TURNED:
            self._rest(look, at)
        else:
            self.held += 1
            x, y = self.anchor
            share = 1 / min(self.held, 30)
            self.anchor = (x + (look.place[0] - x) * share, y + (look.place[1] - y) * share)
            if math.dist(look.place, self._stopped_at) > self.settings.still_alone:
                self._stop(look, at)
        self._take(look, at)

    def measure_anew(self, move: Points) -> None:
        """Changes to the centimetres of a table that was measured anew; the card did not move.

        Args:
            move: The homography from the old centimetres to the new ones, shape (3, 3).
        """
        x, y = self.anchor
        tip = (x + math.cos(self.turn), y + math.sin(self.turn))
        points = mapped(move, np.array([(x, y), tip, self.place, self.came, self._stopped_at]))
        (x, y), (u, v), self.place, self.came, self._stopped_at = map(tuple, points.tolist())
        self.anchor, self.turn = (x, y), math.atan2(v - y, u - x) % math.pi
        self.quad = mapped(move, self.quad)
        self.contradicting.clear()

    @property
    def best(self) -> str:
        """The likeliest card; empty where nothing was read."""
        return self.views.best

    def chance(self, name: str) -> float:
        """How likely it is that card, by its own readings, 0–1."""
        return self.views.chance(name)

    def agrees(self, other: Track, *, by_rank: bool = False) -> float:
        """How likely both are the same card, or two of a rank, by their readings; 0–1."""
        mine, others = self.views.chances(by_rank=by_rank), other.views.chances(by_rank=by_rank)
        return sum(chance * others.get(name, 0.0) for name, chance in mine.items())

    def is_card(self, at: float) -> bool:
        """Whether it is taken for a card.

        It is where the finder is sure of it; or where it has lain there for long; or where the
        finder misses it at times, but is sure when it sees it, and it is clearly read as one face.
        """
        settings = self.settings
        return (
            self.sure
            or at - self.since >= settings.unsure
            or (
                self.is_clear
                and self.scores / self.held >= settings.sure
                and self.views.pictures >= settings.least
            )
        )

    @property
    def is_clear(self) -> bool:
        """Whether it is clearly read as one face."""
        return self.best != BACK and self.chance(self.best) >= self.settings.clear

    def rests(self, at: float, *, alone: bool) -> bool:
        """Whether it is seen to lie still for long enough.

        Args:
            at: the time, in seconds.
            alone: whether no other card touches it: then a clear face rests sooner.
        """
        settings = self.settings
        if self.seen != at:
            return False
        if self.settled:
            return _passed(self.since, at) >= settings.settle
        enough = [(self.since, settings.settle, settings.least)]
        if alone and self.sure and self.is_clear:
            enough.append((self.stopped, settings.settle_alone, settings.least_alone))
        pictures = self.views.pictures
        return any(_passed(since, at) >= lies and pictures >= seen for since, lies, seen in enough)

    @property
    def lay_still(self) -> bool:
        """Whether it was seen at one place at least twice, so that it may lie there."""
        return self.held > 1

    @property
    def lingers(self) -> bool:
        """Whether it may still lie there though it is missed: a face that lay still or was clear.

        Other faces may be blurs, and backs may be hands.
        """
        lay = self.lay_still or self.chance(self.best) >= _SURE
        return lay and self.best not in ("", BACK)

    def is_contradicted_by(self, look: Look, at: float) -> bool:
        """Whether a look at its place clearly shows its other side, or another card.

        A face that is read as another one was usually misread, then or now. It is another card,
        laid exactly onto this one, only if both readings are beyond doubt and something covered
        this one in between.
        """
        if (look.best == BACK) != (self.best == BACK):
            return (
                look.chance >= _SURE
                and self.views.pictures >= self.settings.least
                and self.chance(look.best) < 0.02
            )
        names = {each.best for each in self.contradicting}  # these were beyond doubt once
        return (
            (bool(names) or at - self.last_covered <= self.settings.laid_within)
            and _rank_and_colour(look.best) not in map(_rank_and_colour, {self.best, *self.read_as})
            and look.shaped
            and look.chance >= (_SURE if look.best in names else _NO_DOUBT)
            and self.chance(self.best) >= _NO_DOUBT
            and self.views.pictures >= self.settings.turnover
        )

    def steady(self, at: float) -> TrackedCard:
        """The card as other modules see it, at this time."""
        return TrackedCard(
            id=self.id,
            place=self.anchor,
            turn=self.turn,
            came=self.came,
            reached=self.reached,
            quad=self.quad,
            corners=self.corners,
            evidence=self.views.evidence,
            detections=self.views.pictures,
            contradicted=bool(self.contradicting),
            sure=self.sure,
            since=self.since,
            appeared=self.appeared,
            watched=self.watched,
            seen=self.seen,
            missing=max(at - self.seen, 0.0),
            bare=self.bare,
        )
