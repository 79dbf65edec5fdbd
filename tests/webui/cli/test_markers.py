"""``trucam markers``: what is printed can be found by a camera, and bears the game's words."""

from __future__ import annotations

import re
import zlib
from itertools import combinations
from pathlib import Path

import cv2
import fpdf.fonts
import numpy as np
import pytest

from scorekeeper.engine.header import Header
from scorekeeper.games.rules import GAMES, make_rules
from vision.geometry.markers import CORNER_IDS, call_id, calls_of, find_markers
from webui.presenters.marker_sheet import (
    PAPERS,
    READ_FROM_CM,
    RULER,
    UNUSED_TABLES,
    Sheet,
    call_cards,
)

Box = tuple[float, float, float, float]
POINT = 72 / 25.4
"""So many units of a PDF make a millimetre."""


def pages(data: bytes) -> list[bytes]:
    """The drawing commands of each page of a PDF."""
    found = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL):
        try:
            drawn = zlib.decompress(stream)
        except zlib.error:
            continue
        if b" re " in drawn or b" re\n" in drawn:
            found.append(drawn)
    return found


def boxes(page: bytes) -> list[tuple[float, float, float, float, bool, bool]]:
    """The rectangles of a page in millimetres: left, bottom, width, height, filled, black."""
    found, black = [], True  # as every page begins
    for line in page.decode("latin-1").splitlines():
        if shade := re.fullmatch(r"([\d.]+) g", line):
            black = float(shade[1]) == 0
        elif box := re.fullmatch(r"([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re ([fS])", line):
            x, y, width, height = (float(box[part]) / POINT for part in range(1, 5))
            bottom = min(y, y + height)
            found.append((x, bottom, width, abs(height), box[5] == "f", black))
    return found


def printed(page: bytes, tall: float) -> np.ndarray:
    """A picture of a page's filled rectangles, four pixels a millimetre."""
    picture = np.full((round(tall * 4), 220 * 4, 3), 255, np.uint8)
    for x, bottom, width, height, filled, black in boxes(page):
        if filled:
            low = (round(x * 4), round((tall - bottom - height) * 4))
            high = (round((x + width) * 4) - 1, round((tall - bottom) * 4) - 1)
            cv2.rectangle(picture, low, high, (0, 0, 0) if black else (255, 255, 255), -1)
    return picture


def overlap(one: Box, other: Box) -> bool:
    """Whether two rectangles overlap by more than a tenth of a millimetre."""
    return all(
        one[side] < other[side] + other[side + 2] - 0.1
        and other[side] < one[side] + one[side + 2] - 0.1
        for side in (0, 1)
    )


@pytest.mark.parametrize(
    ("game", "seats", "lang", "paper"),
    [
        ("le_truc_ace", 2, "fr", "a4"),
        ("le_truc_seven", 2, "ca", "letter"),
        ("trut", 4, "en", "letter"),
        ("truc_spain", 2, "es", "a4"),
    ],
)
def test_what_is_printed_is_found(game: str, seats: int, lang: str, paper: str) -> None:
    """Each page is read as by a camera: all markers are found, and all lie inside the page."""
    wide, tall = PAPERS[paper]
    drawn = pages(Sheet(Header(game=game, seats=("",) * seats), lang, paper).draw())
    assert len(drawn) == 1 + seats
    found = [[marker.id for marker in find_markers(printed(page, tall))] for page in drawn]
    said = calls_of(GAMES[game].rules)
    assert found == [
        list(CORNER_IDS),
        *([call_id(do, seat) for do in said] for seat in range(seats)),
    ]
    for page in drawn:
        cut = [box[:4] for box in boxes(page) if not box[4]]
        assert not any(overlap(one, other) for one, other in combinations(cut, 2))
    for x, bottom, width, height, *_ in (box for page in drawn for box in boxes(page)):
        assert 5 < x < x + width < wide - 5
        assert 5 < bottom < bottom + height < tall - 5


def test_more_cards_than_a_page_holds_go_on_on_another() -> None:
    header = Header(game="le_truc_ace", seats=("", ""), options={"eleven": True})
    sheet = Sheet(header, "en", "letter")
    drawn = pages(sheet.draw())
    assert (sheet.pages, len(drawn)) == (5, 5)
    tall = PAPERS["letter"][1]
    found = [[marker.id for marker in find_markers(printed(page, tall))] for page in drawn]
    said = [call_id(do, seat) for seat in (0, 1) for do in calls_of(header.rules)]
    assert [number for page in found[1:] for number in page] == said


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("le_truc_ace", {"remainder": "off"}, "Play for the remainder"),
        ("truc_spain", {"tap_allowed": False}, "Tap"),
    ],
)
def test_what_a_table_does_not_play_has_no_card(game, options, words) -> None:
    for changed, there in ((options, False), ({}, True)):
        cards = call_cards(make_rules(GAMES[game], (), changed), 0, "en")
        assert (words in [card.words for card in cards]) == there


