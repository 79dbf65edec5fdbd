"""A deck that is shown before the match, as the set-up asks for: laid out in parts, and learned."""

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
_PITCH = (1.45, 1.3)  # of a card's width and height
_CROOKED = (0.4, 0.1)  # centimetres, and radians
_NEAR = 0.25  # of a card's height: how far from it what is seen of it may be


def show_deck(
    stage: Stage, reader: CardReader, paint: Callable[[Stage], Painter]
) -> KnownDeck | None:
    """Shows the pack of a film on its table, and learns it.

    Whoever shows a deck puts right what was misread, so each card that is found has its name.

    Args:
        stage: the film.
        reader: finds the cards, and says what they look like to it.
        paint: makes what paints a film.

    Returns:
        The deck as it is known then; None where no card was found.
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
    """The same table, camera and deck, on which some of the cards lie, others each second."""
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
