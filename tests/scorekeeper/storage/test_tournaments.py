"""Tournaments in the ledger: how they are stored, and how a hall follows the tables' matches."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.header import System
from scorekeeper.club.pairing import draw
from scorekeeper.club.state import Result
from scorekeeper.club.tournament import apply, start
from scorekeeper.engine.events import Event
from scorekeeper.engine.said import Said, Source
from scorekeeper.errors import LedgerError, StaleAppend, TournamentError
from scorekeeper.reports.archive import Archive
from scorekeeper.reports.tallies import by_player
from scorekeeper.storage.hall import Hall
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.schema import metadata
from scorekeeper.storage.table import Table
from scorekeeper.storage.tournaments import PLACE, Tournaments, open_tables
from scorekeeper.storage.watch import Watch
from tests.scorekeeper.club.tournaments import entered, header, names_of

SAID = Said.now(Source.OPERATOR, "host")


def opened(ledger: Ledger, teams: int = 4, **more: object) -> Hall:
    """A tournament whose teams are checked in, before the first draw."""
    hall = Hall(ledger, Tournaments(ledger).begin(header(System.SWISS, **more), SAID))
    for team in range(1, teams + 1):
        say(hall, ClubEvent("enter", team, names_of(team)))
        say(hall, ClubEvent("check_in", team))
    return hall


def say(hall: Hall, event: ClubEvent) -> None:
    hall.say(event, seen=hall.moment.seq, who="host")


def playing(ledger: Ledger, teams: int = 4, **more: object) -> Hall:
    """A tournament in its first round."""
    hall = opened(ledger, teams, **more)
    say(hall, draw(hall.moment.tournament, seed=7))
    return hall


def table_of(ledger: Ledger, hall: Hall, table: int = 1) -> Table:
    """The match of a table, opened as by the table's process."""
    return Table(ledger, hall.moment.tables[table].entry.id)


def end(table: Table, side: int = 0) -> None:
    """Ends a game: a side is awarded all points that it needs."""
    rules = table.moment.match.rules
    points = rules.counting.parts * rules.target
    table.say(Event("award", side=side, points=points), seen=table.moment.seq, source=Source.PHONE)


def test_a_tournament_is_kept_and_replayed_as_it_was_said(ledger: Ledger) -> None:
    hall = playing(ledger)
    tournaments = Tournaments(ledger)
    assert tournaments.ids() == [hall.number]
    assert tournaments.replayed(hall.number) == (hall.moment.tournament, 9)
    entries = tournaments.read(hall.number)
    assert [one.seq for one in entries] == list(range(1, 10))
    assert {one.said.who for one in entries} == {"host"}


def test_the_latest_tournament_is_the_one_begun_last_whatever_the_clock_said(
    ledger: Ledger,
) -> None:
    ahead = SAID._replace(at=SAID.at + timedelta(days=400))
    Tournaments(ledger).begin(header(System.SWISS), ahead)
    hall = playing(ledger)
    assert Tournaments(ledger).ids()[-1] == hall.number
    assert open_tables(ledger)


def test_a_draw_opens_a_match_for_each_table_with_its_seats(ledger: Ledger) -> None:
    hall = playing(ledger)
    assert len(ledger.ids()) == 2
    for meeting in hall.moment.tournament.rounds[0].meetings:
        found = hall.moment.tables[meeting.table].entry.header
        first, second = meeting.teams
        assert found.seats == (
            f"Ana {first}", f"Ana {second}", f"Bea {first}", f"Bea {second}"
        )  # fmt: skip
        place = {"id": hall.number, "round": 1, "table": meeting.table}
        assert found.remarks[PLACE] == place


def test_a_result_is_there_once_the_match_has_ended(ledger: Ledger) -> None:
    hall = playing(ledger)
    table = table_of(ledger, hall)
    assert hall.refresh() is False
    table.say(Event("award", side=0, points=3), seen=0, source=Source.PHONE)
    assert hall.refresh() is True
    live = hall.moment.tables[1]
    assert (live.seq, live.match.scores, live.before.scores) == (
        1, table.moment.match.scores, hall.moment.tables[2].match.scores
    )  # fmt: skip
    end(table)
    hall.refresh()
    result = hall.moment.tournament.meeting(1, 1).result
    assert result is not None
    assert (result.winner, result.match) == (0, table.match_id)
    assert Tournaments(ledger).replayed(hall.number)[0] == hall.moment.tournament


