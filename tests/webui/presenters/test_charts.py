"""The chart of a match's score: what it shows, and that any match can be drawn."""

from __future__ import annotations

import re
from datetime import date
from random import Random
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.state import Match
from scorekeeper.reports.statistics import chronicle
from scorekeeper.text.i18n import LANGUAGES
from scorekeeper.text.phrases import Voice
from tests.scorekeeper.playouts import HEADERS, playout
from tests.scorekeeper.talk import LT_ACE, TRUT, deal, say, table
from webui.presenters.charts import (
    PAGE,
    PICTURE,
    _cut,
    _fitted,
    _ticks,
    _width,
    round_up,
    score_chart,
)

EVENING = date(2026, 11, 20)


def drawn(match: Match, code: str = "en", **how: object) -> ET.Element:
    """The parsed chart, without namespaces in its tags."""
    svg = score_chart(match, code, **how)  # type: ignore[arg-type]
    root = ET.fromstring(svg)
    for element in root.iter():
        element.tag = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
    return root


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter("text")]


def lines(root: ET.Element, side: int) -> list[str]:
    """The paths of a side, one for each game, without the sample in the heading."""
    paths = [p.get("d", "") for p in root.iter("path") if p.get("class") == f"side-{side}"]
    return [path for path in paths if "l" not in path][1:]


def level(root: ET.Element, score: int) -> float:
    """The height of the line of a score."""
    ticks = [p.get("d", "") for p in root.iter("path") if p.get("class") in ("grid", "target")]
    heights = sorted((float(d.split()[1].split("H")[0]) for d in ticks if "H" in d), reverse=True)
    return heights[score]


def one_hand() -> Match:
    return say(deal(table(TRUT)), "0 trut, 1 lie_down")


def test_each_side_is_a_line_of_steps_up_to_its_score() -> None:
    match = table(TRUT, tokens=((2, 0), (5, 0)))
    match = say(deal(match), "0 trut, 1 see, void_hand")
    root = drawn(match)
    for side, longs in ((0, 2), (1, 5)):
        (path,) = lines(root, side)
        assert float(path.rsplit("V", 1)[1]) == pytest.approx(level(root, longs), abs=0.2)
        assert re.fullmatch(r"M[\d.]+ [\d.]+(H[\d.]+V[\d.]+)+", path)


def test_a_small_is_a_third_of_a_long() -> None:
    root = drawn(one_hand())
    height = float(lines(root, 0)[0].rsplit("V", 1)[1])
    assert height == pytest.approx(level(root, 0) * 2 / 3 + level(root, 1) / 3, abs=0.2)


def test_names_score_target_and_hands_are_written() -> None:
    match = say(deal(table(LT_ACE, 4)), "1 raise 2, 0 reject")
    found = texts(drawn(match))
    for text in ("Ana & Carles", "Bea & Dani", "0 points", "1 point", "12", "1"):
        assert text in found


def test_games_are_apart_and_named() -> None:
    match = say(table(LT_ACE, best_of=3), "award 1 2, award 0 12")
    for _ in range(4):
        match = say(deal(match), f"{match.after(match.dealer)} raise 2, {match.dealer} reject")
    match = say(match, "award 1 12")
    root = drawn(match)
    assert len(lines(root, 0)) == len(lines(root, 1)) == 2
    found = texts(root)
    assert "Game 2: 2–12" in found
    assert found.count("1 game") == 2
    # The second game begins at 0, to the right of the first one's end.
    first, second = lines(root, 1)
    assert float(second[1:].split()[0]) > float(first.rsplit("H", 1)[1].split("V")[0])


def test_the_winner_of_the_match_is_marked() -> None:
    assert "★ 12 points" in texts(drawn(say(table(LT_ACE), "award 1 12")))


def test_the_sides_differ_without_colour() -> None:
    root = drawn(one_hand())
    first, second = (
        next(p for p in root.iter("path") if p.get("class") == f"side-{side}") for side in (0, 1)
    )
    assert first.get("stroke-dasharray") is None
    assert second.get("stroke-dasharray")
    assert root.find("circle[@class='side-0']") is not None
    assert root.find("circle[@class='side-1']") is None


def test_it_has_a_title_and_a_description_for_screen_readers() -> None:
    root = drawn(one_hand())
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == ["title", "desc"]
    assert root.findtext("title") == "Score of Ana – Bea, hand by hand"
    assert root.findtext("desc") == (
        "Trut. Game 1, hands played 1: Ana 0 Longs, 1 Small; Bea 0 Longs, 0 Smalls."
    )


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_speaks_the_language_that_is_asked_for(code: str) -> None:
    match = say(deal(table(LT_ACE)), "1 raise 2, 0 reject")
    assert Voice(match.header, code).points(1) in texts(drawn(match, code))


