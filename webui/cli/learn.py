"""Learning the table's own deck, for ``trucam deck --learn``."""

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
SURE_FROM = 0.9
SAID = 2.0
"""What a person said is surer than anything that was read."""


@dataclass(frozen=True)
class Shown:
    """One card of a deck that is shown.

    Attributes:
        photo: index of its photo.
        readings: cards and their probabilities, the likeliest first.
        crop: the flattened card.
        corners: in the photo's pixels.
    """

    photo: int
    readings: tuple[tuple[str, float], ...]
    crop: Any
    corners: Any


def corrections(texts: Sequence[str]) -> dict[int, str]:
    """Reads what was put right, ``3=KS`` or ``3=none``.

    Raises:
        click.BadParameter: One is not written so, or names no card.
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
    """The cards face up of all photos, numbered as one reads: in rows, from left to right."""
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
    """Detections in rows from above: a row lies within half a card's height of its first."""
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
    """Says which card each is: as it was put right, else as it was read, each card once.

    Raises:
        click.BadParameter: A number is put right that no card has.
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
    """Yields a line for each card that deserves a look, and what is missing."""
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
    """Yields each photo with its cards outlined, numbered and named."""
    from vision.evidence.draw import draw_labels

    for index, seen in enumerate(photos):
        labels = [
            (f"{number}: {name or 'left out'}", card.corners, name == card.readings[0][0]
             and card.readings[0][1] >= SURE_FROM)
            for number, (card, name) in enumerate(zip(cards, names, strict=True), start=1)
            if card.photo == index
        ]  # fmt: skip
        yield seen.path, draw_labels(seen.picture(), labels)
