"""Takes: what a watching table was given, in numbers, so that it can be given the same again.

A take is lines of JSON in a gzip file. A line that is an object begins a match, and says what is
played there; it has ``"take": 1``. Lists are what the table was given, in order:

* a moment, ``[at, cards, cover, arms, place]``, see ``Moment``. Each card is ``[corners, score,
  readings]``; or a number N from 0, for a card just as card N of the moment before; or -1 - N for
  one with the corners and the score of card N that was not read this time. ``cover`` is height,
  width, and, row after row, how many pixels are free, how many are then covered, and so on (in
  older takes of films: base64 of the bits, height, width). ``cover`` and ``place`` are 0 where they
  are as in the moment before;
* ``["edge", outline, middle, size]``: the table's edge from here on, in centimetres, the radius of
  its middle, and width and height of a frame;
* ``["faces", names]``: the cards that were played in the hand whose moments follow;
* ``["word", at, event]``: what a calling card said;
* ``["answer", question, kind, seat, choice, at]``: somebody answered a question;
* ``["events", [[own, event], …]]``: what was appended to the match since the line before; ``own``
  is 1 where the table itself proposed it, else 0.

``vision.evidence.take_keeper`` writes takes of real evenings, ``datasets.benchmarks.takes`` those
of painted films, which are moments only.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorekeeper.engine.events import GROUP, Event, parse_event
from scorekeeper.engine.header import Header, parse_header
from scorekeeper.engine.said import AGAIN, SUIT
from scorekeeper.errors import FormatError
from scorekeeper.history.fixes import READINGS
from vision.detection.detections import Detection

VERSION = 1

KEPT_REMARKS = frozenset((AGAIN, GROUP, READINGS, SUIT))
"""Keys of the remarks of an event that are kept. None of them holds a name or a time of day."""

UNNAMED = "–"
"""Is written instead of what people typed: a name, a note."""

ANY_FACE = "?"
"""The first letter of names that stand for a face that was not played, see ``Unplayed``."""

Mask = NDArray[np.bool_]


class Moment(NamedTuple):
    """What the watching table was given of one frame.

    Attributes:
        at: the frame's time, in seconds.
        detections: the cards that were seen.
        covered: where hands were, in the frame made smaller, shape (H, W); None where nobody can
            say.
        reaching: the seats that reached over the table; None where nobody can say.
        homography: shape (3, 3): where the table was, see ``vision.geometry.table_plane.Plane``.
    """

    at: float
    detections: tuple[Detection, ...]
    covered: Mask | None
    reaching: frozenset[int] | None
    homography: NDArray[np.float64]


class Unplayed(NamedTuple):
    """Stands for a face that was not played: it hides which card was read, but not how surely.

    As a name it is ``?3.1.2``: of card 3, the first rank that it was read as, and the second suit
    that it was read as with that rank.

    Attributes:
        card: number of the card; 0 where it has none.
        rank: number of the rank, from 1, in the order in which ranks were first read of this card;
            its negative where the name is of no card of the pack.
        suit: number of the suit with that rank, from 1, likewise.
    """

    card: int
    rank: int
    suit: int

    def __str__(self) -> str:
        return ANY_FACE + ".".join(map(str, self))


def unplayed(name: str) -> Unplayed | None:
    """What the name of a reading stands for; None where it is that of a card.

    Raises:
        FormatError: it is neither.
    """
    if not name.startswith(ANY_FACE):
        return None
    try:
        card, rank, suit = map(int, name.removeprefix(ANY_FACE).split("."))
    except ValueError:
        raise FormatError(f"this take has a face of an unknown kind: {name[:20]}") from None
    return Unplayed(card, rank, suit)


class Edge(NamedTuple):
    """Where the table ends, from here on.

    Attributes:
        outline: shape (N, 2), in centimetres, see ``vision.geometry.table_plane.Plane``.
        middle: the radius of the table's middle, in centimetres.
        size: width and height of a frame, in pixels.
    """

    outline: NDArray[np.float64]
    middle: float
    size: tuple[int, int]


class Faces(NamedTuple):
    """The cards that were played in the hand whose moments follow."""

    names: frozenset[str]


class Word(NamedTuple):
    """What a calling card said, as an event, and when, in seconds."""

    at: float
    event: Event


class Answer(NamedTuple):
    """Somebody answered a question: its number, kind and seat, the answer's key, and when."""

    question: int
    kind: str
    seat: int | None
    choice: str
    at: float


