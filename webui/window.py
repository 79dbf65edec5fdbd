"""The window of ``trucam watch --show``: the picture with what is seen in it."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Any

import numpy as np

from scorekeeper.errors import ScorekeeperError
from vision.draw import draw_labels
from vision.observer import Observation, Observer
from vision.opencv import load_opencv
from vision.packs import BACK
from vision.sources import Frame, Image

TABLE = (200, 200, 200)
"""Colour of the table's outline, BGR."""


class WindowError(ScorekeeperError):
    """No window can be opened here."""


def drawn(frame: Frame, seen: Observation, observer: Observer) -> Image:
    """A frame with the table's outline and the cards that lie on it."""
    table, plane = observer.table, observer.plane
    labels = []
    for card in () if table is None else table.cards:
        if card.missing or card.down:
            continue
        best, chance = next(iter(card.chances().items()), ("?", 0.0))
        labels.append((f"{best} {chance:.0%}", card.corners, chance >= 0.9))
    picture = draw_labels(frame.picture, [label for label in labels if label[0] != BACK])
    if plane is not None:
        cv2: Any = load_opencv()
        outline = np.round(plane.to_frame(plane.outline)).astype(np.int32)
        cv2.polylines(picture, [outline], True, TABLE, 2, cv2.LINE_AA)
    return picture


class Window:
    """A window, open until it is closed or ``q`` is pressed.

    Args:
        title: what stands above it.

    Raises:
        WindowError: there is no screen.
    """

    def __init__(self, title: str) -> None:
        self._cv2: Any = load_opencv()
        self._title = f"trucam: {title}"
        screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        if sys.platform not in ("win32", "darwin") and not screen:
            raise WindowError("There is no screen here to open a window on: leave out --show.")

    def __enter__(self) -> Window:
        self._cv2.namedWindow(self._title, self._cv2.WINDOW_NORMAL)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._cv2.destroyAllWindows()

    def show(self, frame: Frame, seen: Observation, observer: Observer) -> bool:
        """Shows a frame; False where the window was closed."""
        cv2 = self._cv2
        cv2.imshow(self._title, drawn(frame, seen, observer))
        pressed = cv2.waitKey(1) & 0xFF
        return bool(pressed != ord("q") and cv2.getWindowProperty(self._title, 0) >= 0)
