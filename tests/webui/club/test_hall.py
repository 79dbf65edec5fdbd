"""The pages of a club's hall: the host runs an evening, and everybody sees it."""

from __future__ import annotations

import re
from html import unescape
from random import Random

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.packs import PACK_SUITS
from scorekeeper.engine.said import Source
from scorekeeper.errors import LedgerError
from scorekeeper.storage.hall import Live
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from scorekeeper.text.choices import games_on_offer
from scorekeeper.text.house_rules import as_text
from scorekeeper.text.i18n import LANGUAGES
from scorekeeper.text.printings import PRINTING
from tests.scorekeeper.playouts import any_event
from tests.scorekeeper.talk import event
from tests.webui.club.opening import OPENING, drawn, opened
from tests.webui.phones import header
from tests.webui.playing import UnlimitedWrites
from webui.club.room import Club
from webui.club.screens import LARGE_ROWS, calls
from webui.presenters.hall_state import live_state
from webui.table.memory import Memory

TRUC = {"game": "truc_spain"}


def table_of(ledger: Ledger, club: Club, table: int) -> Table:
    return Table(ledger, club.snapshot().tables[table].entry.id)


def say(table: Table, side: int, points: int) -> None:
    event = Event("award", side=side, points=points)
    table.say(event, seen=table.moment.seq, source=Source.PHONE)


def text_of(page: str) -> str:
    """The text of a page, without its markup."""
    main = page[page.index("<main") : page.index("</main>")]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


PAGES = ("/", "/tv", "/tv?bare", "/list", "/codes", "/table/1", "/host", "/host?new=1")


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_page_is_there_at_each_stage_in_each_language(chief, club, ledger, code):
    def look() -> None:
        for path in PAGES:
            page = chief.page(f"{path}{'&' if '?' in path else '?'}lang={code}")
            assert f'<html lang="{code}"' in page

    look()
    opened(chief, teams=5, best_of="3")
    look()
    chief.send("/host/draw")
    look()
    say(table_of(ledger, club, 1), 0, 999)
    club.refresh()
    look()
    chief.send("/host/result/1/2", {"first": "2", "second": "1"})
    chief.send("/host/team/2/withdraw", {"note": "ill"})
    look()
    chief.send("/host/result/1/1", {"first": "2", "second": "1"})
    assert chief.send("/host/close").status_code == 200
    look()


def test_a_table_whose_game_is_at_stake_is_shown_large(visitor, chief, club, ledger):
    drawn(chief)
    assert "large" not in visitor.page("/tv")
    table = table_of(ledger, club, 2)
    rules = table.moment.match.rules
    say(table, 1, rules.counting.parts * (rules.target - 1))
    chance = Random(5)
    for _ in range(12):
        event = any_event(table.moment.match, chance, operator=0)
        table.say(event, seen=table.moment.seq, source=Source.PHONE)
    club.refresh()
    page = visitor.page("/tv")
    assert 'class="large" aria-label="Table 2"' in page
    assert "felt" in page
    assert "<b>Table 2</b>" in visitor.page("/tv?bare")
    assert 'class="felt' in visitor.page("/table/2")


@pytest.mark.parametrize(
    ("game", "best_of", "said", "at_stake"),
    [
        ("le_truc_ace", 1, (), False),
        ("le_truc_ace", 1, ("award 0 11", "0 deal 3"), True),
        ("le_truc_ace", 1, ("award 0 10", "0 deal 3", "1 raise 2", "0 accept"), True),
        # The next hand is worth 1.
        ("le_truc_ace", 1, ("award 0 10", "0 deal 3", "1 raise 2", "0 accept", "void_hand"), False),
        # In a longer match only a side that lacks one game may end it.
        ("le_truc_ace", 3, ("award 0 12", "award 1 11"), False),
        ("le_truc_ace", 3, ("award 0 12", "award 0 11"), True),
        ("le_truc_ace", 3, ("award 0 12", "award 1 12", "award 1 11"), True),
        ("trut", 3, ("award 0 21", "award 1 18"), False),
        ("trut", 3, ("award 0 21", "award 0 15", "0 deal 3", "1 trut", "0 see"), False),
        ("trut", 3, ("award 0 21", "award 0 15", "0 deal 3", "1 trut", "0 retrut", "1 see"), True),
    ],
)
def test_a_match_that_the_next_hand_may_end_is_at_stake(ledger, game, best_of, said, at_stake):
    options = {"retrut": "two_longs"} if game == "trut" else {}
    seated = header(game, best_of=best_of, options=options)
    table = Table.begin(ledger, seated, source=Source.PHONE)
    for text in said:
        table.say(event(text), seen=table.moment.seq, source=Source.PHONE)
    moment, events = table.log()
    live = Live(1, ledger.match(table.match_id), tuple(events), moment.match, moment.match)
    assert live_state(live, "en")["at_stake"] is at_stake


