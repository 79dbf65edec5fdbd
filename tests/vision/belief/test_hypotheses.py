"""The explainer finds the likeliest explanation of all that was seen and said in a hand."""

import math

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, legal_events, start
from vision.belief.associations import PlayAssociations
from vision.belief.explainer import Explainer
from vision.belief.findings import End, end_of
from vision.belief.hypotheses import HandObject, Hypothesis, Word
from vision.belief.likelihoods import USUAL, BeliefTerm, Side, reading, side_of
from vision.belief.written_hand import WrittenHand
from vision.packs import BACK

SEATS = ("Ana", "Bea", "Cleo", "Dan")


def dealt(game="trut", seats=4):
    """A match whose first hand was dealt; seat 1 leads."""
    match = start(Header(game=game, seats=SEATS[:seats], best_of=3))
    while not any(event.do == "play" for event in legal_events(match)):
        match = apply(match, next(e for e in legal_events(match) if e.do in ("cut", "deal")))
    return match


def laid(number, seat, came, seen=60.0, *, seats=4, sure=True, **names):
    """An object that lies before a seat; ``names`` are its readings by name, in nats."""
    sides = tuple(Side.OWN if each == seat else Side.OTHER for each in range(seats))
    evidence = {name.lstrip("_"): value for name, value in names.items()}
    return HandObject(number, evidence, sure, came, seen, sides)


def plays(objects, words=(), match=None):
    """The plays of the likeliest hypothesis, as text."""
    best = Explainer(match or dealt(), objects).explain(words)[0]
    return [f"{each.seat} {'?' if each.object is None else each.card}" for each in best.plays]


TRICK = [laid(1, 1, 1.0, _8H=20), laid(2, 2, 2.0, KD=20), laid(3, 3, 3.0, _9S=20),
         laid(4, 0, 4.0, QC=20)]  # fmt: skip

PART = laid(2, 2, 1.5, KD=20, sure=False)._replace(beside={1: True})
"""An object that may be a part of the first card of the trick."""


@pytest.mark.parametrize(
    ("objects", "wanted"),
    [
        pytest.param(TRICK, ["1 8H", "2 KD", "3 9S", "0 QC"], id="a trick in turn"),
        pytest.param(
            [TRICK[0], TRICK[1], TRICK[3]._replace(came=2.5), TRICK[2]],
            ["1 8H", "2 KD", "3 9S", "0 QC"],
            id="V-1 a card that came early waits until its seat is due",
        ),
        pytest.param(
            [*TRICK, laid(5, 2, 4.5, sure=False, _7D=1.0)],
            ["1 8H", "2 KD", "3 9S", "0 QC"],
            id="what is hardly read is rather nothing than a card before its turn",
        ),
        pytest.param(
            [*TRICK[:2], laid(5, 2, 2.6, _4S=20), *TRICK[2:]],
            ["1 8H", "2 KD", "3 9S", "0 QC"],
            id="C-9 a card of another pack is no play",
        ),
        pytest.param(
            [*TRICK[:2], laid(5, 2, 2.6, **{BACK: 20.0}), *TRICK[2:]],
            ["1 8H", "2 KD", "3 9S", "0 QC"],
            id="a back is no play",
        ),
        pytest.param(
            [TRICK[0]._replace(seen=2.4), TRICK[1], laid(5, 1, 2.6, _8H=18), *TRICK[2:]],
            ["1 8H", "2 KD", "3 9S", "0 QC"],
            id="V-2 a card that was pushed is no second play",
        ),
        pytest.param(
            [TRICK[0]._replace(gone=1.8, seen=1.7), PART],
            ["1 8H"],
            id="V-2 a part of a card is none, also when that card has gone",
        ),
        pytest.param(
            [TRICK[0], PART._replace(sure=True, seen=3.0)],
            ["1 8H", "2 KD"],
            id="V-2 what was seen well, and is covered then, is no part of the card below it",
        ),
        pytest.param(
            [TRICK[0]._replace(gone=1.2, seen=1.1), PART],
            ["1 8H", "2 KD"],
            id="V-2 what comes where a card lay that has gone is no part of it",
        ),
        pytest.param(
            [TRICK[0], TRICK[1]._replace(evidence={"KD": 9.0, "QD": 8.5}), TRICK[2],
             TRICK[3]._replace(evidence={"KD": 20.0})],
            ["1 8H", "2 QD", "3 9S", "0 KD"],
            id="V-2 the pack has each card once, and a later card says what an earlier one is",
        ),
        pytest.param(
            [TRICK[0], TRICK[1], TRICK[3], laid(5, 1, 8.0, JS=20), laid(6, 2, 9.0, AS=20)],
            ["1 8H", "2 KD", "3 ?", "0 QC", "1 JS", "2 AS"],
            id="V-13 a card that nobody saw is missing in a trick of which the rest was seen",
        ),
        pytest.param(
            [*TRICK[:2], laid(5, 3, 4.0, _9S=20), laid(6, 3, 4.4, JS=20), laid(7, 0, 4.6, QC=20),
             laid(8, 0, 5.0, AS=20)],
            ["1 8H", "2 KD"],
            id="V-14 cards that each seat shows at once are no plays",
        ),
        pytest.param(
            [*TRICK[:2], laid(5, 2, 2.4, _9S=20), TRICK[2], TRICK[3]],
            ["1 8H", "2 KD", "3 9S", "0 QC"],
            id="one card too many ends no hand",
        ),
    ],
)  # fmt: skip
def test_a_hand_is_explained_as_a_whole(objects, wanted):
    assert plays(objects) == wanted


