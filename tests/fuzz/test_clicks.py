"""A few random evenings with the buttons of the pages; ``make bench-clicks`` plays thousands."""

from __future__ import annotations

import pytest

from tests.fuzz import clicks
from tests.fuzz.clicks import EVENINGS_A_TABLE, play
from webui.presenters.table_state import MatchView


def test_nothing_breaks_whatever_is_pressed(tmp_path) -> None:
    finds, statuses = play(4 * EVENINGS_A_TABLE, 9, tmp_path)
    assert finds == []
    assert statuses["events"] > 150
    assert statuses["200 /agreed"] > 0
    assert statuses["200 /players/keep"] > 0
    assert statuses["200 GET /player/N"] > 0


def test_what_breaks_is_found(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: MatchView) -> str:
        raise LookupError("planted")

    monkeypatch.setattr(MatchView, "asked", broken)
    finds, _ = play(EVENINGS_A_TABLE, 7, tmp_path)
    assert any("LookupError: planted" in find for find in finds)


def test_parts_of_a_run_are_the_run(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clicks, "EVENINGS_A_TABLE", 1)
    _, whole = play(2, 7, tmp_path)
    _, first = play(1, 7, tmp_path)
    _, second = play(2, 7, tmp_path, first=1)
    assert first + second == whole