def test_the_scale_is_ten_centimetres_long() -> None:
    (page, *_) = pages(Sheet(Header(game="trut", seats=("", "")), "en").draw())
    lines = re.findall(r"([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S", page.decode("latin-1"))
    lengths = [abs(float(x1) - float(x0)) / POINT for x0, _, x1, _ in lines]
    assert max(lengths) == pytest.approx(100, abs=0.05)
    assert RULER == 100


WORDS = {
    ("trut", "en"): ["See", "Fold", "Trut", "Pass"],
    ("truc_spain", "en"): ["Accept", "Refuse", "Truc", "Retruc", "We play", "We decline", "Cut",
                           "Tap"],
    ("le_truc_ace", "en"): ["Raise", "Play for the remainder", "Accept", "Refuse",
                            "Ask for new cards", "Keep these cards", "Grant new cards",
                            "Refuse new cards"],
    ("le_truc_ace", "fr"): ["Relancer", "Jouer le reste", "Accepter", "Refuser",
                            "Demander des cartes", "Garder ces cartes", "Donner des cartes",
                            "Refuser les cartes"],
}  # fmt: skip


@pytest.mark.parametrize(("game", "lang"), WORDS)
def test_LT_21_the_cards_say_the_words_of_the_buttons(game: str, lang: str) -> None:
    cards = call_cards(GAMES[game].rules, 0, lang)
    assert [card.words for card in cards] == WORDS[game, lang]


def test_the_meaning_under_a_refusal_is_of_what_it_refuses() -> None:
    cards = call_cards(GAMES["le_truc_ace"].rules, 0, "en")
    meanings = {card.words: card.meaning for card in cards}
    assert meanings["Refuse"] == "no to an offer, which ends the hand"
    assert meanings["Refuse new cards"] == ""


def test_where_any_value_may_be_offered_the_card_says_which_it_offers() -> None:
    rules = make_rules(GAMES["le_truc_ace"], ["raise_by_any"])
    assert "next value" in call_cards(rules, 0, "en")[0].meaning


def test_the_command_writes_the_sheet(trucam, tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    status, out, err = trucam(
        "markers", "--game", "truc", "--players", 2, "--lang", "ca", "-o", path
    )
    assert (status, out, err) == (0, f"{path}: 3 pages; print them at 100%.\n", "")
    data = path.read_bytes()
    assert data.startswith(b"%PDF-")
    assert b"AtkinsonHyperlegible" in data  # the font is embedded
    assert len(pages(data)) == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--game", "poker", "-o", "x.pdf"), "poker"),
        (("--game", "trut", "--players", "3", "-o", "x.pdf"), "3"),
        (("--game", "trut", "--option", "fortial", "-o", "x.pdf"), "name=value"),
        (("--game", "trut", "--variant", "to_16", "-o", "x.pdf"), "to_16"),
        (("--game", "trut", "-o", "no/such/folder/x.pdf"), "no/such/folder"),
        (("--game", "trut"), "--output"),
    ],
)
def test_what_is_wrong_ends_in_one_line(
    trucam, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = trucam("markers", *arguments)
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert says in err
    assert list(tmp_path.iterdir()) == []


def test_a_better_camera_reads_from_higher() -> None:
    assert READ_FROM_CM[720] < READ_FROM_CM[1080]


def test_every_letter_of_a_name_is_printed(caplog) -> None:
    names = ("Łukasz", "Ştefan Őry", "Đorđe", "Zoë")
    Sheet(Header(game="trut", seats=names), "en").draw()
    assert caplog.messages == []  # the library says which letters a font lacks


def test_no_time_goes_into_tables_that_a_pdf_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """To give kerning a weight took five times as long as all the rest of a sheet."""
    given: list[set[str]] = []
    make = fpdf.fonts.instancer.instantiateVariableFont

    def told(font, *args, **kwargs):
        given.append(set(font.keys()))
        return make(font, *args, **kwargs)

    monkeypatch.setattr(fpdf.fonts.instancer, "instantiateVariableFont", told)
    Sheet(Header(game="trut", seats=("", "")), "en").draw()
    assert len(given) == 4
    assert not UNUSED_TABLES & set().union(*given)
