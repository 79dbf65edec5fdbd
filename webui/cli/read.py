"""``trucam read`` and ``trucam deck``: read the cards in photos, check a pack, learn a deck."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray

from scorekeeper.errors import ScorekeeperError
from scorekeeper.text.printings import FRENCH, PRINTINGS, printings_of
from vision.capture.photos import read_photo
from vision.detection.deck_check import DeckCheck, check_deck
from vision.opencv import load_opencv
from vision.packs import BACK, PACKS, UNREAD, packs_of

if TYPE_CHECKING:
    from vision.detection.detections import Detection

READ_FROM = 0.5
"""A card whose likeliest reading has a lower probability than this, 0–1, counts as not read."""

DECK = click.option(
    "--deck", metavar="NAME", help="The deck on the table, learned before with trucam deck --learn."
)
PHOTOS = click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path))


@dataclass(frozen=True)
class Seen:
    """A photo that was read.

    Attributes:
        path: Its file.
        size: Its width and height, in pixels.
        cards: What was found in it: the name of each card (see ``name_of``), and its detection.
    """

    path: Path
    size: tuple[int, int]
    cards: list[tuple[str, Detection]]

    def picture(self) -> NDArray[np.uint8]:
        """Reads its pixels. They are not kept: those of many photos would fill the memory."""
        return read_photo(self.path)


class Photos:
    """Reads photos of one deck together.

    A photo that cannot be read is named on the standard error, and the others are read.

    Args:
        pack: The names that cards may have; None for any.
        deck: Name of the learned deck in the photos; None if it was not learned.

    Attributes:
        failed: Whether a photo could not be read.
        letters: Tells which letters the deck prints.

    Raises:
        OpenCVError: A system library that OpenCV needs is missing.
        ModelError: The models are missing or damaged.
        DeckError: No deck of this name was learned.
    """

    def __init__(self, pack: Iterable[str] | None, deck: str | None = None) -> None:
        self.failed = False
        self._pack = None if pack is None else frozenset(pack)
        load_opencv()  # before anything else imports OpenCV: it says in a sentence what is missing
        # Imported only here, for the help and ``trucam doctor`` work without OpenCV.
        from vision.detection.photo_reader import StillReader
        from vision.detection.speed import open_reader
        from vision.tracking.letters import Letters

        self._reader = open_reader(Path(str(files("vision"))) / "weights")
        self._still = StillReader(self._reader)
        self.letters = Letters(printings_of(FRENCH), self._reader.letters)
        self._deck = None
        if deck is not None:
            from vision.detection.deck_templates import open_deck  # late, as above

            self._deck = open_deck(deck)

    def read(self, paths: Sequence[Path]) -> list[Seen]:
        """Reads photos.

        Returns:
            The photos that could be read; the cards of each, the surest first.
        """
        from vision.detection.one_deck import WEIGHED, OneDeck  # late, as above

        deck, photos, bad = OneDeck(), list[tuple[Path, tuple[int, int]]](), list[str]()
        with self._progress(paths) as shown:
            for path in shown:
                try:
                    picture = read_photo(path)
                except (ScorekeeperError, OSError) as error:
                    told = f"{path}: {error.strerror}" if isinstance(error, OSError) else str(error)
                    bad.append(told)
                    continue
                read = self._still.read(picture, pack=self._pack, deck=self._deck, keep=WEIGHED)
                deck.add(picture, read)
                photos.append((path, (picture.shape[1], picture.shape[0])))
        for sentence in bad:
            click.echo(sentence, err=True)
        self.failed = bool(bad)
        seen = []
        for (path, size), detections in zip(photos, deck.read(), strict=True):
            detections.sort(key=lambda detection: -detection.probability)
            self.letters.read(detections)
            cards = [(name_of(detection), detection) for detection in detections]
            seen.append(Seen(path, size, cards))
        return seen

    @staticmethod
    def _progress(paths: Sequence[Path]) -> AbstractContextManager[Iterable[Path]]:
        """The photos, with a progress bar: nothing is printed before all of them are read."""
        hidden = len(paths) == 1 or not sys.stderr.isatty()
        return click.progressbar(
            paths, label="Reading photos", show_pos=True, file=sys.stderr, hidden=hidden
        )

    def printed(self) -> str | None:
        """Says in a sentence which letters the deck prints; None if that is not sure."""
        name = self.letters.printing
        if name is None:
            return None
        letters = " ".join(PRINTINGS[name].sign(rank) for rank in "AKQJ")
        return f"The deck prints {letters}."

    def end(self, context: click.Context) -> None:
        """Exits with status 2 if a photo could not be read."""
        if self.failed:
            context.exit(2)


class FileNames:
    """Makes names for the pictures that are drawn from photos.

    Photos of two folders may have the same name. Their pictures get different ones.

    Args:
        ending: The end of each name.
    """

    def __init__(self, ending: str) -> None:
        self._ending, self._given = ending, set[str]()

    def next(self, photo: Path) -> str:
        """A name that was not given before: ``IMG1-cards.jpg``, then ``IMG1-2-cards.jpg``."""
        numbers = chain([""], map("-{}".format, count(2)))
        names = (f"{photo.stem}{number}-{self._ending}" for number in numbers)
        name = next(name for name in names if name.casefold() not in self._given)
        self._given.add(name.casefold())
        return name


def name_of(detection: Detection) -> str:
    """The name of a detection: its likeliest card, or ``UNREAD``."""
    return detection.card if detection.probability >= READ_FROM else UNREAD


@click.command()
@PHOTOS
@click.option("--pack", type=click.Choice(list(PACKS)), help="The pack of the cards.")
@DECK
@click.option("--json", "as_json", is_flag=True, help="Print a line with a JSON object per photo.")
@click.option(
    "--save", type=click.Path(path_type=Path), help="Folder for pictures with the cards drawn in."
)
@click.pass_context
def read(
    context: click.Context,
    photos: tuple[Path, ...],
    pack: str | None,
    deck: str | None,
    as_json: bool,
    save: Path | None,
) -> None:
    """List the cards in PHOTOS. Photos of one deck are read best together."""
    reading = Photos(None if pack is None else frozenset().union(*packs_of(pack)), deck)
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
    drawn = FileNames("cards.jpg")
    for seen in reading.read(photos):
        click.echo(json.dumps(_to_json(seen), ensure_ascii=False) if as_json else _in_words(seen))
        if save is not None:
            from vision.evidence.draw import draw  # late, as above

            _save(save / drawn.next(seen.path), draw(seen.picture(), seen.cards))
    if not as_json and (printed := reading.printed()):
        click.echo(printed)
    reading.end(context)


@click.command()
@PHOTOS
@click.option("--pack", type=click.Choice(list(PACKS)), help="The pack it should be.")
@DECK
@click.option("--learn", metavar="NAME", help="Learn the deck and keep it under this name.")
@click.option(
    "--card",
    "put_right",
    multiple=True,
    metavar="N=CARD",
    help="With --learn: say which card number N is, like 3=KS; 3=none leaves it out.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    help="With --learn: folder for the numbered pictures. Default: the current folder.",
)
@click.pass_context
def deck(
    context: click.Context,
    photos: tuple[Path, ...],
    pack: str | None,
    deck: str | None,
    learn: str | None,
    put_right: tuple[str, ...],
    save: Path | None,
) -> None:
    """Check that PHOTOS show a whole pack: what is missing, foreign, or there twice.

    The exit status is 0 if the pack is right, else 1.

    With --learn the deck is kept under a name, and is read better from then on. Spread out all its
    cards face up, without overlaps, in one or more photos. Numbered pictures show what was read;
    to correct a mistake, run the command again with --card.
    """
    if learn is not None:
        _learn(context, photos, learn, pack, put_right, save or Path())
        return
    if pack is None:
        raise click.UsageError("Name the pack with --pack, or learn the deck with --learn.")
    if put_right or save is not None:
        raise click.UsageError("--card and --save go with --learn.")
    reading = Photos(None, deck)
    names = [[name for name, _ in seen.cards] for seen in reading.read(photos)]
    reading.end(context)
    check = check_deck(names, packs_of(pack))
    for line in _report(check, pack):
        click.echo(line)
    if printed := reading.printed():
        click.echo(printed)
    if not check.right:
        context.exit(1)


def _learn(
    context: click.Context,
    photos: tuple[Path, ...],
    name: str,
    pack: str | None,
    put_right: tuple[str, ...],
    save: Path,
) -> None:
    from webui.cli import learn  # late: only ``--learn`` needs it

    changed = learn.corrections(put_right)
    reading = Photos(None if pack is None else frozenset().union(*packs_of(pack)))
    from vision.detection.deck_templates import check_name, keep_deck

    check_name(name)
    seen = reading.read(photos)
    reading.end(context)
    cards = learn.shown_cards(seen)
    packs = [None] if pack is None else packs_of(pack)
    namings = [(learn.name_all(cards, each, changed), each) for each in packs]
    names, known = max(namings, key=lambda each: sum(name is not None for name in each[0]))
    crops = {card: shown.crop for card, shown in zip(names, cards, strict=True) if card}
    if not crops:
        raise ScorekeeperError("There is no card in these pictures, so nothing was learned.")
    save.mkdir(parents=True, exist_ok=True)
    own = FileNames("numbered.jpg")
    for path, drawn in learn.draw_numbers(seen, cards, names):
        numbered = save / own.next(path)
        _save(numbered, drawn)
        click.echo(f"What was read, by number: {numbered}")
    for line in learn.report(cards, names, known, changed):
        click.echo(line)
    if printed := reading.printed():
        click.echo(printed)
    keep_deck(name, crops)
    click.echo(f"The deck {name!r} is kept: {len(crops)} cards. Use it with --deck {name!r}.")


def _report(check: DeckCheck, pack: str) -> Iterator[str]:
    whole = len(check.seen) + len(check.missing)
    yield f"Pack {pack}: {len(check.seen)} of {whole} cards seen."
    for what, cards in (
        ("Missing", check.missing),
        ("Not of this pack", check.foreign),
        ("There twice", check.doubled),
    ):
        if cards:
            yield f"{what}: {' '.join(cards)}."
    if check.unread:
        yield f"Not read: {check.unread}; move them apart, or take a closer picture."
    if check.face_down:
        yield f"Face down: {check.face_down}."
    if check.right:
        yield "The pack is right."


def _in_words(seen: Seen) -> str:
    cards = [name if name in (BACK, UNREAD) else f"{name} {detection.probability:.1%}"
             for name, detection in seen.cards]  # fmt: skip
    return f"{seen.path}: {', '.join(cards) or 'no card'}"


def _to_json(seen: Seen) -> dict[str, Any]:
    return {
        "photo": str(seen.path),
        "size": [*seen.size],
        "cards": [
            {
                "card": name,
                "p": round(detection.probability, 4),
                "also": [[card, round(p, 4)] for card, p in detection.readings[1:]],
                "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in detection.corners],
                "face": "down" if name == BACK else "up",
            }
            for name, detection in seen.cards
        ],
    }


def _save(path: Path, picture: NDArray[np.uint8]) -> None:
    done, data = load_opencv().imencode(".jpg", picture)
    assert done
    path.write_bytes(data.tobytes())
