"""What the watching process tells of itself, and of a table that is being set up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from scorekeeper.engine.header import Header
from vision.belief.proposals import Question
from vision.geometry.table_plane import Plane
from vision.health import Problem
from vision.process.protocol import question_from
from vision.tracking.tracked_card import TrackedCard

Told = tuple[str, Mapping[str, object]]
"""A sentence with fields, and what they stand for."""

BEFORE = 0.75
"""A seat's name stands at this part of the way from the middle of the table to its edge, 0–1."""

EDGE = 0.04
"""Names stay so far inside the picture, as a share of its width or height, 0–1."""

SEEN_LAST = 1.0
"""A card that is missed for so many seconds is not told any more."""


TOLD_AS_THEY_ARE = ("ended", "marked", "came", "held", "known", "printing")
"""Fields of a ``Report`` that news bring just as they are."""


class LaidCard(NamedTuple):
    """A card that lies face up on a table that is being set up.

    Attributes:
        card: its likeliest reading.
        chance: how likely that reading is, 0–1, rounded to tenths.
        seat: the seat before which it lies; None in the middle and beside the table.
    """

    card: str
    chance: float
    seat: int | None


@dataclass(frozen=True)
class Report:
    """What the watching process last said of itself; a value that never changes.

    Attributes:
        alive: whether it is at work.
        questions: what the belief asks.
        complaints: what makes cards hard to read.
        trouble: what is wrong with the camera: a sentence with fields, and its fields; None if
            nothing is.
        hitches: why pictures of the events, or a take, are not kept, or the deck is not known;
            likewise.
        lack: why it is not known where the table is, likewise; None if it is known.
        size: width and height of the frames, in pixels; None before the first one.
        ended: whether the film is over.
        failed: why it cannot work at all, likewise; None if it can.
        pace: frames a second.
        look: how long it takes to look at a frame, in seconds; 0 before the first look.
        starts: how often it was started.
        marked: whether markers show the table.
        spots: where each seat is in the picture: x and y as shares of its size, 0–1; empty if that
            is not known.
        outline: the corners of the table's edge in the picture, likewise, in order.
        laid: the cards that lie face up while the table is being set up.
        came: how many cards have come to rest since it was started.
        held: whether players may hold cards although no hand is in progress: its deal is not told.
        known: of how many cards of the deck on the table it knows what they look like.
        printing: what the deck prints on its cards, by its name in
            ``scorekeeper.text.printings``; None while that is not known for sure.
        lap: when the latest lap of a film that runs again and again began, by the
            ``time.monotonic`` of the process that holds this report; None without such a film.
        unwritten: whether its latest proposal could not be written down.
    """

    alive: bool = False
    questions: Sequence[Question] = ()
    complaints: Sequence[Problem] = ()
    trouble: Told | None = None
    hitches: Sequence[Told] = ()
    lack: Told | None = None
    size: tuple[int, int] | None = None
    ended: bool = False
    failed: Told | None = None
    pace: float = 0.0
    look: float = 0.0
    starts: int = 0
    marked: bool = False
    spots: Sequence[tuple[float, float]] = ()
    outline: Sequence[tuple[float, float]] = ()
    laid: Sequence[LaidCard] = ()
    came: int = 0
    held: bool = False
    known: int = 0
    printing: str | None = None
    lap: float | None = None
    unwritten: bool = False

    def after(self, news: Mapping[str, Any], header: Header) -> Report:
        """The report with ``news`` taken in: only what they name changes, and it is alive.

        Args:
            news: the data of a ``news`` message, see ``vision.process.protocol``.
            header: who plays what.
        """
        changed: dict[str, Any] = {"alive": True, "failed": None}
        if "questions" in news:
            changed["questions"] = tuple(question_from(each, header) for each in news["questions"])
        if "complaints" in news:
            changed["complaints"] = tuple(map(Problem, news["complaints"]))
        for key in ("trouble", "lack"):
            if key in news:
                changed[key] = None if news[key] is None else (news[key][0], news[key][1])
        if "hitches" in news:
            changed["hitches"] = tuple((reason, fields) for reason, fields in news["hitches"])
        if news.get("size"):
            changed["size"] = (news["size"][0], news["size"][1])
        for key in ("spots", "outline"):
            if key in news:
                changed[key] = tuple((x, y) for x, y in news[key])
        if "laid" in news:
            changed["laid"] = tuple(LaidCard(*card) for card in news["laid"])
        changed |= {key: news[key] for key in TOLD_AS_THEY_ARE if key in news}
        return replace(self, **changed)


def spots(plane: Plane, size: tuple[int, int]) -> list[tuple[float, float]]:
    """Where the seats are in a picture of a size, as shares of it; always inside the picture."""
    half_x, half_y = abs(plane.outline).max(axis=0) * BEFORE
    four = [(0.0, half_y), (-half_x, 0.0), (0.0, -half_y), (half_x, 0.0)]
    places = four if plane.seats == len(four) else four[::2]
    shares = (plane.to_frame(np.array(places)) / size).clip(EDGE, 1 - EDGE)
    return [(round(float(x), 2), round(float(y), 2)) for x, y in shares]


def outline(plane: Plane, size: tuple[int, int]) -> list[tuple[float, float]]:
    """The corners of the table's edge in a picture of a size, as shares of it."""
    shares = plane.to_frame(plane.outline) / size
    return [(round(float(x), 2), round(float(y), 2)) for x, y in shares]


def cards_face_up(cards: Sequence[TrackedCard], plane: Plane) -> list[LaidCard]:
    """The cards that lie face up, from left to right."""
    faces = [card for card in cards if not card.down and card.missing < SEEN_LAST]
    return [
        LaidCard(card.best, round(card.chances().get(card.best, 0.0), 1),
                 plane.zone(card.place).seat)
        for card in sorted(faces, key=lambda card: card.place)
    ]  # fmt: skip


def may_be_held(cards: Sequence[TrackedCard], since: float) -> bool:
    """Whether players may hold cards, though no hand is in progress.

    So it is if a new card lies face up, or if several lie face down: one alone may be the pack.

    Args:
        cards: the cards on the table.
        since: since when no hand is in progress, in seconds.
    """
    new = [card for card in cards if card.appeared > since]
    return any(not card.down for card in new) or sum(card.down for card in cards) > 1
