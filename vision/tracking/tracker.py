"""From detections to tracked cards: who is who from frame to frame, what rests, and what is gone.

Each look at a card that lies still is a vote: the logarithms of its readings' probabilities are
added up. Pictures of one card in the same light err alike. So a picture that says what an earlier
one said adds hardly anything, however sure it is (see ``vision.tracking.views``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from vision.detection.detections import Detection
from vision.geometry.table_plane import Plane, Points
from vision.packs import BACK
from vision.tracking.covered import Covered, inside, samples
from vision.tracking.track import TURNED, Look, Track, looks_at, turn_between
from vision.tracking.tracked_card import (
    SEEN_AT_FIRST,
    UNWATCHED,
    Change,
    TrackedCard,
    TrackerSettings,
)
from vision.tracking.trajectories import Trajectories

_BRIEFLY = 0.2
"""A card that is missed no longer than this, in seconds, may well lie there."""

_ONE_CARD = 0.9
"""Two tracks that are read as the same card with this probability are one card: no pack has a card
twice (V-2)."""

_AGREES_NEAR, _AGREES_FAR = 0.5, 0.8
"""What is seen beside a card at rest is that card, pushed, if both are read alike with more than
the first probability; or, if it moved far, the second: another card may be misread as this one."""

_MAY_BE = 0.05
"""What is seen elsewhere, or turned, is a card that is on its way only if both are read alike with
at least this probability. That is asked only of a card that lay still or was clearly read."""

_APART = 11.0
"""Cards whose middles are this far apart, in centimetres, or farther do not touch."""

_LAYING, _LAID = 0.4, 0.1
"""Whoever laid a card reached over the table no more than this many seconds before it lay still, or
after it. Earlier somebody gathered a trick, and later the next one plays."""

_REMEMBERED = 3.0
"""Seconds for which it is remembered who reached over the table: longer than a card takes to be
told as one."""


class Tracker:
    """Follows the cards on the table from frame to frame.

    Attributes:
        settings: see ``TrackerSettings``.
        watched_since: since when frames come without a break, in seconds (``UNWATCHED``).
        cards: those that lie on the table, also those that are not seen just now.
        taken_for: for each detection of the latest frame the number of the card that it shows; one
            that has not come to rest has its number already. None where the detection clearly shows
            another card than the one that is known there.
    """

    def __init__(self) -> None:
        self.settings = TrackerSettings()
        self._tracks: list[Track] = []
        self._next = 1
        self._at = -math.inf
        self.watched_since = math.inf
        self._trajectories = Trajectories(self.settings.still)
        self._plane: Plane | None = None
        self._reaching: list[tuple[float, int]] = []
        self.cards: tuple[TrackedCard, ...] = ()
        self.taken_for: list[int | None] = []

    @property
    def moving(self) -> bool:
        """Whether something is seen that has not come to rest yet."""
        return any(not track.settled for track in self._tracks)

    @property
    def doubtful(self) -> tuple[Points, ...]:
        """Outlines in pixels, shape (4, 2), of what lies still and may be a card: look there."""
        return tuple(
            track.corners for track in self._tracks if track.lay_still and not track.settled
        )

    def backs(self, plane: Plane) -> dict[int, int]:
        """How many cards lie face down before each seat, as far as they can be told apart."""
        counts = dict.fromkeys(range(plane.seats), 0)
        for card in self.cards:
            seat = plane.zone(card.place).seat
            if card.down and seat is not None:
                counts[seat] += 1
        return counts

    def _measure_by(self, plane: Plane) -> None:
        """Takes a new plane: of a camera that was nudged (same outline), or measured anew."""
        before, self._plane = self._plane, plane
        if before is None or before is plane:
            return
        if np.array_equal(before.outline, plane.outline):
            for track in self._tracks:  # those under a hand lie at other pixels, too
                track.corners = plane.to_frame(track.quad)
            return
        for track in self._tracks:
            track.measure_anew(plane.homography @ np.linalg.inv(before.homography))
        self._trajectories = Trajectories(self.settings.still)

    def update(
        self,
        at: float,
        detections: Sequence[Detection],
        plane: Plane,
        covered: Covered | None = None,
        reaching: Callable[[], frozenset[int]] | None = None,
    ) -> list[Change]:
        """Takes in one frame.

        Args:
            at: its time, in seconds; later than the one before.
            detections: the cards that were seen in it.
            plane: where the table is.
            covered: what hands cover; None where nobody can say.
            reaching: the seats that reach over the table just now; None where nobody can say.

        Returns:
            What has changed, in order.
        """
        passed, self._at = max(at - self._at, 0.0), at
        if passed > UNWATCHED:
            self.watched_since = at
        self._measure_by(plane)
        looks = looks_at(detections, plane, self.settings)
        for track in self._tracks:
            track.frames += 1
            if self.watched_since == at:  # another card may have been laid where it lay
                track.last_covered = at
        free = self._associate(looks, at, passed, covered)
        for place, look in free:
            self._tracks.append(Track(self._number(), look, at, self.settings))
            self.taken_for[place] = self._tracks[-1].id
        if reaching is not None:
            self._reaching = [each for each in self._reaching if at - each[0] <= _REMEMBERED]
            self._reaching += [(at, seat) for seat in reaching()]
        changes = self._turn_over(at)
        changes += self._settle(at)
        changes += self._lose(at, min(passed, 0.5), looks, covered)
        self.cards = tuple([track.steady(at) for track in self._tracks if track.settled])
        return changes

    def _number(self) -> int:
        self._next += 1
        return self._next - 1

    def _associate(
        self, looks: list[Look], at: float, passed: float, covered: Covered | None
    ) -> list[tuple[int, Look]]:
        """Gives each detection to the card that it shows; returns those that nobody takes."""
        self.taken_for = [None] * len(looks)
        pairs = []
        for track in self._tracks:
            reach = self._reach(track, at, passed)
            for place, look in enumerate(looks):
                apart = math.dist(look.place, track.anchor)
                if apart > reach:
                    continue
                agreement = track.chance(look.best) * look.chance
                lies = self._lies(track, look, apart)
                if not lies and not self._may_have_moved(track, look, at, apart):
                    continue
                cost = apart / reach + 0.7 * (1 - agreement)
                if lies:
                    cost -= 2  # whatever it is read as
                pairs.append((cost, id(track), place, track, look))
        pairs.sort(key=lambda pair: pair[:3])
        taken_tracks, taken_looks, lying = set[int](), set[int](), set[int]()
        for _, key, place, track, look in pairs:
            if key in taken_tracks or place in taken_looks:
                continue
            taken_tracks.add(key)
            taken_looks.add(place)
            if track.settled:
                lying.add(place)
            if track.settled and self._is_touched(look, covered):
                track.last_covered = at  # or covered by a card that lies exactly on it
                look = look.unread()
            elif track.settled and track.is_contradicted_by(look, at):
                track.contradicting.append(look)
                track.seen, track.missed = at, 0.0
                continue
            self.taken_for[place] = track.id
            if look.readings:
                track.contradicting.clear()
            track.see(look, at)
        loose = (look for place, look in enumerate(looks) if place not in lying)
        sure = (look for look in loose if look.score >= self.settings.sure)
        self._trajectories.add(at, ((look.place, look.best == BACK) for look in sure))
        return [(place, look) for place, look in enumerate(looks) if place not in taken_looks]

    def _is_touched(self, look: Look, covered: Covered | None) -> bool:
        """Whether a hand lies over a part of a card, which is then misread."""
        if covered is None or not look.readings:
            return False
        return float(covered(samples(look.corners)).mean()) >= self.settings.touched

    def _reach(self, track: Track, at: float, passed: float) -> float:
        """How far from a card its next detection may be, in centimetres."""
        settings = self.settings
        if track.settled:
            return settings.near
        return settings.near + settings.flight * min(max(passed, at - track.seen), 0.1)

    def _lies(self, track: Track, look: Look, apart: float) -> bool:
        """Whether a detection lies just as a card did before."""
        turned = turn_between(track.turn, look.turn)
        apart = min(apart, math.dist(look.place, track.place))
        return turned <= self.settings.askew and apart <= self.settings.aside

    def _may_have_moved(self, track: Track, look: Look, at: float, apart: float) -> bool:
        """Whether what is seen elsewhere than a card was seen may be that card."""
        if track.settled:
            return self._is_pushed(track, look, at, apart)
        far = apart > self.settings.still or turn_between(track.turn, look.turn) > TURNED
        known = track.lay_still or track.is_clear
        return not (known and far) or track.chance(look.best) * look.chance >= _MAY_BE

    def _is_pushed(self, track: Track, look: Look, at: float, apart: float) -> bool:
        """Whether what is seen beside a card that rests is that card, pushed and perhaps turned."""
        far = apart > self.settings.still or turn_between(track.turn, look.turn) > TURNED
        if far and look.score < self.settings.sure:
            return False  # rather a second outline
        agreement = track.chance(look.best) * look.chance
        least = _AGREES_FAR if far else _AGREES_NEAR
        return agreement > least and look.best != BACK and not track.is_contradicted_by(look, at)

    def _turn_over(self, at: float) -> list[Change]:
        """Makes a new card of one that was turned over, or on which another one lies exactly."""
        changes, new = [], []
        for track in self._tracks:
            if len(track.contradicting) < self.settings.turnover:
                continue
            fresh = Track(self._number(), track.contradicting[0], at, self.settings)
            for look in track.contradicting[1:]:
                fresh.see(look, at)
            fresh.since, fresh.from_turnover = track.seen - self.settings.settle, True
            track.contradicting = []
            new.append(fresh)
            if BACK in (track.best, fresh.best):  # it lay there, and was turned over
                changes += self._gone(track, at)
        self._tracks = [track for track in self._tracks if track.id >= 0] + new
        return changes

    def _settle(self, at: float) -> list[Change]:
        """Tells what has come to rest by now: new cards, and those that were pushed."""
        changes = []
        for track in list(self._tracks):
            rests = track.rests(at, alone=not track.settled and self._is_alone(track))
            if track.settled:
                if track.since > track.moved_from and rests:
                    track.moved_from = track.since
                    changes.append(Change("moved", at, track.steady(at)))
                continue
            if not (rests and track.flat and track.is_card(at)):
                continue
            if self._is_double(track):
                self._tracks.remove(track)
                continue
            track.reached = frozenset(
                seat for then, seat in self._reaching if -_LAYING <= then - track.since <= _LAID
            )
            lying = [other.anchor for other in self._tracks if other.settled]
            coming = [
                (other.since, other.anchor)
                for other in self._tracks
                if other is not track and not other.settled and other.held > 1
            ]
            rest = (track.since, track.anchor)
            track.began, track.came = self._trajectories.first_seen(rest, lying, coming)
            old = self._pushed(track, at)
            if old is None:
                track.settled, track.appeared, track.moved_from = True, at, track.since
                track.watched = not 0 <= track.since - self.watched_since < SEEN_AT_FIRST
                changes.append(Change("appeared", at, track.steady(at)))
                continue
            old.anchor, old.turn, old.quad = track.anchor, track.turn, track.quad
            old.corners, old.seen, old.missed = track.corners, at, 0.0
            old.since = old.moved_from = track.since
            self._tracks.remove(track)
            changes.append(Change("moved", at, old.steady(at)))
        return changes

    def _is_alone(self, track: Track) -> bool:
        """Whether no other card touches it."""
        others = (other for other in self._tracks if other is not track)
        return all(math.dist(other.anchor, track.anchor) >= _APART for other in others)

    def _is_double(self, track: Track) -> bool:
        """Whether it is a second outline of a known card; its readings are then added to that.

        A card that lies exactly on another one is found by its readings, see ``_turn_over``.
        """
        settings = self.settings
        for other in self._tracks:
            apart = math.dist(other.anchor, track.anchor)
            turned = turn_between(other.turn, track.turn)
            if (
                other is not track
                and other.settled
                and other.seen >= track.since  # both are seen: none was pushed, or hides the other
                and apart < settings.double
                and turned < 0.3
            ):
                clear = track.chance(track.best) > 0.99 and other.chance(other.best) > 0.99
                if clear and track.best != other.best and other.chance(track.best) < 0.02:
                    # Of two cards that lie exactly on one another only one is seen.
                    lies = apart <= settings.aside and turned <= settings.askew
                    return lies and not track.from_turnover
                other.views.join(track.views)
                other.seen, other.missed = max(other.seen, track.seen), 0.0
                return True
        return False

    def _pushed(self, track: Track, at: float) -> Track | None:
        """The card that this one was a moment ago, elsewhere; None where it is a new one.

        A card that lay nearby, and was missed when this one came, was pushed here if both may be
        the same by their readings. A card from farther away must be read as the same.
        """
        settings = self.settings
        for old in self._tracks:
            away = at - old.seen
            if not old.settled or not 0 < away <= settings.moved_within:
                continue
            if old.seen > track.since:  # both were seen: they are two
                continue
            apart = math.dist(old.anchor, track.anchor)
            far = math.dist(old.anchor, track.came) > max(apart, settings.pushed_by)
            if far and track.began > old.since and old.agrees(track) < _ONE_CARD:
                continue  # it came from farther away, when the old one lay there
            if BACK in (old.best, track.best):
                same = old.best == track.best and apart <= settings.pushed_by
            elif apart <= settings.pushed_by and track.since - old.seen <= settings.pushed_within:
                near = apart <= settings.nudged_by
                same = old.agrees(track) > 0.05 or (near and old.agrees(track, by_rank=True) > 0.5)
            else:
                same = old.agrees(track) > 0.25
            if same:
                return old
        return None

    def _lose(
        self, at: float, passed: float, looks: list[Look], covered: Covered | None
    ) -> list[Change]:
        """Forgets what was missed for too long; tells which cards are gone."""
        changes: list[Change] = []
        settings = self.settings
        unseen = [track for track in self._tracks if track.seen < at]
        missing = [track for track in unseen if track.settled]
        for track in sorted(unseen, key=lambda track: -track.since):  # the upper ones first
            if not track.settled:
                if at - track.seen > (settings.lingers if track.lingers else settings.fade):
                    self._tracks.remove(track)
                continue
            track.hidden = self._hidden(track, at, looks, covered)
            if track.hidden:
                track.last_covered = at
            else:
                alone = covered is not None or not any(
                    other is not track and math.dist(other.anchor, track.anchor) < 20
                    for other in missing
                )
                rate = 1.0 if alone else settings.gone / settings.gone_in_group
                track.missed += passed * rate
            if track.missed >= settings.gone:
                track.bare = covered is not None
                changes += self._gone(track, at)
        self._tracks = [track for track in self._tracks if track.id >= 0]
        return changes

    def _hidden(self, track: Track, at: float, looks: list[Look], covered: Covered | None) -> bool:
        """Whether hands or other cards cover the place of a card."""
        if covered is not None:
            over = covered(samples(track.corners))
            if float(over.mean()) >= self.settings.covered:
                return True
        above = [look.quad for look in looks if math.dist(look.place, track.anchor) < _APART]
        above += [  # one that is covered itself covers what is below it
            other.quad
            for other in self._tracks
            if other.settled
            and other.since > track.since
            and (other.hidden or at - other.seen <= _BRIEFLY)
            and math.dist(other.anchor, track.anchor) < _APART
        ]
        if not above:
            return False
        under = inside(samples(track.quad), np.stack(above)).any(axis=1)
        return float(under.mean()) >= max(self.settings.covered, 0.45)

    def _gone(self, track: Track, at: float) -> list[Change]:
        card = track.steady(at)
        track.id = -1  # taken out of the list by whoever called
        return [Change("vanished", at, card)]
