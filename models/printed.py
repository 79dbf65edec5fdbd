"""Scores the reader alone on printings that it was not trained on, by kinds of indices."""

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from datasets.benchmarks.intervals import share_of_films
from datasets.cards.decks import Shelf, Split
from datasets.cards.faces import draw_pack
from datasets.cards.labels import rank_of
from datasets.scenes.printings import flattened
from models.disturb import disturb
from models.measures import Row
from models.scores import SURE
from vision.detection.crops import READER_VIEW
from vision.detection.detections import Detection
from vision.detection.one_deck import WEIGHED, OneDeck
from vision.detection.reader import CardReader
from vision.packs import UNREAD

CARDS_A_PRINTING, _JITTER = 12, 0.02
_COURTS = ("A", "J", "Q", "K", "1", "10", "11", "12")


def score_printings(
    reader: CardReader, shelf: Shelf, split: Split, printings: int
) -> dict[str, Row]:
    """Scores how often ranks are right, with a row for each kind of indices.

    At least half of the cards are courts and aces. Each kind has two rows: cards read one by one,
    and the cards of a printing read together as one deck.

    Args:
        reader: the reader to score.
        shelf: the decks.
        split: whose decks are used.
        printings: how many French ones. There are a quarter as many Spanish ones, if the split has
            a Spanish deck.
    """
    right: dict[str, list[bool]] = {}
    sure: dict[str, list[bool]] = {}
    for number in range(printings + printings // 4):
        suits = "french" if number < printings else "spanish"
        if not shelf.of(suits, split):
            continue
        rng = Random(f"printed {split} {number}")
        draw = np.random.default_rng(rng.getrandbits(64))
        pack = draw_pack(shelf, suits, split, rng)
        courts = [card for card in pack.cards if rank_of(card) in _COURTS]
        half = CARDS_A_PRINTING // 2
        names = rng.sample(courts, half) + rng.sample(list(pack.cards), half)
        crops = [disturb(draw, flattened(draw, pack.face(name), None, _JITTER)) for name in names]
        logits = reader.read_crops(crops).logits
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        kind = f"{suits}, {pack.indices}" if suits == "french" else suits
        each = [(reader.classes[int(c.argmax())], float(c.max())) for c in chances]
        for row, seen in ((kind, each), (f"{kind}, together", _together(reader, crops, chances))):
            for name, (read, chance) in zip(names, seen, strict=True):
                good = rank_of(read) == rank_of(name)
                right.setdefault(row, []).append(good)
                if chance >= SURE:
                    sure.setdefault(row, []).append(good)
    return {f"printings, {kind}": _row(right[kind], sure.get(kind, [])) for kind in sorted(right)}


def _together(
    reader: CardReader, crops: Sequence[NDArray[np.uint8]], chances: NDArray[np.float32]
) -> list[tuple[str, float]]:
    """The best reading of each crop when all are weighed together as cards of one deck."""
    deck = OneDeck()
    for crop, chance in zip(crops, chances, strict=True):
        order = np.argsort(-chance)[:WEIGHED]
        readings = tuple((reader.classes[i], float(chance[i])) for i in order)
        deck.add(crop, [Detection(READER_VIEW.corners(), 1.0, readings)])
    return [seen[0].readings[0] if seen else (UNREAD, 0.0) for seen in deck.read()]


def _row(right: list[bool], sure: list[bool]) -> Row:
    printings = [right[n : n + CARDS_A_PRINTING] for n in range(0, len(right), CARDS_A_PRINTING)]
    _, low, high = share_of_films([sum(each) for each in printings], [*map(len, printings)])
    return {
        "cards": len(right),
        "rank_right": sum(right) / len(right),
        "rank_low": low,
        "rank_high": high,
        "sure": len(sure) / len(right),
        "sure_wrong": 1 - sum(sure) / len(sure) if sure else 0.0,
    }
