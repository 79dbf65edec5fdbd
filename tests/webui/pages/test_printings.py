"""Every page shows the cards as set-up has shown the chosen deck, in every language."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from scorekeeper.games.cards import FRENCH_SUITS, SPANISH_SUITS, Card
from scorekeeper.games.rules import GAMES
from scorekeeper.text.i18n import LANGUAGES
from scorekeeper.text.phrases import Voice
from scorekeeper.text.printings import BY_HAND, FRENCH, PRINTINGS
from tests.scorekeeper.talk import LT_SEVEN, TRUC, TRUT
from tests.webui.phones import Phone
from tests.webui.playing import UnlimitedWrites

PLAYED = [*((TRUC, printing) for printing in PRINTINGS), (TRUT, "french"), (LT_SEVEN, "danish")]
RANK = re.compile(r'<span class="rank(?: short)?(?: word)?">([^<]*)</span>')
ROW = re.compile(r"data-signs='([^']*)'")
CUT = re.compile(rf'name="rank" value="([^"]+)">{RANK.pattern}')
PICK = re.compile(rf'id="card-0-([^"]+)"[^>]*>{RANK.pattern}')
FIRST, SECOND = 0, 1


def signs_in_set_up(page: str, game: str, printing: str) -> dict[str, str]:
    """For each rank, the sign that set-up shows for a game and a printing."""
    of_game = next(part for part in page.split('<div class="game">') if f'value="{game}"' in part)
    drawn = [json.loads(unescape(text))[printing] for text in ROW.findall(of_game)]
    order = GAMES[game].rules.order
    return dict(zip(order, drawn[: len(order)], strict=True))


@pytest.mark.parametrize(("game", "printing"), PLAYED, ids=map("-".join, PLAYED))
def test_set_up_and_every_page_show_the_same_cards(app, room, host, seated, game, printing):
    app.extensions["writes"] = UnlimitedWrites()
    suits = PRINTINGS[printing].suits
    page = {code: host.page(f"/host?lang={code}") for code in LANGUAGES}
    signs = {code: signs_in_set_up(page[code], game, printing) for code in LANGUAGES}
    fields = {"game": game, "players": "2", f"{game}.suits": suits, f"{game}.{suits}": printing}
    assert host.send("/host/setup", fields).status_code == 302
    voice = {code: Voice(room.snapshot().draft, code) for code in LANGUAGES}

    for code in LANGUAGES:
        assert dict(CUT.findall(host.page(f"/host?lang={code}"))) == signs[code]
    host.send("/host/cut", {"seat": "0", "rank": "K"})
    for code in LANGUAGES:
        assert voice[code].rank("K") in unescape(host.page(f"/host?lang={code}"))

    host.send("/host/begin", {"dealer": str(SECOND)})
    if room.table.moment.match.rules.asks_cut:
        host.say({"do": "cut", "seat": FIRST})
    host.say({"do": "deal", "seat": SECOND, "cards": 3})
    phone = seated(FIRST)
    for code in LANGUAGES:
        assert dict(PICK.findall(phone.page(f"/seat/0?lang={code}"))) == signs[code]

    letters = FRENCH_SUITS if suits == FRENCH else SPANISH_SUITS
    cards = Card("Q", letters[0]), Card("A", letters[1])
    for seat, card in enumerate(cards):
        said = {"do": "play", "seat": seat, "rank": card.rank, "suit": card.suit}
        assert host.say(said).status_code == 200
    for code in LANGUAGES:
        check_pages(phone, host, voice[code], cards, set(signs[code].values()))
    assert phone.state()["game"]["printing"] == printing
    record = phone.page("/match/1.jsonl")
    for card in cards:  # records have the same names for all printings
        assert f'"card": "{card}"' in record


def check_pages(
    phone: Phone, host: Phone, voice: Voice, cards: tuple[Card, Card], signs: set[str]
) -> None:
    """Checks that all pages of a trick draw and name its cards as this deck and language do."""
    now = phone.state(voice.code)
    seq = now["seq"]

    def page(path: str) -> str:
        return unescape(phone.page(f"{path}?lang={voice.code}"))

    assert any(voice.card(cards[1]) in sentence for sentence in now["last"])
    for path in ("/", "/tv", "/seat/0", f"/dispute/1/{seq}"):
        assert set(map(voice.face, cards)) <= set(RANK.findall(page(path))) <= signs, path
    for path in (f"/repairs/event/{seq}", "/repairs/gap", "/dispute/1"):
        assert set() < set(RANK.findall(page(path))) <= signs, path
    for path in ("/match/1", f"/dispute/1/{seq}.svg", "/repairs/hand"):
        shown = " ".join(re.sub("<[^>]*>", " ", page(path)).split())
        for card in cards:
            assert voice.card(card) in shown, path
    said = {"do": "play", "seat": now["turn"], "card": str(cards[0])}
    body = {"match": now["match"], "seen": seq, "event": said}
    refused = host.post(f"/api/v1/events?lang={voice.code}", body)
    assert voice.card(cards[0]) in refused.json["sentence"]


def test_the_deck_of_last_time_is_filled_in(host):
    deck = {"truc_spain.suits": "french", "truc_spain.french": "german"}
    host.send("/host/setup", {"game": TRUC, **deck})
    host.send("/host/clear")
    page = host.page("/host")
    assert '<option value="german" selected' in page
    assert re.search(r'name="truc_spain.suits" value="french" checked', page)


@pytest.mark.parametrize(
    ("filled", "suits", "printing"),
    [
        ({}, "french", "english"),
        ({"trut.french": "x"}, "french", "english"),
        ({"trut.french": "figures"}, "french", "english"),
        ({"trut.suits": "french", "trut.french": "french"}, "french", "french"),
    ],
    ids=str,
)
def test_C_9_no_deck_is_taken_that_lacks_a_card_of_the_game(room, host, filled, suits, printing):
    assert host.send("/host/setup", {"game": TRUT, **filled}).status_code == 302
    by_hand = {} if printing == "english" else {BY_HAND: True}
    remarks = {"_suits": suits, "_printing": printing, **by_hand}
    assert room.snapshot().draft.remarks == remarks
    assert "trut.spanish" not in host.page("/host")
