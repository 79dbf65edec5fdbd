"""Who wins a trick, who leads next, and who wins the hand."""

from itertools import pairwise, product

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.state import End
from scorekeeper.games.cards import Card
from scorekeeper.games.rules import GAMES
from scorekeeper.games.tricks import VOID, Play, complete_trick, hand_result
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, PUT, TRUC, TRUT, deal, ranks, say, table

# From section 2 of the rules: the three tricks, and then the result in each game. D is the dealer's
# side, N the other side, S a spoiled trick; the digit is the trick that ends the hand.
TWENTY_SEVEN = """
D D D  D2 D2 D2 D2  D2 D2  D2
D D N  D2 D2 D2 D2  D2 D2  D2
D D S  D2 D2 D2 D2  D2 D2  D2
D N D  D3 D3 D3 D3  D3 D3  D3
D N N  N3 N3 N3 N3  N3 N3  N3
D N S  D3 D3 D3 N3  D3 D3  V3
D S D  D2 D2 D2 D3  D3 D2  D3
D S N  D2 D2 D2 N3  N3 D2  V3
D S S  D2 D2 D2 D3  D3 D2  D3
N D D  D3 D3 D3 D3  D3 D3  D3
N D N  N3 N3 N3 N3  N3 N3  N3
N D S  N3 N3 N3 N3  N3 N3  V3
N N D  N2 N2 N2 N2  N2 N2  N2
N N N  N2 N2 N2 N2  N2 N2  N2
N N S  N2 N2 N2 N2  N2 N2  N2
N S D  N2 N2 N2 N2  D3 N2  V3
N S N  N2 N2 N2 N2  N3 N2  N3
N S S  N2 N2 N2 N2  N3 N2  N3
S D D  D2 D2 D2 D3  D2 D2  D3
S D N  D2 D2 D2 N3  D2 D2  V3
S D S  D2 D2 D2 D3  D2 D2  D3
S N D  N2 N2 N2 N2  N2 N2  V3
S N N  N2 N2 N2 N2  N2 N2  N3
S N S  N2 N2 N2 N2  N2 N2  N3
S S D  D3 D3 D3 D3  D3 D3  D3
S S N  N3 N3 N3 N3  N3 N3  N3
S S S  V3 V3 V3 N3  V3 N3  V3
""".strip()
COLUMNS = (
    (LT_ACE, "claim"),
    (LT_SEVEN, "claim"),
    (TRUT, "claim"),
    (TRUC, "majority"),
    (LT_ACE, "next_winner"),
    (TRUC, "first_trick"),
    (PUT, "trick_and_tie"),
)
ROWS = [
    pytest.param(game, rule, line.split()[:3], line.split()[3 + column], id=f"{rule}-{line[:5]}")
    for column, (game, rule) in enumerate(COLUMNS)
    for line in TWENTY_SEVEN.splitlines()
]


@pytest.mark.parametrize(("game", "rule", "tricks", "expected"), ROWS)
@pytest.mark.parametrize("dealer_side", [0, 1])
def test_27_outcomes(game, rule, tricks, expected, dealer_side):
    names = {"D": dealer_side, "N": 1 - dealer_side, "S": None, "V": VOID}
    winners = [names[trick] for trick in tricks]
    results = [
        hand_result(rule, winners[:played], total=3, dealer_side=dealer_side)
        for played in range(1, 4)
    ]
    winner, ends_after = names[expected[0]], int(expected[1])
    assert results[: ends_after - 1] == [None] * (ends_after - 1)
    assert results[ends_after - 1] == winner


@pytest.mark.parametrize(("game", "rule", "tricks", "expected"), ROWS)
def test_27_outcomes_at_the_table(game, rule, tricks, expected):
    order = GAMES[game].rules.order
    match = deal(
        table(game, options={} if GAMES[game].rules.hand_rule == rule else {"hand_rule": rule})
    )
    pairs = ((order[1], order[0]), (order[3], order[2]), (order[5], order[4]))
    for trick, (low, high) in zip(tricks[: int(expected[1])], pairs, strict=False):
        dealers, others = {"D": (high, low), "N": (low, high), "S": (high, high)}[trick]
        first, second = (dealers, others) if match.turn == 0 else (others, dealers)
        assert match.in_progress
        match = ranks(match, f"{first} {second}")
    assert not match.in_progress
    assert len(match.hand.tricks) == int(expected[1])
    assert match.hand.winner == {"D": 0, "N": 1, "V": None}[expected[0]]
    assert match.hand.end is (End.VOID if expected[0] == "V" else End.DECIDED)