class Appended(NamedTuple):
    """Events that were appended, each with whether the table itself proposed it."""

    events: tuple[tuple[bool, Event], ...]


class Beginning(NamedTuple):
    """A match begins, or goes on.

    Attributes:
        about: what its line says besides.
        header: what is played, with numbers for the players' names; None for a painted film.
        events: what had been appended to the match before.
    """

    about: Mapping[str, Any]
    header: Header | None
    events: tuple[Event, ...]


Line = Moment | Edge | Faces | Word | Answer | Appended | Beginning


def rounded(detection: Detection) -> Detection:
    """A detection as a take keeps it: to a tenth of a pixel, and four digits of each chance."""
    corners = np.round(np.asarray(detection.corners, np.float64), 1).astype(np.float32)
    readings = tuple((name, float(f"{chance:.4g}")) for name, chance in detection.readings)
    return Detection(corners, round(float(detection.score), 4), readings)


def without_names(header: Header) -> dict[str, Any]:
    """A header as a take keeps it: with numbers for the players' names."""
    data = header.to_json()
    kept = ("format", "game", "variants", "options", "first_dealer", "best_of")
    return {key: data[key] for key in kept} | {"seats": [str(n) for n in range(len(header.seats))]}


def without_texts(event: Event) -> dict[str, Any]:
    """An event as a take keeps it: without what people typed."""
    remarks = {key: value for key, value in event.remarks.items() if key in KEPT_REMARKS}
    name = None if event.name is None else UNNAMED
    note = None if event.note is None else UNNAMED
    return event._replace(remarks=remarks, name=name, note=note).to_json()


class Encoder:
    """Makes lines of moments; each says only what differs from the moment before."""

    def __init__(self) -> None:
        self._cards: list[list[Any]] = []
        self._cover: object = 0
        self._place: object = 0

    def line(self, moment: Moment) -> list[Any]:
        """The next moment as a line."""
        before = self._cards
        self._cards = [
            [np.round(each.corners.astype(np.float64), 2).tolist(), round(each.score, 4),
             [list(reading) for reading in each.readings]]
            for each in moment.detections
        ]  # fmt: skip
        cover, place = _cover(moment.covered), moment.homography.tolist()
        reaching = None if moment.reaching is None else sorted(moment.reaching)
        line = [
            moment.at, [_by_before(card, before) for card in self._cards],
            0 if cover == self._cover else cover, reaching, 0 if place == self._place else place,
        ]  # fmt: skip
        self._cover, self._place = cover, place
        return line


class Decoder:
    """Reads the lines of a take, in order.

    Args:
        path: the file, to be named in errors.
    """

    def __init__(self, path: Path | str = "this") -> None:
        self._path = path
        self._verbs: frozenset[str] = frozenset()
        self._seats = 0
        self._forget()

    def _forget(self) -> None:
        self._cards: tuple[Detection, ...] = ()
        self._cover: Mask | None = None
        self._place: NDArray[np.float64] | None = None

    def line(self, data: Any) -> Line:
        """Reads a line.

        Raises:
            FormatError: it is none of a take.
        """
        try:
            if isinstance(data, dict):
                return self._beginning(data)
            match data:
                case ["edge", outline, middle, [width, height]]:
                    return Edge(np.array(outline, np.float64), float(middle), (width, height))
                case ["faces", names]:
                    return Faces(frozenset(map(str, names)))
                case ["word", at, event]:
                    return Word(float(at), self._event(event))
                case ["answer", question, kind, seat, choice, at]:
                    return Answer(question, kind, seat, choice, float(at))
                case ["events", events]:
                    return Appended(tuple((bool(own), self._event(each)) for own, each in events))
            return self._moment(*data)
        except (ValueError, TypeError, LookupError) as error:  # a FormatError is one
            raise FormatError(f"{self._path} is damaged, or of a later version: {error}") from error

    def _beginning(self, data: dict[str, Any]) -> Beginning:
        about = dict(data)
        if about.pop("take", None) != VERSION:
            raise FormatError("its first line does not say so")
        self._forget()
        header, events = about.pop("header", None), about.pop("events", ())
        if header is None:
            return Beginning(about, None, ())
        parsed = parse_header(header)
        self._verbs, self._seats = parsed.verbs, len(parsed.seats)
        return Beginning(about, parsed, tuple(map(self._event, events)))

    def _event(self, data: Any) -> Event:
        return parse_event(data, verbs=self._verbs, seats=self._seats)

    def _moment(self, at: float, cards: Any, cover: Any, reaching: Any, place: Any) -> Moment:
        before = self._cards
        self._cards = tuple(_detection(card, before) for card in cards)
        if cover != 0:
            self._cover = None if cover is None else _mask(*cover)
        if place != 0:
            self._place = np.array(place, np.float64).reshape(3, 3)
        if self._place is None:
            raise FormatError("a moment does not say where the table was")
        arms = None if reaching is None else frozenset(reaching)
        return Moment(float(at), self._cards, self._cover, arms, self._place)