def test_a_match_of_a_tournament_counts_for_both_of_a_pair(ledger: Ledger) -> None:
    hall = playing(ledger)
    end(table_of(ledger, hall))
    seats = hall.moment.tables[1].entry.header.seats
    found = by_player(Archive(ledger).shelf().played)
    told = [(found[name].matches, found[name].matches_won) for name in seats]
    assert told == [(1, 1), (1, 0), (1, 1), (1, 0)]


def test_a_hall_that_starts_late_catches_up_and_a_second_one_adds_nothing(ledger: Ledger) -> None:
    hall = playing(ledger)
    end(table_of(ledger, hall, 1))
    end(table_of(ledger, hall, 2), side=1)
    halls = [Hall(ledger, hall.number) for _ in range(3)]
    assert [one.moment.tournament.between_rounds for one in halls] == [True] * 3
    assert [one.event.do for one in Tournaments(ledger).read(hall.number)][-3:] == [
        "draw", "result", "result"
    ]  # fmt: skip


@pytest.mark.parametrize("part", ["header", "event"])
def test_a_match_that_cannot_be_read_disturbs_no_other_table(ledger: Ledger, part: str) -> None:
    hall = playing(ledger)
    damaged, whole = table_of(ledger, hall, 1), table_of(ledger, hall, 2)
    damaged.say(Event("award", side=0, points=1), seen=0, source=Source.PHONE)
    where = {"header": ("matches", "id"), "event": ("events", "match_id")}[part]
    with ledger.transaction() as connection:
        damage = text(f"UPDATE {where[0]} SET {part} = '{{' WHERE {where[1]} = :id")
        connection.execute(damage, {"id": damaged.match_id})
    late = Hall(ledger, hall.number)
    end(whole)
    for one in (hall, late):
        one.refresh()
        assert one.moment.tournament.meeting(1, 2).result is not None
        before = one.moment
        assert not one.refresh()  # otherwise all screens would be drawn again every two seconds
        assert one.moment is before


def test_a_match_that_is_taken_back_takes_its_result_along_and_a_correction_stays(
    ledger: Ledger,
) -> None:
    hall = playing(ledger)
    table = table_of(ledger, hall)
    end(table)
    hall.refresh()
    table.say(Event("undo"), seen=1, source=Source.PHONE)
    hall.refresh()
    assert hall.moment.tournament.meeting(1, 1).result is None
    end(table, side=1)
    hall.refresh()
    correct = ClubEvent("correct", round=1, table=1, score=(7, 0), winner=0, note="swapped")
    say(hall, correct)
    table.say(Event("undo"), seen=3, source=Source.PHONE)
    hall.refresh()
    assert hall.moment.tournament.meeting(1, 1).result == Result(0, (7, 0), table.match_id,
                                                                 "swapped")  # fmt: skip


def test_games_are_the_score_where_several_are_played(ledger: Ledger) -> None:
    hall = playing(ledger, best_of=3)
    table = table_of(ledger, hall)
    for _ in range(2):
        end(table, side=1)
    hall.refresh()
    result = hall.moment.tournament.meeting(1, 1).result
    assert result is not None
    assert (result.winner, result.score) == (1, (0, 2))


def test_a_draw_that_is_taken_back_takes_its_matches_out(ledger: Ledger) -> None:
    hall = playing(ledger)
    table = table_of(ledger, hall, 2)
    table.say(Event("award", side=0, points=3), seen=0, source=Source.PHONE)
    say(hall, ClubEvent("cancel_draw", round=1, note="a pair came late"))
    assert hall.moment.tables == {}
    assert ledger.ids() == [table.match_id]  # something was said in it
    say(hall, draw(hall.moment.tournament, seed=8))
    assert len(ledger.ids()) == 3
    assert table.match_id not in {one.entry.id for one in hall.moment.tables.values()}