@pytest.mark.parametrize(
    ("rule", "D", "N", "S"),
    [("claim", 0, 1, VOID), ("majority", 0, 1, 1), ("next_winner", 0, 1, VOID),
     ("first_trick", 0, 1, 1)],
)  # fmt: skip
def test_C14_one_card_deal(rule, D, N, S):
    results = [hand_result(rule, [winner], total=1, dealer_side=0) for winner in (0, 1, None)]
    assert results == [D, N, S]


@pytest.mark.parametrize(("rule", "ways"), [("claim", 15), ("majority", 19)])
def test_C13_ways_that_a_hand_can_run(rule, ways):
    def ends(winners):
        decided = [
            n
            for n in (1, 2, 3)
            if hand_result(rule, winners[:n], total=3, dealer_side=0) is not None
        ]
        return winners[: decided[0]]

    assert len({ends(winners) for winners in product((0, 1, None), repeat=3)}) == ways


ACE = GAMES[LT_ACE].rules.order


@pytest.mark.parametrize(
    ("cards", "options", "winner", "next_leader"),
    [
        pytest.param("A K Q J", {}, 1, 1, id="C-11-one-player"),
        pytest.param("K Q A J", {}, 1, 3, id="C-11-partner-of-the-leader"),
        pytest.param("A K A J", {}, 1, 1, id="C-12-partners-tie-first-leads"),
        pytest.param("K A Q A", {}, 0, 2, id="C-12-partners-tie-not-the-leader"),
        pytest.param("A K A J", {"partner_tie": "spoiled"}, None, 1, id="A2-partner-tie-spoils"),
        pytest.param("K A A Q", {}, None, 1, id="1.5-leader"),
        pytest.param("A A K A", {}, None, 1, id="A3-three-tie"),
        pytest.param("A A A A", {}, None, 1, id="A3-four-tie"),
        pytest.param("K A A Q", {"lead_after_spoiled": "last_player"}, None, 0, id="1.5-last"),
        pytest.param("K A A Q", {"lead_after_spoiled": "spoiler"}, None, 3, id="1.5-spoiler"),
        pytest.param("K A A Q", {"lead_after_spoiled": "first_tied"}, None, 2, id="1.5-first-tied"),
    ],
)
def test_C11_C12_trick_of_four(cards, options, winner, next_leader):
    rules = Header(game=LT_ACE, seats=("a", "b", "c", "d"), options=options).rules
    plays = tuple(
        Play(seat, Card(rank, suit))
        for seat, rank, suit in zip((1, 2, 3, 0), cards.split(), "SHDC", strict=True)
    )
    trick = complete_trick(rules, 1, plays)
    assert (trick.winner, trick.next_leader) == (winner, next_leader)


@pytest.mark.parametrize(
    ("game", "order"),
    [(LT_ACE, "A K Q J 10 9 8 7"), (LT_SEVEN, "7 6 A K Q J 10 9"), (TRUT, "7 8 A K Q J 10 9"),
     (TRUC, "3 2 A K Q J 7 6 5 4")],
)  # fmt: skip
def test_C8_order_of_the_pack(game, order):
    better = order.split()
    for high, low in pairwise(better):
        assert ranks(deal(table(game)), f"{low} {high}").hand.tricks[0].winner == 0
        assert ranks(deal(table(game)), f"{high} {low}").hand.tricks[0].winner == 1


def test_LV1_lucky_seven_beats_everything():
    match = deal(table(LT_ACE, variants=("lucky_seven",)))
    assert ranks(match, "A 7").hand.tricks[0].winner == 0


def test_C9_alias_an_eight_stands_for_a_six():
    match = deal(table(LT_SEVEN, options={"alias": {"8": "6"}}))
    match = say(match, "1 play AS, 0 play 8H")
    assert match.hand.tricks[0].winner == 0
    assert str(match.hand.tricks[0].plays[1].card) == "8H"


@pytest.mark.parametrize(("game", "order_of_seats"), [(TRUT, [1, 2, 3, 0]), (TRUC, [3, 2, 1, 0])])
def test_C2_direction_of_play(game, order_of_seats):
    match = deal(table(game, 4))
    seats = []
    for rank in ("Q", "J", "K", "A"):
        seats.append(match.turn)
        match = ranks(match, rank)
    assert seats == order_of_seats
