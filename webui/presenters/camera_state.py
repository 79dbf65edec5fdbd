"""The state of a camera as one JSON object: a part of the table's state; see ``table_state``.

It names no card that was not played. The exception are the answers to a question, and only those
who may answer it get them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from scorekeeper.engine.cutting import Cutting
from scorekeeper.engine.state import Match
from scorekeeper.errors import ScorekeeperError
from scorekeeper.games.cards import parse_card
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Voice
from vision.belief.proposals import Question
from vision.belief.wording import answer_in_words, hint_in_words, question_in_words
from vision.errors import in_words
from vision.evidence.asked import OF_PLAYS
from vision.health import SENTENCES
from webui.camera.view import OF_THE_DEAL, Asked, CameraView
from webui.presenters.camera_health import SURE_FROM, setup_state
from webui.presenters.printing import printing_state
from webui.requests.wording import UNWRITTEN
from webui.table.access import Grant
from webui.table.snapshot import Snapshot

State = dict[str, Any]

KEEPS, KEEPS_NONE = N_("Camera on, keeps pictures"), N_("Camera on, keeps no pictures")
SHOWN = N_("Camera on, the host sees the live picture")
NO_PICTURE = N_("No picture from the camera")
LOST = N_("The camera is lost; looking for it…")
FILM_ENDED = N_("The film has ended.")
BY_HAND = N_("The game goes on by hand: tap what is played.")

ANSWERED_THERE = N_("Answer on {who}'s phone or the host's page.")
"""Shown to those who cannot answer the question of a seat."""

ASKED_INSTEAD = {"not_due": "early", "exposed": "exposed", "too_many": "too_many"}
"""Kinds of hints that are not shown while a question of this kind asks about the same."""

HOLDS = frozenset({"cleared"})
"""Kinds of questions that hold the game up: until the answer, nothing that is seen counts."""

FOR_THE_HOST = frozenset({"refused"})
"""Kinds of hints whose sentence may name a card that lies on the table."""


def camera_state(
    view: CameraView, grant: Grant, match: Match | None, seq: int, voice: Voice
) -> State:
    """The camera as one role may see it.

    Args:
        view: The camera at one moment.
        grant: Who looks.
        match: The match that it watches; None before it begins.
        seq: The match's sequence number; earlier hints are not shown.
        voice: Says things in a language.

    Returns:
        ``sign``: what the camera does, in words; ``watches``: whether pictures come; ``troubles``,
        each with ``kind`` and ``text``; ``hints``; ``questions``: the most useful first, with
        ``answers`` for those who may answer, and with ``holds`` as in ``HOLDS``; ``picture``:
        whether the host may see the live picture now; ``setup``: see ``setup_state``, for the host
        before the match begins; ``known``: how many cards of its deck the table knows, for the
        host.
    """
    report, shows = view.report, view.shows_picture(match, seq)
    watches = report.alive and not report.ended and report.trouble is None
    if shows and report.alive:
        sign = SHOWN  # also where no new pictures come: the last one is still shown
    elif watches:
        sign = KEEPS if view.keeps else KEEPS_NONE
    else:
        sign = NO_PICTURE
    asked = {(one.question.kind, one.question.seat) for one in view.asked}
    hints = [
        one.hint
        for one in view.hints
        if one.seq == seq
        and (grant.host or one.hint.kind not in FOR_THE_HOST)
        and (ASKED_INSTEAD.get(one.hint.kind), one.hint.seat) not in asked
    ]
    return {
        "sign": voice.say(sign).text,
        "watches": watches,
        "troubles": [
            {"kind": kind, "text": text}
            for kind, text in _troubles(view, voice.catalogue.gettext)
            if grant.host or kind != "hitch"
        ],
        "hints": [
            {"kind": hint.kind, "text": hint_in_words(hint, voice).text,
             "of_the_deal": hint.kind in OF_THE_DEAL}
            for hint in hints
        ],
        "questions": [_question(one, grant, voice) for one in view.asked],
        "picture": grant.host and shows,
        "setup": setup_state(view, voice) if grant.host and view.sets_up else None,
        "known": report.known if grant.host else None,
    }  # fmt: skip


def seen_by_camera(snapshot: Snapshot, grant: Grant, voice: Voice) -> State:
    """The parts of the table's state that come from the camera.

    Args:
        snapshot: The table at one moment, with a camera.
        grant: Who looks.
        voice: Says things in a language.

    Returns:
        ``camera``; and ``cuts_seen`` while people cut for the first deal.
    """
    assert snapshot.camera is not None
    seq = 0 if snapshot.moment is None else snapshot.moment.seq
    told = camera_state(snapshot.camera, grant, snapshot.match, seq, voice)
    printing = printing_state(voice.header, snapshot.printing, voice) if grant.host else None
    found: State = {"camera": {**told, "printing": printing}}
    if snapshot.match is None and snapshot.cutting is not None:
        found["cuts_seen"] = cuts_seen(snapshot.camera, snapshot.cutting, grant, voice)
    return found


def cuts_seen(view: CameraView, cutting: Cutting, grant: Grant, voice: Voice) -> list[State]:
    """The cards that the camera sees before those who cut for the first deal (LA/LB-2).

    Args:
        view: The camera at one moment.
        cutting: The cuts so far.
        grant: Who looks: only the cards of seats for which this role speaks are named.
        voice: Says things in a language.

    Returns:
        ``seat``, ``rank`` and ``card`` for each seat that still has to cut, if exactly one card
        lies before it, and its rank is not the one that this seat cut before.
    """
    before = {cut.seat: cut.rank for cut in cutting.cuts}
    found = []
    for seat in cutting.due:
        laid = [each for each in view.report.laid if each.seat == seat]
        if len(laid) != 1 or laid[0].chance < SURE_FROM or not grant.speaks_for(seat):
            continue
        try:
            card = parse_card(laid[0].card)
            cutting.cut(seat, card.rank)
        except ScorekeeperError:  # no card of this pack
            continue
        if card.rank != before.get(seat):
            found.append({"seat": seat, "rank": card.rank, "card": voice.card(card)})
    return found


def may_answer(question: Question, grant: Grant) -> bool:
    """Whether a role may answer: the seat that is asked and the host; any seat if none is named."""
    return grant.speaks_for(question.seat) or (question.seat is None and grant.scores)


def may_see(question: Question, grant: Grant) -> bool:
    """Whether a role may see a question's picture: everybody if it only shows cards played."""
    return question.kind in OF_PLAYS or may_answer(question, grant)