def read_take(path: Path) -> Iterator[Line]:
    """Reads a take, line by line; where its end is missing, all that is there.

    Raises:
        FormatError: it is no take, or is damaged.
        OSError: it cannot be read.
    """
    decoder, first = Decoder(path), True
    with gzip.open(path, "rt", encoding="utf-8") as file:
        while True:
            try:
                text = file.readline()
                line = decoder.line(json.loads(text)) if text else None
            except (EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError) as error:
                if first:
                    raise FormatError(f"{path} is no take: it is no gzip file") from error
                return  # its end was never written
            except json.JSONDecodeError as error:
                if first:
                    line = None
                elif text.endswith("\n"):
                    raise FormatError(f"{path} is damaged: {error}") from error
                else:
                    return
            except FormatError:
                if not first:
                    raise
                line = None
            if first and not isinstance(line, Beginning):
                raise FormatError(f"{path} is no take: its first line does not say so")
            if line is None:
                return
            first = False
            yield line


def append_block(path: Path, block: bytes) -> None:
    """Adds a block to a file: all of it, or nothing.

    Raises:
        OSError: it cannot be written.
    """
    with path.open("ab", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        left = memoryview(block)
        try:
            while left:
                left = left[file.write(left) :]
        except OSError:
            file.truncate(end)
            raise


def mend(path: Path) -> None:
    """Cuts off the half-written last block of a killed process: nothing after it could be read.

    Raises:
        OSError: it cannot be read or written.
    """
    if not path.exists():
        return
    with path.open("r+b") as file:
        whole, block = 0, zlib.decompressobj(31)
        while data := file.read(1 << 16):
            while data:
                block.decompress(data)
                if not block.eof:
                    break
                data = block.unused_data
                whole, block = file.tell() - len(data), zlib.decompressobj(31)
        file.truncate(whole)


def _by_before(card: list[Any], before: list[list[Any]]) -> Any:
    """A card as a moment's line has it: by its number in the moment before, or in full."""
    if card in before:
        return before.index(card)
    if not card[2]:
        for number, each in enumerate(before):
            if each[:2] == card[:2]:
                return -1 - number
    return card


def _detection(card: Any, before: tuple[Detection, ...]) -> Detection:
    if isinstance(card, int):
        same = before[card if card >= 0 else -1 - card]
        return same if card >= 0 else Detection(same.corners, same.score, ())
    corners, score, readings = card
    found = tuple((str(name), float(chance)) for name, chance in readings)
    return Detection(np.array(corners, np.float32).reshape(4, 2), float(score), found)


def _cover(mask: Mask | None) -> Any:
    if mask is None:
        return None
    flat = mask.ravel()
    ends = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    first = [0] if flat[0] else []
    return [*mask.shape, *first, *np.diff([0, *ends, flat.size]).tolist()]


def _mask(first: int | str, second: int, *more: int) -> Mask:
    if isinstance(first, str):
        bits = np.unpackbits(np.frombuffer(base64.b64decode(first), np.uint8))
        return bits[: second * more[0]].reshape(second, *more).astype(bool)
    covered = np.arange(len(more)) % 2 == 1
    return np.repeat(covered, more).reshape(first, second)
