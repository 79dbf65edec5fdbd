"""``TakeKeeper``: what is written to a take, when, and what never is."""

from __future__ import annotations

import gzip
from itertools import pairwise

import numpy as np
import pytest

from scorekeeper.engine.header import Header
from scorekeeper.errors import FormatError
from tests.scorekeeper.talk import NAMES
from tests.vision.tabletop import WATCHED, Tabletop, plane
from vision.capture.sources import Frame
from vision.detection.detections import Detection
from vision.evidence import take_keeper as module
from vision.evidence.take_keeper import HOLD, STOPPED, TakeKeeper
from vision.evidence.takes import Answer, Appended, Beginning, Moment, Word, read_take, unplayed

PICTURE = np.zeros((720, 1280, 3), np.uint8)


class Kept(Tabletop):
    """A simulated table of which a take is kept."""

    def __init__(self, path, game: str = "trut", seats: int = 2, *said: str) -> None:
        self.path, self.keeper = path, TakeKeeper(path)
        super().__init__(game, seats, *said)

    def restart(self) -> None:
        _, match, events = self.log.read()
        self.keeper.begin(match.header, events)
        self.keeper.frame(Frame(PICTURE, 0.0, 0))
        self.table = self.keeper.table(plane(self.seats), self.log)

    def run(self, seconds: float = 0.6) -> list[str]:
        self.at = round(self.at, 3)
        return super().run(seconds)

    def text(self) -> str:
        """The text of the whole take."""
        return gzip.decompress(self.path.read_bytes()).decode() if self.path.exists() else ""

    def readings(self) -> set[str]:
        """All names of cards in the take's readings."""
        return {
            name
            for line in read_take(self.path)
            if isinstance(line, Moment)
            for each in line.detections
            for name, _ in each.readings
        }

    def hand(self, *cards: str) -> None:
        """Deals, has cards played, seat 1 first, and takes them away."""
        for number, card in enumerate(cards):
            self.put(card, (number + 1) % 2)
            self.run(1.0)
        self.take()
        self.run(1.0)


@pytest.fixture
def top(tmp_path):
    return Kept(tmp_path / "take.gz", "trut", 2, "0 deal 3")


def test_what_the_table_was_given_is_kept_with_what_people_said(top):
    top.run(0.5)
    top.put("KS", 1)
    top.run(1.0)
    top.say("0 trut")
    top.run(0.5)
    top.by_hand("1 see")
    top.run(0.5)
    top.keeper.close()
    beginning, *lines = read_take(top.path)
    assert isinstance(beginning, Beginning)
    assert [event.in_words() for event in beginning.events] == ["deal 3"]
    moments = [line for line in lines if isinstance(line, Moment)]
    assert len(moments) == round(20 * (WATCHED + 2.5))
    assert moments[0].at == 0.05
    assert moments[-1].detections[0].readings == (("KS", 0.97),)
    said = [each for line in lines if isinstance(line, Appended) for each in line.events]
    assert [(own, event.in_words()) for own, event in said] == [
        (True, "play KS"), (True, "trut"), (False, "see"),
    ]  # fmt: skip
    assert [line.event.in_words() for line in lines if isinstance(line, Word)] == ["trut"]


def test_an_answer_is_kept(top):
    top.run(0.5)
    top.put("KS", 1, KS=0.5, JS=0.49)
    top.run(5.0)
    assert top.asked() == ["card"]
    top.answer("1 play JS")
    top.run(0.5)
    top.keeper.close()
    lines = list(read_take(top.path))
    (answer,) = (line for line in lines if isinstance(line, Answer))
    assert (answer.kind, answer.seat, answer.choice) == ("card", 1, "play J")
    after = next(b for a, b in pairwise(lines) if a is answer)
    assert [(own, event.in_words()) for own, event in after.events] == [(True, "play JS")]


