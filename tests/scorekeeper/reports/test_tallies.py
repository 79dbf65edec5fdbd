"""The figures of players over all matches of a ledger, and the spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.said import Said, Source
from scorekeeper.engine.state import Match
from scorekeeper.reports.archive import Archive
from scorekeeper.reports.spreadsheets import match_sheet, tallies_sheet
from scorekeeper.reports.statistics import Calls, chronicle
from scorekeeper.reports.tallies import Tally, by_evening, by_player, evening
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.playouts import HEADERS, playout
from tests.scorekeeper.talk import LT_ACE, TRUT, deal, event, say, table

FRIDAY = datetime(2026, 11, 20, 21, tzinfo=UTC)
AFTER_MIDNIGHT = datetime(2026, 11, 21, 5, 59, tzinfo=UTC)
SATURDAY = datetime(2026, 11, 21, 6, tzinfo=UTC)


def store(ledger: Ledger, at: datetime, said: str, **header: object) -> int:
    header = {"game": LT_ACE, "seats": ("Ana", "Bea"), **header}
    events = [event(text) for text in said.split(",") if text]
    said_now = Said(at, Source.PHONE)
    return ledger.add(Header(**header), events, said_now, begun=at)  # type: ignore[arg-type]


REFUSED_RAISE = "0 deal 3,1 raise 2,0 reject"
WON = "award 0 12"


def test_players_are_added_up_by_name(ledger: Ledger) -> None:
    store(ledger, FRIDAY, REFUSED_RAISE)
    store(ledger, FRIDAY, f"{REFUSED_RAISE},{WON}", seats=(" Bea ", "ana"))
    store(ledger, FRIDAY, "0 deal 3,1 trut,0 lie_down,award 1 2", game=TRUT)
    found = by_player(Archive(ledger).shelf().played)
    assert list(found) == ["Ana", "ana", "Bea"]
    said_no = Calls(1, 1)
    assert found["Ana"] == Tally(
        hands=2, raises_answered=said_no, truts_answered=said_no,
        points_lost=1, longs_lost=1, smalls_lost=1,
    )  # fmt: skip
    assert found["ana"] == Tally(
        1, 0, 1, 0, 1, 1, points=1, points_lost=12, raises=Calls(1, 1)
    )  # fmt: skip
    assert found["Bea"] == Tally(
        1, 1, 1, 1, 3, 2, points=13, points_lost=1, longs=1, smalls=1,
        raises=Calls(1, 1), truts=Calls(1, 1), raises_answered=said_no,
    )  # fmt: skip


def test_names_stand_in_the_order_of_the_alphabet_whatever_their_accents(ledger: Ledger) -> None:
    store(ledger, FRIDAY, WON, seats=("Émile", "Zoé", "Àngels", "Eva"))
    store(ledger, FRIDAY, WON, seats=("ana", "Frida"))
    found = by_player(Archive(ledger).shelf().played)
    assert list(found) == ["ana", "Àngels", "Émile", "Eva", "Frida", "Zoé"]


def test_a_game_counts_once_a_side_has_won_it(ledger: Ledger) -> None:
    store(ledger, FRIDAY, f"{WON},award 1 3", best_of=3)
    found = by_player(Archive(ledger).shelf().played)
    assert [(found[name].games, found[name].games_won) for name in ("Ana", "Bea")] == [
        (1, 1), (1, 0),
    ]  # fmt: skip


def test_partners_share_what_their_side_scores_and_keep_their_own_calls(ledger: Ledger) -> None:
    store(ledger, FRIDAY, REFUSED_RAISE, seats=("Ana", "Bea", "Carles", "Dani"))
    found = by_player(Archive(ledger).shelf().played)
    assert (found["Bea"].points, found["Dani"].points) == (1, 1)
    assert (found["Bea"].raises.made, found["Dani"].raises.made) == (1, 0)


def test_a_seat_without_a_name_is_nobody(ledger: Ledger) -> None:
    store(ledger, FRIDAY, REFUSED_RAISE, seats=("Ana", " "))
    assert list(by_player(Archive(ledger).shelf().played)) == ["Ana"]


def test_a_match_that_was_not_begun_has_no_game(ledger: Ledger) -> None:
    store(ledger, FRIDAY, "")
    assert by_player(Archive(ledger).shelf().played)["Ana"] == Tally()


def test_a_match_counts_as_played_once_somebody_has_won_it(ledger: Ledger) -> None:
    store(ledger, FRIDAY, "award 0 5")
    store(ledger, FRIDAY, "award 0 12")
    found = by_player(Archive(ledger).shelf().played)
    assert [(found[name].matches, found[name].matches_won) for name in ("Ana", "Bea")] == [
        (1, 1), (1, 0),
    ]  # fmt: skip


def test_an_evening_ends_at_six(ledger: Ledger) -> None:
    for at in (SATURDAY, AFTER_MIDNIGHT, FRIDAY):
        store(ledger, at, REFUSED_RAISE)
    found = by_evening(Archive(ledger).shelf().played)
    assert [(day.isoformat(), players["Ana"].hands) for day, players in found.items()] == [
        ("2026-11-20", 2),
        ("2026-11-21", 1),
    ]


def test_the_first_day_of_the_calendar_is_its_own_evening() -> None:
    assert evening(datetime(1, 1, 1, 3, tzinfo=UTC)) == date(1, 1, 1)


def test_a_match_that_cannot_be_read_hides_none_of_the_others(ledger: Ledger) -> None:
    broken = store(ledger, FRIDAY, "1 play KS")
    store(ledger, FRIDAY, REFUSED_RAISE)
    shelf = Archive(ledger).shelf()
    assert len(shelf.played) == 1
    assert list(shelf.unread) == [broken]
    assert "V-3" in shelf.unread[broken]


@given(st.integers(0, 2**32), st.integers(0, 200))
def test_every_hand_is_a_line_with_the_score_after_it(seed: int, length: int) -> None:
    chance = Random(seed)
    header = chance.choice(HEADERS)
    match = replay(header, playout(header, chance, length))
    found = rows(match_sheet(match))
    hands = [row for row in found if row["hand"]]
    assert [int(row["hand"]) for row in hands] == list(range(1, match.hand_number + 1))
    told = chronicle(match)
    ended = [hand for hand in told.hands if hand.end is not None]
    for row, hand in zip(hands, ended, strict=False):
        assert scores_of(row) == [score.points for score in hand.scores]
    latest = {int(row["game"]): scores_of(row) for row in found}
    for game in told.games:
        assert latest.get(game.number, [0, 0]) == [score.points for score in game.scores]


def scores_of(row: dict[str, str]) -> list[int]:
    names = ("longs_0", "longs_1") if "longs_0" in row else ("points_0", "points_1")
    return [int(row[name]) for name in names]


def rows(lines: Iterable[str]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(lines), newline="")))


def test_a_line_of_a_match_in_full() -> None:
    match = say(deal(table(LT_ACE, 4)), "1 raise 2, 0 accept, 1 play 7S, 2 raise 4, 3 reject")
    assert rows(match_sheet(match)) == [
        {
            "game": "1", "hand": "1", "side_0": "Ana & Carles", "side_1": "Bea & Dani",
            "dealer": "Ana", "calls": "Bea: raise 2, lost; Carles: raise 4, refused",
            "tricks_0": "0", "tricks_1": "0", "spoiled": "0", "end": "raise_rejected",
            "winner": "Ana & Carles", "value": "2", "award": "points", "amount": "2",
            "points_0": "2", "points_1": "0", "agreed": "",
        }
    ]  # fmt: skip


SETTLED = {
    "after the last hand": (
        "0 deal 3, 1 raise 2, 0 reject, adjust 0 11, adjust 0 1, 1 deal 3", ["1", "", "2"],
        ["Bea", "Ana", ""], [(0, 1), (12, 1), (0, 0)],
    ),
    "without a hand": ("award 1 2, end_game 0", [""], ["Ana"], [(0, 2)]),
    "undone by agreement": ("adjust 1 12, adjust 1 -12", [], [], []),
}  # fmt: skip
"""The events of a match, and hand, winner and scores of each line of its sheet."""


@pytest.mark.parametrize("case", SETTLED)
def test_V_20_points_agreed_after_the_last_hand_have_a_line(case: str) -> None:
    texts, hands, winners, scores = SETTLED[case]
    found = rows(match_sheet(say(table(LT_ACE, best_of=3), texts)))
    assert [row["hand"] for row in found] == hands
    assert [row["winner"] for row in found] == winners
    assert [(int(row["points_0"]), int(row["points_1"])) for row in found] == scores


def test_V_20_who_said_it_is_not_named_as_who_gets_it() -> None:
    match = say(deal(table(LT_ACE)), "1 raise 2, 0 reject, 0 award 1 2")
    (row,) = [row for row in rows(match_sheet(match)) if row["hand"]]
    assert row["agreed"] == "award Bea 2"


SEATS_CHANGED = {
    "after the call": (
        "1 raise 2, 1 player Zoe, 0 accept, void_hand", "Ana", "Bea: raise 2, void",
        "player Bea Zoe; void_hand",
    ),
    "who dealt": ("0 player Zoe, 0 turn, 1 player Eva, concede 1", "Ana", "",
                  "player Ana Zoe; turn Zoe; player Bea Eva; concede Eva"),
    "who dealt by agreement": (
        "1 dealer, 1 player Zoe, void_hand, 1 player Eva", "Bea", "",
        "dealer Bea; player Bea Zoe; void_hand; player Zoe Eva",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SEATS_CHANGED)
def test_V_21_each_is_named_who_sat_there_then(case: str) -> None:
    texts, *expected = SEATS_CHANGED[case]
    (row,) = rows(match_sheet(say(deal(table(LT_ACE)), texts)))
    assert [row["dealer"], row["calls"], row["agreed"]] == expected


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@sum", "\tx", "\rx", "\nx"])
def test_no_cell_is_a_formula(ledger: Ledger, name: str) -> None:
    match = say(deal(named(name)), "1 raise 2, 0 reject")
    (row,) = rows(match_sheet(match))
    assert row["dealer"] == f"'{name}"
    store(ledger, FRIDAY, REFUSED_RAISE, seats=(f"x{name}", name))
    for line in rows(tallies_sheet(by_evening(Archive(ledger).shelf().played))):
        assert line["player"].startswith(("x", "'"))


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝"])
@pytest.mark.parametrize("between", [";", "; ", ",", "\t", "|", "\n", '";'])
def test_no_cell_is_a_formula_where_a_line_is_split_at_another_sign(
    sign: str, between: str
) -> None:
    match = say(deal(named(f'x{between}{sign}HYPERLINK("http://e")')), "1 raise 2, 0 reject")
    for line in match_sheet(match):
        for piece in re.split(r"[;,|\t\r\n]", line):
            assert not piece.strip(' "').startswith(sign)


@pytest.mark.parametrize(
    "name", ["Ana-Maria; Bea", "x = y", 'A "B", C', "A\nB", "O'Neil", "<b>", "👩‍👩‍👧", "a=b"]
)
def test_other_names_stay_as_they_are(name: str) -> None:
    match = say(deal(named(name)), "1 raise 2, 0 reject")
    assert rows(match_sheet(match))[0]["dealer"] == name


def named(name: str) -> Match:
    return replay(Header(game=LT_ACE, seats=(name, "Bea")), ())


def test_tallies_are_a_line_for_each_player_of_each_evening(ledger: Ledger) -> None:
    store(ledger, FRIDAY, REFUSED_RAISE)
    found = rows(tallies_sheet(by_evening(Archive(ledger).shelf().played)))
    assert [(row["evening"], row["player"], row["raises_refused"]) for row in found] == [
        ("2026-11-20", "Ana", "0"),
        ("2026-11-20", "Bea", "1"),
    ]
    assert list(found[0])[2:4] == ["matches", "matches_won"]
    kinds = ("raises", "truts", "raises_answered", "truts_answered")
    for kind in kinds:
        parts = [f"{kind}_{part}" for part in ("made", "refused", "won", "lost")]
        assert [column for column in found[0] if column in parts] == parts
