"""Evidence: the picture of the moment of each event, and the two seconds around it as a clip.

Whoever watches the table only picks pictures out of the ring, which is quick; a thread of its own
writes the files (``scorekeeper.storage.media``). Nothing that goes wrong here stops the match; each
problem is told once.

What is kept of an event as JSON: ``do``, ``seat`` and ``card`` as they were written; ``readings``,
what the camera alone read, the likeliest first; ``expected``, who was due and which cards were
still possible; ``changed``, in what the card differs from the likeliest reading: ``rank``, ``suit``
or null; ``why`` and ``chance`` of the proposal; ``corners`` of the card in the picture, in pixels;
``moment``, the event's time in the clip, in seconds. Only played cards are named or shown.
"""

from __future__ import annotations

import json
import logging
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Condition, Thread
from typing import Any, NamedTuple

import numpy as np

from scorekeeper.history.fixes import READINGS
from scorekeeper.messages import N_
from scorekeeper.storage.media import ABOUT, CLIP, STILL, NoRoom, Pictures
from vision.capture.sources import Frame
from vision.detection.detections import Detection
from vision.errors import in_words
from vision.evidence.clips import Corners, load_av, outlined, table_in, write_clip
from vision.evidence.ring_buffer import Face, Ring, Shot
from vision.health import TablePlane
from vision.packs import BACK
from vision.tracking.tracked_card import TrackedCard
from vision.watched_table import Appended, WatchingTable

log = logging.getLogger(__name__)

AROUND = 1.0
"""Seconds of a clip before the moment, and after it."""
MOST_STILLS, MOST_CLIPS = 64, 8
"""Most pictures and clips that may wait to be written; together they hold some 90 MB."""
SURE = 0.9
"""A detection that is read with at least this probability is that card."""
SAME_PLACE, LANDING = 0.35, 1.0
"""A detection is of a card if their middles are nearer than the first part of its mean side; nearer
than the second, it may be the card that is just being laid, and is not hidden."""
FLICKER = 0.2
"""A card that is held is hidden from so many seconds before it is seen until as many after: it is
not seen in every frame."""


class Hitch(NamedTuple):
    """Why pictures are not kept, or not all of them.

    Attributes:
        reason: A sentence with ``{fields}``; also the key of its translations.
        fields: What the reason's fields stand for.
    """

    reason: str
    fields: Mapping[str, object]

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """What is wrong and what to do, in the language of ``translate`` (gettext)."""
        return in_words(self.reason, self.fields, translate)


UNWRITABLE = N_("Pictures cannot be kept in {folder}: {reason}. The match goes on without them.")
NO_ROOM = N_("The pictures of this match take up all that pictures may: no more of it are kept.")
REMOVED = N_("The pictures of this match were removed: no more of it are kept.")
TOO_SLOW = N_("This machine is too slow to keep a picture of every moment.")
NO_CLIPS = N_("Pictures are kept, but no clips: {reason}; to fix it: {mend}")


@dataclass(eq=False)
class _Case:
    """An event whose picture and clip are being kept.

    Attributes:
        match_id: of the match.
        appended: the event, and what it came of.
        at: the moment, in seconds of the source's clock.
        corners: the outline of the event's card, shape (4, 2), in pixels; None where it has none.
        shots: the pictures around the moment, in order.
        played: the numbers of the cards that may be shown.
    """

    match_id: int
    appended: Appended
    at: float
    corners: Corners | None
    shots: list[Shot]
    played: frozenset[int]

    def film(self) -> Iterator[tuple[float, Any]]:
        """The pictures of the clip with their times, in seconds."""
        lying = self._lying()
        for shot in self.shots:
            yield shot.at, self._picture(shot, lying)

    def still(self) -> bytes | None:
        """The picture of the moment, a JPEG; None where there is none."""
        shot = min(self.shots, key=lambda shot: abs(shot.at - self.at), default=None)
        if shot is None:
            return None
        return outlined(self._picture(shot, self._lying()), self.corners)

    def _lying(self) -> list[Corners]:
        """Where cards lie that were not played, in all pictures: they lie before they are known."""
        found = {
            (number, *np.round(corners / 4).ravel().tolist()): corners
            for shot in self.shots
            for number, corners in shot.faces
            if number is not None and number not in self.played
        }
        return list(found.values())

    def _picture(self, shot: Shot, lying: list[Corners]) -> Any:
        held = [
            corners
            for other in self.shots
            if abs(other.at - shot.at) <= FLICKER
            for number, corners in other.faces
            if number is None and _apart(corners, self.corners) >= LANDING
        ]
        return table_in(shot, lying + held, self.corners)

    def about(self) -> dict[str, Any]:
        """What is kept as JSON; see the module's description."""
        seq, event, proposal, expected = self.appended
        readings = event.remarks.get(READINGS)
        eyes: str | None = None
        match readings:
            case [[str(name), *_], *_]:
                eyes = name
        card = None if event.card is None else str(event.card)
        changed = None
        if eyes is not None and card is not None and eyes != card:
            changed = "suit" if eyes[:-1] == card[:-1] else "rank"
        return {
            "format": "trucam-evidence/1",
            "match": self.match_id,
            "seq": seq,
            "do": event.do,
            "seat": event.seat,
            "card": card,
            "readings": readings,
            "expected": {"due": list(expected.due), "possible": sorted(expected.possible)},
            "changed": changed,
            "why": proposal.why,
            "chance": round(proposal.chance, 4),
            "corners": None if self.corners is None else np.round(self.corners, 1).tolist(),
            "moment": round(self.at - self.shots[0].at, 3) if self.shots else None,
        }


