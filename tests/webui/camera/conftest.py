"""A table that is set up with a camera."""

from __future__ import annotations

import pytest

from tests.webui.watching import SEES, SETUP, FakeSupervisor, camera_of
from vision.capture.captures import Webcam
from vision.detection import deck_templates


@pytest.fixture
def webcams(monkeypatch) -> list[Webcam]:
    """The cameras that are plugged in."""
    found = [Webcam(0, "Laptop", 0), Webcam(2, "Brio", 0), Webcam(4, "Brio", 0)]
    monkeypatch.setattr("vision.capture.captures.list_webcams", lambda: found)
    return found


@pytest.fixture
def started(monkeypatch, tmp_path) -> list[FakeSupervisor]:
    """The supervisors that were started."""
    monkeypatch.setenv("TRUCAM_CAMERAS", str(tmp_path / "cameras"))
    monkeypatch.setattr(deck_templates, "decks_folder", lambda: tmp_path / "decks")
    with camera_of(monkeypatch):
        yield FakeSupervisor.started


@pytest.fixture
def ready(room, host, started, webcams) -> FakeSupervisor:
    """A table that waits for its first deal, with a camera."""
    assert host.send("/host/setup", {**SETUP, "watched": "camera"}).status_code == 302
    assert host.send("/host/camera/choose", {"camera": "Laptop"}).status_code == 302
    (supervisor,) = started
    supervisor.see(**SEES)
    return supervisor
