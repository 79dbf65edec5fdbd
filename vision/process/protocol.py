"""What the watching process and the one that owns the match tell each other: JSON, a line each.

To the watcher: ``begin`` (first: post, header, events; again for another match), ``events`` (what
was appended, and from which number on), ``said`` (how an append ended), ``answer`` (a question's
number, the answer's key, and who gives it), ``picture``, ``spread``, ``insight`` (ask for one),
``keep`` (the deck as it is known by now, under a name).
From it:
``say`` (events, and the number they were judged at), ``news`` (questions, hints, complaints,
trouble), ``beat`` (alive, with its pace and how long a look takes), ``lap`` (a film begins again,
and how much of it has been shown), ``asked`` (the picture of what a question is about, a JPEG,
base64; empty where there is none), ``answered``, ``picture`` (a JPEG, base64), ``spread`` (each
card that is seen, by itself), ``insight`` (what it believes of the hand, see
``vision.process.insight``; null where nobody may see that), ``keep`` (how many cards are kept,
and what was wrong), ``failed`` (why it cannot work).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.header import Header
from scorekeeper.errors import RuleError
from vision.belief.proposals import Choice, Hint, Question


def to_line(kind: str, data: Any) -> bytes:
    """One message."""
    return json.dumps([kind, data], ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def from_line(line: bytes) -> tuple[str, Any]:
    """Reads one message.

    Raises:
        ValueError: it is none.
    """
    kind, data = json.loads(line)
    return kind, data


def events_from(data: Iterable[Any], header: Header) -> list[Event]:
    """Reads events.

    Raises:
        FormatError: one of them is none of this game.
    """
    return [parse_event(each, verbs=header.verbs, seats=len(header.seats)) for each in data]


def question_to(question: Question) -> dict[str, Any]:
    """A question as an object."""
    choices = [
        [
            word,
            event and event.to_json(),
            chance,
            [each.to_json() for each in before],
            side,
        ]
        for word, event, chance, before, side in question.choices
    ]
    return {**question._asdict(), "choices": choices}


def question_from(data: dict[str, Any], header: Header) -> Question:
    """Reads what :func:`question_to` made."""
    choices = tuple(
        Choice(
            word,
            None if event is None else events_from([event], header)[0],
            chance,
            tuple(events_from(before, header)),
            side,
        )
        for word, event, chance, before, side in data["choices"]
    )
    return Question(**{**data, "choices": choices})


def hint_to(hint: Hint) -> dict[str, Any]:
    """A hint as an object."""
    return {
        **hint._asdict(),
        "event": hint.event and hint.event.to_json(),
        "fields": dict(hint.fields),
    }


def hint_from(data: dict[str, Any], header: Header) -> Hint:
    """Reads what :func:`hint_to` made."""
    event = data["event"]
    return Hint(**{**data, "event": None if event is None else events_from([event], header)[0]})


def refusal_to(error: RuleError) -> dict[str, Any]:
    """What is told of an event that the rules do not allow."""
    fields = {key: str(value) for key, value in error.fields.items()}
    return {"state": "refused", "rule": error.rule, "reason": error.reason, "fields": fields}
