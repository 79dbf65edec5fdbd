"""Cards are named and drawn as the deck on the table prints them; records use plain names."""

from __future__ import annotations

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.packs import PACK_SUITS, SPANISH
from scorekeeper.errors import RuleError
from scorekeeper.games.cards import RANKS, parse_card
from scorekeeper.games.rules import GAMES
from scorekeeper.history.suits import enter_card
from scorekeeper.text.choices import games_on_offer
from scorekeeper.text.i18n import LANGUAGES
from scorekeeper.text.phrases import Voice
from scorekeeper.text.printings import (
    FRENCH,
    PRINTING,
    PRINTINGS,
    default_printing,
    printings_for,
    printings_of,
    usual_suits,
)
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, NAMES, TRUC, TRUT, event


def voice(code: str, game: str = TRUT, **remarks: object) -> Voice:
    return Voice(Header(game=game, seats=NAMES[:2], remarks=remarks), code)


@pytest.mark.parametrize(
    ("printing", "code", "card", "drawn", "said"),
    [
        ("english", "en", "KS", "K", "K♠"),
        ("english", "fr", "KS", "K", "K♠"),
        ("french", "fr", "KS", "R", "R♠"),
        ("french", "en", "QH", "D", "D♥"),
        ("french", "es", "JD", "V", "V♦"),
        ("french", "ca", "AC", "1", "1♣"),
        ("french_a", "fr", "AC", "A", "A♣"),
        ("german", "en", "JC", "B", "B♣"),
        ("danish", "en", "AC", "1", "1♣"),
        ("swedish", "en", "JC", "Kn", "Kn♣"),
        ("dutch", "en", "QC", "V", "V♣"),
        ("french", "fr", "10C", "10", "10♣"),
        ("numbers", "en", "12O", "12", "12 of oros"),
        ("numbers", "fr", "10E", "10", "10 d’épée"),
        ("numbers", "es", "1B", "1", "as de bastos"),
        ("numbers", "ca", "11U", "11", "11 de copes"),
        ("figures", "en", "10E", "sota", "sota of espadas"),
        ("figures", "fr", "11B", "cavalier", "cavalier de bâton"),
        ("figures", "fr", "1B", "as", "as de bâton"),
        ("figures", "es", "10E", "sota", "sota de espadas"),
        ("figures", "es", "12U", "rey", "rey de copas"),
        ("figures", "es", "7O", "7", "7 de oros"),
        ("figures", "ca", "7O", "7", "7 d’oros"),
        ("figures", "ca", "11E", "cavall", "cavall d’espases"),
    ],
)
def test_a_card_is_drawn_and_said_as_the_deck_prints_it(printing, code, card, drawn, said):
    read = parse_card(card)
    table = voice(code, **{PRINTING: printing, PACK_SUITS: PRINTINGS[printing].suits})
    assert (table.face(read), table.card(read)) == (drawn, said)
    assert str(read) == card  # as records write it


@pytest.mark.parametrize(
    ("code", "french", "spanish"),
    [
        ("en", "english", "numbers"),
        ("fr", "french", "numbers"),
        ("es", "english", "figures"),
        ("ca", "english", "figures"),
    ],
)
@pytest.mark.parametrize("remarks", [{}, {PRINTING: None}, {PRINTING: "x"}, {PRINTING: ["x"]}])
def test_a_table_that_chose_nothing_has_what_its_reader_knows(code, french, spanish, remarks):
    table = voice(code, **remarks)
    assert (table.printing(FRENCH).name, table.printing(SPANISH).name) == (french, spanish)


def test_cards_of_other_suits_than_set_up_said_are_as_their_own_decks_print_them():
    table = voice("fr", **{PACK_SUITS: FRENCH, PRINTING: "german"})
    assert (table.card(parse_card("JC")), table.card(parse_card("10O"))) == ("B♣", "10 de denier")


@pytest.mark.parametrize("printing", PRINTINGS.values(), ids=PRINTINGS)
def test_no_two_ranks_look_alike(printing):
    for code in LANGUAGES:
        table = voice(code, **{PACK_SUITS: printing.suits, PRINTING: printing.name})
        for shown in (table.drawn, table.rank):
            assert len({shown(rank) for rank in printing.signs}) == len(printing.signs)


