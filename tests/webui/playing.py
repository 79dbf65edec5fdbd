"""Plays whole matches at random over HTTP, by tapping the buttons of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from flask import Flask

from scorekeeper.games.rules import OPERATOR_VERBS
from tests.webui.phones import NAMES, Phone, Tap, host_of, seat_of, taps
from webui.requests.security import Writes
from webui.table.room import Room

LIKELY = {
    "play": 4.0,
    "deal": 6.0,
    "accept": 6.0,
    "see": 4.0,
    "raise": 2.0,
    "trut": 2.0,
}
"""Weights of events that are tapped more often than others, so that hands end; others have 1."""


class UnlimitedWrites(Writes):
    """Replaces the limit on how fast a seat may write: tests tap faster than people."""

    def allow(self, actor: str) -> bool:
        """Allows every request."""
        return True


class Evening:
    """A match at a table, with a phone at each seat, a host and a viewer.

    Args:
        app: The application that serves the table.
        room: The table.
        game: Id of the game.
        seats: Two or four.
        chance: Decides what is tapped.
        **fields: More fields of the form of set-up.
    """

    def __init__(
        self, app: Flask, room: Room, game: str, seats: int, chance: Random, **fields: str
    ) -> None:
        self.chance, self.seats = chance, seats
        app.extensions["writes"] = UnlimitedWrites()
        self.host, self.viewer = host_of(app, room), Phone(app)
        fields |= {"game": game, "players": str(seats), "best_of": "1"}
        chairs = range(4) if seats == 4 else (0, 2)
        names = {f"name{chair}": name for chair, name in zip(chairs, NAMES, strict=False)}
        assert self.host.send("/host/setup", fields | names).status_code == 302
        self.phones = [seat_of(app, room, seat) for seat in range(seats)]

    def cut(self) -> None:
        """Cuts for the first deal until the dealer is found; no phone may enter another's card."""
        while due := self.viewer.state()["cuts_due"]:
            seat = self.chance.choice(due)
            ranks = [choice["rank"] for choice in self.viewer.state()["cut_ranks"]]
            other = self.phones[(seat + 1) % self.seats]
            fields = {"seat": seat, "rank": self.chance.choice(ranks)}
            assert other.send("/host/cut", fields).status_code == 403
            assert self.phones[seat].send("/host/cut", fields).status_code == 200
        assert self.phones[0].send("/host/begin").status_code == 200

    def taps(self) -> list[list[Tap]]:
        """What the buttons of each seat send now, without agreements (V-7, V-15)."""
        found = []
        for phone in self.phones:
            message: Any = phone.get("/live/seat/poll").json
            offered = taps(message["html"], message["match"])
            found.append([tap for tap in offered if tap.event["do"] not in OPERATOR_VERBS])
        return found

    def play(self, most: int = 2000) -> Iterator[tuple[list[list[Tap]], tuple[int, Tap]]]:
        """Taps buttons until the match is over.

        Args:
            most: The test fails if the match is not over after so many taps.

        Yields:
            Before each tap: what the buttons of each seat send, and the seat and tap to come.
        """
        for _ in range(most):
            offered = self.taps()
            choices = [(seat, tap) for seat, found in enumerate(offered) for tap in found]
            if not choices:
                return
            likely = [LIKELY.get(tap.event["do"], 1.0) for _, tap in choices]
            plays = sum(tap.event["do"] == "play" for _, tap in choices)
            likely = [
                one / plays if tap.event["do"] == "play" else one
                for one, (_, tap) in zip(likely, choices, strict=True)
            ]
            seat, tap = self.chance.choices(choices, likely)[0]
            yield offered, (seat, tap)
            answer = self.phones[seat].post("/api/v1/events", tap.body)
            assert answer.status_code == 200, (tap, answer.text)
        raise AssertionError(f"the match is not over after {most} taps")
