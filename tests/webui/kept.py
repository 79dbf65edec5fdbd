"""Writes pictures of events as the watching process does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.media import ABOUT, CLIP, STILL
from vision.opencv import load_opencv

CLIP_BYTES = bytes(range(256)) * 40
"""Bytes in place of a clip: so many that a browser could ask for parts of it."""


def about(seq: int, card: str, *readings: tuple[str, float], **more: Any) -> dict[str, Any]:
    """What the JSON file beside a picture holds, for a card that was read.

    Args:
        seq: Number of the event.
        card: What it was read as.
        *readings: Its readings, and how likely each is.
        **more: Further fields, or other values.
    """
    return {
        "format": "trucam-evidence/1",
        "seq": seq,
        "do": "play",
        "card": card,
        "readings": [list(reading) for reading in readings],
        "expected": {"due": [1], "possible": [card, "QS", "9C"]},
        "changed": None,
        "chance": 0.97,
        "corners": None,
        "moment": 1.0,
        **more,
    }


def table_picture(*cards: str) -> Any:
    """Draws a green table with cards that bear their names; shape (720, 1280, 3)."""
    cv2: Any = load_opencv()
    picture = np.full((720, 1280, 3), (70, 95, 31), np.uint8)
    for n, card in enumerate(cards):
        left = 420 + 230 * n
        cv2.rectangle(picture, (left, 220), (left + 180, 480), (248, 253, 255), -1)
        cv2.putText(picture, card, (left + 30, 370), cv2.FONT_HERSHEY_DUPLEX, 2, (30, 20, 16), 4)
    return picture


def keep(
    ledger: Ledger,
    match_id: int,
    told: dict[str, Any],
    *,
    still: bytes | None = b"\xff\xd8still",
    clip: bytes | Path | None = CLIP_BYTES,
) -> None:
    """Writes what was seen of an event, and a picture and a clip unless they are None."""
    pictures, seq = ledger.pictures, told["seq"]
    pictures.open(match_id)
    text = json.dumps(told)
    pictures.write(match_id, seq, ABOUT, lambda path: path.write_text(text))
    film = clip.read_bytes() if isinstance(clip, Path) else clip
    for kind, data in ((STILL, still), (CLIP, film)):
        if data is not None:
            pictures.write(match_id, seq, kind, lambda path, data=data: path.write_bytes(data))