def test_a_face_that_was_not_played_is_in_no_line(top):
    top.run(0.5)
    top.put("7D", at=(60, 0))  # somebody holds it so that it is seen
    top.put("8D", at=(-20, -10), back=0.6, **{"8D": 0.4})
    top.put("KS", 1, KS=0.97, JS=0.01)
    top.run(1.0)
    top.put("AH", at=(45, -35))  # the pack is turned, and a card that nobody has is seen
    top.run(1.0)
    top.keeper.close()
    assert [event.in_words() for event in top.log.events] == ["deal 3", "play KS"]
    names = top.readings()
    assert {name for name in names if not name.startswith("?")} == {"KS", "JS", "back"}
    assert len([name for name in names if name.startswith("?")]) == 3
    assert not any(name in top.text() for name in ("7D", "8D", "AH"))


def test_a_card_that_looks_like_one_that_was_played_is_known_by_that_alone(top):
    top.run(0.5)
    top.put("KS", 1)
    top.run(1.0)
    top.put("KS", at=(60, 0), QD=0.5, KS=0.4, back=0.05)  # held: a queen, perhaps the king
    top.run(1.0)
    top.keeper.close()
    last = [line for line in read_take(top.path) if isinstance(line, Moment)][-1]
    (first, *_), (_, king, _) = (each.readings for each in last.detections)
    assert (first, king) == (("KS", 0.97), ("KS", 0.4))
    assert "QD" not in top.text()


def test_nothing_of_a_hand_is_on_disk_before_it_is_over(top):
    top.run(0.5)
    top.put("KS", 1)
    top.run(2 * HOLD)
    assert "KS" not in top.text()
    assert '"header"' in top.text()
    top.by_hand("concede 0")  # and the hand is over
    top.run(2 * HOLD)
    assert "KS" in top.text()


def test_a_card_that_lay_there_before_the_deal_was_told_is_known_in_all_of_its_moments(top):
    top.run(0.5)
    top.by_hand("concede 1")
    top.run(1.0)
    backs = [top.put("back", at=(x, y)) for x in (-3, 0, 3) for y in (30, -30)]
    top.run(3.0)
    top.take(*backs)
    top.run(0.5)
    top.put("KH", 0)
    top.run(0.3)
    top.by_hand("1 deal 3")
    top.run(2.0)
    top.keeper.close()
    assert [event.in_words() for event in top.log.events][-2:] == ["deal 3", "play KH"]
    lines = list(read_take(top.path))
    dealt = max(n for n, line in enumerate(lines) if isinstance(line, Appended)
                and any(event.do == "deal" for _, event in line.events))  # fmt: skip
    before = [line.detections for line in lines[:dealt] if isinstance(line, Moment)]
    assert any(each.card == "KH" for each in before[-1])
    assert top.readings() == {"back", "KH"}


def test_how_surely_a_face_was_read_stays_though_not_what_it_was(top):
    top.run(0.5)
    top.put("7D", at=(60, 0), **{"7D": 0.5, "8D": 0.3, "7H": 0.1, "2D": 0.05, "XJ": 0.01})
    top.run(0.5)
    top.keeper.close()
    last = [line for line in read_take(top.path) if isinstance(line, Moment)][-1]
    assert last.detections[0].readings == (
        ("?1.1.1", 0.5), ("?1.2.1", 0.3), ("?1.1.2", 0.1), ("?1.-3.1", 0.05), ("XJ", 0.01),
    )  # fmt: skip
    assert unplayed("?1.-3.1") == (1, -3, 1)
    assert unplayed("XJ") is None
    with pytest.raises(FormatError):
        unplayed("?1")


def test_several_matches_follow_one_another_in_one_file(top):
    top.hand("KS", "7S")
    top.keeper.close()
    top.log = type(top.log)(Header(game="trut", seats=NAMES[:2]))
    top.restart()
    top.by_hand("0 deal 3")
    top.hand("QS")
    top.keeper.close()
    lines = list(read_take(top.path))
    assert [type(line) for line in lines].count(Beginning) == 2
    assert top.readings() == {"KS", "7S", "QS"}


