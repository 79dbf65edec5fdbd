"""Opens a tournament and draws its first round, with the requests of the host's page."""

from __future__ import annotations

from tests.webui.phones import Phone

OPENING = {"title": "Easter Trut", "game": "trut", "players": "4", "best_of": "1",
           "system": "swiss", "rounds": "3"}  # fmt: skip


def opened(chief: Phone, teams: int = 4, **more: str) -> None:
    """Opens a tournament with so many pairs, all checked in, before its first draw."""
    assert chief.send("/host/open", OPENING | more).status_code == 302
    for team in range(1, teams + 1):
        fields = {"name": [f"Ana {team}", f"Bea {team}"], "present": "1"}
        assert chief.send("/host/enter", fields).status_code == 200


def drawn(chief: Phone, **more: str) -> None:
    opened(chief, **more)
    assert chief.send("/host/draw").status_code == 200
