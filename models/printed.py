"""The reader alone, on cards of printings that nobody trained on, by kinds of their indices."""

from random import Random

import numpy as np

from datasets.benchmarks.intervals import share_between
from datasets.cards.decks import Shelf, Split
from datasets.cards.faces import draw_pack
from datasets.cards.labels import rank_of
from datasets.scenes.printings import flattened
from models.disturb import disturb
from models.measures import Row
from models.scores import SURE
from vision.detection.reader import CardReader

CARDS_A_PRINTING, _JITTER = 12, 0.02
_COURTS = ("A", "J", "Q", "K", "1", "10", "11", "12")


def score_printings(
    reader: CardReader, shelf: Shelf, split: Split, printings: int
) -> dict[str, Row]:
    """How often ranks are right, by kinds of indices; half of the cards are courts and aces.

    Args:
        reader: whose reader is measured.
        shelf: the decks.
        split: whose decks are used.
        printings: how many French ones, and a quarter as many Spanish ones where there is a deck.
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
        for name, chance in zip(names, chances, strict=True):
            good = rank_of(reader.classes[int(chance.argmax())]) == rank_of(name)
            right.setdefault(kind, []).append(good)
            if chance.max() >= SURE:
                sure.setdefault(kind, []).append(good)
    return {f"printings, {kind}": _row(right[kind], sure.get(kind, [])) for kind in sorted(right)}


def _row(right: list[bool], sure: list[bool]) -> Row:
    low, high = share_between(sum(right), len(right))
    return {
        "cards": len(right),
        "rank_right": sum(right) / len(right),
        "rank_low": low,
        "rank_high": high,
        "sure": len(sure) / len(right),
        "sure_wrong": 1 - sum(sure) / len(sure) if sure else 0.0,
    }
