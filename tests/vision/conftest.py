"""What the tests of kept pictures (``vision.evidence``) share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.storage.media import Pictures
from tests.vision.show import Show


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "pictures")


@pytest.fixture
def show(pictures: Pictures) -> Iterator[Show]:
    show = Show(pictures)
    yield show
    show.evidence.close()
    assert not show.evidence._thread.is_alive()
