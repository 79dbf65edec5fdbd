"""Shows a film's deck before the match, as the camera's page asks for, and learns it as it does.

``python -m datasets.benchmarks.showing`` measures how well that goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np

from datasets.films.matches import pack_of
from datasets.films.paint import Painter
from datasets.films.stage import Key, Lying, Stage
from scorekeeper.engine.match import start
from vision.detection.deck_templates import KnownDeck
from vision.detection.reader import CardReader
from vision.detection.spread import SpreadCard, spread_from, spread_to
from vision.pipeline import SPREAD
from webui.camera.counting import Counted, Counting

_COLUMNS, _ROWS = 4, 2
_PITCH = (1.45, 1.3)  # from card to card, as a multiple of a card's width and height
_CROOKED = (0.4, 0.1)  # how far cards lie from their place at most, in centimetres and radians
_NEAR = 0.25  # an outline is of a card if it lies nearer, as a part of the card's height

LOOKS = (0.2, 0.5, 0.8)
"""When the camera looks at eight cards, in seconds after they were laid."""


TURNS = 3
"""How often cards that are missing are laid at most."""


class Showing(NamedTuple):
    """What came of showing a deck.

    Attributes:
        deck: what was learned; None where no card was.
        right: how many cards of the pack were learned under their own names.
        wrong: how many were learned under the name of another one, or are none.
        taps: how many cards the host named or left out.
    """

    deck: KnownDeck | None
    right: int
    wrong: int
    taps: int


def show_deck(stage: Stage, reader: CardReader, paint: Callable[[Stage], Painter]) -> Showing:
    """Shows the pack of a film on its table, and learns it.

    The host names the cards that wait for a name, and corrects those that are not sure or not of
    this pack. What is surely misread for another one of the pack stays so. Cards that are still
    missing are laid again, elsewhere.

    Args:
        stage: the film.
        reader: finds the cards.
        paint: makes the painter of a film.
    """
    pack = [str(card) for card in pack_of(start(stage.header))]
    counting, truth, taps = Counting(frozenset(pack)), dict[bytes, str | None](), 0
    for turn in range(TURNS):
        named = {card.card for card in counting.cards.values()}
        shown = laid_out(stage, [card for card in pack if card not in named], turn)
        painter = paint(shown)
        for second in range(round(shown.ends)):
            for at in (second + look for look in LOOKS):
                picture = painter.frame(at)
                seen = spread_from(spread_to(picture, reader.read(picture, how=SPREAD)))
                counting.add(seen)
                truth |= {card.crop: _true_name(card, shown, at) for card in seen}
        taps += _put_right(counting, truth)
        if counting.check().right:
            break
    learned = [card for card in counting.cards.values() if card.card in counting.pack]
    right = sum(truth[card.crop] == card.card for card in learned)
    crops = counting.crops()
    deck = KnownDeck(list(crops), list(crops.values())) if crops else None
    return Showing(deck, right, len(learned) - right, taps)


def _true_name(seen: SpreadCard, shown: Stage, at: float) -> str | None:
    """The card that lies where one was seen; None where none does."""
    for card in shown.at(at):
        corners = shown.card_at(card.pose, at)
        far = np.linalg.norm(seen.corners.mean(axis=0) - corners.mean(axis=0))
        if far < _NEAR * np.linalg.norm(corners[0] - corners[3]):
            return card.lying.card
    return None


def _put_right(counting: Counting, truth: Mapping[bytes, str | None]) -> int:
    """The host names and corrects what the page shows to be wrong; returns how many taps."""
    taps = 0
    while not counting.check().right and (wrong := _first_wrong(counting, truth)) is not None:
        cards = counting.cards.values()
        right = {each.card for each in cards if each.sure and truth[each.crop] == each.card}
        name = truth[wrong.crop]
        counting.put_right(wrong.number, None if name in right else name)  # it is there once
        taps += 1
    return taps


def _first_wrong(counting: Counting, truth: Mapping[bytes, str | None]) -> Counted | None:
    """A card with another name than its own, or none, which the page points out."""
    for card in (*counting.unread.values(), *counting.cards.values()):
        doubtful = not card.sure or card.card not in counting.pack
        if doubtful and card.card != truth[card.crop]:
            return card
    return None


def laid_out(stage: Stage, cards: Sequence[str], turn: int = 0) -> Stage:
    """A film of the same table, camera and deck that shows the cards, eight of them each second.

    In another ``turn`` they lie a little otherwise.
    """
    rng, lying, at_once = Random(f"shown {stage.seed} {turn}"), list[Lying](), _COLUMNS * _ROWS
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
