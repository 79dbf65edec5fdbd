"""Kept names of players: kept only on purpose, dropped, and removed for good."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source
from scorekeeper.errors import FormatError
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.players import KeptPlayer, KeptPlayers
from tests.scorekeeper.talk import LT_ACE, event

AT = datetime(2026, 11, 20, 21, 30, tzinfo=timezone(timedelta(hours=1)))
SAID = Said(AT, Source.PHONE, "Ana")


def names(ledger: Ledger) -> list[str]:
    return [player.name for player in KeptPlayers(ledger).all()]


def test_no_name_is_kept_because_somebody_plays(ledger: Ledger) -> None:
    ledger.add(Header(game=LT_ACE, seats=("Ana", "Bea")), [event("0 deal 3")], SAID, begun=AT)
    assert names(ledger) == []


def test_a_name_is_kept_once_and_found_by_its_number(ledger: Ledger) -> None:
    players = KeptPlayers(ledger)
    ana, bea = players.keep(" Ana ", AT), players.keep("Bea", AT)
    assert players.keep("Ana", AT + timedelta(days=1)) == ana
    assert players.keep("ana", AT) not in (ana, bea)  # names are compared as written
    assert names(ledger) == ["Ana", "Bea", "ana"]
    found = players.find(ana)
    assert found == KeptPlayer(ana, "Ana", AT)
    assert found is not None
    assert found.since.utcoffset() == timedelta(hours=1)
    assert players.find(99) is None


def test_a_dropped_name_is_gone_and_its_number_is_not_given_again(ledger: Ledger) -> None:
    players = KeptPlayers(ledger)
    ana = players.keep("Ana", AT)
    players.drop(ana)
    players.drop(ana)  # somebody else was quicker
    assert names(ledger) == []
    assert players.keep("Bea", AT) > ana


@pytest.mark.parametrize(
    ("name", "error"),
    [("", ValueError), (" ", ValueError), ("\x00", FormatError), ("x" * 9000, FormatError)],
)
def test_what_is_no_name_is_not_kept(ledger: Ledger, name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        KeptPlayers(ledger).keep(name, AT)
    assert names(ledger) == []


@pytest.mark.parametrize(
    "name", ["Émile", "李 雷", "\U0001f469", "'; drop table kept_players", "%s"]
)
def test_any_name_that_can_be_written_is_kept(ledger: Ledger, name: str) -> None:
    KeptPlayers(ledger).keep(name, AT)
    assert names(ledger) == [name]


def test_two_who_keep_the_same_name_at_once_keep_one(ledger_url: str) -> None:
    kept: list[int] = []
    both = threading.Barrier(2)

    def keep() -> None:
        with Ledger(ledger_url) as ledger:
            both.wait()
            kept.append(KeptPlayers(ledger).keep("Ana", AT))

    Ledger(ledger_url).close()
    threads = [threading.Thread(target=keep) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(kept)) == 1
    with Ledger(ledger_url) as ledger:
        assert names(ledger) == ["Ana"]


def test_forgetting_a_name_forgets_that_it_was_kept(ledger: Ledger) -> None:
    players = KeptPlayers(ledger)
    players.keep("Zoë", AT)
    players.keep("Ana", AT)
    assert ledger.forget_name(" Zoë") == 1
    assert names(ledger) == ["Ana"]
    ledger.add(Header(game=LT_ACE, seats=("Ana", "Bea")), [], SAID, begun=AT)
    assert ledger.forget_name("Ana") == 2  # the match, and the kept name
    assert names(ledger) == []


def test_nothing_of_a_kept_name_is_left_in_the_files(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with Ledger(str(path)) as ledger:
        KeptPlayers(ledger).keep("Berthilde", datetime.now(UTC))
        assert any(b"Berthilde" in file.read_bytes() for file in tmp_path.iterdir())
        assert ledger.forget_name("Berthilde") == 1
        assert not any(b"Berthilde" in file.read_bytes() for file in tmp_path.iterdir())