def test_while_no_match_is_played_nothing_is_kept(tmp_path):
    top = Kept(tmp_path / "take.gz", "trut", 2, "0 deal 3")
    top.keeper.begin(None)
    top.keeper.close()
    before = top.path.read_bytes() if top.path.exists() else b""
    top.put("KS", 1)
    top.run(60.0)
    top.keeper.close()
    assert (top.path.read_bytes() if top.path.exists() else b"") == before
    assert [event.in_words() for event in top.log.events] == ["deal 3", "play KS"]


def test_a_full_disk_is_told_once_and_the_match_goes_on_without_a_take(top, monkeypatch, caplog):
    top.hand("KS", "7S")
    top.by_hand("concede 1")
    top.run(2 * HOLD)
    kept = top.path.read_bytes()

    def full(path, block):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "append_block", full)
    top.by_hand("1 deal 3")
    top.hand("QS", "8S")
    top.by_hand("concede 0")
    top.run(3 * HOLD)
    top.keeper.close()
    (hitch,) = top.keeper.hitches
    assert hitch.reason == STOPPED
    assert hitch.sentence() == (
        f"The take cannot be written to {top.path}: No space left on device. "
        "The match goes on without it."
    )
    assert [record.message for record in caplog.records] == [hitch.sentence()]
    assert top.path.read_bytes() == kept
    assert [event.in_words() for event in top.log.events].count("play QS") == 1


def test_a_block_that_does_not_fit_on_the_disk_is_removed_whole(tmp_path, monkeypatch):
    path = tmp_path / "take.gz"
    module.append_block(path, gzip.compress(b"one\n"))
    before = path.read_bytes()

    class Full:
        """A file on a disk that is full after some bytes."""

        def __init__(self, file) -> None:
            self._file, self._left = file, 7

        def __getattr__(self, name):
            return getattr(self._file, name)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self._file.close()

        def write(self, data):
            if not self._left:
                raise OSError(28, "No space left on device")
            written, self._left = self._file.write(data[: self._left]), 0
            return written

    opened = type(path).open
    monkeypatch.setattr(type(path), "open", lambda *a, **more: Full(opened(*a, **more)))
    with pytest.raises(OSError, match="No space"):
        module.append_block(path, gzip.compress(b"two\n"))
    monkeypatch.undo()
    assert path.read_bytes() == before


def test_a_hand_that_is_left_as_it_is_does_not_fill_the_memory(top, monkeypatch):
    monkeypatch.setattr(module, "MOST", 200)
    top.put("KS", 1)
    top.run(60.0)
    assert len(top.keeper._lines) <= 200
    top.keeper.close()
    moments = [line for line in read_take(top.path) if isinstance(line, Moment)]
    assert [round(moment.at * 20) for moment in moments] == [
        *range(1, round(20 * (WATCHED + 60)) + 1)
    ]


def test_what_hands_cover_and_who_reaches_is_kept_as_the_table_was_given_it(top):
    top.covered = lambda points: points[:, 0] < 100
    top.reaching = frozenset({1})
    top.run(0.1)
    top.keeper.close()
    moment = [line for line in read_take(top.path) if isinstance(line, Moment)][-1]
    assert moment.covered.shape == (180, 320)
    assert moment.covered[:, :25].all()
    assert not moment.covered[:, 25:].any()
    assert moment.reaching == {1}


def test_a_detection_is_given_to_the_table_as_it_is_kept(top, monkeypatch):
    given = []
    update = top.table.tracker.update
    monkeypatch.setattr(
        top.table.tracker,
        "update",
        lambda at, seen, *more: given.extend(seen) or update(at, seen, *more),
    )
    top.put("KS", 1, KS=0.987654321)
    top.run(1.0)
    top.keeper.close()
    kept = [
        each for line in read_take(top.path) if isinstance(line, Moment) for each in line.detections
    ]
    assert given
    for one, other in zip(given, kept, strict=True):
        assert isinstance(one, Detection)
        assert np.array_equal(one.corners, other.corners)
        assert one.readings == other.readings
