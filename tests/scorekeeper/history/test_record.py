"""Reading and writing records, and the errors of broken ones."""

import io
import json

import pytest

from scorekeeper.engine.match import replay
from scorekeeper.errors import FormatError
from scorekeeper.games.cards import RANKS, Card, parse_card
from scorekeeper.history.record import LONGEST_LINE, RecordError, read_record, write_record
from tests.scorekeeper.reports.test_cases import OWN, TESTS

HEADER = '{"format": "trucam-record/1", "game": "trut", "seats": ["Ana", "Bea"]}\n'
DEAL = '{"do": "deal", "seat": 0, "cards": 3}\n'


def read(text: str | bytes):
    return read_record(io.BytesIO(text.encode() if isinstance(text, str) else text))


def header(**changes) -> str:
    return json.dumps({**json.loads(HEADER), **changes}) + "\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("", 1, id="empty"),
        pytest.param("\n", 1, id="blank"),
        pytest.param("{}\n", 1, id="no-format"),
        pytest.param("[]\n", 1, id="no-object"),
        pytest.param(HEADER[:20], 1, id="torn-header"),
        pytest.param(header(format="trucam-record/2"), 1, id="other-version"),
        pytest.param(header(game="poker"), 1, id="unknown-game"),
        pytest.param(header(game=None), 1, id="no-game"),
        pytest.param(header(game=["trut"]), 1, id="game-is-a-list"),
        pytest.param(header(variants=["to_16"]), 1, id="variant-of-another-game"),
        pytest.param(header(game="le_truc_ace", variants=["raise_by_two", "raise_by_any"]), 1,
                     id="variants-that-exclude-each-other"),
        pytest.param(header(game="le_truc_seven", variants=["lucky_seven"]), 1, id="lucky-seven"),
        pytest.param(header(options={"order": ["A"]}), 1, id="structural-option"),
        pytest.param(header(options={"step": "two"}), 1, id="option-that-Trut-does-not-fill"),
        pytest.param(header(options={"hand_rule": "luck"}), 1, id="unknown-value"),
        pytest.param(header(options={"target": True}), 1, id="true-is-no-number"),
        pytest.param(header(options={"target": 0}), 1, id="target-0"),
        pytest.param(header(options={"fortial": 1}), 1, id="1-is-not-true"),
        pytest.param(header(options={"hand_rule": ["claim"]}), 1, id="value-is-a-list"),
        pytest.param(header(options=[]), 1, id="options-are-a-list"),
        pytest.param(header(seats=["Ana"]), 1, id="one-seat"),
        pytest.param(header(seats="Ana"), 1, id="seats-are-no-list"),
        pytest.param(header(first_dealer=2), 1, id="no-such-dealer"),
        pytest.param(header(first_dealer=None), 1, id="dealer-is-null"),
        pytest.param(header(best_of=2), 1, id="best-of-2"),
        pytest.param(HEADER + "\n", 2, id="blank-line"),
        pytest.param(HEADER + "{\n" + DEAL, 2, id="broken-JSON"),
        pytest.param(HEADER + '"deal"\n', 2, id="event-is-a-word"),
        pytest.param(HEADER + '{"seat": 0}\n', 2, id="no-verb"),
        pytest.param(HEADER + '{"do": ["deal"], "seat": 0}\n', 2, id="verb-is-a-list"),
        pytest.param(HEADER + '{"do": "raise", "seat": 0, "to": 2}\n', 2, id="other-game"),
        pytest.param(HEADER + '{"do": "deal", "cards": 3}\n', 2, id="no-seat"),
        pytest.param(HEADER + '{"do": "deal", "seat": true, "cards": 3}\n', 2, id="seat-is-true"),
        pytest.param(HEADER + '{"do": "deal", "seat": 2, "cards": 3}\n', 2, id="no-such-seat"),
        pytest.param(HEADER + '{"do": "deal", "seat": 0, "cards": 3.0}\n', 2, id="not-whole"),
        pytest.param(HEADER + '{"do": "award", "side": 2, "points": 1}\n', 2, id="no-such-side"),
        pytest.param(HEADER + '{"do": "award", "side": 0}\n', 2, id="no-points"),
        pytest.param(HEADER + DEAL + '{"do": "play", "seat": 1}\n', 3, id="no-card"),
        pytest.param(HEADER + DEAL + '{"do": "play", "seat": 1, "card": 7}\n', 3, id="card-is-7"),
        pytest.param(HEADER + DEAL + '{"do": "play", "seat": 1, "card": "13O"}\n', 3, id="13O"),
        pytest.param(HEADER + DEAL[:-3] + "\0}\n", 2, id="NUL"),
        pytest.param(HEADER.encode() + b'{"do": "d\xff"}\n', 2, id="not-UTF-8"),
        pytest.param(HEADER + '{"do": NaN}\n', 2, id="NaN"),
        pytest.param(HEADER + "[" * 50_000 + "\n", 2, id="deeply-nested"),
        pytest.param(HEADER + '{"do": "award", "side": 0, "points": ' + "9" * 5000 + "}\n", 2,
                     id="5000-digits"),
        pytest.param(HEADER + " " * (LONGEST_LINE + 1), 2, id="line-without-end"),
    ],
)  # fmt: skip
def test_format(text, line):
    with pytest.raises(RecordError) as caught:
        read(text)
    assert (caught.value.line, caught.value.error.rule) == (line, "format")
    assert str(caught.value).startswith(f"line {line}: format: ")
    assert "\n" not in str(caught.value)


