"""A camera, loaded only where one is wanted: it brings OpenCV and ONNX Runtime along."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webui.camera.camera import Camera


def hire(
    source: str, *, turn: int = 0, deck: str | None = None, take: Path | None = None
) -> Camera:
    """A camera; see ``webui.camera.camera.Camera``."""
    from webui.camera.camera import Camera  # late, as said above

    return Camera(source, turn=turn, deck=deck, take=take)
