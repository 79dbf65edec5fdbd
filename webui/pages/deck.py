"""The host's pages for the deck on the table: count its cards before the camera, learn them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count as count_from
from itertools import groupby
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper.engine.header import Header
from scorekeeper.errors import FormatError
from scorekeeper.games.cards import SPANISH_SUITS, Card, parse_card
from scorekeeper.messages import N_
from scorekeeper.text.narrator import Narrator
from vision.packs import JOKER, UNREAD
from webui.requests.visitor import accepted, gettext, grant, language_code, may_write, room

if TYPE_CHECKING:
    from webui.camera.counting import Counted, Counting  # it loads OpenCV

blueprint = Blueprint("deck", __name__, url_prefix="/host/camera/deck")

SUITS = "SHDC" + SPANISH_SUITS

LEFT_OUT = "none"
"""In place of a card's name: it is none of the deck."""

FEW = 8
"""So many cards that are missing are named, and stand out where a card is named."""

KEPT_SECONDS = 600
"""How long a browser keeps a card's picture; a new picture has another address."""


@blueprint.get("")
def count() -> ResponseReturnValue:
    """Counts what lies there now, and shows the cards that were counted so far."""
    counting = _counting()
    camera = room().camera
    if camera is not None:
        camera.count()
    shown = {card.card: card for card in counting.cards.values()}
    return render_template(
        "sheets/deck.html",
        check=counting.check(),
        whole=len(counting.pack),
        few=FEW,
        rows=[[(card, shown.get(str(card))) for card in row] for row in _pack(counting)],
        foreign=[card for name, card in shown.items() if name not in counting.pack],
        unread=list(counting.unread.values()),
        unsure=[name for name, card in shown.items() if not card.sure],
        named=_named,
        drawn=_narrator().face,
    )


@blueprint.get("/<int:number>.png")
def picture(number: int) -> Response:
    """The picture of a card that was counted."""
    card = _shown(_counting(), number)
    keep = {"Cache-Control": f"private, max-age={KEPT_SECONDS}"}
    return Response(card.crop, mimetype="image/png", headers=keep)


@blueprint.get("/<int:number>")
def ask(number: int) -> str:
    """The sheet that asks which card it is."""
    counting = _counting()
    wanted = counting.pack - {card.card for card in counting.cards.values() if card.sure}
    return render_template(
        "sheets/deck_card.html",
        card=_shown(counting, number),
        rows=_pack(counting),
        named=_named,
        drawn=_narrator().face,
        wanted=wanted if len(wanted) <= FEW else (),
        left_out=LEFT_OUT,
        unread=UNREAD,
    )


@blueprint.post("/<int:number>")
def put_right(number: int) -> ResponseReturnValue:
    """Takes the host's word on which ``card`` it is, or that it is none of the deck."""
    may_write()
    counting = _counting()
    said = request.form.get("card", "")
    card = None if said == LEFT_OUT else str(parse_card(said))
    if card is not None and card not in counting.pack:
        raise FormatError(N_("the pack of this game has no such card"))
    if not counting.put_right(number, card):
        abort(404)
    return {"cards": len(counting.cards)}


@blueprint.post("/again")
def again() -> ResponseReturnValue:
    """Starts the count again."""
    may_write()
    _counting().start_over()
    return accepted(cards=0)


@blueprint.post("/learn")
def learn() -> ResponseReturnValue:
    """Learns the counted cards under a ``name``, and reads with that deck from now on."""
    may_write()
    from vision.detection.deck_templates import keep_deck  # late: it loads OpenCV

    name = _named_deck() or _free_name()
    crops = _counting().crops()
    if not crops:
        raise FormatError(N_("no card was shown yet, so nothing can be learned"))
    keep_deck(name, crops)
    room().use_deck(name)
    return accepted(cards=len(crops))


@blueprint.post("/keep")
def keep() -> ResponseReturnValue:
    """Keeps the deck under a ``name``, as it was learned while people played, and reads with it.

    Without a name, the learned deck on the table keeps its own.
    """
    may_write()
    camera = room().camera
    if camera is None:
        abort(404)
    name = _named_deck() or camera.view.deck or _free_name()
    cards = camera.keep_deck(name)
    room().use_deck(name)  # also on the next evening; kept again, it keeps its name
    return accepted(cards=cards)


@blueprint.post("/use")
def use() -> ResponseReturnValue:
    """Reads with the learned deck of this ``name``; with none if there is no name."""
    may_write()
    if room().camera is None:
        abort(404)
    name = request.form.get("name") or None
    if name is not None:
        from vision.detection.deck_templates import deck_pictures  # late: it loads OpenCV

        deck_pictures(name)  # refuses a deck that is not kept, without which nobody could watch
    room().use_deck(name)
    return accepted(deck=name)


@blueprint.post("/forget")
def forget() -> ResponseReturnValue:
    """Deletes the learned deck of this ``name``; a table that reads with it goes on without it."""
    may_write()
    from vision.detection.deck_templates import forget_deck  # late: it loads OpenCV

    name = request.form.get("name", "")
    forget_deck(name)
    camera = room().camera
    if camera is not None and camera.view.deck == name:
        room().use_deck(None)
    else:
        room().changed()
    return accepted(deck=name)


@blueprint.app_template_global()
def kept_decks() -> list[str]:
    """The names of the learned decks."""
    from vision.detection.deck_templates import deck_names  # late: it loads OpenCV

    return deck_names()


def _named_deck() -> str:
    """The ``name`` that a form gives a deck; empty where it gives none.

    Raises:
        DeckError: A deck cannot be called so.
    """
    from vision.detection.deck_templates import check_name  # late: it loads OpenCV

    name = request.form.get("name", "").strip()
    return name and check_name(name)


def _free_name() -> str:
    """``Deck 1``, or the next number that no deck has."""
    names = (gettext("Deck %(n)s") % {"n": n} for n in count_from(1))
    kept = set(kept_decks())
    return next(name for name in names if name not in kept)


def _counting() -> Counting:
    """The count; ends the request unless it is the host's, and a deck may be counted now."""
    if not grant().host:
        abort(403)
    camera = room().camera
    if camera is None or camera.counting is None or not camera.may_count():
        abort(404)
    return camera.counting


def _shown(counting: Counting, number: int) -> Counted:
    """The card of a number, read or not; ends the request where there is none."""
    card = counting.cards.get(number) or counting.unread.get(number)
    if card is None:
        abort(404)
    return card


def _pack(counting: Counting) -> list[list[Card]]:
    """The cards of the pack: a row for each suit, the best card first."""
    cards = sorted(map(parse_card, counting.pack), key=lambda card: SUITS.index(card.suit))
    best = _header().rules.order
    return [
        sorted(row, key=lambda card: best.index(card.rank))
        for _, row in groupby(cards, key=lambda card: card.suit)
    ]


def _named(names: Iterable[str]) -> str:
    """Cards in words, also jokers and cards that could not be read."""
    narrator, others = _narrator(), {JOKER: gettext("Joker"), UNREAD: gettext("not read")}
    return ", ".join(others.get(name) or narrator.card(parse_card(name)) for name in names)


def _narrator() -> Narrator:
    return Narrator(_header(), language_code())


def _header() -> Header:
    return room().snapshot().header or abort(404)
