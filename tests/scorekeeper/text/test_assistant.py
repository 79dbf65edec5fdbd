"""The assistant of the deal, for every game and at every moment of a deal."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import moments, replay
from scorekeeper.engine.state import Match, Phase
from scorekeeper.games.rules import GAMES
from scorekeeper.text.assistant import Assistant
from tests.scorekeeper.playouts import HEADERS, playout
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, NAMES, PUT, TRUC, TRUT, deal, ranks, say, table

SILENT = {Phase.PLAY, Phase.RAISE_ANSWER, Phase.TRUT_ANSWER}
BEFORE_PLAY = {
    LT_ACE: {Phase.DEALING, Phase.REDEAL_ASK, Phase.REDEAL_ANSWER},
    LT_SEVEN: {Phase.DEALING, Phase.REDEAL_ASK, Phase.REDEAL_ANSWER},
    TRUT: {Phase.DEALING, Phase.FORTIAL, Phase.FORTIAL_ANSWER},
    TRUC: {Phase.CUT, Phase.DEAL_SIZE, Phase.DEALING, Phase.ELEVEN},
    PUT: {Phase.DEALING},
}
FORTIAL = ((6, 2), (3, 1))


def told(match: Match, state: str) -> list[str]:
    """The steps that are in a state: who does what, and by which rules."""
    steps = Assistant(match.header, "en").steps(match)
    return [
        f"{'-' if step.seat is None else step.seat} {step.text}"
        for step in steps
        if step.state == state
    ]


# --- the pack, the cut and the deal ---


@pytest.mark.parametrize(
    ("header", "pack"),
    [
        pytest.param({"game": LT_ACE},
            "32 cards; of a pack of 52, take out 2, 3, 4, 5, 6. A piquet pack of 32 is right as "
            "it is. [C-8]", id="C-8-le-truc-ace"),
        pytest.param({"game": LT_SEVEN},
            "32 cards; of a pack of 52, take out 2, 3, 4, 5, 8. [C-8]", id="C-8-le-truc-seven"),
        pytest.param({"game": LT_SEVEN, "options": {"alias": {"8": "6"}}},
            "32 cards; of a pack of 52, take out 2, 3, 4, 5, 6. A piquet pack of 32 is right as "
            "it is. 8 stands for 6. [C-8, C-9]", id="C-9-eight-for-six"),
        pytest.param({"game": TRUT},
            "32 cards; of a pack of 52, take out 2, 3, 4, 5, 6. A piquet pack of 32 is right as "
            "it is. [C-8]", id="C-8-trut"),
        pytest.param({"game": TRUC},
            "40 cards; of a pack of 52, take out 8, 9, 10. Of a Spanish pack of 48, take out 8, "
            "9. A Spanish pack of 40 is right as it is. [C-8]", id="C-8-truc"),
    ],
)  # fmt: skip
def test_C_8_which_cards_are_taken_out_before_the_first_deal_only(header, pack):
    match = table(**header)
    assert told(match, "now")[0] == f"- {pack}"
    match = say(deal(match), "void_hand")
    assert not any("take out" in text for text in told(match, "now"))


@pytest.mark.parametrize(
    ("match", "now"),
    [
        pytest.param(
            table(LT_SEVEN),
            ["0 Ana deals this hand and shuffles the pack. [LA/LB-2]",
             "1 Bea cuts the pack. [C-5]",
             "0 Ana deals 3 cards to everybody. One at a time, Bea first. [LT-2]"],
            id="LT-2-first-deal",
        ),
        pytest.param(
            table(TRUT, 4, first_dealer=3),
            ["3 Dani deals this hand and shuffles the pack. [TR-3]",
             "2 Carles cuts the pack. [C-5]",
             "3 Dani deals 3 cards to everybody. One at a time, to the left, Ana first. "
             "[TR-2, C-2]"],
            id="TR-2-to-the-left",
        ),
        pytest.param(
            table(TRUC, 4),
            ["0 Ana deals this hand and shuffles the pack. [TS-1]",
             "1 Bea cuts the pack, or taps it: then Ana chooses how many cards to deal. "
             "[C-5, TS-3]"],
            id="TS-3-cut-or-tap",
        ),
        pytest.param(
            table(TRUC, 4, scores=(11, 4)),
            ["0 Ana deals this hand and shuffles the pack. [TS-1]",
             "1 Bea must cut the pack, because a side needs one point. [C-5, TS-4]"],
            id="TS-4-no-tap-at-eleven",
        ),
        pytest.param(
            table(TRUC, 4, options={"tap_allowed": False}),
            ["0 Ana deals this hand and shuffles the pack. [TS-1]",
             "1 Bea cuts the pack. [C-5, TS-3]"],
            id="TS-3-tap-switched-off",
        ),
    ],
)  # fmt: skip
def test_who_shuffles_cuts_and_deals(match, now):
    assert told(match, "now")[1:] == now


def test_TS_3_after_the_cut_and_after_a_tap():
    match = say(table(TRUC, 4), "1 cut")
    order = "One at a time, to the right, Dani first."
    assert told(match, "done")[-1] == "1 Bea cuts the pack. [C-5, TS-3]"
    assert told(match, "now") == [f"0 Ana deals 3 cards to everybody. {order} [TS-3, C-2]"]
    match = say(table(TRUC, 4), "1 tap")
    assert told(match, "done")[-1] == (
        "1 Bea taps the pack: Ana chooses how many cards to deal. [TS-3]"
    )
    assert told(match, "now") == [
        "0 Ana chooses how many cards everybody gets: 1 / 3. [TS-3]",
        f"0 Ana deals. {order} [C-2]",
    ]


# --- new cards ---


@pytest.mark.parametrize(("seats", "rule"), [(2, "LT-4"), (4, "L4-2")])
def test_LT_4_new_cards(seats, rule):
    match = deal(table(LT_ACE, seats))
    assert told(match, "now") == [
        f"1 Bea keeps the cards, or asks once for new ones. [{rule}, LT-5, LT-6]"
    ]
    answer = f"0 If new cards are asked for, Ana grants or refuses them. [{rule}]"
    lead = "1 Bea leads the first trick. [C-4]"
    assert told(match, "next") == [answer, lead]
    match = say(match, "1 ask")
    assert told(match, "done")[-1] == f"1 Bea asks for new cards. [{rule}]"
    assert told(match, "now") == [f"0 Ana grants or refuses them. [{rule}]"]
    assert told(say(match, "0 refuse"), "now") == []
    match = say(match, "0 grant")
    assert told(match, "done") == [f"0 Ana grants new cards. [{rule}]"]
    order = "One at a time, Bea first." if seats == 2 else "One at a time, to the left, Bea first."
    rules = f"{rule}, A6" if seats == 2 else f"{rule}, A6, C-2"
    new = f"0 Ana deals 3 cards to everybody, from the rest of the pack. {order} [{rules}]"
    assert told(match, "now") == [
        f"- All cards that were dealt go aside, face down. [{rule}, A6]",
        f"- The rest of the pack is not shuffled. [{rule}, A6]",
        new,
    ]
    assert told(match, "next") == [lead]
    match = say(match, "0 deal 3, misdeal")
    assert told(match, "now") == [
        "- The deal is void: Ana deals again. [V-7]",
        "0 Ana puts the new cards back to the rest of the pack and shuffles it.",
        new,
    ]


# --- eleven ---


@pytest.mark.parametrize(
    ("seats", "text"),
    [
        (4, "- Ana & Carles: one point to go. Look at your cards, then play for 3 points without "
            "any call, or decline: then 1 point for Bea & Dani. [TS-18]"),
        (2, "0 Ana: one point to go. Look at your cards, then play for 3 points without any call, "
            "or decline: then 1 point for Bea. [TS-18]"),
    ],
)  # fmt: skip
def test_V_10_the_leader_is_named_before_the_choice_at_eleven(seats, text):
    match = table(TRUC, seats, scores=(11, 4))
    leader = match.first_leader
    lead = f"{leader} {NAMES[leader]} leads the first trick. [C-4, V-10]"
    assert told(match, "next")[1:] == [lead, text]
    match = deal(match)
    assert told(match, "now") == [text]
    assert told(match, "next") == [lead]
    texts = [step.text.text for step in Assistant(match.header, "en").steps(match)]
    assert texts.index(lead[2:-12]) < texts.index(text[2:-8])


def test_TS_19_both_lack_one_point():
    match = table(TRUC, 4, scores=(11, 11))
    assert told(match, "next")[1:] == [
        "- Both sides are one point short: nobody is asked, and calls are allowed. [TS-19]",
        "3 Dani leads the first trick. [C-4]",
    ]
    assert told(deal(match), "now") == []


# --- fortial ---

LOOKS = (
    "2 Fortial for Ana & Carles: only Carles looks at the cards, and truts or passes. "
    "[TR-18, TR-19]"
)
DOWN = "- All other cards stay face down, and nobody looks at them. [TR-19]"
NOBODY = "- If nobody truts, no card is played, and a Small goes to Bea & Dani. [TR-21]"
PARTNER = "0 If Carles passes, Ana looks too, and truts or passes. [TR-19]"
LEAD = "1 Bea leads the first trick. [C-4]"
SEEN = (
    "- Seen: everybody looks, and the hand is played. Not seen: the game for Ana & Carles. [TR-20]"
)


def test_TR_19_said_before_the_deal():
    match = table(TRUT, 4, tokens=FORTIAL)
    assert told(match, "next") == [LOOKS, PARTNER, DOWN, NOBODY, LEAD]


@pytest.mark.parametrize(
    ("events", "now", "later"),
    [
        pytest.param("", [LOOKS, DOWN], [PARTNER, NOBODY, LEAD], id="TR-19-first-asked"),
        pytest.param(
            "2 pass", ["0 Now Ana looks too, and truts or passes. [TR-19]", DOWN],
            [NOBODY, LEAD], id="TR-19-partner-asked",
        ),
        pytest.param(
            "2 trut", [DOWN, "3 Dani sees the trut, or folds. [TR-10, TR-20]"],
            ["1 Bea may still see, if nobody has. [TR-10, TR-20]", SEEN, LEAD],
            id="TR-20-first-answer",
        ),
        pytest.param(
            "2 pass, 0 trut, 1 lie_down",
            [DOWN, "3 Dani sees the trut, or folds. [TR-10, TR-20]"],
            [SEEN, LEAD], id="TR-20-second-answer",
        ),
        pytest.param("2 trut, 3 see", [], [], id="TR-20-seen-and-played"),
    ],
)  # fmt: skip
def test_TR_19_who_alone_may_look(events, now, later):
    match = say(deal(table(TRUT, 4, tokens=FORTIAL)), events)
    assert told(match, "now") == now
    assert told(match, "next") == later


def test_TR_19_what_is_behind_us():
    match = say(deal(table(TRUT, 4, tokens=FORTIAL)), "2 pass, 0 trut, 1 lie_down")
    assert told(match, "done")[-3:] == [
        "2 Carles passes. [TR-19]",
        "0 Ana truts at fortial: the opponents must see. [TR-20]",
        "1 Bea folds. [TR-10, TR-20]",
    ]


def test_TR_18_two_players_one_question():
    match = deal(table(TRUT, tokens=FORTIAL))
    assert told(match, "now")[0].startswith("0 Fortial for Ana: only Ana looks at the cards")
    assert not any("passes, " in text for text in told(match, "next"))


def test_TR_18_new_cards_are_asked_for_after_a_seen_trut_where_the_table_plays_so():
    match = table(TRUT, tokens=FORTIAL, options={"redeal": True})
    match = say(deal(match), "0 trut, 1 see")
    assert told(match, "done")[-1] == "0 Ana truts at fortial: the opponents must see. [TR-20]"
    assert told(match, "now")[0].startswith("1 Bea keeps the cards, or asks once")


def test_TR_22_both_at_fortial():
    match = table(TRUT, tokens=((6, 2), (6, 2)))
    assert told(match, "next") == [
        "- Both sides are at fortial: whoever wins this hand wins the game. [TR-22]",
        "1 Bea leads the first trick. [C-4]",
    ]


# --- misdeal ---


def test_V_7_the_same_dealer_deals_again():
    match = say(deal(table(TRUT)), "misdeal")
    assert told(match, "now") == [
        "- The deal is void: Ana deals again. [V-7]",
        "0 Ana gathers the cards and shuffles.",
        "1 Bea cuts the pack. [C-5]",
        "0 Ana deals 3 cards to everybody. One at a time, Bea first. [TR-2]",
    ]
    match = say(deal(table(TRUC), 1), "misdeal")
    assert told(match, "now") == [
        "- The deal is void: Ana deals again. [V-7]",
        "0 Ana gathers the cards and shuffles.",
        "0 Ana chooses how many cards everybody gets: 1 / 3. [TS-3]",
        "0 Ana deals. One at a time, Bea first.",
    ]


@pytest.mark.parametrize(
    ("match", "hint"),
    [
        pytest.param(table(TRUT), None, id="nothing-dealt"),
        pytest.param(deal(table(TRUT)), "[V-7]", id="dealt"),
        pytest.param(deal(table(TRUC)), "[V-7]", id="dealt-after-a-cut"),
        pytest.param(deal(table(TRUC), 3), "[V-7]", id="three-after-a-cut"),
        pytest.param(deal(table(TRUC), 1), "1 / 3. [V-7, TS-3]", id="one-or-three-after-a-tap"),
        pytest.param(ranks(deal(table(TRUT)), "9"), None, id="too-late-after-a-card"),
    ],
)
def test_V_7_where_a_misdeal_is_possible(match, hint):
    told = Assistant(match.header, "en").misdeal(match)
    assert (told is None) == (hint is None)
    assert hint is None or str(told).endswith(hint)


# --- between hands, after a game, after the match ---


@pytest.mark.parametrize(
    ("match", "gather"),
    [
        pytest.param(ranks(deal(table(LT_ACE)), "A 7 A 7"), "- Gather all cards.", id="Le Truc"),
        pytest.param(ranks(deal(table(TRUT)), "9 7 7 9"), "- Gather all cards.", id="Trut"),
        pytest.param(
            say(deal(table(TRUT)), "0 trut, 1 lie_down"),
            "- Gather all cards; those that were not played go back unseen. [TR-12]",
            id="TR-12",
        ),
        pytest.param(
            say(deal(table(TRUC)), "1 truc, 0 reject"),
            "- Gather all cards; those that were not played go back unseen. [TS-9]",
            id="TS-9",
        ),
    ],
)
def test_C_6_between_hands_the_deal_passes_on(match, gather):
    now = told(match, "now")
    assert now[:2] == [gather, "1 Bea deals this hand and shuffles the pack. [C-6]"]
    assert now[2].startswith("0 Ana cuts the pack")


def test_A4_after_a_game_the_deal_goes_on():
    match = ranks(deal(table(LT_ACE, scores=(0, 11), best_of=3)), "A 7 A 7")
    assert told(match, "now")[1:3] == [
        "- A new game begins at 0. [LV-5]",
        "1 Bea deals this hand and shuffles the pack. [C-6]",
    ]


def test_TS_4_looks_at_the_game_that_the_hand_belongs_to():
    match = deal(table(TRUC, scores=(11, 11), best_of=3))
    match = ranks(match, "3 4 3 4")
    assert match.game_over
    assert "or taps it" in told(match, "now")[-1]
    assert not any("Both sides" in text for text in told(match, "next"))


def test_after_the_match():
    match = ranks(deal(table(LT_ACE, scores=(0, 11))), "A 7 A 7")
    assert match.winner == 1
    assert told(match, "done") == ["- The match is over: it goes to Bea."]
    assert told(match, "now") == [
        "- Gather all cards, and put back those that were taken out."
    ]  # fmt: skip


# --- what holds for every match ---


@given(
    st.sampled_from([
        *HEADERS,
        Header(game=TRUT, seats=NAMES, options={"redeal": True, "target": 1}),
        Header(game=LT_ACE, seats=NAMES, options={"eleven": True, "target": 3}),
        Header(game=TRUC, seats=NAMES[:2], options={"redeal": True, "target": 2}),
    ]),
    st.randoms(use_true_random=False),
    st.integers(min_value=1, max_value=60),
)  # fmt: skip
def test_every_step_of_every_match(header: Header, chance: Random, length: int) -> None:
    assistant = Assistant(header, "en")
    for match in moments(replay(header, playout(header, chance, length))):
        steps = assistant.steps(match)
        assert bool(steps) == (match.phase not in SILENT)
        if not steps:
            continue
        now = [step.seat for step in steps if step.state == "now"]
        assert now
        if match.turn is not None:
            assert match.turn in now
        elif match.phase is Phase.HAND_OVER:
            assert now[-1] == (match.cutter if match.rules.asks_cut else match.dealer)
        elif match.phase is Phase.ELEVEN:
            assert set(now) <= {None, *match.asked_seats()}
        for step in steps:
            assert step.text.text.strip()
            assert step.text.text[-1] == "."


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_of_the_game_comes_up(game):
    seen = set()
    for seats in GAMES[game].rules.players:
        for seed in range(8):
            match = table(game, seats, best_of=3, options={"target": 1 + seed % 2})
            events = playout(match.header, Random(seed), 120)
            seen |= {match.phase for match in moments(replay(match.header, events))}
    assert seen >= BEFORE_PLAY[game] | {Phase.HAND_OVER, Phase.PLAY}


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: f"{header.game}-{len(header.seats)}")
def test_what_was_done_stays_done_until_the_deal_is_void(header):
    """The steps of a deal are done only once, so nobody is told to do one again."""
    assistant = Assistant(header, "en")
    matches = moments(replay(header, playout(header, Random(3), 200, operator=0)))
    for before, after in pairwise(matches):
        done = {s.text for s in assistant.steps(before) if s.state == "done"}
        to_do = {s.text for s in assistant.steps(after) if s.state != "done"}
        if before.in_progress and after.in_progress:
            assert not done & to_do