@pytest.mark.parametrize(("first", "second"), [("QC", "KC"), ("KC", "QC")])
def test_v_1_a_seat_that_laid_a_card_early_plays_it_before_its_next_one(first: str, second: str):
    """Either of the two wins the trick."""
    trick = [laid(1, 1, 1.0, _10H=20), laid(2, 2, 2.0, JD=20), laid(4, 3, 3.0, _9S=20)]
    own = [laid(3, 0, 2.5, **{first: 20}), laid(5, 0, 4.0, **{second: 20})]
    explained = Explainer(dealt(), [*trick, *own])
    likeliest = explained.explain(())[0]
    assert [each.card for each in likeliest.plays] == ["10H", "JD", "9S", first, second]
    course = [(play.seat, play.card[:-1], play.object or 0) for play in likeliest.plays]
    other = [*course[:3], *reversed(course[3:])]
    assert explained.lower_bound(other, math.inf) < likeliest.log_likelihood - 3


def test_v_12_a_suit_that_was_guessed_is_not_what_a_card_looks_like():
    """Two cards look like KD, so the suit of one is guessed. That must not count against a KS."""
    kings = [TRICK[0], TRICK[1], laid(3, 3, 3.0, KD=20), laid(4, 0, 4.0, KS=20)]
    best = Explainer(dealt(), kings).explain(())[0]
    assert [play.card[:-1] for play in best.plays] == ["8", "K", "K", "K"]
    assert [term.kind for term in best.terms].count("another_suit") == 1


@pytest.mark.parametrize("winner", [1, 2])
def test_who_leads_next_tells_which_card_won_the_trick_before(winner):
    """V-12: the first card is read as a queen with 88 %. Who leads next may show otherwise."""
    first = [laid(1, 1, 1.0, QH=12, _7H=10), laid(2, 2, 2.0, KS=20), laid(3, 3, 3.0, _9S=20),
             laid(4, 0, 4.0, _9C=20)]  # fmt: skip
    order = [(winner + step) % 4 for step in range(4)]
    names = ("AS", "KC", "JD", "_8C")
    following = [
        laid(10 + place, seat, 8.0 + place, **{name: 20})
        for place, (seat, name) in enumerate(zip(order, names, strict=True))
    ]
    assert plays(first)[0] == "1 QH"
    told = plays([*first, *following])
    assert [text[0] for text in told[4:]] == [str(seat) for seat in order]
    assert told[0] == {1: "1 7H", 2: "1 QH"}[winner]


def test_a_card_waits_while_an_answer_is_pending():
    """V-4: the truc is answered before the next card counts."""
    match = dealt("truc_spain", 2)
    leader = next(event.seat for event in legal_events(match) if event.do == "play")
    other = 1 - leader
    words = [Word(2.0, Event("truc", leader)), Word(9.0, Event("accept", other))]
    objects = [
        laid(1, leader, 3.0, seats=2, AS=20), laid(2, other, 4.0, seats=2, _3D=20),
    ]  # fmt: skip
    best = Explainer(match, objects).explain(words)[0]
    assert [(play.seat, play.card) for play in best.plays] == [(leader, "AS"), (other, "3D")]
    assert not best.words


def test_a_card_that_comes_after_the_end_is_shown_and_no_play():
    match = dealt("truc_spain", 2)
    leader = next(event.seat for event in legal_events(match) if event.do == "play")
    words = [Word(2.0, Event("truc", leader)), Word(3.0, Event("reject", 1 - leader))]
    best = Explainer(match, [laid(1, leader, 6.0, seats=2, AS=20)]).explain(words)[0]
    assert not best.plays
    assert not best.match.in_progress


def test_cards_that_are_shown_follow_one_another_at_once():
    match = dealt("truc_spain", 2)
    leader = next(event.seat for event in legal_events(match) if event.do == "play")
    words = [Word(2.0, Event("truc", leader)), Word(3.0, Event("reject", 1 - leader))]
    nats = {}
    for second in (7.0, 7.9, 8.1):
        cards = [laid(1, leader, 6.0, seats=2, AS=20), laid(2, leader, second, seats=2, KS=20)]
        nats[second] = Explainer(match, cards).explain(words)[0].log_likelihood
    assert nats[7.0] == nats[7.9]
    assert nats[8.1] == pytest.approx(nats[7.9] + USUAL.late)


def test_the_likeliest_comes_first_and_all_explain_the_same_words():
    found = Explainer(dealt(), TRICK).explain([])
    assert len(found) > 1
    likely = [each.log_likelihood for each in found]
    assert likely == sorted(likely, reverse=True)
    assert max(likely) <= 0