@pytest.mark.parametrize("stage", [None, "/host/draw"], ids=["entering", "playing"])
def test_every_form_that_is_drawn_anew_is_sent_by_the_script(chief, stage):
    opened(chief)
    if stage:
        chief.send(stage)
    forms = re.findall(r"<form[^>]*>", chief.get("/poll/host").json["html"])
    assert forms
    assert [form for form in forms if "data-send" not in form] == []


def test_before_the_first_round_everybody_sees_who_is_entered_and_who_is_here(visitor, chief):
    opened(chief, teams=2)
    chief.send("/host/enter", {"name": ["Eva", "Fina"]})
    for path in ("/", "/tv", "/list"):
        shown = unescape(text_of(visitor.page(path)))
        assert "Pairs Ana 1 & Bea 1 ✓ here Ana 2 & Bea 2 ✓ here Eva & Fina not here yet" in shown
        assert "Standing" not in shown
    chief.send("/host/draw")
    assert "not here yet" not in text_of(visitor.page("/"))
    assert "Standing" in text_of(visitor.page("/"))


def test_the_standing_has_a_column_for_draws_once_there_is_a_draw(visitor, chief):
    drawn(chief)
    assert "Draws" not in visitor.page("/")
    chief.send("/host/result/1/1", {"first": 5, "second": 5})
    assert "Draws" in visitor.page("/")


def test_nobody_has_a_place_before_the_first_result(visitor, chief):
    opened(chief, teams=5)
    chief.send("/host/draw")
    first = '<td role="cell" class="place">1</td>'
    assert first not in visitor.page("/")
    assert "leaders" not in visitor.page("/tv?bare")
    chief.send("/host/result/1/1", {"first": "7", "second": "3"})
    assert first in visitor.page("/")
    assert "leaders" in visitor.page("/tv?bare")


def test_a_tv_says_how_many_pairs_it_has_no_room_for(visitor, chief):
    opened(chief, teams=LARGE_ROWS + 2)
    chief.send("/host/draw")
    assert "and 2 more: on your phone" in visitor.page("/tv")
    assert "more: on your phone" not in visitor.page("/")


def test_news_of_a_table_is_shown_for_a_while_and_only_in_its_round(
    visitor, chief, club, ledger, monkeypatch
):
    drawn(chief)
    say(table_of(ledger, club, 1), 0, 1)
    club.refresh()
    assert 'class="news"' in visitor.page("/tv")
    monkeypatch.setattr("webui.club.room.NEWS_SECONDS", 0.0)
    club.refresh()
    assert 'class="news"' not in visitor.page("/tv")
    monkeypatch.undo()
    say(table_of(ledger, club, 1), 0, 999)
    club.refresh()
    assert 'class="news"' in visitor.page("/tv")
    chief.send("/host/result/1/2", {"first": "7", "second": "3"})
    assert 'class="news"' not in visitor.page("/tv")


def test_taking_a_draw_back_repeats_no_news_of_the_round_before(chief, club, ledger):
    drawn(chief)
    for table in (1, 2):
        say(table_of(ledger, club, table), 0, 999)
    club.refresh()
    chief.send("/host/draw")
    called = calls(club.snapshot(), "en")
    assert [call["number"] for call in called] == [1, 2]
    chief.send("/host/cancel", {"note": "a pair is missing"})
    assert len(club.snapshot().tournament.rounds) == 1
    assert calls(club.snapshot(), "en") == called


def test_news_of_a_table_is_shown_even_if_an_event_of_the_host_was_refused_meanwhile(
    chief, club, ledger
):
    drawn(chief)
    say(table_of(ledger, club, 1), 0, 1)
    assert chief.send("/host/close").status_code == 422
    club.refresh()
    assert club.snapshot().tables[1].seq == 1
    assert [one.live.table for one in club.snapshot().happened] == [1]


