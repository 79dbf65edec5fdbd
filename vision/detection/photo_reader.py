"""Reading photographs: there is time, so each of them is looked at several times.

A card that is overlooked, or badly outlined, in one look may be seen well in another. What all
looks agree on is surer than what only one of them saw.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING

from vision.detection.detections import Detection, one_a_card
from vision.detection.outlines import overlaps
from vision.detection.reader import CardReader, How, Image

if TYPE_CHECKING:
    from vision.detection.deck_templates import KnownDeck

LOOKS = (How(0, 448), How(1, 448), How(0, 640), How(1, 640))
"""Each photograph is looked at smaller and larger, as it is and turned by a quarter."""

_ONE_CARD = 0.5
"""Outlines of several looks that overlap more (intersection over union) are of one card."""

_LEAST = 1e-4
"""Probability of a card that a look does not name."""


class StillReader:
    """Finds and reads the cards of photographs.

    Args:
        reader: finds and reads the cards in each look.
    """

    def __init__(self, reader: CardReader) -> None:
        self._reader = reader

    def read(
        self,
        picture: Image,
        *,
        pack: Collection[str] | None = None,
        deck: KnownDeck | None = None,
        keep: int = 5,
    ) -> list[Detection]:
        """Find and read the cards of a photograph; see ``CardReader.read``."""
        seen = [
            (look, detection)
            for look, how in enumerate(LOOKS)
            for detection in self._reader.read(picture, pack=pack, deck=deck, keep=keep, how=how)
        ]
        seen.sort(key=lambda each: -each[1].score * each[1].probability)
        cards: list[dict[int, Detection]] = []  # of each card, by look, what that saw
        for look, detection in seen:
            best, most = None, _ONE_CARD
            for card in cards:
                same = overlaps(detection.corners, next(iter(card.values())).corners)[0]
                if look not in card and same > most:  # what one look tells apart are two cards
                    best, most = card, same
            if best is None:
                cards.append({look: detection})
            else:
                best[look] = detection
        return one_a_card([_joined([*card.values()], keep) for card in cards])


def _joined(group: list[Detection], keep: int) -> Detection:
    """What several looks say of one card.

    Args:
        group: the detection of each look that saw the card.
        keep: how many readings stay.

    Returns:
        A detection with the geometric mean of their probabilities, which is lower the fewer looks
        saw the card; with the corners of the look that read it best.
    """
    logarithms: dict[str, float] = {}
    for detection in group:
        for name, chance in detection.readings:
            above = math.log(max(chance, _LEAST) / _LEAST)
            logarithms[name] = logarithms.get(name, 0.0) + above / len(group)
    chances = {name: _LEAST * math.exp(above) for name, above in logarithms.items()}
    named = sum(chance for each in group for _, chance in each.readings) / len(group)
    share = named / sum(chances.values()) * (len(group) + 1) / (len(LOOKS) + 1)
    best = max(group, key=lambda each: each.probability)
    ordered = sorted(chances.items(), key=lambda each: -each[1])
    readings = tuple((name, chance * share) for name, chance in ordered[:keep])
    letters = {
        letter: sum(each.letters[letter] for each in group) / len(group) for letter in best.letters
    }
    return Detection(best.corners, max(each.score for each in group), readings, letters)
