"""The archive of the running version's source, also with file times that ZIP does not have."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from webui.pages import source


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages as installed from a wheel: the licence is in the metadata."""
    for package in source.PACKAGES:
        (tmp_path / package / "__pycache__").mkdir(parents=True)
        (tmp_path / package / "a.py").write_text(package)
        (tmp_path / package / "__pycache__" / "a.pyc").write_text("")
        os.utime(tmp_path / package / "a.py", (0, 0))
    (tmp_path / "meta").mkdir()
    (tmp_path / "meta" / "LICENSE").write_text("AGPL")
    monkeypatch.setattr(source, "__file__", str(tmp_path / "webui" / "pages" / "source.py"))
    licence = SimpleNamespace(name="LICENSE", locate=lambda: tmp_path / "meta" / "LICENSE")
    other = SimpleNamespace(name="RECORD")
    monkeypatch.setattr(source, "distribution", lambda _: SimpleNamespace(files=[other, licence]))
    source._archive.cache_clear()
    yield tmp_path
    source._archive.cache_clear()


def test_a_wheel_has_its_licence_and_files_of_any_age(installed) -> None:
    answer = source.source_archive()
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        names = sorted(name.split("/", 1)[1] for name in archive.namelist())
        assert archive.testzip() is None
    assert names == ["LICENSE", "scorekeeper/a.py", "vision/a.py", "webui/a.py"]
