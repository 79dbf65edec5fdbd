"""The file of a table is written whole or not at all, only for its owner, and by one process."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from webui.table.memory import Memory, TableError

ROOT = Path(__file__).parents[3]
OPENS = "from webui.table.memory import Memory; Memory(); print('open')"


@pytest.fixture
def file(folder) -> Path:
    return folder / "tables" / "table.json"


def remember(memory: Memory, **what: object) -> None:
    with memory.changing() as data:
        data.update(what)


def test_what_is_remembered_is_there_after_a_restart(memory, file) -> None:
    remember(memory, draft={"name": "Ana 🂡 <b>\udcff"}, cuts=[[0, "K"]])
    memory.close()
    with Memory() as again:
        assert again.data == {"draft": {"name": "Ana 🂡 <b>\udcff"}, "cuts": [[0, "K"]]}


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_only_its_owner_may_read_it(memory, file) -> None:
    before = os.umask(0)
    try:
        remember(memory, key="secret")
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_change_that_is_broken_off_changes_nothing(memory, file) -> None:
    remember(memory, phones={"a": {"seat": 1}})

    def changed_halfway() -> None:
        with memory.changing() as data:
            data["phones"]["a"]["seat"] = 2
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        changed_halfway()
    assert memory.data == {"phones": {"a": {"seat": 1}}} == json.loads(file.read_text())


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_file_as_it_was(memory, file, monkeypatch, call):
    remember(memory, key="old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, full)
    with pytest.raises(TableError, match=r"table\.json cannot be written: No space left"):
        remember(memory, key="new")
    assert memory.data == {"key": "old"} == json.loads(file.read_text())
    assert sorted(path.name for path in file.parent.iterdir()) == ["table.json", "table.lock"]
    monkeypatch.undo()
    remember(memory, key="newer")
    assert json.loads(file.read_text()) == {"key": "newer"}


def test_a_folder_that_is_gone_is_one_sentence(memory, file) -> None:
    memory.close()
    for path in file.parent.iterdir():
        path.unlink()
    file.parent.rmdir()
    with pytest.raises(TableError, match="cannot be written: No such file"):
        remember(memory, key="new")


def test_threads_lose_nothing_of_each_other(memory, file) -> None:
    def count(name: str) -> None:
        for number in range(20):
            with memory.changing() as data:
                data.setdefault(name, []).append(number)

    threads = [threading.Thread(target=count, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert json.loads(file.read_text()) == {name: list(range(20)) for name in "abcd"}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '"x"', "[" * 100_000, b"\xff\xfe\x00", b"\x00" * 100, "{}{}"]
)
def test_a_damaged_file_is_one_sentence_and_is_not_touched(folder, text) -> None:
    path = folder / "tables" / "table.json"
    path.parent.mkdir()
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = path.read_bytes()
    with pytest.raises(TableError, match=r"table\.json is damaged; move it away") as caught:
        Memory()
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


def test_a_folder_in_the_files_place_is_one_sentence(folder) -> None:
    (folder / "tables" / "table.json").mkdir(parents=True)
    with pytest.raises(TableError, match=r"table\.json cannot be used"):
        Memory()


def test_a_file_in_the_folders_place_is_one_sentence(folder) -> None:
    (folder / "tables").write_text("")
    with pytest.raises(TableError, match="tables cannot be used"):
        Memory()


@pytest.mark.parametrize("name", ["", "a/b", "../x", "a b", "x" * 41, "a.b", "a\n"])
def test_a_table_has_a_plain_name(folder, name) -> None:
    with pytest.raises(TableError, match="cannot name a table"):
        Memory(name)


def test_another_process_hears_that_the_table_is_served(memory) -> None:
    def other() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", OPENS], cwd=ROOT, capture_output=True, text=True, check=False
        )

    refused = other()
    assert refused.returncode != 0
    assert "TableError: This table is served already on this machine" in refused.stderr
    memory.close()
    assert other().stdout == "open\n"


def test_two_tables_of_a_machine_remember_different_things(memory) -> None:
    with Memory("second") as second:
        remember(second, key="b")
        remember(memory, key="a")
        assert (memory.data, second.data) == ({"key": "a"}, {"key": "b"})


def test_by_default_it_is_in_the_users_data_folder(folder, monkeypatch) -> None:
    monkeypatch.setenv("TRUCAM_TABLES", " ")
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: folder / "data")
    with Memory() as memory:
        remember(memory, key="a")
    assert (folder / "data" / "tables" / "table.json").is_file()
