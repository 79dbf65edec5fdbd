"""Whole matches over HTTP: the pages always offer exactly what the rules allow."""

from __future__ import annotations

import json
from random import Random

import pytest

from scorekeeper.engine.events import parse_event
from scorekeeper.engine.match import legal_events
from scorekeeper.games.rules import GAMES
from scorekeeper.history.corrections import standing
from tests.webui.phones import Tap
from tests.webui.playing import Evening

TABLES = [(game, seats) for game in GAMES for seats in GAMES[game].rules.players]
SCREENS = ("board", "tv", "seat")


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_match_is_played_to_its_end_with_the_buttons_of_the_phones(app, room, game, seats):
    chance = Random(f"{game} {seats}")
    evening = Evening(app, room, game, seats, chance)
    evening.cut()
    said = 0
    for offered, (seat, tap) in evening.play():
        match = room.table.moment.match
        assert as_said(offered) == sorted((e.to_json() for e in legal_events(match)), key=in_order)
        if said % 4 == 0:
            seq = room.table.moment.seq
            others = [phone for place, phone in enumerate(evening.phones) if place != seat]
            for wrong in (chance.choice(others), evening.viewer):
                assert wrong.post("/api/v1/events", tap.body).status_code == 403
            assert room.table.moment.seq == seq
        said += 1
    over = evening.viewer.state()
    assert over["phase"] == "match_over"
    assert over["winner"] in (0, 1)
    assert over["sides"][over["winner"]]["won"]
    events = evening.viewer.get("/api/v1/events").json["events"]
    assert over["seq"] == len(events)
    # To play a card may change the suit of an earlier one, of which only the rank was said (V-12).
    assert said == len(
        standing(
            [
                parse_event(event, verbs=room.table.moment.match.header.verbs, seats=seats)
                for event in events
            ]
        )
    )


def as_said(offered: list[list[Tap]]) -> list[dict]:
    """The events of all buttons, in the form of ``legal_events``: a play has no card."""
    found = []
    for seat, buttons in enumerate(offered):
        events = [tap.event for tap in buttons]
        assert {event["seat"] for event in events} <= {seat}
        found += [event for event in events if event["do"] != "play"]
        if any(event["do"] == "play" for event in events):
            found.append({"do": "play", "seat": seat})
    return sorted(({**event} for event in found), key=in_order)


def in_order(event: dict) -> str:
    return json.dumps(event, sort_keys=True)