class Evidence:
    """Keeps pictures and clips of the events of a match. Must be closed at the end.

    Args:
        pictures: Where they are kept.

    Attributes:
        hitches: Why pictures are not kept now, or not all of them; empty while all is well.
    """

    def __init__(self, pictures: Pictures) -> None:
        self.hitches: list[Hitch] = []
        self._pictures, self._ring = pictures, Ring()
        self._match_id: int | None = None
        self._opened = False
        self._over = False
        self._played: frozenset[int] = frozenset()
        self._open: list[_Case] = []
        self._stills: deque[_Case] = deque()
        self._clips: deque[_Case] = deque()
        self._wants_clips = True
        self._closing = False
        self._wake = Condition()
        self._thread = Thread(target=self._work, name="evidence", daemon=True)
        self._thread.start()

    def begin(self, match_id: int) -> None:
        """Keeps the events of a match from now on; pictures of before are forgotten."""
        with self._wake:
            self._finish(self._open)
            self._ring.clear()
            self._match_id, self._opened, self._over = match_id, False, False
            self._played = frozenset()
            self.hitches = [each for each in self.hitches if each.reason == UNWRITABLE]

    def see(
        self,
        frame: Frame,
        plane: TablePlane,
        *,
        cards: Iterable[TrackedCard],
        played: Collection[int],
        detections: Iterable[Detection] = (),
    ) -> None:
        """Takes in a frame.

        Args:
            frame: The frame.
            plane: Where the table is in it.
            cards: The cards on the table.
            played: The numbers of those that are plays; the others that show their faces are
                hidden in whatever is kept.
            detections: What was seen in the frame: cards that somebody holds are hidden too.
        """
        if self._match_id is None or self._over or not self._pictures.wanted:
            return
        with self._wake:
            self._played = frozenset(played)
            if not self._ring.add(frame, plane, faces_of(tuple(cards), self._played, detections)):
                return
            shot = self._ring.newest
            assert shot is not None
            done = []
            for case in self._open:
                if case.shots and case.shots[-1].at < shot.at <= case.at + AROUND:
                    case.shots.append(shot)
                else:
                    done.append(case)
            self._finish(done)

    def keep(self, appended: Appended, corners: Corners | None = None) -> None:
        """Keeps the moment of an event; returns at once.

        Args:
            appended: The event, and what it came of.
            corners: The outline of its card in the frame, shape (4, 2), in pixels; None where it
                has no card, or that lies there no more.
        """
        with self._wake:
            if self._match_id is None or self._over or not self._ready(self._match_id):
                return
            at, newest = appended.proposal.at, self._ring.newest
            shots = self._ring.between(at - AROUND, at + AROUND)
            gone = corners is None and appended.event.card is not None
            if not shots and newest is not None and not gone:  # it lay there long before it counted
                at = newest.at
                shots = self._ring.between(at - AROUND, at)
            own = set() if appended.proposal.card is None else {appended.proposal.card}
            case = _Case(self._match_id, appended, at, corners, shots, self._played | own)
            # A copy: while the clip goes on more cards are played, and may be shown in it only.
            self._put(self._stills, replace(case, shots=list(shots)), MOST_STILLS)
            self._open.append(case)
            if newest is None or newest.at >= at + AROUND:
                self._finish([case])

    def follow(self, table: WatchingTable) -> None:
        """Keeps what a watching table appends from now on."""

        def appended(each: Appended) -> None:
            lying = (card for card in table.cards if card.id == each.proposal.card)
            card = next(lying, None)
            self.keep(each, None if card is None else card.corners)

        table.appended = appended

    def close(self, timeout: float = 10.0) -> None:
        """Writes what is left.

        Args:
            timeout: The longest time to wait for that, in seconds.
        """
        with self._wake:
            self._finish(self._open)
            self._closing = True
            self._wake.notify()
        self._thread.join(timeout)

    def _ready(self, match_id: int) -> bool:
        if self._pictures.wanted and not self._opened:
            try:
                self._pictures.open(match_id)
                self._opened = True
            except OSError as error:
                self._unwritable(error)
        return self._opened

    def _finish(self, cases: Sequence[_Case]) -> None:
        """Has the clips of some cases written; no more pictures are added to them."""
        for case in tuple(cases):
            self._open.remove(case)
            # Whatever was played in the meantime may be seen.
            case.played |= self._played
            if self._wants_clips and len(case.shots) > 1:
                self._put(self._clips, case, MOST_CLIPS)

    def _put(self, queue: deque[_Case], case: _Case, most: int) -> None:
        if len(queue) >= most:
            self._hint(TOO_SLOW)
        else:
            queue.append(case)
            self._wake.notify()

    # --- in the thread ---

    def _work(self) -> None:
        while True:
            with self._wake:
                while not (self._stills or self._clips or self._closing):
                    self._wake.wait()
                if self._stills:
                    keep, case = self._keep_still, self._stills.popleft()
                elif self._clips:
                    keep, case = self._keep_clip, self._clips.popleft()
                else:
                    return
            try:
                keep(case)
            except FileNotFoundError:
                self._stop(case, REMOVED)
            except NoRoom:
                self._stop(case, NO_ROOM)
            except OSError as error:
                self._unwritable(error)
            except Exception:
                log.exception("no picture of event %s was kept", case.appended.seq)

    def _keep_still(self, case: _Case) -> None:
        text = json.dumps(case.about())
        self._write(case, ABOUT, lambda path: path.write_text(text, encoding="utf-8"))
        jpeg = case.still()
        if jpeg is not None:
            self._write(case, STILL, lambda path: path.write_bytes(jpeg))

    def _keep_clip(self, case: _Case) -> None:
        try:
            load_av()
        except ImportError as error:
            reason = "PyAV is not installed" if error.name == "av" else f"PyAV: {error}"
            self._no_clips(reason, "install av")
        except ValueError as error:
            self._no_clips(f"PyAV: {error}", "install --force-reinstall av")
        else:
            self._write(case, CLIP, lambda path: write_clip(path, case.film()))

    def _write(self, case: _Case, kind: str, fill: Callable[[Path], object]) -> None:
        self._pictures.write(case.match_id, case.appended.seq, kind, fill)
        with self._wake:  # there is room again, or was all the time
            self.hitches = [hitch for hitch in self.hitches if hitch.reason != UNWRITABLE]

    def _no_clips(self, reason: str, mend: str) -> None:
        with self._wake:
            self._wants_clips = False
            self._clips.clear()
        self._hint(NO_CLIPS, reason=reason, mend=f"{sys.executable} -m pip {mend}")

    def _stop(self, case: _Case, why: str) -> None:
        """Keeps nothing more of a case's match."""
        with self._wake:
            if case.match_id != self._match_id or self._over:
                return
            self._over = True
        self._hint(why)

    def _unwritable(self, error: OSError) -> None:
        reason = error.strerror or str(error)
        self._hint(UNWRITABLE, folder=self._pictures.folder, reason=reason)

    def _hint(self, sentence: str, **fields: object) -> None:
        with self._wake:
            if any(hitch.reason == sentence for hitch in self.hitches):
                return
            hitch = Hitch(sentence, fields)
            self.hitches.append(hitch)
        log.warning("%s", hitch.sentence())


