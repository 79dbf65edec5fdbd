"""Shows a film's deck before the match, as the set-up of a table asks for, and learns it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from datasets.films.matches import pack_of
from datasets.films.paint import Painter
from datasets.films.stage import Key, Lying, Stage
from scorekeeper.engine.match import start
from vision.detection.crops import flatten
from vision.detection.deck_templates import KnownDeck
from vision.detection.reader import CardReader, Image

_COLUMNS, _ROWS = 4, 2
_PITCH = (1.45, 1.3)  # from card to card, as a multiple of a card's width and height
_CROOKED = (0.4, 0.1)  # how far cards lie from their place at most, in centimetres and radians
_NEAR = 0.25  # an outline is of a card if it lies nearer, as a part of the card's height


def show_deck(
    stage: Stage, reader: CardReader, paint: Callable[[Stage], Painter]
) -> KnownDeck | None:
    """Shows the pack of a film on its table, and learns it.

    People correct misread cards when they show a deck. So each card that is found is learned under
    its true name.

    Args:
        stage: the film.
        reader: finds the cards.
        paint: makes the painter of a film.

    Returns:
        The learned deck; None where no card was found.
    """
    shown = laid_out(stage, [str(card) for card in pack_of(start(stage.header))])
    painter, crops = paint(shown), dict[str, Image]()
    for second in range(round(shown.ends)):
        picture = painter.frame(second)
        seen = reader.read(picture)
        for card in shown.at(second):
            corners = shown.card_at(card.pose, second)
            middle, tall = corners.mean(axis=0), np.linalg.norm(corners[0] - corners[3])
            far = [float(np.linalg.norm(each.corners.mean(axis=0) - middle)) for each in seen]
            if min(far, default=np.inf) < _NEAR * tall:
                crops[card.lying.card] = flatten(picture, seen[int(np.argmin(far))].corners)
    return KnownDeck(list(crops), list(crops.values())) if crops else None


def laid_out(stage: Stage, cards: Sequence[str]) -> Stage:
    """A film of the same table, camera and deck that shows the cards, eight of them each second."""
    rng, lying, at_once = Random(f"shown {stage.seed}"), list[Lying](), _COLUMNS * _ROWS
    for number, card in enumerate(cards):
        second, place = divmod(number, at_once)
        row, column = divmod(place, _COLUMNS)
        x = (column - (_COLUMNS - 1) / 2) * _PITCH[0] * stage.card[0]
        y = (row - (_ROWS - 1) / 2) * _PITCH[1] * stage.card[1]
        x, y = (each + rng.uniform(-_CROOKED[0], _CROOKED[0]) for each in (x, y))
        pose = (x, y, rng.uniform(-_CROOKED[1], _CROOKED[1]), 0.0)
        keys = (Key(second, *pose), Key(second + 1, *pose))
        lying.append(Lying(card, "up", None, None, keys, second, second + 1))
    ends = float(-(-len(cards) // at_once))
    return replace(stage, lying=tuple(lying), hands=(), shifts=(), ends=ends)
