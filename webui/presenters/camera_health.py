"""A camera's health in words, for the host who sets the table up: what is good, what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from scorekeeper.errors import FormatError
from scorekeeper.games.cards import parse_card
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Voice
from vision.capture.frames import PhoneSource
from vision.errors import in_words
from vision.health import SENTENCES, Problem
from vision.process.status import LaidCard, Report
from webui.camera.view import CameraView

SURE_FROM = 0.9
"""Probability from which a card that is laid as a test counts as read."""

TOPICS: tuple[tuple[str, tuple[Problem, ...], bool], ...] = (
    (N_("Light"), (Problem.DARK, Problem.BRIGHT, Problem.GLARE), False),
    (N_("Focus"), (Problem.BLUR,), True),
    (N_("Size of the cards"), (Problem.SMALL,), True),
    (N_("Camera steady"), (Problem.MOVED,), False),
    (N_("Deck"), (Problem.DECK,), True),
)
"""Each topic: its heading, what can be wrong, and whether that is only seen with a card."""

GOOD = N_("Good.")
STARTS = N_("The camera is being started…")
LATER = N_("Checked once the table is found.")
LAY = N_("Lay a card on the table.")
READY = N_("All set: go to the table.")


class Row(NamedTuple):
    """One line of the health.

    Attributes:
        heading: The topic.
        state: ``good``, ``bad`` or ``waiting``.
        text: How it is, and what to do.
    """

    heading: str
    state: str
    text: str


def setup_state(view: CameraView, voice: Voice) -> dict[str, Any]:
    """The state of the page on which the host sets the camera up.

    Returns:
        ``health``: a line for each topic; whether all is ``ready``; what to do ``next``; the
        ``cards`` that are read now; ``deck``: the name of the learned deck that lies there, or
        empty; ``spots``: where the players' names stand in the picture, in hundredths of its size;
        ``phone``: whether it ``sends`` pictures, or None where the camera is not a phone's browser.
    """
    rows = list(_rows(view, voice.catalogue.gettext))
    undone = [row.text for row in rows if row.state == "bad"]
    undone += [row.text for row in rows if row.state == "waiting"]
    return {
        "ready": not undone,
        "next": undone[0] if undone else voice.say(READY).text,
        "health": [row._asdict() for row in rows],
        "deck": view.deck or "",
        "cards": [_card(card, voice) for card in view.report.laid],
        "spots": [
            {"name": voice.name(seat), "x": round(100 * x), "y": round(100 * y)}
            for seat, (x, y) in enumerate(view.report.spots)
        ],
        "phone": None if view.phone_sends is None else {"sends": view.phone_sends},
    }


def _rows(view: CameraView, translate: Callable[[str], str]) -> Iterator[Row]:
    """The lines of the health: the first one that is bad is what to do next."""
    report = view.report
    yield Row(translate(N_("Picture")), *_picture(view, translate))
    if report.lack is not None and report.size is not None:
        table = "bad", in_words(*report.lack, translate)
    elif not report.spots:
        table = "waiting", translate(STARTS)
    elif report.marked:
        table = "good", translate(N_("Found by its markers."))
    else:
        table = "good", translate(N_("The table has been found."))
    yield Row(translate(N_("Table")), *table)
    for heading, problems, needs_card in TOPICS:
        wrong = [problem for problem in problems if problem in report.complaints]
        if wrong:
            what, remedy = SENTENCES[wrong[0]]
            state, text = "bad", f"{translate(what)} {translate(remedy)}"
        elif not report.spots:
            state, text = "waiting", translate(LATER)
        elif needs_card and not report.laid:
            state, text = "waiting", translate(LAY)
        else:
            state, text = "good", translate(GOOD)
        yield Row(translate(heading), state, text)


def _picture(view: CameraView, translate: Callable[[str], str]) -> tuple[str, str]:
    """State and text for the pictures: whether they come, and are not mirrored."""
    report: Report = view.report
    for told in (report.failed, report.trouble):
        if told is not None:
            return "bad", in_words(*told, translate)
    if view.phone_sends is False:
        return "bad", translate(PhoneSource.silent_reason)
    if report.ended:
        return "bad", translate(N_("The film has ended."))
    if not report.alive or report.size is None:
        return "waiting", translate(STARTS)
    if Problem.MIRRORED in report.complaints:
        return "bad", " ".join(map(translate, SENTENCES[Problem.MIRRORED]))
    width, height = report.size
    text = translate(N_("Received: {width} × {height}.")).format(width=width, height=height)
    return "good", text


def _card(laid: LaidCard, voice: Voice) -> dict[str, Any]:
    """A card that is laid as a test: in words, and whether the reading is ``sure``."""
    try:
        name = voice.card(parse_card(laid.card))
    except FormatError:
        name = voice.say(N_("no card of this game")).text
    words = name if laid.seat is None else voice.say(
        N_("{card} in front of {who}"), card=name, who=voice.name(laid.seat)
    ).text  # fmt: skip
    return {"words": words, "sure": laid.chance >= SURE_FROM}