def _question(asked: Asked, grant: Grant, voice: Voice) -> State:
    question = asked.question
    text = question_in_words(question, voice).text
    board = text
    if question.seat is not None:
        board += " " + voice.say(ANSWERED_THERE, who=voice.name(question.seat)).text
    answers = question.choices if may_answer(question, grant) else ()
    pictured = bool(asked.picture) and may_see(question, grant)
    return {
        "name": asked.name,
        "seat": question.seat,
        "holds": question.kind in HOLDS,
        "picture": f"/api/v1/questions/{asked.name}.jpg" if pictured else None,
        "text": text if answers else board,
        "board": board,
        "answers": [
            {"key": one.key, "words": answer_in_words(question, one, voice)} for one in answers
        ],
    }


def _troubles(view: CameraView, translate: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """What is wrong and what to do, the gravest first: kind and text."""
    report = view.report
    by_hand = "" if view.sets_up else f" {translate(BY_HAND)}"
    if report.failed is not None:
        yield "failed", in_words(*report.failed, translate) + by_hand
    elif view.lost:
        yield "lost", translate(LOST) + by_hand
    if view.lost:
        return  # the rest is what it saw before it was lost
    if report.unwritten:
        yield "unwritten", translate(UNWRITTEN)
    if report.ended:
        yield "ended", translate(FILM_ENDED) + by_hand
    if report.trouble is not None:
        yield "trouble", in_words(*report.trouble, translate) + by_hand
    if report.lack is not None:
        yield "lack", in_words(*report.lack, translate)
    for problem in report.complaints:
        wrong, remedy = SENTENCES[problem]
        yield "complaint", f"{translate(wrong)} {translate(remedy)}"
    for hitch in report.hitches:
        yield "hitch", in_words(*hitch, translate)
