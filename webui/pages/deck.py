"""The deck on the table, for the host: counted as it is laid, and learned."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper.engine.header import Header
from scorekeeper.errors import FormatError
from scorekeeper.games.cards import SPANISH_SUITS, Card, parse_card
from scorekeeper.messages import N_
from scorekeeper.text.narrator import Teller
from vision.packs import JOKER
from webui.requests.visitor import gettext, grant, language_code, may_write, room, taken

if TYPE_CHECKING:
    from webui.camera.counting import Counting  # it loads OpenCV

blueprint = Blueprint("deck", __name__, url_prefix="/host/camera/deck")

SUITS = "SHDC" + SPANISH_SUITS

LEFT_OUT = "none"
"""Stands for a card that is none of the deck."""

KEPT_SECONDS = 600
"""How long a browser keeps a card's picture: each has an address of its own."""


@blueprint.get("")
def count() -> ResponseReturnValue:
    """What was shown of the deck so far, with what lies there now."""
    counting = _counting()
    camera = room().camera
    if camera is not None:
        camera.count()
    shown = {card.card: card for card in counting.cards.values()}
    return render_template(
        "sheets/deck.html",
        check=counting.check(),
        whole=len(counting.pack),
        rows=[[(card, shown.get(str(card))) for card in row] for row in _pack(counting)],
        foreign=[card for name, card in shown.items() if name not in counting.pack],
        named=_named,
        drawn=_teller().face,
    )


@blueprint.get("/<int:number>.png")
def picture(number: int) -> Response:
    """A card as it was shown."""
    card = _counting().cards.get(number)
    if card is None:
        abort(404)
    keep = {"Cache-Control": f"private, max-age={KEPT_SECONDS}"}
    return Response(card.crop, mimetype="image/png", headers=keep)


@blueprint.get("/<int:number>")
def ask(number: int) -> str:
    """Which card it is."""
    counting = _counting()
    card = counting.cards.get(number)
    if card is None:
        abort(404)
    return render_template(
        "sheets/deck_card.html",
        card=card,
        rows=_pack(counting),
        named=_named,
        drawn=_teller().face,
        left_out=LEFT_OUT,
    )


@blueprint.post("/<int:number>")
def put_right(number: int) -> ResponseReturnValue:
    """Says which ``card`` it is, or that it is none of the deck."""
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
    """Counts anew."""
    may_write()
    _counting().start_over()
    return taken(cards=0)


@blueprint.post("/learn")
def learn() -> ResponseReturnValue:
    """Keeps what the cards look like under a ``name``, and reads by that from now on."""
    may_write()
    from vision.detection.deck_templates import (  # late: it loads OpenCV and ONNX Runtime
        check_name,
        keep_deck,
    )

    name = check_name(request.form.get("name", "").strip())
    crops = _counting().crops()
    if not crops:
        raise FormatError(N_("no card was shown yet, so nothing can be learned"))
    keep_deck(name, crops)
    room().use_deck(name)
    return taken(cards=len(crops))


@blueprint.post("/keep")
def keep() -> ResponseReturnValue:
    """Keeps the deck under a ``name``, as the table has learned it while people played."""
    may_write()
    from vision.detection.deck_templates import check_name  # late: it loads OpenCV

    name = check_name(request.form.get("name", "").strip())
    camera = room().camera
    if camera is None:
        abort(404)
    return taken(cards=camera.keep_deck(name))


@blueprint.post("/use")
def use() -> ResponseReturnValue:
    """Reads by a deck that was learned; by none without a ``name``."""
    may_write()
    room().use_deck(request.form.get("name") or None)
    return taken(deck=request.form.get("name") or None)


def _counting() -> Counting:
    """The count, for the host; in set-up, and between hands while the picture is shown."""
    if not grant().host:
        abort(403)
    camera = room().camera
    if camera is None or camera.counting is None or not camera.may_count():
        abort(404)
    return camera.counting


def _pack(counting: Counting) -> list[list[Card]]:
    """The cards of the pack, a row for each suit, from best to worst."""
    cards = sorted(map(parse_card, counting.pack), key=lambda card: SUITS.index(card.suit))
    best = _header().rules.order
    return [
        sorted(row, key=lambda card: best.index(card.rank))
        for _, row in groupby(cards, key=lambda card: card.suit)
    ]


def _named(names: Iterable[str]) -> str:
    """Cards in words; a joker is one too."""
    teller = _teller()
    return ", ".join(
        gettext("Joker") if name == JOKER else teller.card(parse_card(name)) for name in names
    )


def _teller() -> Teller:
    return Teller(_header(), language_code())


def _header() -> Header:
    return room().snapshot().header or abort(404)
