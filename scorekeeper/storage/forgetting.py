"""Takes a person's name out of every row of the ledger, within a transaction."""

from __future__ import annotations

from collections import defaultdict

from sqlalchemy import Connection, delete, select, update

from scorekeeper.storage.database import readable
from scorekeeper.storage.erasure import (
    is_name,
    players_in,
    without_name_in_club_event,
    without_name_in_event,
    without_name_in_header,
)
from scorekeeper.storage.schema import events, kept_players, matches, tournament_events


def forget_in_matches(connection: Connection, name: str, place: str) -> set[int]:
    """Takes a name out of headers and events, and returns the numbers of matches that had it."""
    found = set()
    headers = connection.execute(select(matches.c.id, matches.c.header)).all()
    said = connection.execute(
        select(events.c.match_id, events.c.seq, events.c.event, events.c.who)
    ).all()
    players: defaultdict[int, set[str]] = defaultdict(set)
    for key, header in headers:
        players[key] = players_in(header)
    for key, _, event, _ in said:
        if '"player"' in event:  # others name no new player, and reading all takes long
            players[key] |= players_in(event)
    for key, header in headers:
        with readable(f"match {key}", place):
            new = without_name_in_header(header, name, players[key])
        if new != header:
            found.add(key)
            row = update(matches).where(matches.c.id == key)
            connection.execute(row.values(header=new))
    for key, seq, event, who in said:
        with readable(f"event {seq} of match {key}", place):
            new = without_name_in_event(event, name, players[key])
        new_who = None if is_name(who, name) else who
        if (new, new_who) != (event, who):
            found.add(key)
            row = update(events).where(events.c.match_id == key, events.c.seq == seq)
            connection.execute(row.values(event=new, who=new_who))
    return found


def forget_in_tournaments(connection: Connection, name: str, place: str) -> set[int]:
    """Takes a name out of the teams, and returns the numbers of tournaments that had it."""
    found = set()
    said = tournament_events.c
    rows = select(said.tournament_id, said.seq, said.event, said.who)
    for key, seq, event, who in connection.execute(rows).all():
        with readable(f"event {seq} of tournament {key}", place):
            new = without_name_in_club_event(event, name)
        new_who = None if is_name(who, name) else who
        if (new, new_who) != (event, who):
            found.add(key)
            row = update(tournament_events).where(said.tournament_id == key, said.seq == seq)
            connection.execute(row.values(event=new, who=new_who))
    return found


def forget_kept_name(connection: Connection, name: str) -> int:
    """Takes a name out of the kept ones, and returns how often it was there."""
    kept = delete(kept_players).where(kept_players.c.name == name.strip())
    return connection.execute(kept).rowcount
