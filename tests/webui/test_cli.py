"""The commands as a user runs them: what they print, and how they refuse."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from scorekeeper.text.i18n import LANGUAGES
from tests.scorekeeper.reports.test_cases import TESTS
from webui.cli import COMMANDS

SAMPLE = TESTS / "golden" / "trut-evening.jsonl"


def test_score_in_words(trucam):
    status, out, err = trucam("score", SAMPLE, "--lang", "en")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "Trut: Ana & Carles against Bea & Dani.",
        "Score: Ana & Carles 7 Longs, 2 Smalls; Bea & Dani 2 Longs, 0 Smalls.",
        "The match is over: it goes to Ana & Carles.",
    ]


def test_score_as_json(trucam):
    status, out, _ = trucam("score", "--json", SAMPLE)
    assert (status, json.loads(out)["winner"]) == (0, 0)


def test_what_is_legal_now_is_said(trucam, tmp_path):
    record = tmp_path / "one-hand.jsonl"
    record.write_text("".join(SAMPLE.read_text().splitlines(keepends=True)[:2]))
    _, out, _ = trucam("score", record, "--lang", "fr")
    assert "Ana" in out
    assert "truter" in out


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", ["le truc", "seven", "Trut", "truc_spain"])
def test_rules(trucam, game, lang):
    status, out, _ = trucam("rules", game, "--lang", lang, "--players", 4)
    assert status == 0
    assert len(out.splitlines()) > 40
    assert max(map(len, out.splitlines())) <= 100


def test_rules_with_house_rules(trucam):
    _, out, _ = trucam("rules", "ace", "--lang", "en", "--variant", "to_16", "--option",
                       "reraise=alternate")  # fmt: skip
    told = "House rules: Play to 16; raising again: not the side whose offer was accepted last."
    assert told in out
    assert "The game is won at 16 points." in out


def test_the_score_names_who_sits_there_now_and_who_has_no_name(trucam, tmp_path):
    record = tmp_path / "record.jsonl"
    record.write_text(
        '{"format": "trucam-record/1", "game": "put", "seats": ["Ana", " "]}\n'
        '{"do": "player", "seat": 0, "name": "Eva"}\n'
    )
    _, out, _ = trucam("score", record, "--lang", "en")
    assert out.startswith("Put: Eva against Player 2.\nScore: Eva 0 points; Player 2 0 points.\n")


def test_the_list_of_matches_names_who_has_no_name(trucam, folder):
    record = folder / "record.jsonl"
    record.write_text(
        '{"format": "trucam-record/1", "game": "put", "seats": ["", "Bea"]}\n'
        '{"do": "end_match", "side": 0}\n'
    )
    assert trucam("import", record)[0] == 0
    assert "Player 1 – Bea  0 – 0, Player 1 won" in trucam("matches")[1]


def test_the_words_of_the_rules_have_the_signs_of_their_language(trucam):
    _, out, _ = trucam("rules", "put", "--lang", "fr")
    assert "donne\u00a0: une distribution" in out
    assert "la plus haute\u00a0; low = " in out.replace("\n    ", " ")


@pytest.mark.parametrize(
    ("game", "players"), [("truc_spain", "Four players"), ("put", "Two players")]
)
def test_as_many_play_as_usually_do_and_help_says_so(trucam, game, players):
    assert players in trucam("rules", game, "--lang", "en")[1]
    for command in ("rules", "markers"):
        assert "else as many as usually do" in " ".join(trucam(command, "--help")[1].split())


def test_new_cards_are_not_told_to_be_asked_for_once(trucam):
    _, out, _ = trucam("rules", "ace", "--lang", "en", "--option", "redeals=2")
    assert "up to 2 times" in out.replace("\n    ", " ")
    assert "new cards: what the leader may ask for before play" in out


def test_explain_one_trick(trucam):
    status, out, _ = trucam("explain", SAMPLE, "--hand", 2, "--trick", 1, "--lang", "en")
    assert status == 0
    assert "Hand 2: Carles deals, Dani leads." in out
    assert "Trick 2" not in out


def test_every_command_has_help(trucam):
    status, out, _ = trucam("--help")
    assert status == 0
    for name in COMMANDS:
        assert name in out
        assert trucam(name, "--help")[0] == 0


def gigabyte_of(byte: bytes):
    def make(path):
        if byte == b"\0":  # a sparse file: no gigabyte is written
            path.touch()
            os.truncate(path, 2**30)
        else:
            path.write_bytes(byte * 2**20)

    return make


BAD_FILES = {
    "missing": lambda path: None,
    "directory": lambda path: path.mkdir(),
    "empty": lambda path: path.touch(),
    "gigabyte-of-NUL": gigabyte_of(b"\0"),
    "blanks": gigabyte_of(b" "),
    "blank-lines": gigabyte_of(b"\n"),
    "broken-JSON": lambda path: path.write_text('{"format": \n'),
    "picture": lambda path: path.write_bytes(bytes(range(256)) * 9),
    "wrong-card": lambda path: path.write_text(
        '{"format": "trucam-record/1", "game": "trut", "seats": ["A", "B"]}\n'
        '{"do": "deal", "seat": 0, "cards": 3}\n{"do": "play", "seat": 1, "card": "KX"}\n'
    ),
    "unknown-option": lambda path: path.write_text(
        '{"format": "trucam-record/1", "game": "trut", "seats": ["A", "B"], "options": {"x": 1}}\n'
    ),
}


@pytest.mark.parametrize("command", ["score", "explain"])
@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_one_clear_line(trucam, tmp_path, command, name):
    path = tmp_path / name
    BAD_FILES[name](path)
    status, out, err = trucam(command, path)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read any file")
def test_a_file_that_may_not_be_read(trucam, tmp_path):
    path = tmp_path / "secret"
    path.touch(mode=0)
    assert trucam("score", path)[0] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["score"],
        ["score", SAMPLE, "--lang", "xx"],
        ["explain", SAMPLE, "--hand", "0"],
        ["explain", SAMPLE, "--hand", "99"],
        ["explain", SAMPLE, "--trick", "4"],
        ["explain", SAMPLE, "--hand", "one"],
        ["rules"],
        ["rules", "bridge"],
        ["rules", "trut", "--variant", "to_16"],
        ["rules", "trut", "--option", "target"],
        ["rules", "trut", "--option", "target=0"],
        ["rules", "trut", "--players", "3"],
    ],
    ids=lambda arguments: "-".join(str(part) for part in arguments[:1] + arguments[2:]),
)
def test_a_wrong_word_is_one_clear_line(trucam, arguments):
    status, out, err = trucam(*arguments)
    assert (status, out, len(err.splitlines())) == (2, "", 1)


def test_a_torn_record_is_scored_with_a_warning(trucam, tmp_path):
    record = tmp_path / "torn.jsonl"
    record.write_bytes(SAMPLE.read_bytes()[:-9])
    status, out, err = trucam("score", record, "--lang", "en")
    assert status == 0
    assert "torn off" in err
    assert "Score:" in out


COMMAND = [sys.executable, "-c", "from webui.cli import main; main()"]


def test_a_terminal_without_suits_is_no_error():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = subprocess.run(
        [*COMMAND, "explain", str(SAMPLE)], env=environment, capture_output=True, check=True
    )
    assert run.stderr == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_a_full_disk_under_the_output_is_one_clear_line():
    with open("/dev/full", "wb") as full:
        run = subprocess.run(
            [*COMMAND, "explain", str(SAMPLE)], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1


def test_names_cannot_forge_lines(trucam, tmp_path):
    record = tmp_path / "names.jsonl"
    seats = ["A\nHand 9: forged", "\x1b[31mB", "👨‍👩‍👧", "<b>"]
    record.write_text(
        json.dumps({"format": "trucam-record/1", "game": "trut", "seats": seats}) + "\n"
    )
    _, out, _ = trucam("explain", record, "--lang", "en")
    assert out.splitlines()[0] == (r"Trut: A\nHand 9: forged & 👨‍👩‍👧 against \x1b[31mB & <b>.")


def test_a_reader_that_has_seen_enough_is_no_error():
    run = subprocess.run(
        f"{subprocess.list2cmdline([*COMMAND, 'explain', str(SAMPLE)])} | head -n 1",
        shell=True, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (len(run.stdout.splitlines()), run.stderr) == (1, "")
