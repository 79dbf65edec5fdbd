"""Reads and writes the record of a match: JSON Lines (``docs/record-format.md``)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, NamedTuple

from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.header import Header, parse_header
from scorekeeper.engine.limits import check_limits
from scorekeeper.engine.match import apply, start
from scorekeeper.engine.packs import is_foreign, not_in_pack
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError, RuleError, ScorekeeperError
from scorekeeper.history.corrections import standing
from scorekeeper.history.suits import foreign
from scorekeeper.messages import N_

LONGEST_LINE = 64 * 1024
"""Most bytes of a line. Lines of a record have some hundred; a file with longer ones is none."""


class RecordError(ScorekeeperError):
    """A record cannot be read: says which line and rule, what was tried, and what was legal.

    Attributes:
        line: Number of the line, from 1.
        error: What is wrong with it.
    """

    def __init__(self, line: int, error: RuleError) -> None:
        legal = f"; legal: {in_words(error.legal)}" if error.tried is not None else ""
        super().__init__(f"line {line}: {error}{legal}")
        self.line = line
        self.error = error


class Reading(NamedTuple):
    """A record that was read.

    Attributes:
        match: The match after its last event.
        events: All its events in the order of the file, ``undo`` ones too.
        warnings: What is wrong though it could be read; a sentence for each line that is.
    """

    match: Match
    events: list[Event]
    warnings: tuple[str, ...]


def read_record(stream: IO[bytes]) -> Reading:
    """Reads a record line by line, and replays it.

    Args:
        stream: The file, opened for reading bytes.

    Raises:
        RecordError: At the first line that is not written as it should be, or breaks a rule.
    """
    match: Match | None = None
    events: list[Event] = []
    warnings: list[str] = []
    for number, line, torn in _lines(stream):
        try:
            try:
                data = _parse(line)
            except FormatError:
                if torn and match is not None:
                    warnings.append(
                        f"line {number} is torn off, as a power cut leaves it; it is left out"
                    )
                    break
                raise
            check_limits(data)
            if match is None:
                match = start(parse_header(data))
            else:
                event = parse_event(data, verbs=match.header.verbs, seats=match.seats)
                match = apply(match, event, kept=True)
                events.append(event)
        except RuleError as error:
            raise RecordError(number, error) from None
    if match is None:
        raise RecordError(1, FormatError(N_("this is no record: it is empty")))
    return Reading(match, events, (*_foreign(match, events), *warnings))


def _foreign(match: Match, events: Sequence[Event]) -> Iterator[str]:
    """A sentence for each card from a kind of pack that lacks ranks of the game."""
    cards = {event.card for event in events if event.card is not None}
    if not any(is_foreign(match.rules, card) for card in cards):
        return  # which events stand takes long to find out
    for seq, card in foreign(match.rules, standing(events)):
        line = seq + 1  # the header is the first
        yield f"line {line}: {not_in_pack(match.rules, card)}; it counts all the same"


def write_record(header: Header, events: Iterable[Event]) -> Iterator[str]:
    """Yields the lines of a record, each with its newline."""
    yield to_line(header.to_json())
    for event in events:
        yield to_line(event.to_json())


def to_line(data: dict[str, Any]) -> str:
    """One object as a line of a record."""
    return json.dumps(data, ensure_ascii=False) + "\n"


def in_words(events: Sequence[Event]) -> str:
    """Legal events as an error lists them: ``play (1), raise to 2 (1)``, with seats in brackets."""
    if not events:
        return "nothing"
    return ", ".join(f"{event.in_words()} ({event.seat})" for event in events)


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes, bool]]:
    """Yields (number, line, whether its newline is missing), and reads no more than it must.

    Raises:
        RecordError: A line is longer than ``LONGEST_LINE``.
    """
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise RecordError(
                number,
                FormatError(
                    N_("the line is longer than {kib} KiB: this is no record"),
                    kib=LONGEST_LINE // 1024,
                ),
            )
        yield number, line, not line.endswith(b"\n")


def _refuse_constant(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity, which are no JSON


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _parse(line: bytes) -> object:
    if not line.strip():
        raise FormatError(N_("the line is empty"))
    try:
        return _DECODER.decode(line.decode().removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        raise FormatError(N_("the line is not JSON in UTF-8")) from None
