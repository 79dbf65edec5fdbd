"""Learns what a deck looks like from photos of it, for ``trucam deck --learn``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorekeeper.errors import FormatError
from scorekeeper.games.cards import parse_card
from vision.packs import BACK, JOKER

if TYPE_CHECKING:
    from webui.cli.read import Seen

LEAVE_OUT = "none"
"""What a person writes for something in a photo that is no card of the deck."""

SURE_FROM = 0.9
"""A card whose reading is less likely than this, 0–1, is listed for a person to check."""

SAID = 2.0
"""The weight of what a person says: more than any probability, so that it always wins."""


@dataclass(frozen=True)
class Shown:
    """A card of the deck, as a photo shows it.

    Attributes:
        photo: index of the photo.
        readings: what it may be: names of cards and their probabilities, the likeliest first.
        crop: its picture, upright and without perspective.
        corners: its four corners, in the photo's pixels.
    """

    photo: int
    readings: tuple[tuple[str, float], ...]
    crop: Any
    corners: Any


def corrections(texts: Sequence[str]) -> dict[int, str]:
    """Reads a person's corrections, such as ``3=KS`` or ``3=none``.

    Returns:
        Number of a card, from 1, to its right name or ``LEAVE_OUT``.

    Raises:
        click.BadParameter: A correction is not written like that, or names no card.
    """
    found = {}
    for text in texts:
        number, equals, card = text.partition("=")
        if not equals or not number.strip().isdigit():
            raise click.BadParameter(
                f"{text!r} is not written like 3=KS or 3=none.", param_hint="--card"
            )
        card = card.strip()
        if card not in (LEAVE_OUT, JOKER):
            try:
                card = str(parse_card(card.upper()))
            except FormatError as error:
                raise click.BadParameter(str(error), param_hint="--card") from None
        found[int(number)] = card
    return found


def shown_cards(photos: Sequence[Seen]) -> list[Shown]:
    """The cards that lie face up in all photos: in rows, each from left to right."""
    from vision.detection.crops import flatten  # late: help works without OpenCV

    cards = []
    for index, seen in enumerate(photos):
        picture = seen.picture()
        detections = [detection for _, detection in seen.cards if detection.card != BACK]
        for detection in _in_rows(detections):
            crop = flatten(picture, detection.corners)
            cards.append(Shown(index, detection.readings, crop, detection.corners))
    return cards


def _in_rows(detections: Sequence[Any]) -> list[Any]:
    """Sorts detections into rows, from the top of the photo, each from left to right.

    A card belongs to a row if it lies at most half a card's height below the row's highest card.
    """
    left = sorted(detections, key=lambda each: float(each.corners[:, 1].mean()))
    ordered = []
    while left:
        first = left[0]
        low = float(first.corners[:, 1].mean())
        half = float(first.corners[:, 1].max() - first.corners[:, 1].min()) / 2
        row = [each for each in left if float(each.corners[:, 1].mean()) <= low + half]
        ordered += sorted(row, key=lambda each: float(each.corners[:, 0].mean()))
        left = [each for each in left if all(each is not other for other in row)]
    return ordered


def name_all(
    cards: Sequence[Shown], pack: Collection[str] | None, put_right: Mapping[int, str]
) -> list[str | None]:
    """Names the cards: as a person corrected them, else as they were read; no name twice.

    Args:
        cards: the cards.
        pack: the names that they may have; None for any.
        put_right: the corrections; see ``corrections``.

    Returns:
        For each card its name, or None if it is left out.

    Raises:
        click.BadParameter: A correction names a number that no card has.
    """
    from vision.detection.deck_templates import settle

    for number in put_right:
        if not 1 <= number <= len(cards):
            raise click.BadParameter(
                f"there is no card {number}; the last one is {len(cards)}.", param_hint="--card"
            )
    said = [put_right.get(number) for number in range(1, len(cards) + 1)]
    everything = {card for each in cards for card, _ in each.readings} - {BACK, JOKER}
    pack = set(everything if pack is None else pack) | {name for name in said if name}
    readings = [
        each.readings if name is None else ((name, SAID),)
        for name, each in zip(said, cards, strict=True)
    ]
    names = settle(readings, [each.crop for each in cards], pack)
    return [None if name == LEAVE_OUT else name for name in names]


def report(
    cards: Sequence[Shown],
    names: Sequence[str | None],
    pack: Collection[str] | None,
    put_right: Collection[int],
) -> Iterator[str]:
    """Yields a line for each card that a person should check, and one for the missing cards.

    Args:
        cards: the cards.
        names: the names that were found; see ``name_all``.
        pack: the names of the whole pack; None if it is not known.
        put_right: numbers of the cards that a person corrected: these need no check.
    """
    for number, (card, name) in enumerate(zip(cards, names, strict=True), start=1):
        read, p = card.readings[0]
        if number in put_right:
            continue
        if name is None:
            yield f"{number}: left out (it looks like {read}, {p:.0%})."
        elif name != read or p < SURE_FROM:
            doubt = "" if name == read else f"; by itself it looks like {read}"
            yield f"{number}: {name}, not sure{doubt}."
    if pack is not None and (missing := sorted(set(pack) - set(names))):
        yield f"Not shown: {' '.join(missing)}."


def draw_numbers(
    photos: Sequence[Seen], cards: Sequence[Shown], names: Sequence[str | None]
) -> Iterator[tuple[Path, Any]]:
    """Draws outline, number and name of each card into its photo.

    Yields:
        The file name of a photo, and the picture.
    """
    from vision.evidence.draw import draw_labels

    for index, seen in enumerate(photos):
        labels = [
            (f"{number}: {name or 'left out'}", card.corners, name == card.readings[0][0]
             and card.readings[0][1] >= SURE_FROM)
            for number, (card, name) in enumerate(zip(cards, names, strict=True), start=1)
            if card.photo == index
        ]  # fmt: skip
        yield seen.path, draw_labels(seen.picture(), labels)