def test_an_evening_by_the_host_alone(chief, visitor, club):
    drawn(chief)
    pages = visitor.page("/")
    assert "Round 1 of 3: 2 tables play" in text_of(pages)
    for table in (1, 2):
        assert chief.send(f"/host/result/1/{table}", {"first": 7, "second": 3}).status_code == 200
    assert "Round 1 of 3 is over" in text_of(visitor.page("/"))
    fixed = {"first": 3, "second": 7}
    refused = chief.send("/host/result/1/1", fixed)
    assert (refused.status_code, refused.json["sentence"]) == (422, "say why: a reason is needed")
    assert chief.send("/host/result/1/1", fixed | {"note": "sides swapped"}).status_code == 200
    assert "corrected: sides swapped" in text_of(visitor.page("/"))
    for round_ in (2, 3):
        chief.send("/host/draw")
        for table in (1, 2):
            chief.send(f"/host/result/{round_}/{table}", {"first": 7, "second": 0})
    assert "All rounds have been played." in text_of(visitor.page("/"))
    assert chief.send("/host/draw").json["sentence"] == "all rounds have been played"
    chief.send("/host/close")
    assert "Final standing" in text_of(visitor.page("/tv"))
    sheet = visitor.get("/standing.csv")
    assert sheet.mimetype == "text/csv"
    assert len(sheet.text.splitlines()) == 5
    assert len(visitor.get("/rounds.csv").text.splitlines()) == 7


def test_teams_come_late_leave_and_are_renamed(chief, visitor, club):
    opened(chief, teams=2)
    for path, fields in (
        ("/host/enter", {"name": ["  Eva  ", "Fina"]}),
        ("/host/team/3/check_in", {}),
        ("/host/team/3/check_out", {}),
        ("/host/team/3/check_in", {}),
        ("/host/team/3/rename", {"name": ["Eva", "Gina"]}),
        ("/host/draw", {}),
        ("/host/cancel", {"note": "a pair came late"}),
        ("/host/draw", {}),
        ("/host/team/1/withdraw", {"note": "ill"}),
    ):
        answer = chief.send(path, fields)
        assert answer.status_code == 200, (path, answer.text)
    team = club.snapshot().tournament.team(3)
    assert (team.names, team.present) == (("Eva", "Gina"), True)
    assert "withdrawn: ill" in text_of(chief.page("/host"))


WRITES = ("open", "enter", "team/1/check_in", "draw", "cancel", "result/1/1", "close", "reopen")


@pytest.mark.parametrize("path", WRITES)
def test_a_viewer_writes_nothing(visitor, chief, club, path):
    opened(chief)
    before = club.snapshot().hall
    answer = visitor.send(f"/host/{path}", OPENING | {"first": 7, "second": 3, "note": "why"})
    assert answer.status_code == 403
    assert answer.json["sentence"] == "Only the host can do this; everybody may look."
    assert club.snapshot().hall == before
    assert visitor.get("/host").status_code == 403
    assert visitor.get("/poll/host").status_code == 403


def test_a_message_is_drawn_once_and_told_when_something_changes(visitor, chief, club, ledger):
    drawn(chief)
    first = visitor.get("/poll/board").json
    assert first["tables"] == {"1": 0, "2": 0}
    assert visitor.get(f"/poll/board?seen={first['number']}").status_code == 204
    table = table_of(ledger, club, 1)
    say(table, 0, 999)
    club.refresh()
    found = visitor.get(f"/poll/board?seen={first['number']}").json
    assert found["number"] != first["number"]
    assert [call["text"][:8] for call in found["calls"]] == ["Table 1:"]
    assert visitor.get("/poll/table/1").status_code == 200
    for name in ("nothing", "table/x", "table/1234"):
        assert visitor.get(f"/poll/{name}").status_code == 404
        assert visitor.get(f"/live/{name}").status_code == 404


def test_a_hall_that_starts_again_goes_on_with_the_latest_tournament(chief, club, ledger, folder):
    drawn(chief)
    say(table_of(ledger, club, 1), 0, 999)
    with Memory("again") as memory:
        again = Club(ledger, memory)
        assert again.snapshot().tournament.meeting(1, 1).result.winner == 0
    opened(chief, title="Autumn")
    with Memory("again") as memory:
        assert Club(ledger, memory).snapshot().tournament.header.title == "Autumn"
        assert Club(ledger, memory, 1).snapshot().tournament.header.title == "Easter Trut"


def test_every_screen_says_that_the_ledger_does_not_answer(
    visitor, chief, club, ledger, monkeypatch
):
    drawn(chief)

    def fail(*_: object, **__: object) -> None:
        raise LedgerError("The server is gone.")

    with monkeypatch.context() as patch:
        patch.setattr("scorekeeper.storage.tournaments.Tournaments.read", fail)
        club.refresh()
        assert "The ledger does not answer" in text_of(visitor.page("/tv"))
    club.refresh()
    assert "The ledger does not answer" not in text_of(visitor.page("/tv"))


