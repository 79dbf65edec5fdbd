"""``trucam read`` and ``trucam deck``: the cards in photographs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray

from scorekeeper.errors import ScorekeeperError
from vision.deck import DeckCheck, check_deck
from vision.opencv import load_opencv
from vision.packs import BACK, PACKS, UNREAD, packs_of
from vision.photos import read_photo

if TYPE_CHECKING:
    from vision.read import Sighting

READ_FROM = 0.5
"""Probability under which a card counts as not read."""

PHOTOS = click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path))


@dataclass(frozen=True)
class Seen:
    """A photo that was read: its pixels, and each sighting with the name it goes by."""

    path: Path
    picture: NDArray[np.uint8]
    cards: list[tuple[str, Sighting]]


class Photos:
    """Reads photos one after the other; a bad one is told and does not stop the others."""

    def __init__(self, pack: Iterable[str] | None) -> None:
        self.failed = False
        self._pack = None if pack is None else frozenset(pack)
        load_opencv()  # one sentence where it lacks a system library, before vision.read needs it
        from vision.read import CardReader  # late: help and doctor work without OpenCV

        self._reader = CardReader(Path(str(files("vision"))) / "weights")

    def read(self, paths: Iterable[Path]) -> Iterator[Seen]:
        """Yields the photos that could be read, the surest cards of each first."""
        for path in paths:
            try:
                picture = read_photo(path)
            except (ScorekeeperError, OSError) as error:
                sentence = f"{path}: {error.strerror}" if isinstance(error, OSError) else str(error)
                click.echo(sentence, err=True)
                self.failed = True
                continue
            sightings = self._reader.read(picture, pack=self._pack)
            sightings.sort(key=lambda sighting: -sighting.probability)
            yield Seen(path, picture, [(name_of(sighting), sighting) for sighting in sightings])

    def end(self, context: click.Context) -> None:
        """Ends with exit status 2 where a photo could not be read."""
        if self.failed:
            context.exit(2)


def name_of(sighting: Sighting) -> str:
    """The name that a sighting goes by: its likeliest card, or that it cannot be read."""
    return sighting.card if sighting.probability >= READ_FROM else UNREAD


@click.command()
@PHOTOS
@click.option("--pack", type=click.Choice(list(PACKS)), help="What cards can be there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a photo and a line.")
@click.option(
    "--save", type=click.Path(path_type=Path), help="Folder for pictures with the cards drawn in."
)
@click.pass_context
def read(
    context: click.Context,
    photos: tuple[Path, ...],
    pack: str | None,
    as_json: bool,
    save: Path | None,
) -> None:
    """Say what cards are in PHOTOS."""
    reading = Photos(None if pack is None else frozenset().union(*packs_of(pack)))
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
    for seen in reading.read(photos):
        click.echo(json.dumps(_to_json(seen), ensure_ascii=False) if as_json else _in_words(seen))
        if save is not None:
            from vision.draw import draw  # late, as above

            _save(save / f"{seen.path.stem}-cards.jpg", draw(seen.picture, seen.cards))
    reading.end(context)


@click.command()
@PHOTOS
@click.option(
    "--pack", type=click.Choice(list(PACKS)), required=True, help="The pack it should be."
)
@click.pass_context
def deck(context: click.Context, photos: tuple[Path, ...], pack: str) -> None:
    """Check that PHOTOS show a whole pack: what is missing, foreign, or there twice.

    The exit status is 0 where the pack is right, and 1 where it is not.
    """
    reading = Photos(None)
    names = [[name for name, _ in seen.cards] for seen in reading.read(photos)]
    reading.end(context)
    check = check_deck(names, packs_of(pack))
    for line in _report(check, pack):
        click.echo(line)
    if not check.right:
        context.exit(1)


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
    cards = [name if name in (BACK, UNREAD) else f"{name} {sighting.probability:.1%}"
             for name, sighting in seen.cards]  # fmt: skip
    return f"{seen.path}: {', '.join(cards) or 'no card'}"


def _to_json(seen: Seen) -> dict[str, Any]:
    height, width = seen.picture.shape[:2]
    return {
        "photo": str(seen.path),
        "size": [width, height],
        "cards": [
            {
                "card": name,
                "p": round(sighting.probability, 4),
                "also": [[card, round(p, 4)] for card, p in sighting.readings[1:]],
                "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in sighting.corners],
                "face": "down" if name == BACK else "up",
            }
            for name, sighting in seen.cards
        ],
    }


def _save(path: Path, picture: NDArray[np.uint8]) -> None:
    done, data = load_opencv().imencode(".jpg", picture)
    assert done
    path.write_bytes(data.tobytes())
