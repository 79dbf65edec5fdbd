"""The file format of takes: what was written is read again, even if the end is missing."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header, parse_header
from scorekeeper.engine.match import replay
from scorekeeper.errors import FormatError
from scorekeeper.games.cards import parse_card
from vision.detection.detections import Detection
from vision.evidence.takes import (
    Appended,
    Beginning,
    Decoder,
    Encoder,
    Moment,
    append_block,
    mend,
    read_take,
    rounded,
    without_names,
    without_texts,
)

PLACE = np.array([[1 / 8, 0, -80], [1e-7, 1 / 8, -45], [0, 0, 1]])

pixels = st.floats(-200, 4000, width=32)
chances = st.floats(1e-6, 1.0)
cards = st.builds(
    lambda points, score, readings: rounded(
        Detection(np.array(points, np.float32).reshape(4, 2), score, tuple(readings))
    ),
    st.lists(pixels, min_size=8, max_size=8),
    st.floats(0, 1),
    st.lists(st.tuples(st.sampled_from(["KS", "10H", "back", "?3"]), chances), max_size=3),
)
masks = st.none() | st.builds(
    lambda bits: np.array(bits).reshape(3, 5), st.lists(st.booleans(), min_size=15, max_size=15)
)


@st.composite
def films(draw) -> list[Moment]:
    """Moments in which some cards stay in their places, some of them without new readings."""
    found: list[Moment] = []
    lying: list[Detection] = []
    for number in range(draw(st.integers(1, 6))):
        kept = [each for each in lying if draw(st.booleans())]
        unread = [
            Detection(each.corners, each.score, ()) if draw(st.booleans()) else each
            for each in kept
        ]
        lying = [*unread, *draw(st.lists(cards, max_size=3))]
        mask = found[-1].covered if found and draw(st.booleans()) else draw(masks)
        arms = draw(st.none() | st.frozensets(st.integers(0, 3)))
        place = PLACE if draw(st.booleans()) else PLACE * 2
        found.append(Moment(round(number / 15, 3), tuple(lying), mask, arms, place))
    return found


def same(one: Moment, other: Moment) -> bool:
    """Whether two moments are the same for a watching table."""
    return (
        (one.at, one.reaching) == (other.at, other.reaching)
        and np.array_equal(one.homography, other.homography)
        and (one.covered is None) == (other.covered is None)
        and (one.covered is None or np.array_equal(one.covered, other.covered))
        and len(one.detections) == len(other.detections)
        and all(
            np.array_equal(a.corners, b.corners)
            and a.corners.dtype == b.corners.dtype
            and (a.score, a.readings) == (b.score, b.readings)
            for a, b in zip(one.detections, other.detections, strict=True)
        )
    )


@given(films())
def test_moments_are_read_as_they_were_written(film):
    encoder, decoder = Encoder(), Decoder()
    read = [decoder.line(json.loads(json.dumps(encoder.line(moment)))) for moment in film]
    assert all(same(*both) for both in zip(film, read, strict=True))


@given(cards)
def test_rounding_a_second_time_changes_nothing(card):
    again = rounded(card)
    assert np.array_equal(again.corners, card.corners)
    assert (again.score, again.readings) == (card.score, card.readings)


def test_a_card_that_lies_as_it_lay_takes_a_number():
    card = rounded(Detection(np.zeros((4, 2), np.float32), 0.9, (("KS", 0.9),)))
    unread = Detection(card.corners, card.score, ())
    encoder = Encoder()
    moments = [
        Moment(at, (each,), None, None, PLACE) for at, each in enumerate([card, card, unread])
    ]
    lines = [encoder.line(moment) for moment in moments]
    assert [line[1] for line in lines[1:]] == [[0], [-1]]
    assert [line[4] for line in lines[1:]] == [0, 0]


def test_a_take_of_before_in_which_each_moment_is_told_in_full_is_read():
    corners = [[0.25, 1], [2, 1], [2, 3], [0.25, 3]]
    line = [1.5, [[corners, 0.9, [["KS", 0.97]]]], ["gA==", 1, 3], [1], PLACE.tolist()]
    moment = Decoder().line(line)
    assert (moment.at, moment.reaching) == (1.5, {1})
    assert moment.covered.tolist() == [[True, False, False]]
    (card,) = moment.detections
    assert (card.corners.tolist(), card.readings) == (corners, (("KS", 0.97),))


# --- the file ---

HEADER = Header(game="trut", seats=("Ana", "Bea"), remarks={"venue": "Bar Sport"})


def line(number: int) -> bytes:
    return json.dumps([number, [], None, None, PLACE.tolist()]).encode() + b"\n"


def write(path, blocks: int = 4, lines: int = 50) -> list[int]:
    """A take of several blocks; returns where each ends."""
    ends = []
    first = json.dumps({"take": 1, "header": without_names(HEADER), "events": []}).encode() + b"\n"
    for block in range(blocks):
        text = b"".join(line(block * lines + number) for number in range(lines))
        append_block(path, gzip.compress(first + text if block == 0 else text))
        ends.append(path.stat().st_size)
    return ends


@pytest.fixture
def take(tmp_path):
    write(tmp_path / "take.gz")
    return tmp_path / "take.gz"


def times(path) -> list[float]:
    beginning, *moments = read_take(path)
    assert isinstance(beginning, Beginning)
    return [moment.at for moment in moments]


@pytest.mark.parametrize("share", [0.3, 0.5, 0.8, 0.99])
def test_a_take_whose_end_is_missing_is_read_up_to_there(tmp_path, share):
    take = tmp_path / "take.gz"
    ends = write(take)
    left = int(ends[-1] * share)
    take.write_bytes(take.read_bytes()[:left])
    found = times(take)
    assert found == list(range(len(found)))
    assert len(found) >= 50 * sum(end <= left for end in ends)


@pytest.mark.parametrize("cut", [1, 9, 40])
def test_what_follows_half_a_block_is_read_once_the_file_is_mended(take, cut):
    take.write_bytes(take.read_bytes()[:-cut])
    mend(take)
    append_block(take, gzip.compress(line(999)))
    assert times(take) == [*range(150), 999]


def test_mending_leaves_a_whole_file_and_makes_none(take, tmp_path):
    before = take.read_bytes()
    mend(take)
    assert take.read_bytes() == before
    mend(tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("data", [b"", b"no gzip", *(
    gzip.compress(text, mtime=0)
    for text in (b"", b"text\n", b"[]\n", b'{"take": 7}\n', b'{"take": 1, "header": {}}\n')
)])  # fmt: skip
def test_what_is_no_take_is_told_in_a_sentence(tmp_path, data):
    path = tmp_path / "take.gz"
    path.write_bytes(data)
    with pytest.raises(FormatError, match="is no take"):
        list(read_take(path))


@pytest.mark.parametrize(
    "text", ["{\n", "[1]\n", '["word", 1, {"do": "dance"}]\n', "[1,[7],0,0,0]\n"]
)
def test_a_line_that_is_damaged_is_told_in_a_sentence(take, text):
    append_block(take, gzip.compress(text.encode()))
    with pytest.raises(FormatError, match="is damaged"):
        list(read_take(take))


# --- what is left out ---


def test_nobody_is_named_and_nothing_that_people_typed_is_kept():
    header = without_names(HEADER)
    assert parse_header(header).rules == HEADER.rules
    assert "Ana" not in json.dumps(header)
    assert "Sport" not in json.dumps(header)
    events = [
        Event("player", 1, name="Dora"),
        Event("adjust", side=0, points=1, note="Ana was rude"),
        Event("deal", 0, cards=3, remarks={"_who": "Ana", "_at": "2026-11-20T20:15:03.120Z"}),
        Event("play", 1, card=parse_card("KS"), remarks={"_suit": "guessed", "_source": "phone"}),
    ]
    kept = json.dumps([without_texts(event) for event in events])
    assert not any(word in kept for word in ("Dora", "Ana", "rude", "2026", "phone"))
    assert "guessed" in kept
    decoder = Decoder()
    beginning = decoder.line({"take": 1, "header": header, "events": json.loads(kept)})
    assert [event.do for event in beginning.events] == [event.do for event in events]
    assert replay(beginning.header, beginning.events).hand_number == 1
    assert isinstance(decoder.line(["events", [[1, {"do": "undo"}]]]), Appended)