def test_the_stories_of_the_matches_and_the_rules_are_there_to_read(visitor, chief, club, ledger):
    drawn(chief)
    table = table_of(ledger, club, 1)
    say(table, 0, 999)
    club.refresh()
    story = visitor.page(f"/match/{table.match_id}")
    assert "/host/resume" not in chief.page(f"/match/{table.match_id}")
    assert "Ana" in story
    assert chief.send(f"/match/{table.match_id}/forget").status_code == 404
    assert "Trut" in text_of(visitor.page("/rules"))
    for path in ("/evenings", "/worker.js", "/offline", "/about", "/manifest.webmanifest"):
        assert visitor.get(path).status_code == 200
    assert f"/match/{table.match_id}" in visitor.page("/table/1")


HOUSE = {"trut.option.lead_after_spoiled": "first_tied", "trut.option.target": "5"}


def test_every_match_is_drawn_with_the_house_rules_that_the_host_has_chosen(
    chief, visitor, club, ledger
):
    drawn(chief, **HOUSE)
    for table in (1, 2):
        header = ledger.match(club.snapshot().tables[table].entry.id).header
        assert (header.rules.lead_after_spoiled, header.rules.target) == ("first_tied", 5)
    sentence = (
        "House rules: after a spoiled trick: the first player who ties leads; Longs to win: 5."
    )
    for path in ("/", "/tv", "/list", "/host", "/rules", "/table/1"):
        phone = chief if path == "/host" else visitor
        assert sentence in text_of(phone.page(path)), path


def test_every_match_is_drawn_with_the_deck_that_the_host_has_chosen(chief, visitor, club, ledger):
    assert chief.send("/host/open", OPENING | TRUC).status_code == 302
    assert club.snapshot().header.remarks[PACK_SUITS] == "french"
    drawn(chief, **TRUC, **{"truc_spain.suits": "spanish", "truc_spain.spanish": "figures"})
    for table in (1, 2):
        header = ledger.match(club.snapshot().tables[table].entry.id).header
        assert (header.remarks[PACK_SUITS], header.remarks[PRINTING]) == ("spanish", "figures")
    page = chief.page("/host?new=1")
    assert 'name="truc_spain.suits" value="spanish" checked' in page
    assert '<option value="figures" selected' in page
    assert "3 2 ace rey caballo sota 7 6 5 4" in text_of(visitor.page("/rules"))


@pytest.mark.parametrize("game", games_on_offer("en"), ids=lambda game: game.game)
def test_a_tournament_takes_every_house_rule_that_its_page_offers(hall_app, chief, club, game):
    hall_app.extensions["writes"] = UnlimitedWrites()
    page = unescape(chief.page("/host"))
    opening = OPENING | {"game": game.game}
    for variant in game.variants:
        field = f"{game.game}.variants"
        assert f'name="{field}" value="{variant.name}"' in page
        assert chief.send("/host/open", opening | {field: variant.name}).status_code == 302
        assert club.snapshot().header.variants == (variant.name,)
    for option in game.options:
        field = f"{game.game}.option.{option.name}"
        assert f'name="{field}"' in page
        for value in map(str, option.limits or [choice.value for choice in option.values]):
            assert chief.send("/host/open", opening | {field: value}).status_code == 302
            assert as_text(getattr(club.snapshot().header.rules, option.name)) == value


def test_a_refused_opening_and_the_next_evening_have_the_house_rules_filled_in(chief):
    refused = chief.send("/host/open", OPENING | HOUSE | {"title": " "})
    assert refused.status_code == 422
    opened(chief, **HOUSE)
    for page in (refused.text, chief.page("/host?new=1")):
        assert '<option value="first_tied" selected' in page
        assert 'name="trut.option.target" value="5"' in page
        assert 'name="rounds" min="1" max="30" value="3"' in page


def test_the_clubs_host_keeps_a_name_and_everybody_finds_its_page(visitor, chief, club, ledger):
    drawn(chief)
    table = table_of(ledger, club, 1)
    say(table, 0, 999)
    name = table.moment.match.header.seats[2]
    assert visitor.send("/players/keep", {"name": name}).status_code == 403
    assert chief.send("/players/keep", {"name": name}).status_code == 200
    assert name in text_of(visitor.page("/players"))
    assert "1 of 1" in text_of(visitor.page("/player/1"))
