"""A deck is shown before a film: each card once, so that it can be learned by its name."""

from itertools import combinations
from types import SimpleNamespace

import cv2
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
from vision.detection.reader import How

NEAR, FAR = 0.05, 1.0
"""Distances, in heights of a card."""


class Reader:
    """A reader that sees each card a little beside its place.

    Args:
        reads: a card's name to what it is read as, with probabilities; others are read rightly.
        aside: how far beside its place it is seen, in heights of a card.
    """

    def __init__(self, reads: dict[str, tuple[tuple[str, float], ...]], aside: float) -> None:
        self.reads, self.aside = reads, aside
        self.shown: Stage
        self.at = 0.0

    def painter(self, shown: Stage) -> SimpleNamespace:
        """Paints each card in its own colours, and notes what is shown to the reader."""

        def frame(at: float) -> np.ndarray:
            self.shown, self.at = shown, at
            picture = np.zeros((*shown.camera.size[::-1], 3), np.uint8)
            for card in shown.at(at):
                chance = np.random.default_rng([*card.lying.card.encode()])
                face = chance.integers(0, 255, (7, 5, 3), np.uint8)
                corners = shown.card_at(card.pose, at).astype(np.float32)
                edges = np.float32([[0, 0], [5, 0], [5, 7], [0, 7]])
                matrix = cv2.getPerspectiveTransform(edges, corners)
                cv2.warpPerspective(
                    face, matrix, picture.shape[1::-1], picture,
                    borderMode=cv2.BORDER_TRANSPARENT,
                )  # fmt: skip
            return picture

        return SimpleNamespace(frame=frame)

    def read(self, frame: np.ndarray, *, how: How) -> list[Detection]:
        found = []
        for card in self.shown.at(self.at):
            corners, name = self.shown.card_at(card.pose, self.at), card.lying.card
            aside = np.array([0, self.aside * np.linalg.norm(corners[0] - corners[3])])
            readings = self.reads.get(name, ((name, 0.98),))
            found.append(Detection(np.float32(corners + aside), 1.0, readings))
        return found


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


@pytest.mark.parametrize(
    ("reads", "aside", "found"),
    [
        ({}, NEAR, (32, 0, 0)),
        ({}, FAR, (0, 32, 0)),
        ({"7H": (("8H", 0.6),)}, NEAR, (32, 0, 1)),
        ({"7H": (("2H", 0.95),)}, NEAR, (32, 0, 1)),
        ({"KS": (("QS", 0.95),), "QS": (("KS", 0.95),)}, NEAR, (30, 2, 0)),
        ({"7H": (("back", 0.9),)}, NEAR, (31, 0, 0)),
    ],
    ids=[
        "well read",
        "outlined elsewhere",
        "not sure",
        "not of the pack",
        "sure and wrong",
        "a back",
    ],
)
def test_the_host_corrects_what_the_page_points_out_and_nothing_else(reads, aside, found):
    stage, reader = filmed("trut", 2, "calm", 3, 1), Reader(reads, aside)
    deck, *counted = show_deck(stage, reader, reader.painter)
    assert tuple(counted) == found
    assert (set(deck.cards) if deck else set()) <= set(pack(stage))
    assert len(deck.cards if deck else ()) == sum(counted[:2])


def test_it_is_the_deck_of_the_film(shelf: Shelf):
    stage = filmed("trut", 2, "home", 2, 1)
    shown = laid_out(stage, pack(stage))
    film, spread = Painter(stage, shelf), Painter(shown, shelf)
    card = pack(stage)[5]
    assert np.array_equal(film.faces.of(card), spread.faces.of(card))
