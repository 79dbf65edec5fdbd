"""What a table has learned of its deck: kept under a name, and for a process that comes next."""

from __future__ import annotations

import base64
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from vision.detection.deck_templates import DeckError, keep_learned
from vision.detection.outlines import Image
from vision.opencv import load_opencv

Learned = Mapping[str, Image]
"""The flattened pictures of the cards that were learned, by their names."""


def changes_to(learned: Learned, before: Learned) -> dict[str, str | None]:
    """What was learned since, as JSON: a PNG in base64 by name, None for a card that has gone."""
    cv2: Any = load_opencv()
    changes: dict[str, str | None] = {name: None for name in before if name not in learned}
    for name, crop in learned.items():
        if before.get(name) is not crop:
            changes[name] = base64.b64encode(cv2.imencode(".png", crop)[1].tobytes()).decode()
    return changes


def learned_from(data: Mapping[str, str]) -> dict[str, Image]:
    """Reads the pictures that :func:`changes_to` made."""
    cv2: Any = load_opencv()
    return {
        name: cv2.imdecode(np.frombuffer(base64.b64decode(png), np.uint8), cv2.IMREAD_COLOR)
        for name, png in data.items()
    }


def kept_deck(
    name: str, learned: Learned, *, known: str | None, cards: Collection[str]
) -> dict[str, Any]:
    """Keeps a deck under a name as it was learned, see ``keep_learned``.

    Returns:
        How many ``cards`` are kept, and the ``trouble`` if that went wrong, else None.
    """
    try:
        return {"cards": keep_learned(name, learned, known=known, cards=cards), "trouble": None}
    except (OSError, DeckError) as error:  # whatever goes wrong here, the watching goes on
        return {"cards": 0, "trouble": str(error)}
