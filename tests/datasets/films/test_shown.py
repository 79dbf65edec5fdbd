"""A deck is shown before a film: each card once, so that it can be learned by its name."""

from itertools import combinations

import numpy as np
import pytest

from datasets.benchmarks.table_score import filmed
from datasets.cards.decks import Shelf
from datasets.films.matches import pack_of
from datasets.films.paint import Painter
from datasets.films.shown import laid_out, show_deck
from datasets.films.stage import Stage
from scorekeeper.engine.match import start
from vision.detection.detections import Detection

FAR = 1.0
"""A distance, in heights of a card."""


class Reader:
    """A reader that sees each card a little beside its place, and reads it as a joker."""

    def __init__(self, aside: float) -> None:
        self.aside, self.looks = aside, 0
        self.shown: Stage

    def read(self, frame: np.ndarray) -> list[Detection]:
        at, self.looks = self.looks, self.looks + 1
        outlines = [self.shown.card_at(card.pose, at) for card in self.shown.at(at)]
        aside = np.array([0, self.aside * np.linalg.norm(outlines[0][0] - outlines[0][3])])
        return [Detection(np.float32(each + aside), 1.0, (("XJ", 1.0),)) for each in outlines]


def pack(stage: Stage) -> list[str]:
    return [str(card) for card in pack_of(start(stage.header))]


@pytest.mark.parametrize("game", ["trut", "le_truc_ace", "le_truc_seven", "truc_spain"])
def test_every_card_of_the_pack_lies_there_once_on_the_table_and_none_on_another(game):
    stage = filmed(game, 2, "home", 1, 1)
    shown = laid_out(stage, pack(stage))
    assert sorted(card.card for card in shown.lying) == sorted(pack(stage))
    for second in range(round(shown.ends)):
        cards = shown.at(second)
        assert 0 < len(cards) <= 8
        assert not any(card.under_cards or card.moving for card in cards)
        for one, other in combinations(cards, 2):
            assert np.hypot(one.pose.x - other.pose.x, one.pose.y - other.pose.y) > stage.card[0]
        for card in cards:
            assert abs(card.pose.x) < stage.table[0] / 2 - stage.card[1] / 2
            assert abs(card.pose.y) < stage.table[1] / 2 - stage.card[1] / 2


@pytest.mark.parametrize(("aside", "learned"), [(0.05, True), (FAR, False)])
def test_what_is_found_where_a_card_lies_is_learned_by_the_cards_own_name(shelf, aside, learned):
    stage, reader = filmed("trut", 2, "calm", 3, 1), Reader(aside)

    def paint(shown: Stage) -> Painter:
        reader.shown = shown
        return Painter(shown, shelf)

    deck = show_deck(stage, reader, paint)
    assert (deck.cards if deck else None) == (tuple(pack(stage)) if learned else None)


def test_it_is_the_deck_of_the_film(shelf: Shelf):
    stage = filmed("trut", 2, "home", 2, 1)
    shown = laid_out(stage, pack(stage))
    film, spread = Painter(stage, shelf), Painter(shown, shelf)
    card = pack(stage)[5]
    assert np.array_equal(film.faces.of(card), spread.faces.of(card))
