"""Evidence: what is kept of an event, what is never in it, and what goes on without it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

import av
import cv2
import numpy as np
import pytest

from scorekeeper.events import Event
from scorekeeper.fixes import READINGS
from scorekeeper.header import Header
from scorekeeper.match import fold
from scorekeeper.pictures import ABOUT, CLIP, STILL, Kept, Pictures
from tests.scorekeeper.talk import NAMES, TRUT, event
from tests.vision.tabletop import Tabletop, corners, plane
from vision import evidence as module
from vision.draw import SURE
from vision.evidence import NO_CLIPS, NO_ROOM, REMOVED, TOO_SLOW, UNWRITABLE, Evidence
from vision.expect import expectation
from vision.packs import BACK
from vision.proposals import Proposal
from vision.read import Sighting
from vision.sources import Frame
from vision.steady import Steady
from vision.watching import Appended

RATE = 15
MATCH = fold(Header(game=TRUT, seats=NAMES[:2]), [event("0 deal 3")])
PLANE = plane(2)
OUTSIDE, FELT, PLAYED, SECRET = (0, 0, 255), (40, 90, 30), (250, 120, 20), (255, 0, 255)
"""Colours of what is drawn, BGR: only the second and the third may be kept."""


class Show:
    """A drawn table, watched; cards lie where they are put."""

    def __init__(self, pictures: Pictures, **more: object) -> None:
        self.evidence = Evidence(pictures, **more)
        self.evidence.begin(7)
        self.pictures = pictures
        self.at = 0.0
        self.cards: dict[int, Steady] = {}
        self.held: list[Sighting] = []
        self.played: set[int] = set()
        self.seq = 1

    def put(self, number: int, x: float, y: float, reading: str = "KS") -> None:
        quad = corners(x, y, 0.2)
        self.cards[number] = Steady(
            id=number, place=(x, y), turn=0.2, quad=quad, corners=quad, evidence={reading: 9.0},
            sightings=5, since=self.at, appeared=self.at, seen=self.at, missing=0.0,
        )  # fmt: skip

    def hold(self, x: float, y: float, reading: str = "7S") -> None:
        self.held.append(Sighting(corners(x, y, 0.2), 0.9, ((reading, 0.9),)))

    def picture(self, played: set[int]) -> np.ndarray:
        drawn = np.full((720, 1280, 3), OUTSIDE, np.uint8)
        cv2.fillPoly(drawn, [np.round(PLANE.to_frame(PLANE.outline)).astype(np.int32)], FELT)
        for card in self.cards.values():
            colour = PLAYED if card.id in played or card.down else SECRET
            cv2.fillConvexPoly(drawn, np.round(card.corners).astype(np.int32), colour)
        for sighting in self.held:
            cv2.fillConvexPoly(drawn, np.round(sighting.corners).astype(np.int32), SECRET)
        return drawn

    def run(self, seconds: float, will_be_played: set[int] = frozenset()) -> None:
        """Films on; what will be played is no secret, though nobody knows it yet."""
        drawn = self.picture(self.played | will_be_played)
        for _ in range(round(seconds * RATE)):
            self.at += 1 / RATE
            self.evidence.see(
                Frame(drawn, self.at, 0), PLANE,
                cards=self.cards.values(), played=self.played, sightings=self.held,
            )  # fmt: skip

    def play(self, number: int | None = None, ago: float = 0.0, **remarks: object) -> int:
        """A card is taken for a play, or something else was seen; returns its number."""
        self.seq += 1
        readings = [["KS", 0.9], ["JS", 0.1]]
        said = event("1 play KS")._replace(
            remarks=MappingProxyType({READINGS: readings, **remarks})
        )
        proposal = Proposal(said, self.seq - 1, number, "it lies there", 0.98765, self.at - ago)
        quad = None if number is None else self.cards[number].corners
        appended = Appended(self.seq, said, proposal, expectation(MATCH, self.seq - 1))
        self.evidence.keep(appended, quad)
        self.played |= {number} if number is not None else set()
        return self.seq

    def kept(self, seq: int) -> Kept:
        self.evidence.close()
        kept = self.pictures.find(7, seq)
        assert kept is not None
        return kept


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "pictures")


@pytest.fixture
def show(pictures: Pictures) -> Iterator[Show]:
    show = Show(pictures)
    yield show
    show.evidence.close()
    assert not show.evidence._thread.is_alive()


def still(kept: Kept) -> np.ndarray:
    assert kept.still is not None
    return cv2.imread(str(kept.still))


def film(kept: Kept) -> list[np.ndarray]:
    assert kept.clip is not None
    with av.open(str(kept.clip)) as film:
        return [frame.to_ndarray(format="bgr24") for frame in film.decode(video=0)]


def everything(kept: Kept) -> list[np.ndarray]:
    """The picture and all of the clip, in the size of the picture."""
    one = still(kept)
    return [one, *(cv2.resize(each, one.shape[1::-1]) for each in film(kept))]


def is_like(pixels: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    return (np.abs(pixels.astype(int) - colour) < 60).all(axis=-1)


def seen_at(pixels: np.ndarray, x: float, y: float) -> np.ndarray:
    """What is seen in the middle of a card."""
    quad = corners(x, y, 0.2)
    column, row = np.round(quad.mean(axis=0)).astype(int)
    return pixels[row - 8 : row + 8, column - 8 : column + 8]


# --- what is kept ---


def test_an_event_has_a_picture_with_its_card_outlined_and_a_clip_that_phones_play(show) -> None:
    show.put(3, 0, 20)
    show.run(2.0, {3})
    seq = show.play(3, ago=0.4)
    show.run(2.0)
    kept = show.kept(seq)
    edge = np.round(show.cards[3].corners[0] * 0.5 + show.cards[3].corners[1] * 0.5).astype(int)
    assert is_like(still(kept)[edge[1], edge[0]], SURE)
    assert is_like(seen_at(still(kept), 0, 20), PLAYED).all()
    data = kept.clip.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")
    with av.open(str(kept.clip)) as clip:
        (stream,) = clip.streams
        assert (stream.codec_context.name, stream.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height) == (960, 540)
        assert float(stream.duration * stream.time_base) == pytest.approx(2.0, abs=0.15)
    assert kept.about["moment"] == pytest.approx(1.0, abs=0.1)
    assert not show.evidence.hitches


@pytest.mark.parametrize(
    ("card", "readings", "changed"),
    [
        ("KS", [["KS", 0.9], ["JS", 0.1]], None),
        ("KS", [["JS", 0.6], ["KS", 0.4]], "rank"),
        ("KS", [["KH", 0.6], ["KS", 0.4]], "suit"),
        ("KS", [], None),
    ],
)
def test_what_was_expected_and_whether_that_changed_the_reading(
    show, card, readings, changed
) -> None:
    show.put(3, 0, 20)
    show.run(0.3, {3})
    about = show.kept(show.play(3, **{READINGS: readings})).about
    assert (about["do"], about["seat"], about["card"], about["seq"]) == ("play", 1, card, 2)
    assert (about["readings"], about["changed"]) == (readings, changed)
    assert about["expected"]["due"] == [1]
    assert len(about["expected"]["possible"]) == len(expectation(MATCH, 1).possible)
    assert (about["why"], about["chance"]) == ("it lies there", 0.9877)
    assert np.allclose(about["corners"], show.cards[3].corners, atol=0.1)


def test_nobody_is_named_in_it(show) -> None:
    show.run(0.5)
    seq = show.play()
    show.run(1.5)
    show.kept(seq)
    for path in show.pictures.folder.rglob("*"):
        if path.is_file():
            assert not any(name.encode() in path.read_bytes() for name in NAMES)


def test_an_event_without_a_card_has_a_picture_too(show) -> None:
    show.run(1.0)
    kept = show.kept(show.play())
    assert kept.about["corners"] is None
    assert still(kept).shape == (720, 1280, 3)


def test_a_card_that_lay_there_long_before_it_counted_is_seen_as_it_lies_now(show) -> None:
    show.put(3, 0, 20)
    show.run(13.0, {3})
    kept = show.kept(show.play(3, ago=12.5))
    assert is_like(seen_at(still(kept), 0, 20), PLAYED).all()
    assert len(film(kept)) == pytest.approx(RATE, abs=1)


@pytest.mark.parametrize(("step", "frames"), [(-1.5, 23), (1000.0, 23)])
def test_a_clock_that_jumps_cuts_the_clip_short(show, step, frames) -> None:
    show.run(2.0)
    seq = show.play()
    show.run(0.5)
    show.at += step
    show.run(1.0)
    assert len(film(show.kept(seq))) == pytest.approx(frames, abs=1)


def test_two_plays_in_a_second_have_a_clip_each(show) -> None:
    show.run(1.0)
    seqs = [show.play()]
    show.run(0.5)
    seqs.append(show.play())
    show.run(1.5)
    assert [len(film(show.kept(seq))) for seq in seqs] == pytest.approx([30, 30], abs=2)


# --- what is never in it ---


def test_nothing_outside_of_the_tables_outline_is_in_it(show) -> None:
    show.put(3, 45, 35)  # over the corner
    show.run(1.5, {3})
    seq = show.play(3)
    show.run(1.5)
    inside = np.zeros((720, 1280), np.uint8)
    cv2.fillPoly(inside, [np.round(PLANE.to_frame(PLANE.outline)).astype(np.int32)], 1)
    for pixels in everything(show.kept(seq)):
        assert not is_like(pixels, OUTSIDE).any()
        # A compressed picture smears over one of its blocks, of what is inside.
        assert pixels[cv2.dilate(inside, np.ones((65, 65))) == 0].max() < 8


@pytest.mark.parametrize("kind", ["lies", "held", "not read"])
def test_a_face_that_was_not_played_is_not_seen(show, kind) -> None:
    show.put(3, 0, 20)
    if kind == "lies":
        show.put(4, -20, 0)
    else:
        show.hold(-20, 0)
    if kind == "not read":
        show.held = [Sighting(show.held[0].corners, 0.9, ())]
    show.run(1.5, {3})
    seq = show.play(3)
    show.run(1.5)
    for pixels in everything(show.kept(seq)):
        assert not is_like(pixels, SECRET).any()
        assert is_like(seen_at(pixels, 0, 20), PLAYED).all()


def test_cards_that_were_played_and_backs_are_seen(show) -> None:
    show.put(2, 20, 0)
    show.played = {2}
    show.put(3, 0, 20)
    show.put(4, -20, 0, BACK)
    show.put(5, 20, 20)
    show.run(1.5, {3, 5})
    seq = show.play(3)
    show.run(0.5, {5})
    show.play(5)  # while the clip of the one before is not over
    show.run(1.5)
    pixels = everything(show.kept(seq))
    for place in ((20, 0), (0, 20), (-20, 0)):
        assert all(is_like(seen_at(each, *place), PLAYED).all() for each in pixels)
    assert not is_like(seen_at(pixels[0], 20, 20), PLAYED).any()
    assert is_like(seen_at(pixels[-1], 20, 20), PLAYED).all()


def test_a_card_is_seen_landing(show) -> None:
    show.put(3, 0, 20)
    landed = show.cards.pop(3)
    show.hold(1, 21)
    colour = show.picture(set())
    colour[is_like(colour, SECRET)] = PLAYED
    show.picture = lambda played: colour
    show.run(1.0)
    show.cards[3] = landed
    seq = show.play(3)
    assert all(is_like(seen_at(each, 0, 20), PLAYED).all() for each in everything(show.kept(seq)))


# --- what goes on without it ---


def test_a_full_disk_is_told_once_and_pictures_go_on_when_there_is_room(show, monkeypatch) -> None:
    write, tried = show.pictures.write, []

    def full(match_id: int, seq: int, kind: str, fill: object) -> None:
        tried.append(kind)
        if seq < 5:
            raise OSError(28, "No space left on device")
        write(match_id, seq, kind, fill)

    monkeypatch.setattr(show.pictures, "write", full)
    show.run(1.0)
    for _ in range(4):
        seq = show.play()
        show.run(1.5)
    assert show.kept(seq).clip is not None
    assert show.pictures.of(7) == [seq]
    assert tried.count(ABOUT) == tried.count(CLIP) == 4
    assert [hitch.reason for hitch in show.evidence.hitches] == [UNWRITABLE]
    sentence = show.evidence.hitches[0].sentence()
    assert sentence.endswith("No space left on device. The match goes on without them.")


def test_a_folder_that_cannot_be_made_is_told_once(tmp_path) -> None:
    (tmp_path / "file").touch()
    told = []
    show = Show(Pictures(tmp_path / "file" / "pictures"), told=told.append)
    for _ in range(2):
        show.run(0.2)
        show.play()
    show.evidence.close()
    assert [hitch.reason for hitch in told] == [UNWRITABLE]


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


def test_a_slow_disk_holds_nobody_up(show, monkeypatch) -> None:
    write, go_on = show.pictures.write, threading.Event()

    def slow(*arguments: object) -> None:
        go_on.wait()
        write(*arguments)

    monkeypatch.setattr(show.pictures, "write", slow)
    for _ in range(20):
        show.run(0.4)
        show.play()
    show.run(1.2)
    assert [hitch.reason for hitch in show.evidence.hitches] == [TOO_SLOW]
    go_on.set()
    show.evidence.close()
    kept = [show.pictures.find(7, seq) for seq in show.pictures.of(7)]
    assert sum(each.still is not None for each in kept) == 20
    assert sum(each.clip is not None for each in kept) == module.MOST_CLIPS


def test_who_wants_no_pictures_gets_none(tmp_path) -> None:
    pictures = Pictures(tmp_path / "pictures", days=0)
    show = Show(pictures)
    show.run(1.0)
    show.play()
    show.evidence.close()
    assert not pictures.folder.exists()


# --- with the watching table ---


def test_every_event_of_a_watched_table_is_kept_under_its_number(pictures) -> None:
    table = Tabletop(TRUT, 2)
    evidence = Evidence(pictures)
    evidence.begin(7)
    evidence.follow(table.table)
    picture = np.full((720, 1280, 3), FELT, np.uint8)

    def run(seconds: float) -> None:
        for _ in range(round(seconds / 0.1)):
            table.run(0.1)
            bonds = table.table.umpire.bonds
            evidence.see(
                Frame(picture, table.at, 0), PLANE, cards=table.table.cards, played=bonds.cards()
            )

    table.deal()
    table.put("KS", 1, KS=0.5, JS=0.45)
    run(2.5)
    table.answer("1 play JS")
    run(1.5)
    table.put("9S", 0)
    run(1.5)
    evidence.close()
    events: list[Event] = table.log.events
    kept = {seq: pictures.find(7, seq) for seq in pictures.of(7)}
    assert list(kept) == list(range(1, len(events) + 1))
    for seq, each in kept.items():
        said = events[seq - 1]
        assert each is not None
        assert (each.about["do"], each.about["card"]) == (said.do, said.card and str(said.card))
    assert len(events) == 3
    played = [each for each in kept.values() if each.about["do"] == "play"]
    assert all(each.still and each.clip and each.about["corners"] for each in played)


def test_a_clip_that_a_killed_process_was_writing_is_not_there(pictures, tmp_path) -> None:
    script = f"""
import sys
from pathlib import Path
import numpy as np
from scorekeeper.pictures import CLIP, Pictures
from vision.clips import write_clip
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
