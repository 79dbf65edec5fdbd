"""A tournament that is opened, and its first round drawn, as the host's page does it."""

from __future__ import annotations

from tests.webui.phones import Phone

OPENING = {"title": "Easter Trut", "game": "trut", "players": "4", "best_of": "1",
           "system": "swiss", "rounds": "3"}  # fmt: skip


def opened(chief: Phone, teams: int = 4, **more: str) -> None:
    """A tournament with so many pairs that are there, before the first draw."""
    assert chief.send("/host/open", OPENING | more).status_code == 302
    for team in range(1, teams + 1):
        fields = {"name": [f"Ana {team}", f"Bea {team}"], "present": "1"}
        assert chief.send("/host/enter", fields).status_code == 200


def drawn(chief: Phone, **more: str) -> None:
    opened(chief, **more)
    assert chief.send("/host/draw").status_code == 200
