"""The messages between the watching process and the one that owns the match: JSON, one a line.

To the watching process:

* ``begin``: the camera's config, where pictures are kept, what an earlier process learned of the
  deck, and the match: its number, header and events; the first message, and again for another
  match.
* ``events``: what was appended, and how many events come before it.
* ``deck``: the name of the learned deck on the table; null if it was not learned.
* ``said``: how an append ended.
* ``answer``: a question's number, the answer's key, and who gives it.
* ``picture``, ``spread``, ``insight``: ask for one.
* ``keep``: asks it to keep the deck as it is known by now, under a name.

From the watching process:

* ``say``: events to append, and the number at which they were judged.
* ``news``: what has changed of its state, such as questions, complaints and trouble; and hints.
* ``beat``: it is alive; with frames a second, and how many seconds a look at one takes.
* ``lap``: a film begins again; with how many seconds of it have been shown.
* ``asked``: the picture of what a question is about: a JPEG in base64, empty if there is none.
* ``learned``: what it has learned of the deck: a PNG in base64 by the card's name, null for a card
  that it does not know any more.
* ``answered``: what came of an answer.
* ``picture``: a JPEG in base64, empty if there is none to show.
* ``spread``: each card that is seen, with a picture of it; null while people play.
* ``insight``: what it believes of the hand, see ``vision.process.insight``; null if nobody may see
  that.
* ``keep``: how many cards are kept, and what was wrong.
* ``failed``: why it cannot work.
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
    """A message as a line."""
    return json.dumps([kind, data], ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def from_line(line: bytes) -> tuple[str, Any]:
    """Reads one message.

    Raises:
        ValueError: the line is no message.
    """
    kind, data = json.loads(line)
    return kind, data


def events_from(data: Iterable[Any], header: Header) -> list[Event]:
    """Reads events.

    Raises:
        FormatError: one of them is no event of this game.
    """
    return [parse_event(each, verbs=header.verbs, seats=len(header.seats)) for each in data]


def question_to(question: Question) -> dict[str, Any]:
    """A question as a JSON object."""
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
    """A hint as a JSON object."""
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
    """The answer that the rules do not allow an event, as a JSON object."""
    fields = {key: str(value) for key, value in error.fields.items()}
    return {"state": "refused", "rule": error.rule, "reason": error.reason, "fields": fields}
