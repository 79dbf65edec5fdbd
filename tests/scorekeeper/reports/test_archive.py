"""The archive reads a match again only if it has changed, and notices every change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source
from scorekeeper.errors import LedgerError
from scorekeeper.reports import archive
from scorekeeper.reports.archive import Archive
from scorekeeper.reports.tallies import by_player
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.talk import LT_ACE, event

AT = datetime(2026, 11, 20, 21, tzinfo=UTC)
SAID = Said(AT, Source.PHONE, "Ana")


def add(ledger: Ledger, *seats: str) -> int:
    said = [event("0 deal 3"), event("1 raise 2"), event("0 accept")]
    return ledger.add(Header(game=LT_ACE, seats=seats), said, SAID, begun=AT)


def damage(ledger: Ledger) -> None:
    with ledger.transaction() as connection:
        connection.exec_driver_sql("UPDATE matches SET header = '{}' WHERE id = 1")


CHANGES: dict[str, tuple[Callable[[Ledger], object], list[int]]] = {
    "nothing": (lambda ledger: ledger.ids(), []),
    "a match goes on": (
        lambda ledger: ledger.append(1, [event("undo")], seen=3, said=SAID), [1],
    ),
    "a match is added": (lambda ledger: add(ledger, "Eva", "Fina"), [3]),
    "a match is removed": (lambda ledger: ledger.remove(1), []),
    "a name is forgotten": (lambda ledger: ledger.forget_name("Bea"), [1]),
    "who said it is forgotten": (lambda ledger: ledger.forget_name("Ana"), [1, 2]),
    "a match is damaged": (damage, [1]),
}  # fmt: skip


@pytest.mark.parametrize("case", CHANGES)
def test_only_what_has_changed_is_read_again(
    ledger: Ledger, ledger_url: str, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, expected = CHANGES[case]
    add(ledger, "Ana", "Bea")
    add(ledger, "Carles", "Dani")
    kept = Archive(ledger)
    kept.shelf()
    with Ledger(ledger_url) as other:  # as another process would
        change(other)
    found = noted(monkeypatch)
    told = kept.shelf()
    assert found == expected
    fresh = Archive(ledger).shelf()
    assert told.unread == fresh.unread
    assert by_player(told.played) == by_player(fresh.played)


def test_a_match_that_could_not_be_read_is_tried_again(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(ledger, "Ana", "Bea")
    kept = Archive(ledger)
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "read", lambda *_: ledger.match(99))  # fails as without a server
        assert list(kept.shelf().unread) == [1]
    assert kept.shelf().unread == {}


def noted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Records the numbers of the matches that are read from now on."""
    found: list[int] = []
    read = archive.read_match

    def reading(ledger: Ledger, match_id: int) -> object:
        found.append(match_id)
        return read(ledger, match_id)

    monkeypatch.setattr(archive, "read_match", reading)
    return found


def test_what_was_read_ahead_waits_for_whoever_opens_a_page(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(ledger, "Ana", "Bea")
    add(ledger, "Carles", "Dani")
    damage(ledger)
    found = noted(monkeypatch)
    with Archive(ledger) as kept:
        kept.read_ahead()
        kept._reader.join()
        assert found == [2, 1]  # the latest first
        assert list(kept.shelf().unread) == [1]
        assert found == [2, 1, 1]
        ledger.append(2, [event("undo")], seen=3, said=SAID)
        assert kept.shelf().played == Archive(ledger).shelf().played


def test_whoever_opens_a_page_meanwhile_reads_the_others(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        add(ledger, "Ana", "Bea")
    found = noted(monkeypatch)
    with Archive(ledger) as kept:
        monkeypatch.setattr(kept._ended, "wait", lambda seconds: bool(kept.shelf() and False))
        kept.read_ahead()
        kept._reader.join()
    assert found == [1, 2, 3]


def test_reading_ahead_ends_at_once(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    add(ledger, "Ana", "Bea")
    found = noted(monkeypatch)
    monkeypatch.setattr(archive, "AHEAD_PAUSE", 600.0)
    kept = Archive(ledger)
    kept.read_ahead()
    kept.close()
    assert not kept._reader.is_alive()
    assert found == []
    kept.close()
    assert len(kept.shelf().played) == 1
    Archive(ledger).close()  # one that has not begun to read


def test_a_ledger_that_is_away_ends_reading_ahead_and_is_told_to_whoever_opens_a_page(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(ledger: Ledger) -> None:
        raise LedgerError("The server is gone.")

    monkeypatch.setattr(archive, "fingerprints", away)
    with Archive(ledger) as kept:
        kept.read_ahead()
        kept._reader.join()
        with pytest.raises(LedgerError, match="gone"):
            kept.shelf()
