"""Makes a camera. ``webui.camera.camera`` loads OpenCV and ONNX Runtime: only this imports it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webui.camera.camera import Camera


def make_camera(
    source: str, *, turn: int = 0, deck: str | None = None, take: Path | None = None
) -> Camera:
    """Makes a camera; arguments as for ``webui.camera.camera.Camera``.

    A deck that was deleted since it was chosen does not count.
    """
    from vision.detection.deck_templates import deck_names  # late: see above
    from webui.camera.camera import Camera

    if deck not in deck_names():
        deck = None
    return Camera(source, turn=turn, deck=deck, take=take)
