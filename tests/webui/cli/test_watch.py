"""``trucam watch`` referees a film on the command line; the reader is replaced by a script."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from scorekeeper.engine.header import Header
from scorekeeper.errors import FormatError
from tests.scorekeeper.talk import event
from tests.vision.tabletop import BEFORE, corners
from vision.belief.proposals import Choice, Hint, Question
from vision.detection.detections import Detection
from vision.pipeline import Observation
from vision.process import config
from vision.watched_table import Happened
from webui.cli import watch
from webui.cli.watch import corner_list, event_of_words, read_calls
from webui.presenters.watched import Lines

RATE = 15
CORNERS = "240,40 1040,40 1040,680 240,680"
"""The corners of the table of ``tests.vision.tabletop``, in pixels."""


class Script:
    """Replaces the reader: sees each card of a script from a second of the film on, before a seat.

    A fourth number says how far beside the middle of the seat the card lies, in centimetres.
    """

    letters = ()

    def __init__(self, *lines: tuple[float, str, int] | tuple[float, str, int, float]) -> None:
        self.lines, self.frames = lines, 0

    def read(self, frame, *, pack=None, **options):
        at = self.frames / RATE
        self.frames += 1
        return [
            Detection(corners(BEFORE[2][seat][0] + sum(beside), BEFORE[2][seat][1], 0.1), 0.9,
                     readings(card))
            for since, card, seat, *beside in self.lines
            if since <= at
        ]  # fmt: skip


def readings(card: str) -> tuple[tuple[str, float], ...]:
    """``KS`` is read surely; ``KS/JS`` as one of both, more likely as the first."""
    first, *others = card.split("/")
    return ((first, 0.5 if others else 0.98), *((name, 0.45) for name in others))


@pytest.fixture(scope="module")
def film(tmp_path_factory) -> Path:
    """Eight seconds of an empty table, which tests only read."""
    path = tmp_path_factory.mktemp("film") / "film.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, (1280, 720))
    frame = np.full((720, 1280, 3), 90, np.uint8)
    for number in range(8 * RATE):
        frame[:8] = number % 200  # so that no two frames are equal
        writer.write(frame)
    writer.release()
    return path


@pytest.fixture
def seen(monkeypatch, trucam, film, tmp_path):
    """Watches the film with a script; ``calls`` has what was dealt and said."""

    def see(script: Script, calls: list[dict], *options: object, size=(100, 80)):
        monkeypatch.setattr(config, "open_reader", lambda models, longest: script)
        monkeypatch.setattr(config, "Cover", lambda: None)
        monkeypatch.setattr(config, "Mirror", lambda reader: None)
        shown = config.from_clicks
        monkeypatch.setattr(config, "from_clicks", lambda *a, **k: shown(*a, **k, size_cm=size))
        said = tmp_path / "calls.jsonl"
        said.write_text("".join(json.dumps(call) + "\n" for call in calls))
        return trucam("watch", film, "--game", "trut", "--seats", "Ana,Bea", "--corners", CORNERS,
                   "--calls", said, "--lang", "en", *options)  # fmt: skip

    return see


DEAL = {"_at": 0.2, "do": "deal", "seat": 0, "cards": 3}
TRICK = ((1.0, "KS", 1), (3.0, "8H", 0))


def test_plays_are_told_as_they_happen_with_the_rule(seen):
    status, out, _ = seen(Script(*TRICK), [DEAL])
    assert status == 0
    assert "0:01  Bea plays K♠." in out
    assert "0:03  Ana plays 8♥." in out
    assert "[C-11]" in out


def test_the_record_is_written_event_by_event_and_can_be_scored(seen, trucam, tmp_path):
    record = tmp_path / "record.jsonl"
    seen(Script(*TRICK), [DEAL], "--record", record)
    _, *lines = map(json.loads, record.read_text().splitlines())
    assert [(line["do"], line["seat"]) for line in lines] == [("deal", 0), ("play", 1), ("play", 0)]
    assert lines[1]["_source"] == "camera"
    assert lines[1]["_at"] < lines[2]["_at"]
    assert trucam("score", record)[0] == 0


def test_as_json_every_line_is_an_object_with_its_second(seen):
    _, out, _ = seen(Script(*TRICK), [DEAL], "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert all("at" in line for line in lines)
    assert [line["event"]["do"] for line in lines if "event" in line] == ["deal", "play", "play"]
    assert lines[-1]["end"]["frames"] == 8 * RATE


def test_a_card_that_may_be_two_is_asked_about_and_not_guessed(seen):
    _, out, _ = seen(Script((1.0, "KS/JS", 1)), [DEAL], "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    (question,) = [line["question"] for line in lines if "question" in line]
    assert question["text"] == "Which card did Bea play?"
    assert {answer["text"] for answer in question["answers"]} >= {"K♠", "J♠", "None of these"}
    assert [line["event"]["do"] for line in lines if "event" in line] == ["deal"]


class Typed:
    """Replaces what a person types: one line, after so many frames."""

    def __init__(self, line: str, after: int) -> None:
        self.line, self.after = line, after

    def next(self) -> str:
        self.after -= 1
        return self.line if self.after == 0 else ""


@pytest.mark.parametrize(("line", "told"), [("1", "Bea plays K♠."), ("1 play JS", "Bea plays J♠."),
                                            ("1 1", "Bea plays K♠."),
                                            ("99", "This question or this answer does not exist."),
                                            ("2 1", "This question or this answer does not exist."),
                                            ("1 dance", "no event")])  # fmt: skip
def test_a_question_is_answered_by_typing(seen, monkeypatch, line, told):
    monkeypatch.setattr(watch, "Answers", lambda: Typed(line, 5 * RATE))
    monkeypatch.setattr(watch.sys.stdin, "isatty", lambda: True, raising=False)
    status, out, _ = seen(Script((1.0, "KS/JS", 1)), [DEAL])
    assert status == 0
    assert told in out


def test_where_several_questions_are_open_a_number_alone_answers_none(seen, monkeypatch):
    monkeypatch.setattr(watch, "Answers", lambda: Typed("1", 7 * RATE))
    monkeypatch.setattr(watch.sys.stdin, "isatty", lambda: True, raising=False)
    four = enumerate(("8H", "9C", "AD", "7D"))
    cards = [(1.1 + number / 10, card, 0, 9.0 * (number - 2)) for number, card in four]
    _, out, _ = seen(Script((1.0, "KS/JS", 1), *cards), [DEAL])
    assert "Several questions are open" in out
    assert "?4" not in out  # of a kind one is asked at a time


def test_what_is_asked_is_not_told_as_a_hint_too_and_no_hint_twice(capsys):
    question = Question(7, "too_many", None, (Choice("drop"), Choice("hold")), None, 1.0)
    hints = (Hint("too_many", "V-6", None), *[Hint("not_due", "V-1", 1)] * 2)
    lines = Lines(Header(game="trut", seats=("Ana", "Bea")), "en")
    lines.observed(1.0, Observation(1.0, Happened(asked=(question,), hints=hints)))
    asked, told = capsys.readouterr().out.splitlines()
    assert asked.startswith("0:01  ?7  There are more cards on the table")
    assert told == "0:01  ! Bea seems to have played, but it is not Bea's turn. [V-1]"


GUESS = "1 play KS"
PUT_RIGHT = {
    "taken back": ("undo", ["Corrected: “Bea plays K♠” removed. Bea leads."]),
    "another card": ("undo, 1 play QS", ["Corrected: “Bea plays Q♠”, not “Bea plays K♠”."]),
    "another suit": ("undo, 1 play KH", []),
    "another suit, and a card": ("undo, 1 play KH, 0 play AS", [
        "Ana plays A♠.",
        "Trick for Ana: Ana's A♠ is the best card. [C-11]",
        "Ana leads the next trick. [TR-5]",
    ]),
}  # fmt: skip


@pytest.mark.parametrize("case", PUT_RIGHT)
def test_what_is_put_right_is_told_as_a_correction(case, capsys):
    said, expected = PUT_RIGHT[case]
    lines = Lines(Header(game="trut", seats=("Ana", "Bea")), "en")
    lines.events(0, [event("0 deal 3"), event(GUESS)])
    capsys.readouterr()
    lines.events(1, [event(text) for text in said.split(", ")])
    told = [line.removeprefix("0:01  ") for line in capsys.readouterr().out.splitlines()]
    assert told == expected


@pytest.mark.parametrize(("words", "told"), [
    (("none.mp4",), "There is no file or folder called none.mp4"),
    (("--seats", "Ana"), "by 2 / 4 players"),
    (("--game", "poker"), "poker"),
    (("--dealer", "Dora"), "Nobody is called 'Dora': name one of Ana, Bea."),
    (("--dealer", "2"), "Nobody is called '2'"),
    (("--corners", "1,2 3"), "four corners are written"),
    (("--corners", "0,0 9,9 0,9 9,0"), "Click the table's four corners"),
    (("--deck", "unheard"), "unheard"),
    (("--show",), "no screen"),
])  # fmt: skip
def test_what_a_person_got_wrong_is_one_sentence(trucam, film, monkeypatch, words, told):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    source = [] if words[0].startswith("none") else [film]
    status, _, err = trucam("watch", "--game", "trut", "--seats", "Ana,Bea", *source, *words)
    assert status == 2
    assert told in err
    assert len(err.strip().splitlines()) <= 4  # click's own usage takes three


def test_what_holds_no_picture_is_one_sentence(trucam, tmp_path):
    path = tmp_path / "note.jpg"
    path.write_text("no picture at all")
    status, _, err = trucam("watch", path, "--game", "trut", "--seats", "Ana,Bea")
    assert status == 2
    assert "is no video that can be read" in err


@pytest.mark.parametrize("dealer", ["Bea", "1"])
def test_the_first_dealer_is_told_by_name_or_by_seat(seen, tmp_path, dealer):
    record = tmp_path / "record.jsonl"
    deal = DEAL | {"seat": 1}
    seen(Script(), [deal], "--dealer", dealer, "--record", record)
    assert json.loads(record.read_text().splitlines()[0])["first_dealer"] == 1


@pytest.mark.parametrize(
    ("seats", "names"), [(",", ["Player 1", "Player 2"]), ("Ana,Ana", ["Ana", "Ana 2"])]
)
def test_each_player_has_a_name_of_his_or_her_own(seen, tmp_path, seats, names):
    record = tmp_path / "record.jsonl"
    seen(Script(), [DEAL], "--seats", seats, "--record", record)
    assert json.loads(record.read_text().splitlines()[0])["seats"] == names


def test_a_record_that_is_there_is_not_written_over(seen, tmp_path):
    record = tmp_path / "record.jsonl"
    record.write_text("precious")
    status, _, err = seen(Script(), [DEAL], "--record", record)
    assert (status, record.read_text()) == (2, "precious")
    assert "is there already" in err


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[1]",
        b'{"do": "deal"}',
        b'{"_at": 1, "do": "dance"}',
        b"\xeb\x00",  # another kind of file
        b'{"_at": NaN, "do": "deal", "seat": 0, "cards": 3}',  # all later calls would wait for it
    ],
)
def test_a_damaged_line_of_calls_is_named(tmp_path, line):
    path = tmp_path / "calls.jsonl"
    path.write_bytes(b'{"_at": 0, "do": "deal", "seat": 0, "cards": 3}\n' + line)
    with pytest.raises(ValueError, match=r"line 2|dance"):
        read_calls(path, Header(game="trut", seats=("Ana", "Bea")))


@pytest.mark.parametrize(("words", "event"), [
    ("1 play KS", {"do": "play", "seat": 1, "card": "KS"}),
    ("0 deal 3", {"do": "deal", "seat": 0, "cards": 3}),
    ("undo", {"do": "undo"}),
    ("0 see", {"do": "see", "seat": 0}),
])  # fmt: skip
def test_an_event_is_typed_in_words(words, event):
    assert event_of_words(words, Header(game="trut", seats=("Ana", "Bea"))).to_json() == event


@pytest.mark.parametrize("words", ["0 raise --2", "0 raise " + "9" * 5000, "9" * 5000])
def test_a_number_that_is_none_is_refused_in_a_sentence(words):
    with pytest.raises(FormatError):
        event_of_words(words, Header(game="le_truc_ace", seats=("Ana", "Bea")))


def test_corners_are_pairs_of_numbers():
    assert corner_list("1,2 3,4.5 5,6 7,8")[1] == (3, 4.5)
