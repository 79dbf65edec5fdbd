"""Pictures beside a ledger are written whole, kept within limits, and removed with their match."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source
from scorekeeper.errors import LedgerError
from scorekeeper.storage.database import locate, pictures_of
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.media import ABOUT, CLIP, DAY, NEW, STILL, NoRoom, Pictures
from tests.scorekeeper.talk import TRUT, event

HEADER = Header(game=TRUT, seats=("Ana", "Bea"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pictures of a ledger on a server lie in the user's data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "pictures", days=30, most=10_000)


def put(
    pictures: Pictures, match_id: int, seq: int = 1, size: int = 100, kind: str = STILL
) -> None:
    pictures.open(match_id)
    pictures.write(match_id, seq, kind, lambda path: path.write_bytes(bytes(size)))


def there(pictures: Pictures) -> list[str]:
    files = (path for path in pictures.folder.rglob("*") if path.is_file())
    return sorted(path.relative_to(pictures.folder).as_posix() for path in files)


def date_back(pictures: Pictures, seconds: float, *names: str) -> None:
    for name in names:
        at = time.time() - seconds
        os.utime(pictures.folder / name, (at, at))


def begin(ledger: Ledger) -> int:
    match_id = ledger.begin(HEADER, Said.now(Source.CAMERA))
    put(ledger.pictures, match_id)
    return match_id


# --- what is kept ---


def test_an_event_has_what_was_read_its_picture_and_its_clip(pictures: Pictures) -> None:
    assert pictures.find(7, 12) is None
    pictures.open(7)
    pictures.write(7, 12, ABOUT, lambda path: path.write_text('{"card": "KS"}'))
    kept = pictures.find(7, 12)
    assert kept is not None
    assert (kept.seq, kept.about, kept.still, kept.clip) == (12, {"card": "KS"}, None, None)
    put(pictures, 7, 12)
    put(pictures, 7, 12, kind=CLIP)
    kept = pictures.find(7, 12)
    assert kept is not None
    assert (kept.still, kept.clip) == tuple(
        pictures.folder / "7" / name for name in ("12.jpg", "12.mp4")
    )
    assert pictures.of(7) == [12]
    assert pictures.of(8) == []


@pytest.mark.parametrize("text", ["", "{", "[1]", "[" * 9_000])
def test_what_cannot_be_read_is_not_there(pictures: Pictures, text: str) -> None:
    pictures.open(7)
    pictures.write(7, 1, ABOUT, lambda path: path.write_text(text))
    assert pictures.find(7, 1) is None


def test_only_the_owner_may_look(pictures: Pictures) -> None:
    put(pictures, 7)
    for path, mode in ((pictures.folder / "7", 0o700), (pictures.folder / "7" / "1.jpg", 0o600)):
        assert path.stat().st_mode & 0o777 == mode


# --- whole or not at all ---


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_file_that_could_not_be_written_leaves_nothing(
    pictures: Pictures, error: BaseException
) -> None:
    put(pictures, 7)

    def fill(path: Path) -> None:
        path.write_bytes(b"half")
        raise error

    with pytest.raises(type(error)):
        pictures.write(7, 2, CLIP, fill)
    assert there(pictures) == ["7/1.jpg"]


def test_what_a_killed_process_left_is_swept_and_what_is_being_written_is_not(
    pictures: Pictures,
) -> None:
    put(pictures, 7)
    for name in ("old", "now"):
        (pictures.folder / "7" / f"{NEW}{name}").write_bytes(b"half")
    date_back(pictures, 120, f"7/{NEW}old")
    (pictures.folder / ".gone-6").mkdir()
    (pictures.folder / ".gone-6" / "1.jpg").write_bytes(b"half deleted")
    pictures.clean()
    assert there(pictures) == [f"7/{NEW}now", "7/1.jpg"]


def test_a_match_that_was_removed_gets_no_more_pictures(pictures: Pictures) -> None:
    put(pictures, 7)
    with pytest.raises(FileNotFoundError):
        pictures.write(7, 2, CLIP, lambda path: pictures.remove(7))
    with pytest.raises(FileNotFoundError):
        pictures.write(7, 3, STILL, lambda path: path.write_bytes(b"picture"))
    assert there(pictures) == []
    pictures.remove(7)  # said twice, it does no harm


# --- the limits ---


def test_the_oldest_matches_go_first_and_never_the_one_being_played(pictures: Pictures) -> None:
    for match_id, age in ((1, 10), (2, 30), (3, 20), (4, 40)):
        put(pictures, match_id, size=3000)
        date_back(pictures, age * 3600, f"{match_id}/1.jpg")
        if match_id == 3:
            assert there(pictures) == ["1/1.jpg", "2/1.jpg", "3/1.jpg"]
    assert there(pictures) == ["1/1.jpg", "3/1.jpg", "4/1.jpg"]  # 2 was removed to make room for 4
    put(pictures, 4, 2, size=3000)
    assert there(pictures) == ["1/1.jpg", "4/1.jpg", "4/2.jpg"]
    put(pictures, 4, 3, size=3000)
    with pytest.raises(NoRoom):
        put(pictures, 4, 4, size=3000)
    assert there(pictures) == ["4/1.jpg", "4/2.jpg", "4/3.jpg"]


def test_pictures_go_after_their_days(pictures: Pictures) -> None:
    for match_id in (1, 2):
        put(pictures, match_id, 1)
        put(pictures, match_id, 2)
    date_back(pictures, 31 * DAY, "1/1.jpg", "1/2.jpg", "2/1.jpg")
    date_back(pictures, 29 * DAY, "2/2.jpg")
    pictures.clean(playing=1)
    assert there(pictures) == ["2/2.jpg"]
    put(pictures, 1)  # the match that is being played keeps its folder
    pictures.clean()
    assert sorted(path.name for path in pictures.folder.iterdir()) == ["1", "2"]


def test_a_clock_that_was_ahead_keeps_no_picture_longer(pictures: Pictures) -> None:
    put(pictures, 1)
    date_back(pictures, -900 * DAY, "1/1.jpg")
    pictures.clean()
    assert (pictures.folder / "1" / "1.jpg").stat().st_mtime <= time.time() + 1


def test_pictures_of_unknown_matches_go(pictures: Pictures) -> None:
    for match_id in (1, 2, 3):
        put(pictures, match_id)
    (pictures.folder / "notes").mkdir()
    pictures.clean(known=lambda: [2], playing=3)
    assert there(pictures) == ["2/1.jpg", "3/1.jpg"]
    assert (pictures.folder / "notes").is_dir()


@pytest.mark.parametrize("variable", ["TRUCAM_EVIDENCE_DAYS", "TRUCAM_EVIDENCE_MB"])
@pytest.mark.parametrize(("text", "wanted"), [("", True), ("7.5", True), ("0", False)])
def test_the_limits_are_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, text: str, wanted: bool
) -> None:
    monkeypatch.setenv(variable, text)
    assert pictures_of(locate(str(tmp_path / "ledger"))).wanted is wanted


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "30 days"])
def test_a_limit_that_is_none_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> None:
    monkeypatch.setenv("TRUCAM_EVIDENCE_DAYS", text)
    with pytest.raises(LedgerError, match="TRUCAM_EVIDENCE_DAYS is a number, 0 or more, not"):
        Ledger(str(tmp_path / "ledger"))


# --- with the ledger ---


def test_each_ledger_has_pictures_of_its_own(tmp_path: Path) -> None:
    urls = [
        str(tmp_path / "one"), str(tmp_path / "two"),
        "postgresql://ana:secret@club/trucam", "postgresql://club/trucam2",
    ]  # fmt: skip
    folders = [pictures_of(locate(url)).folder for url in urls]
    assert len(set(folders)) == len(urls)
    assert folders[0] == tmp_path / "one-evidence"
    assert pictures_of(locate("postgresql://bea@club/trucam")).folder == folders[2]


def test_pictures_go_with_their_match(ledger: Ledger) -> None:
    gone, stays = begin(ledger), begin(ledger)
    ledger.remove(gone)
    assert there(ledger.pictures) == [f"{stays}/1.jpg"]


def test_pictures_go_with_a_name_of_the_match(ledger: Ledger) -> None:
    match_id = begin(ledger)
    said = Said.now(Source.PHONE, "Carles")
    ledger.append(match_id, [event("0 deal 3")], seen=0, said=said)
    ledger.forget_name("Dani")
    assert there(ledger.pictures) == [f"{match_id}/1.jpg"]
    ledger.forget_name("Carles")
    assert there(ledger.pictures) == []


def test_a_new_match_has_no_pictures_of_an_older_ledger(ledger: Ledger) -> None:
    put(ledger.pictures, 1)
    assert ledger.begin(HEADER, Said.now(Source.CAMERA)) == 1
    assert there(ledger.pictures) == []


def test_a_ledger_is_tidied_up(ledger: Ledger) -> None:
    ledger.tidy()
    match_id = begin(ledger)
    put(ledger.pictures, match_id + 1)
    ledger.tidy()
    assert there(ledger.pictures) == [f"{match_id}/1.jpg"]


def test_pictures_that_may_not_be_removed_are_told(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = begin(ledger)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(LedgerError, match="cannot be removed: Permission denied; remove them"):
        ledger.remove(match_id)
    assert ledger.ids() == []
