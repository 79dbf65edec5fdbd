"""The charts of a player are in proportion, described in words, and differ by their patterns."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from scorekeeper.reports.statistics import Calls
from scorekeeper.reports.tallies import Tally
from scorekeeper.text.i18n import LANGUAGES
from webui.presenters.player_charts import WIDTH, Bar, Column, Kind, Part, bars, columns
from webui.presenters.player_state import MOST_COLUMNS, by_evening, by_game, sections

DAY = date(2026, 11, 20)


def drawn(svg: str) -> ET.Element:
    root = ET.fromstring(svg)
    for element in root.iter():
        element.tag = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
    return root


def blocks(root: ET.Element) -> list[tuple[str, float, float]]:
    """Fill, width and height of each drawn block, without samples and stripes."""
    found = [(r.get("fill", ""), float(r.get("width", 0)), float(r.get("height", 0)))
             for r in root.findall("rect")]  # fmt: skip
    return [one for one in found if one[1:] != (11.0, 11.0)]


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter("text")]


def parts(refused: int, won: int, lost: int) -> tuple[Part, ...]:
    kinds = zip(Kind, (won, lost, refused), strict=True)
    return tuple(Part(kind, size, f"{size} {kind.name.lower()}") for kind, size in kinds)


def test_the_parts_of_a_bar_share_its_width_and_look_different() -> None:
    root = drawn(bars("calls", "Calls", [Bar("Made", "4", parts(refused=1, won=2, lost=1))]))
    found = blocks(root)
    assert [round(4 * wide / (WIDTH - 2), 2) for _, wide, _ in found] == [2, 1, 1]
    assert len({filling for filling, _, _ in found}) == 3
    assert texts(root) == ["Made", "4", "2 won", "1 lost", "1 refused"]
    assert root.findtext("desc") == "Made 4: 2 won, 1 lost, 1 refused."


@pytest.mark.parametrize(("one_scale", "expected"), [(False, [1, 1]), (True, [1, 0.5])])
def test_bars_are_compared_where_they_have_one_scale(
    one_scale: bool, expected: list[float]
) -> None:
    rows = [Bar(str(n), str(n), (Part(Kind.WON, n, ""),)) for n in (10, 5)]
    found = blocks(drawn(bars("tricks", "Tricks", rows, one_scale=one_scale)))
    assert [round(wide / (WIDTH - 2), 2) for _, wide, _ in found] == expected


def test_a_bar_of_nothing_draws_nothing() -> None:
    rows = [Bar("Made", "0", parts(0, 0, 0)), Bar("Answered", "1", parts(1, 0, 0))]
    assert len(blocks(drawn(bars("calls", "Calls", rows)))) == 1


def test_columns_are_as_high_as_what_they_count() -> None:
    found = [Column("20 Nov", 3, 1), Column("27 Nov", 0, 2)]
    root = drawn(columns("matches", "Matches", found, parts(0, 3, 3)[:2]))
    unit, *heights = (high for _, _, high in blocks(root))
    assert [round(3 * high / unit, 2) for high in heights] == [1, 2]
    assert {"0", "4", "20 Nov", "27 Nov"} <= set(texts(root))


@pytest.mark.parametrize("many", [1, 2, 7, MOST_COLUMNS])
def test_labels_of_columns_stay_inside_and_apart(many: int) -> None:
    found = [Column(f"L{n}", 1, 0) for n in range(many)]
    root = drawn(columns("matches", "Matches", found, parts(0, many, 0)[:2]))
    places = [float(t.get("x", 0)) for t in root.iter("text") if (t.text or "").startswith("L")]
    assert all(20 <= x <= WIDTH - 20 for x in places)
    assert all(b - a >= 45 for a, b in pairwise(places))
    assert f"L{many - 1}" in texts(root)


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([0, 7], "evening by evening"),
        (range(MOST_COLUMNS), "evening by evening"),
        (range(MOST_COLUMNS + 1), "month by month"),
        (range(0, 31 * 40, 31), "year by year"),
    ],
)
def test_many_evenings_are_told_by_month_or_year(days: list[int], expected: str) -> None:
    career = {(DAY + timedelta(days=n), "trut"): Tally(matches=1) for n in days}
    chart = sections(career, "en")[0].chart
    assert chart is not None
    assert expected in chart


def test_figures_that_never_came_up_are_left_out() -> None:
    played = Tally(hands=1)
    assert [len(sections({(DAY, "trut"): tally}, "en")) for tally in (
        played,
        played + Tally(raises=Calls(1, 1)),
        played + Tally(raises=Calls(1, 1), truts_answered=Calls(1)),
        played + Tally(tricks_won=1, smalls=1),
    )] == [1, 2, 3, 3]  # fmt: skip
    assert sections({(DAY, "trut"): played}, "en")[0].chart is None


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_figure_is_labelled_and_explained(code: str) -> None:
    calls = Calls(9, 4, 3, 2)
    career = {(DAY, "trut"): Tally(2, 1, 3, 2, 40, 21, 5, 6, calls, calls, calls, calls, 7, 8, 9,
                                   10, 11, 12, 13)}  # fmt: skip
    found = sections(career, code)
    assert len(found) == 5
    for section in found:
        assert section.chart is not None
        assert all(all(figure) for figure in section.figures)
    values = {figure.label: figure.value for section in found for figure in section.figures}
    if code == "en":
        assert values["Matches won"] == "1 of 2"
        assert values["Hands won"] == "21 of 40"
        assert values["Spoiled tricks claimed"] == "9"
        assert values["refused by this player"] == "4"
        assert values["seen by this player"] == "won 3, lost 2"
        assert values["Smalls"] == "10 – 13"
        assert values["Longs"] == "6 – 12"
        assert values["Points"] == "5 – 11"


ONE_EACH = [
    ("en", "matches won 1", "refused 1, won 1, lost 1"),
    ("fr", "matchs gagnés 1", "refusées 1, gagnées 1, perdues 1"),
]


@pytest.mark.parametrize(("code", "matches", "raises"), ONE_EACH)
def test_one_of_a_kind_is_told_in_words_that_fit_any_number(code, matches, raises) -> None:
    career = {(DAY, "put"): Tally(matches=1, matches_won=1, raises=Calls(3, 1, 1, 1))}
    charts = "".join(section.chart or "" for section in sections(career, code))
    assert matches in charts
    assert raises in charts


def test_a_career_adds_up_by_evening_and_by_game() -> None:
    career = {(DAY, "trut"): Tally(hands=1), (DAY, "put"): Tally(hands=2)}
    assert by_evening(career) == {DAY: Tally(hands=3)}
    assert by_game(career) == {"trut": Tally(hands=1), "put": Tally(hands=2)}