def test_a_picture_stands_alone() -> None:
    root = drawn(one_hand(), picture=True, evening=EVENING)
    assert (root.get("width"), root.get("height")) == ("1200", "630")
    ground = root.find("rect")
    assert ground is not None
    assert ground.get("fill") == PICTURE.paper
    assert {"Trut", "2026-11-20", "Ana", "0 Longs, 1 Small"} <= set(texts(root))
    assert "currentColor" not in score_chart(one_hand(), "en", picture=True)


def test_on_a_page_background_and_ink_are_those_of_the_page() -> None:
    root = drawn(one_hand())
    assert root.find("rect") is None
    assert root.get("fill") == "currentColor"
    assert "2026-11-20" not in texts(drawn(one_hand(), evening=EVENING))


@pytest.mark.parametrize("picture", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "A & B",
        '"',
        "👩‍👩‍👧",
        "x" * 500,
        "家" * 90,
        "\0\ud800\ufffe\x1b",
        "",
    ],
)
def test_any_name_is_shown_and_harms_nothing(name: str, picture: bool) -> None:
    match = replay(Header(game=LT_ACE, seats=(name, "Bea")), ())
    root = drawn(match, picture=picture, evening=EVENING)
    assert root.find(".//script") is None
    shown = texts(root)[2 if picture else 0]
    assert shown == (name or "Player 1") or shown.endswith("…") or "\\" in shown
    assert _width(shown) < 50


@given(st.integers(0, 2**32), st.integers(0, 300), st.booleans())
def test_any_match_is_drawn_inside_its_frame_and_without_styles(
    seed: int, length: int, picture: bool
) -> None:
    chance = Random(seed)
    header = chance.choice(HEADERS)
    match = replay(header, playout(header, chance, length))
    root = drawn(match, picture=picture)
    look = PICTURE if picture else PAGE
    assert all("style" not in (element.tag, *element.keys()) for element in root.iter())
    assert len(lines(root, 0)) == len(chronicle(match).games)
    for path in lines(root, 0) + lines(root, 1):
        numbers = [float(number) for number in re.findall(r"[\d.]+", path)]
        across, down = numbers[::2], numbers[1::2]
        assert across == sorted(across)
        assert across[0] > 0
        assert across[-1] < look.width
        assert look.top < min(down)
        assert max(down) < look.height


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2.2."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(part * c for part, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize(
    ("colour", "ground"),
    [(colour, ground) for colour in PAGE.sides for ground in ("#ffffff", "#121212")]
    + [(colour, str(PICTURE.paper)) for colour in (*PICTURE.sides, PICTURE.ink)],
)
def test_colours_have_enough_contrast(colour: str, ground: str) -> None:
    light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3


@pytest.mark.parametrize(
    ("target", "highest", "ticks"),
    [
        (12, 12, [0, 2, 4, 6, 8, 10, 12]),
        (7, 7 + 1 / 3, [0, 1, 2, 3, 4, 5, 6, 7]),
        (16, 16, [0, 2, 4, 6, 8, 10, 12, 14, 16]),
        (21, 21, [0, 5, 10, 15, 21]),
        (12, 14, [0, 2, 4, 6, 8, 10, 12, 14]),
        (1, 1, [0, 1]),
        (999, 999, [0, 200, 400, 600, 800, 999]),
    ],
)
def test_ticks_are_round_and_name_the_target(target: int, highest: float, ticks: list[int]) -> None:
    assert _ticks(target, highest) == ticks


@given(st.floats(0, 1e6))
def test_a_round_step_is_large_enough_and_not_much_larger(least: float) -> None:
    assert least <= round_up(least) <= max(1, 2.5 * least)


@given(st.text(), st.integers(1, 40))
def test_a_cut_text_fits(text: str, room: int) -> None:
    cut = _cut(text, room)
    assert _width(cut) <= room
    assert cut == text or cut.endswith("…")


@pytest.mark.parametrize(
    ("names", "fitted"),
    [
        (("Ana", "Carles"), "Ana & Carles"),
        (("Ana", "Bartholomew the Second"), "Ana & Bartholomew the…"),
        (("Bartholomew the Second", "Ana"), "Bartholomew the… & Ana"),
        (("Maximiliana", "Bartholomew the Second"), "Maximilia… & Bartholom…"),
        (("Bartholomew the Second of that name",), "Bartholomew the Second…"),
    ],
)
def test_both_partners_are_named(names: tuple[str, ...], fitted: str) -> None:
    assert _fitted(names, 23, "en") == fitted


@given(st.lists(st.text(), min_size=1, max_size=2), st.integers(6, 60))
def test_fitted_names_fit(names: list[str], room: int) -> None:
    assert _width(_fitted(names, room, "fr")) <= room