@pytest.mark.parametrize("suits", [FRENCH, SPANISH])
def test_every_language_has_a_printing_of_every_suits(suits):
    for code in LANGUAGES:
        assert default_printing(suits, code) in printings_of(suits)


@pytest.mark.parametrize(
    ("game", "usual", "suits"),
    [
        (LT_ACE, FRENCH, {FRENCH}),
        (LT_SEVEN, FRENCH, {FRENCH}),
        (TRUT, FRENCH, {FRENCH}),
        (TRUC, SPANISH, {FRENCH, SPANISH}),
    ],
)
def test_C_9_only_decks_that_have_all_cards_of_the_game_are_on_offer(game, usual, suits):
    rules = GAMES[game].rules
    assert (usual_suits(rules), {each.suits for each in printings_for(rules)}) == (usual, suits)
    for printing in printings_for(rules):
        assert printing.signs.keys() >= set(rules.printed)


@pytest.mark.parametrize("code", LANGUAGES)
def test_set_up_shows_each_printing_as_the_table_will(code):
    for game in games_on_offer(code):
        assert game.usual in [printing.name for printing in game.printings]
        for offered in game.printings:
            remarks = {PACK_SUITS: offered.suits, PRINTING: offered.name}
            table = voice(code, game.game, **remarks)
            for rank in game.order:
                assert game.drawn(rank)[offered.name] == table.drawn(rank)
            assert offered.label.split() == [table.drawn(rank) for rank in "AKQJ"]


@pytest.mark.parametrize(
    ("printing", "code", "said", "expected"),
    [
        ("french", "fr", "1 play KS", "Bea ne peut pas jouer R♠ maintenant"),
        ("english", "en", "0 play 2H", "Ana cannot play 2♥ now: 2♥ is not in this pack"),
        ("figures", "es", "1 play 10O", "Bea: ahora no se puede «jugar sota de oros»"),
    ],
)
def test_a_refusal_names_the_card_as_the_table_does(printing, code, said, expected):
    suits = PRINTINGS[printing].suits
    header = Header(
        game=TRUC if suits == SPANISH else TRUT,
        seats=NAMES[:2],
        first_dealer=1,
        remarks={PACK_SUITS: suits, PRINTING: printing},
    )
    opening = ["0 cut"] if suits == SPANISH else []
    events = [event(text) for text in (*opening, "1 deal 3")]
    with pytest.raises(RuleError) as refused:
        replay(header, [*events, event(said)])
    assert Voice(header, code).refusal(refused.value).startswith(expected)


def test_V_2_a_refusal_names_a_rank_of_which_all_were_played_as_the_deck_prints_it():
    header = Header(game=TRUT, seats=NAMES, remarks={PRINTING: "french"}, first_dealer=3)
    events = [event(t) for t in ("3 deal 3", "0 play KS", "1 play KH", "2 play KD", "3 play KC")]
    match = replay(header, events)
    with pytest.raises(RuleError) as refused:
        enter_card(match, events, match.turn, "K")
    assert " R " in Voice(header, "fr").refusal(refused.value)


@pytest.mark.parametrize(
    ("said", "answer", "expected"),
    [
        ("0 deal 3, 1 raise 2", "3 accept", "Dani cannot accept now: it is for Ana / Carles"),
        ("0 deal 3, 1 trut", "3 see", "Dani cannot see now: it is for Carles"),
    ],
)
def test_a_refusal_names_those_who_are_due(said, answer, expected):
    header = Header(game=TRUT if "trut" in said else LT_ACE, seats=NAMES)
    with pytest.raises(RuleError) as refused:
        replay(header, [event(text) for text in (*said.split(", "), answer)])
    assert Voice(header, "en").refusal(refused.value) == expected


def test_a_seat_that_no_table_has_is_not_named():
    header = Header(game=TRUT, seats=NAMES[:2])
    with pytest.raises(RuleError) as refused:
        replay(header, [event("7 void_hand")])
    assert "void hand is not possible now" in Voice(header, "en").refusal(refused.value)


def test_records_write_every_rank_of_every_printing():
    for printing in PRINTINGS.values():
        assert printing.signs.keys() <= set(RANKS)
