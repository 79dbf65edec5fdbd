"""The watching goes on if pictures cannot be kept: full disk, removed match, killed process."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from scorekeeper.storage.media import ABOUT, CLIP, STILL, Pictures
from tests.vision.show import PLAYED, Show, is_like, seen_at, still
from vision.evidence import recorder as module
from vision.evidence.recorder import NO_CLIPS, NO_ROOM, REMOVED, TOO_SLOW, UNWRITABLE, Hitch


def test_a_full_disk_is_told_once_and_pictures_go_on_when_there_is_room(
    pictures, monkeypatch, caplog
) -> None:
    show = Show(pictures)
    write, tried, lost = show.pictures.write, [], threading.Semaphore(0)

    def full(match_id: int, seq: int, kind: str, fill: object) -> None:
        tried.append(kind)
        if seq < 5:
            if kind == CLIP:  # the clip is written last
                lost.release()
            raise OSError(28, "No space left on device")
        write(match_id, seq, kind, fill)

    monkeypatch.setattr(show.pictures, "write", full)
    show.run(1.0)
    for _ in range(3):
        show.play()
        show.run(1.5)
        assert lost.acquire(timeout=60)
    seq = show.play()
    show.run(1.5)
    assert show.kept(seq).clip is not None
    assert show.pictures.of(7) == [seq]
    assert tried.count(ABOUT) == tried.count(CLIP) == 4
    assert show.evidence.hitches == []  # it is over
    (told,) = caplog.messages
    assert told.endswith("No space left on device. The match goes on without them.")


def test_a_folder_that_cannot_be_made_is_told_once(tmp_path, caplog) -> None:
    (tmp_path / "file").touch()
    show = Show(Pictures(tmp_path / "file" / "pictures"))
    for _ in range(2):
        show.run(0.2)
        show.play()
    show.evidence.close()
    assert [hitch.reason for hitch in show.evidence.hitches] == [UNWRITABLE]
    assert len(caplog.messages) == 1


def test_a_match_that_is_forgotten_meanwhile_leaves_nothing(show) -> None:
    show.run(1.0)
    show.play()
    show.pictures.remove(7)
    show.run(1.5)
    show.play()
    show.evidence.close()
    assert [path for path in show.pictures.folder.rglob("*") if path.is_file()] == []
    assert [hitch.reason for hitch in show.evidence.hitches] == [REMOVED]


def test_a_match_that_takes_up_all_the_room_gets_no_more(pictures) -> None:
    pictures.most = 30_000
    show = Show(pictures)
    for _ in range(10):
        show.run(0.4)
        show.play()
    show.evidence.close()
    sizes = [path.stat().st_size for path in pictures.folder.rglob("*") if path.is_file()]
    assert 0 < sum(sizes) <= 30_000
    assert NO_ROOM in [hitch.reason for hitch in show.evidence.hitches]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ModuleNotFoundError("No module named 'av'", name="av"), "PyAV is not installed"),
        (ImportError("libx264.so: cannot open"), "PyAV: libx264.so: cannot open"),
        (ValueError("no encoder"), "PyAV: no encoder"),
    ],
)
def test_without_pyav_there_are_pictures_and_one_hint(show, monkeypatch, error, reason) -> None:
    def refuse() -> None:
        raise error

    monkeypatch.setattr(module, "load_av", refuse)
    seqs = []
    for _ in range(2):
        show.run(1.5)
        seqs.append(show.play())
    kept = [show.kept(seq) for seq in seqs]
    assert all(each.still is not None and each.clip is None for each in kept)
    assert [hitch.reason for hitch in show.evidence.hitches] == [NO_CLIPS]
    assert reason in show.evidence.hitches[0].sentence()


@pytest.fixture
def go_on(show, monkeypatch) -> threading.Event:
    """Pictures are written only once this is set."""
    write, go_on = show.pictures.write, threading.Event()

    def slow(*arguments: object) -> None:
        go_on.wait()
        write(*arguments)

    monkeypatch.setattr(show.pictures, "write", slow)
    return go_on


def test_a_picture_that_is_written_late_shows_what_was_played_by_its_moment(show, go_on) -> None:
    show.put(3, 0, 20)
    show.put(5, 20, 20)
    show.run(1.5, {3, 5})
    seq = show.play(3)
    show.run(0.5, {5})
    show.play(5)
    show.run(1.5)
    go_on.set()
    picture = still(show.kept(seq))
    assert is_like(seen_at(picture, 0, 20), PLAYED).all()
    assert not is_like(seen_at(picture, 20, 20), PLAYED).any()


def test_a_slow_disk_does_not_delay_the_watching(show, go_on) -> None:
    for _ in range(20):
        show.run(0.4)
        show.play()
    show.run(1.2)
    assert [hitch.reason for hitch in show.evidence.hitches] == [TOO_SLOW]
    go_on.set()
    show.evidence.close(timeout=120)  # on a slow machine all of it takes longer than people wait
    kept = [show.pictures.find(7, seq) for seq in show.pictures.of(7)]
    assert sum(each.still is not None for each in kept) == 20
    assert sum(each.clip is not None for each in kept) == module.MOST_CLIPS


def test_no_pictures_are_kept_if_the_limit_is_zero(tmp_path) -> None:
    pictures = Pictures(tmp_path / "pictures", days=0)
    show = Show(pictures)
    show.run(1.0)
    show.play()
    show.evidence.close()
    assert not pictures.folder.exists()


def test_a_clip_that_a_killed_process_was_writing_is_not_there(pictures, tmp_path) -> None:
    script = f"""
import sys
from pathlib import Path
import numpy as np
from scorekeeper.storage.media import CLIP, Pictures
from vision.evidence.clips import write_clip
def film():
    for number in range(60):
        yield number / 15, np.full((720, 1280, 3), number, np.uint8)
    print("half", flush=True)
    sys.stdin.read()
pictures = Pictures(Path({str(pictures.folder)!r}))
pictures.open(7)
pictures.write(7, 1, CLIP, lambda path: write_clip(path, film()))
"""
    child = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == "half\n"
        child.kill()
    left = list((pictures.folder / "7").iterdir())
    assert len(left) == 1
    assert left[0].suffix not in (CLIP, STILL, ABOUT)


def test_what_the_system_says_is_put_into_the_language_too():
    words = {"Kept nowhere: {reason}.": "Nulle part : {reason}.", "Permission denied": "interdit"}
    hitch = Hitch("Kept nowhere: {reason}.", {"reason": "Permission denied"})
    assert hitch.sentence(lambda said: words[said]) == "Nulle part : interdit."
