"""The window of ``trucam watch --show``: each picture, with what is seen drawn in."""

from __future__ import annotations

import os
import sys
from typing import Any

from scorekeeper.closing import Closes
from scorekeeper.errors import ScorekeeperError
from vision.capture.sources import Frame
from vision.evidence.draw import draw_table
from vision.opencv import load_opencv
from vision.pipeline import Observer


class WindowError(ScorekeeperError):
    """No window can be opened here."""


class Window(Closes):
    """A window that is open until somebody closes it or presses ``q``.

    Args:
        title: its title.

    Raises:
        WindowError: this machine has no screen.
    """

    def __init__(self, title: str) -> None:
        self._cv2: Any = load_opencv()
        self._title = f"trucam: {title}"
        self._sized = False
        screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        if sys.platform not in ("win32", "darwin") and not screen:
            raise WindowError("There is no screen here to open a window on: leave out --show.")

    def __enter__(self) -> Window:
        cv2 = self._cv2
        # Qt complains of missing fonts between our lines; this window has no text.
        os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")
        cv2.namedWindow(
            self._title, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO | cv2.WINDOW_GUI_NORMAL
        )
        return self

    def close(self) -> None:
        """Closes it."""
        self._cv2.destroyAllWindows()

    def show(self, frame: Frame, observer: Observer) -> bool:
        """Shows a frame; False where the window was closed."""
        cv2 = self._cv2
        cards = () if observer.table is None else observer.table.cards
        if not self._sized:  # a window opens very small; later it keeps the size that people choose
            height, width = frame.picture.shape[:2]
            cv2.resizeWindow(self._title, width, height)
            self._sized = True
        cv2.imshow(self._title, draw_table(frame.picture, cards, observer.plane))
        pressed = cv2.waitKey(1) & 0xFF
        return bool(pressed != ord("q") and cv2.getWindowProperty(self._title, 0) >= 0)
