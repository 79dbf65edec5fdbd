"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from contextlib import suppress

import pytest

from scorekeeper.files import written_whole


def test_a_file_is_replaced_once_it_is_whole(tmp_path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with written_whole(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("there", [True, False])
def test_what_breaks_off_leaves_all_as_it_was(tmp_path, there: bool) -> None:
    path = tmp_path / "a.json"
    if there:
        path.write_text("old")
    with suppress(KeyboardInterrupt), written_whole(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert [one.read_text() for one in tmp_path.iterdir()] == ["old"] * there


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
@pytest.mark.parametrize(("said", "mode"), [({}, 0o600), ({"mode": 0o644}, 0o644)])
def test_its_owner_alone_may_read_it_unless_it_is_said(tmp_path, said, mode) -> None:
    path = tmp_path / "a.json"
    with written_whole(path, **said):
        pass
    assert stat.S_IMODE(path.stat().st_mode) == mode