def faces_of(
    cards: Sequence[TrackedCard], played: Collection[int], detections: Iterable[Detection]
) -> Iterator[Face]:
    """The cards that show their faces and are no plays: those that lie there, and those in a hand.

    A detection of a face is of a card in a hand if no card lies there face up: a card that lay face
    down has just been lifted. It is one, too, if it is surely read as another card than the one
    that lies there: then it is held above that.

    Args:
        cards: The tracked cards.
        played: The numbers of those that are plays.
        detections: What was seen in the frame.
    """
    shown = [card for card in cards if not card.down]
    yield from ((card.id, card.corners) for card in shown if card.id not in played)
    middles = np.array([card.corners.mean(axis=0) for card in shown]).reshape(-1, 2)
    for detection in detections:
        if not detection.readings or detection.card != BACK:
            away = np.hypot(*(middles - detection.corners.mean(axis=0)).T)
            there = away < SAME_PLACE * _side(detection.corners)
            named = {card.best for card, near in zip(shown, there, strict=True) if near}
            if not named or (detection.probability >= SURE and detection.card not in named):
                yield None, detection.corners


def _apart(corners: Corners, other: Corners | None) -> float:
    """How far two outlines are apart, in mean sides of the first; infinite without the other."""
    if other is None:
        return float("inf")
    return float(np.hypot(*(corners.mean(axis=0) - other.mean(axis=0)))) / _side(corners)


def _side(corners: Corners) -> float:
    """The mean side of an outline, in pixels."""
    return max(float(np.hypot(*(corners - np.roll(corners, 1, axis=0)).T).mean()), 1e-9)