def test_of_two_hosts_at_once_one_looks_again(ledger: Ledger, ledger_url: str) -> None:
    hall = opened(ledger)
    with Ledger(ledger_url) as other:
        second = Hall(other, hall.number)
        say(second, ClubEvent("enter", 5, names_of(5)))
        seen = hall.moment.seq
        with pytest.raises(StaleAppend):
            hall.say(ClubEvent("enter", 5, names_of(6)), seen=seen)
        assert hall.moment.tournament == second.moment.tournament
        # Both have read the same state: the database refuses the second.
        stale = Tournaments(ledger)
        before = apply(start(header(System.SWISS)), ClubEvent("enter", 1, names_of(1)))
        with pytest.raises(StaleAppend):
            stale.append(hall.number, before, ClubEvent("check_in", 1), seen=1, said=SAID)
    assert len(Tournaments(ledger).read(hall.number)) == seen + 1


def test_a_draw_that_cannot_be_written_opens_no_match(ledger: Ledger) -> None:
    hall = opened(ledger)
    event = draw(hall.moment.tournament, seed=7)
    say(Hall(ledger, hall.number), event)
    with pytest.raises(StaleAppend):
        Tournaments(ledger).append(
            hall.number, hall.moment.tournament, event, seen=hall.moment.seq, said=SAID
        )
    assert len(ledger.ids()) == 2


def test_what_is_not_possible_is_not_kept(ledger: Ledger) -> None:
    hall = opened(ledger)
    with pytest.raises(TournamentError):
        say(hall, ClubEvent("close"))
    assert len(Tournaments(ledger).read(hall.number)) == hall.moment.seq == 8
    with pytest.raises(LedgerError, match="no tournament 99"):
        Hall(ledger, 99)


def test_a_removed_match_leaves_its_table_and_a_removed_tournament_leaves_its_matches(
    ledger: Ledger,
) -> None:
    hall = playing(ledger)
    ledger.remove(hall.moment.tables[1].entry.id)
    hall.refresh()
    assert list(hall.moment.tables) == [2]
    Tournaments(ledger).remove(hall.number)
    assert Tournaments(ledger).ids() == []
    assert len(ledger.ids()) == 1


def test_a_forgotten_player_is_a_number_in_the_tournament_too(ledger: Ledger) -> None:
    hall = playing(ledger)
    say(hall, ClubEvent("withdraw", 2, note="Bea 2"))
    assert ledger.forget_name("Bea 2") == 2  # her match, and the tournament
    tournament, _ = Tournaments(ledger).replayed(hall.number)
    assert tournament.team(2).names == ("Ana 2", "Player 4")
    assert tournament.team(2).withdrawn == "…"
    assert ledger.forget_name("Bea 2") == 0


def test_a_ledger_from_before_tournaments_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with Ledger(str(path)) as ledger:
        playing(ledger)
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        for table in reversed(metadata.sorted_tables):
            if table.name not in ("matches", "events"):
                table.drop(connection)
        connection.execute(text("UPDATE trucam_version SET version_num = '0001'"))
    engine.dispose()
    with Ledger(str(path)) as ledger:
        assert len(ledger.ids()) == 2
        assert playing(ledger).moment.seq == 9


def test_who_waits_hears_of_each_change_of_another_process(ledger_url: str, ledger: Ledger) -> None:
    with Watch(ledger_url) as watch:
        assert watch.wait(0) is False
        hall = opened(ledger, teams=2)
        assert watch.wait(5) is True
        while watch.wait(0.2):
            pass
        heard: list[bool] = []
        waiting = threading.Thread(target=lambda: heard.append(watch.wait(30)))
        waiting.start()
        say(hall, draw(hall.moment.tournament, seed=7))
        waiting.join()
        assert heard == [True]
        while watch.wait(0.2):
            pass
        end(table_of(ledger, hall))
        assert watch.wait(5) is True


def test_a_server_that_was_lost_is_called_again_and_that_counts_as_a_change(
    postgres_url: str, ledger: Ledger
) -> None:
    engine = create_engine(postgres_url)
    with Watch(postgres_url) as watch:
        with engine.begin() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE pid <> pg_backend_pid() AND datname = current_database()"
                )
            )
        assert watch.wait(30) is True
        assert watch.wait(0) is False
        with Ledger(postgres_url) as other:
            Tournaments(other).begin(entered(2).header, SAID)
            opened(other, teams=1)
        assert watch.wait(5) is True
    engine.dispose()