def test_the_error_names_line_rule_what_was_tried_and_what_was_legal():
    game = header(game="le_truc_ace")
    with pytest.raises(RecordError) as caught:
        read(game + DEAL + '{"do": "raise", "seat": 0, "to": 2}\n')
    assert str(caught.value) == (
        "line 3: LT-11: seat 0 cannot raise to 2 now: seat 1 is on turn; "
        "legal: ask (1), i play (1), play (1), raise to 2 (1)"
    )


def test_reading_stops_at_the_first_broken_line():
    with pytest.raises(RecordError, match="line 2"):
        read(HEADER + "?\n" + "!" * (LONGEST_LINE + 1))


@pytest.mark.parametrize("torn", ['{"do": "pl', '{"do": "play", "seat": 1, "card": "7', "\0\0"])
def test_a_torn_last_line_is_a_warning(torn):
    reading = read(HEADER + DEAL + torn)
    assert reading.warnings[0].startswith("line 3 is torn off")
    assert reading.match == read(HEADER + DEAL).match


def test_a_whole_last_line_without_its_newline_counts():
    reading = read(HEADER + DEAL.rstrip())
    assert (reading.warnings, len(reading.events)) == ((), 1)


def test_what_windows_adds_is_no_error():
    reading = read(b"\xef\xbb\xbf" + (HEADER + DEAL).replace("\n", "\r\n").encode())
    assert len(reading.events) == 1


LEGAL = [case["record"] for case in OWN if "error" not in case["expected"]]


@pytest.mark.parametrize("record", LEGAL, ids=range(len(LEGAL)))
def test_written_and_read_again_is_the_same(record):
    first = read(record)
    again = read("".join(write_record(first.match.header, first.events)))
    assert again.match.header == first.match.header
    assert again.events == first.events
    assert again.match == first.match == replay(first.match.header, first.events)


def test_unknown_keys_are_kept():
    reading = read(header(table="7") + DEAL.replace("}", ', "_at": "now", "note": {"x": 1}}'))
    written = list(write_record(reading.match.header, reading.events))
    assert json.loads(written[0])["table"] == "7"
    assert json.loads(written[1])["note"] == {"x": 1}


@pytest.mark.parametrize(
    ("text", "rank", "suit", "name"),
    [("10H", "10", "H", "10H"), ("TH", "10", "H", "10H"), ("RD", "K", "D", "KD"),
     ("DD", "Q", "D", "QD"), ("VC", "J", "C", "JC"), ("1S", "A", "S", "AS"),
     ("10O", "J", "O", "10O"), ("11U", "Q", "U", "11U"), ("12E", "K", "E", "12E"),
     ("1B", "A", "B", "1B"), ("9B", "9", "B", "9B")],
)  # fmt: skip
def test_C9_spellings(text, rank, suit, name):
    card = parse_card(text)
    assert (card, str(card)) == (Card(rank, suit), name)


@pytest.mark.parametrize(
    "text", ["", "K", "S", "KX", "11S", "0H", "13O", "KO", "ks", "10", None, 7]
)
def test_no_such_card(text):
    with pytest.raises(FormatError):
        parse_card(text)


def test_every_card_reads_as_it_is_written():
    pack = [Card(rank, suit) for rank in RANKS for suit in "CDHS"]
    pack += [parse_card(f"{n}{suit}") for n in range(1, 13) for suit in "OUEB"]
    assert [parse_card(str(card)) for card in pack] == pack


def test_golden_records_are_there():
    assert len(list((TESTS / "golden").glob("*.jsonl"))) == 4
