"""The spoken calls: what the program says aloud of each event."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, moments, replay
from scorekeeper.engine.state import Match
from scorekeeper.games.rules import GAMES, OPERATOR_VERBS
from scorekeeper.text.announcer import Announcer, Sound
from scorekeeper.text.i18n import LANGUAGES
from tests.scorekeeper.playouts import HEADERS, playout
from tests.scorekeeper.talk import LT_ACE, TRUC, TRUT, deal, event, ranks, say, table

FORTIAL = ((6, 2), (3, 1))


def calls(match: Match, text: str) -> list[str]:
    """What is called after one more event; each call as ``sound: text``."""
    done = event(text)
    after = apply(match, done)
    called = Announcer(after.seated, "en").calls(match, done, after)
    return [f"{call.sound}: {call.text}" for call in called]


def check(match: Match, text: str, *expected: str) -> None:
    assert calls(match, text) == list(expected)


def tricks_won(match: Match) -> list[int | None]:
    """Who has won the complete tricks of the latest hand."""
    tricks = () if match.hand is None else match.hand.tricks
    return [trick.winner for trick in tricks if trick.complete]


CASES = {
    # before play
    "TS-3 cut": (table(TRUC, 4), "1 cut", "deal: Bea cuts."),
    "TS-3 tap": (table(TRUC, 4), "1 tap", "deal: Bea taps: Ana chooses."),
    "C-4 leader": (table(TRUT, 4), "0 deal 3", "deal: Bea leads."),
    "V-7": (deal(table(TRUT)), "misdeal", "deal: Misdeal: Ana deals again."),
    "LV-5 new game": (
        ranks(deal(table(LT_ACE, scores=(0, 11), best_of=3)), "A 7 A 7"), "1 deal 3",
        "deal: A new game begins at 0.", "deal: Ana leads.",
    ),
    "LT-6": (deal(table(LT_ACE)), "1 i_play", "answer: Bea keeps the cards."),
    "LT-4 ask": (deal(table(LT_ACE)), "1 ask", "offer: New cards are asked for."),
    "LT-4 grant": (say(deal(table(LT_ACE)), "1 ask"), "0 grant", "answer: Ana grants new cards."),
    "LT-4 refuse": (
        say(deal(table(LT_ACE)), "1 ask"), "0 refuse", "answer: Ana refuses new cards.",
    ),
    "V-10": (
        say(table(TRUC, 4, scores=(11, 4)), "1 cut"), "0 deal 3",
        "deal: Dani leads. Ana & Carles at 11: play or decline?",
    ),
    "TS-18 play": (
        deal(table(TRUC, 4, scores=(11, 4))), "2 play_on", "answer: Carles plays on: 3 points.",
    ),
    "TS-18 decline": (
        deal(table(TRUC, 4, scores=(11, 4))), "2 decline",
        "answer: Carles declines.", "hand: Hand for Bea & Dani: 1 point.", "hand: 5 to 11.",
    ),
    "TS-19": (
        say(table(TRUC, 4, scores=(11, 11)), "1 cut"), "0 deal 3",
        "deal: Both sides are one point short. Dani leads.",
    ),
    "TR-19": (
        table(TRUT, 4, tokens=FORTIAL), "0 deal 3",
        "deal: Fortial for Ana & Carles: only Carles looks.",
    ),
    "TR-19 partner": (
        deal(table(TRUT, 4, tokens=FORTIAL)), "2 pass", "answer: Carles passes. Now Ana looks.",
    ),
    "TR-21": (
        say(deal(table(TRUT, 4, tokens=FORTIAL)), "2 pass"), "0 pass",
        "answer: Ana passes.", "hand: A Small for Bea & Dani.",
        "hand: 3 Longs, 2 Smalls to 6 Longs, 2 Smalls.",
    ),
    "TR-22": (
        table(TRUT, tokens=((6, 2), (6, 2))), "0 deal 3",
        "deal: Both sides are at fortial. Bea leads.",
    ),
    # cards
    "C-10": (deal(table(TRUT)), "1 play 9S", "card: "),
    "C-11 trick": (
        ranks(deal(table(TRUT, 4)), "9 10 A"), "0 play KS", "trick: Trick for Bea & Dani.",
    ),
    "C-11 spoiled": (
        ranks(deal(table(LT_ACE)), "A"), "0 play AH", "spoiled: Spoiled. Bea leads.",
    ),
    "TR-6 spoiled": (ranks(deal(table(TRUT)), "7"), "0 play 7H", "spoiled: Spoiled. Ana leads."),
    "TR-7 spoiled and over": (
        ranks(deal(table(TRUT)), "7 9 8"), "0 play 8H",
        "spoiled: Spoiled.", "hand: A Small for Bea.", "hand: 1 Small to 0.",
    ),
    "LT-8 void": (
        ranks(deal(table(LT_ACE)), "A A K K Q"), "0 play QH",
        "spoiled: Spoiled.", "hand: The hand is void: nobody scores.",
    ),
    "LT-19": (
        ranks(deal(table(LT_ACE, scores=(4, 7))), "A 7 A"), "0 play 7H",
        "trick: Trick for Bea.", "hand: Hand for Bea: 1 point.", "hand: 8 to 4.",
    ),
    "TR-15": (
        ranks(deal(table(TRUT, tokens=((0, 1), (2, 2)))), "7 9 8"), "0 play 9H",
        "trick: Trick for Bea.", "hand: A Small for Bea.", "hand: 3 Longs to 0.",
    ),
    "TR-14": (
        ranks(say(deal(table(TRUT)), "0 trut, 1 see"), "7 9 8"), "0 play 9H",
        "trick: Trick for Bea.", "hand: A Long for Bea.", "hand: 1 Long to 0.",
    ),
    # calls and answers
    "LT-11": (deal(table(LT_ACE)), "1 raise 2", "offer: Bea raises to 2."),
    "LT-17": (
        deal(table(LT_ACE, scores=(11, 3))), "1 remainder", "offer: Bea raises to the remainder.",
    ),
    "LT-15 yes": (
        say(deal(table(LT_ACE)), "1 raise 2"), "0 accept", "answer: Ana accepts: 2 points.",
    ),
    "LT-17 yes": (
        say(deal(table(LT_ACE, scores=(11, 3))), "1 remainder"), "0 accept",
        "answer: Ana accepts: the remainder.",
    ),
    "LT-15 no": (
        say(deal(table(LT_ACE)), "1 raise 2"), "0 reject",
        "answer: Ana refuses.", "hand: Hand for Bea: 1 point.", "hand: 1 to 0.",
    ),
    "TS-10": (deal(table(TRUC, 4)), "3 truc", "offer: Dani calls truc."),
    "TS-13 card accepts": (
        say(deal(table(TRUC, 4)), "3 play 6S, 3 truc"), "2 play AS",
        "answer: Carles accepts: 2 points.", "card: ",
    ),
    "TS-13 caller's card": (say(deal(table(TRUC, 4)), "3 truc"), "3 play 6S", "card: "),
    "TS-16": (
        say(deal(table(TRUC, 4)), "3 play 6S, 3 truc"), "2 retruc",
        "answer: Carles accepts: 2 points.", "offer: Carles calls retruc.",
    ),
    "TR-8": (deal(table(TRUT, 4)), "2 trut", "offer: Carles truts."),
    "TR-10 see": (say(deal(table(TRUT, 4)), "2 trut"), "3 see", "answer: Dani sees."),
    "TR-10 lie down": (
        say(deal(table(TRUT, 4)), "2 trut"), "3 lie_down", "answer: Dani folds.",
    ),
    "TR-11": (
        say(deal(table(TRUT, 4)), "2 trut, 3 lie_down"), "1 lie_down",
        "answer: Bea folds.", "hand: A Small for Ana & Carles.", "hand: 1 Small to 0.",
    ),
    "TR-20 refused": (
        say(deal(table(TRUT, tokens=FORTIAL)), "0 trut"), "1 lie_down",
        "answer: Bea folds.", "hand: A Long for Ana.", "hand: 7 Longs, 2 Smalls to 3 Longs.",
        "match: Game for Ana.",
    ),
    # games, and the operator
    "LV-5 game": (
        say(deal(table(LT_ACE, scores=(11, 0), best_of=3)), "1 i_play, 1 play 7S, 0 play AS, "
            "0 play AH"),
        "1 play 7H",
        "trick: Trick for Ana.", "hand: Hand for Ana: 1 point.", "hand: 12 to 0.",
        "game: Game for Ana. Games: 1 to 0.",
    ),
    "LV-5 award": (
        table(LT_ACE, best_of=3), "award 0 12",
        "hand: By agreement: Ana 12, Bea 0.", "game: Game for Ana. Games: 1 to 0.",
    ),
    "award of Smalls": (
        table(TRUT, 4), "award 1 5", "hand: By agreement: Ana & Carles 0, Bea & Dani 1 Long, "
        "2 Smalls.",
    ),
    "V-21": (
        deal(table(TRUT)), "0 player Carla",
        "answer: From here on Carla plays instead of Ana.",
    ),
    "void hand": (deal(table(TRUT)), "void_hand", "hand: The hand is void by agreement."),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_called(case):
    check(*case)


def test_LV_5_the_match():
    match = say(table(LT_ACE, best_of=3), "award 0 12")
    assert (
        calls(match, "award 0 12")[-1]
        == "match: Game for Ana. Games: 2 to 0. The match goes to Ana."
    )


# --- what holds for every match ---

played = given(
    st.sampled_from(HEADERS),
    st.randoms(use_true_random=False),
    st.integers(min_value=1, max_value=60),
)


@played
def test_every_event_of_every_match_is_called(header: Header, chance: Random, length: int) -> None:
    announcer = Announcer(header, "en")
    for before, after in pairwise(moments(replay(header, playout(header, chance, length)))):
        done = after.event
        assert done is not None
        called = announcer.calls(before, done, after)
        sounds = [call.sound for call in called]
        assert called
        assert all(call.text or call.sound is Sound.CARD for call in called)
        ended = after.over > before.over or after.game_over > before.game_over
        won = before.games_won != after.games_won
        assert sounds.count(Sound.GAME) + sounds.count(Sound.MATCH) == (ended or won)
        hand_ended = before.in_progress and not after.in_progress
        assert hand_ended <= (Sound.HAND in sounds)
        ended = tricks_won(after) != tricks_won(before) and bool(tricks_won(after))
        assert (Sound.TRICK in sounds or Sound.SPOILED in sounds) == (ended and done.do == "play")
        assert (Sound.CARD in sounds) == (done.do == "play" and not ended)
        assert Sound.CORRECTION not in sounds


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("header", HEADERS, ids=lambda header: f"{header.game}-{len(header.seats)}")
def test_the_words_of_every_language_have_their_fields(header, code):
    announcer = Announcer(header, code)
    for before, after in pairwise(moments(replay(header, playout(header, Random(5), 150)))):
        for call in announcer.calls(before, after.event, after):
            assert "{" not in call.text


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_of_the_game_is_called(game):
    silent = set(GAMES[game].rules.verbs) - OPERATOR_VERBS
    for seed, seats in product(range(40), GAMES[game].rules.players):
        match = table(game, seats, best_of=3, options={"target": 1 + seed % 12})
        silent -= {done.do for done in playout(match.header, Random(seed), 120, 0.03)}
        if not silent:  # no other match can change that
            break
    assert silent == set()