PACK = frozenset(("KD", "QD", "JD", "AS"))


@pytest.mark.parametrize("evidence", [{}, {"KD": 3.0}, {"KD": 40.0}, {"KD": 40.0, "QD": 39.0}])
def test_no_reading_is_surer_than_readings_are_right(evidence):
    read = reading(evidence, PACK, USUAL)
    least = math.log(USUAL.misread / len(PACK))
    assert all(least - 1e-9 <= nats <= 0 for nats in read.names.values())


def test_more_evidence_for_a_card_makes_it_likelier_and_others_less():
    few, many = (reading({"KD": value}, PACK, USUAL) for value in (1.0, 5.0))
    assert few.names["KD"] < many.names["KD"]
    assert few.names["QD"] == many.names["QD"]


@pytest.mark.parametrize(
    ("seen", "as_one_sees_it"),
    [
        ({"thrower": 1, "before": 0}, Side.THROWN),
        ({"thrower": 0, "before": 1}, Side.THROWN_BY_ANOTHER),
        ({"before": 1}, Side.OWN),
        ({"before": 0}, Side.OTHER),
        ({"reachers": {1}}, Side.REACHED),
        ({"reachers": {0}}, Side.REACHED_BY_ANOTHER),
        ({"reachers": {0, 2}}, Side.REACHED_BY_ANOTHER),
        ({"reachers": {0, 1}}, Side.MIDDLE),
        ({"reachers": {0}, "before": 1}, Side.REACHED_BY_ANOTHER),
        ({"reachers": {1}, "before": 1}, Side.OWN),
        ({"reachers": {1}, "before": 0}, Side.REACHED),
        ({"reachers": {0, 1}, "before": 0}, Side.MIDDLE),
        ({}, Side.MIDDLE),
    ],
)
def test_where_a_card_lies_as_a_seat_sees_it(seen, as_one_sees_it):
    known = {"thrower": None, "before": None, "reachers": (), **seen}
    assert side_of(1, **known) == as_one_sees_it


@pytest.mark.parametrize(
    ("seat", "played", "as_one_sees_it"),
    [(1, [7], Side.OWN), (0, [7], Side.ONTO), (0, [8, None], Side.OTHER), (0, [], Side.OTHER)],
)
def test_a_card_was_thrown_onto_what_was_played_before_it(seat, played, as_one_sees_it):
    card = laid(1, 1, 1.0, KS=20)._replace(upon=frozenset({7}))
    assert card.side(seat, played) == as_one_sees_it


def test_v_14_cards_that_are_shown_have_lain_there_since_the_last_of_them_came():
    shown = [laid(1, 1, 1.0, KS=20), laid(2, 1, 4.5, QS=20)]
    terms = tuple(BeliefTerm("shown", each.id) for each in shown)
    ended = Hypothesis(dealt(), terms=terms, ended=True)
    end = end_of([ended], shown, WrittenHand(PlayAssociations()))
    assert end == End((), 0, 1, 4.5)


def test_what_the_cards_themselves_say_is_a_bound_of_what_is_found():
    winner = Explainer(dealt(), TRICK).explain([])[0].match.turn
    objects = [*TRICK, laid(5, 2, 4.5, **{BACK: 20.0}), laid(6, winner, 6.0, AS=20)]
    explainer = Explainer(dealt(), objects)
    best = explainer.explain([])[0]
    written = [(1, "8", 1), (2, "K", 2), (3, "9", 3), (0, "Q", 4), (winner, "A", 6)]
    least = explainer.lower_bound(written, math.inf)
    assert least <= best.log_likelihood <= explainer.upper_bound
    assert best.log_likelihood - least < 1e-9
    assert explainer.lower_bound(written[1:], math.inf) < least
    assert explainer.lower_bound([(1, "8", 9)], math.inf) == -math.inf


def test_a_card_that_is_shown_after_the_end_is_no_surprise():
    explainer = Explainer(dealt(), [laid(2, 1, 9.0, KD=20)])
    assert explainer.lower_bound([], over=5.0) == USUAL.shown
    assert explainer.lower_bound([], over=math.inf) < USUAL.shown - 3


def test_a_card_that_is_shown_long_after_another_one_is_one():
    both = Explainer(dealt(), [laid(2, 1, 9.0, KD=20), laid(3, 1, 12.0, QD=20)])
    assert both.lower_bound([], over=5.0) == 2 * USUAL.shown + USUAL.late


def test_v_13_of_a_card_that_nobody_saw_people_are_believed():
    """Nobody saw the last two cards of a trick; seat 0 won it with 7, and leads QC."""
    certain = [(1, "8"), (2, "9"), (3, "9"), (0, "7")]
    objects = [TRICK[0], laid(2, 2, 2.0, _9S=20), laid(3, 0, 6.0, QC=20), laid(4, 1, 7.0, KD=20)]
    told, guessed = (
        Explainer(dealt(), objects, certain, unseen=unseen).explain(())[0]
        for unseen in ((2, 3), ())
    )
    assert [each.object for each in told.plays] == [1, 2, None, None, 3, 4]
    assert told.log_likelihood - guessed.log_likelihood > 5
