"""Which rule forbids which event, and the sentence of the refusal."""

import pytest

from scorekeeper.engine.match import apply, can, verify
from scorekeeper.errors import (
    CardAlreadyPlayed,
    CardNotInPack,
    NotYourTurn,
    RaiseNotAllowed,
    RuleError,
    WrongPhase,
)
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, TRUC, TRUT, deal, event, legal, say, table

FORTIAL = ((6, 2), (3, 1))
LT, LT4, TR, TR4, TS, TS4 = (LT_ACE, 2), (LT_ACE, 4), (TRUT, 2), (TRUT, 4), (TRUC, 2), (TRUC, 4)

REFUSED = [
    # game and seats, earlier events, the event, the rule that forbids it, the kind of error
    (LT, "", "1 deal 3", "C-6", NotYourTurn),
    (LT, "", "0 deal 2", "LT-2", RuleError),
    (LT, "", "1 play KS", "V-3", WrongPhase),
    (LT, "", "1 raise 2", "LT-11", WrongPhase),
    (LT, "0 deal 3", "0 deal 3", "LT-2", WrongPhase),
    (LT, "0 deal 3", "0 play KS", "C-10", NotYourTurn),
    (LT, "0 deal 3", "0 raise 2", "LT-11", NotYourTurn),
    (LT, "0 deal 3", "0 ask", "LT-5", WrongPhase),
    (LT, "0 deal 3", "0 grant", "LT-4", WrongPhase),
    (LT, "0 deal 3", "0 i_play", "LT-6", NotYourTurn),
    (LT, "0 deal 3", "1 raise 3", "LT-16", RaiseNotAllowed),
    (LT, "0 deal 3", "1 remainder", "LT-17", RaiseNotAllowed),
    (LT, "0 deal 3", "0 accept", "LT-14", WrongPhase),
    (LT, "0 deal 3", "1 play 6S", "C-9", CardNotInPack),
    (LT, "0 deal 3", "1 play 12O", "C-9", None),
    (LT, "0 deal 3, 1 play KS", "0 play KS", "V-2", CardAlreadyPlayed),
    (LT, "0 deal 3, 1 play KS", "0 play 12O", "C-9", CardNotInPack),
    (LT, "0 deal 3, 1 ask", "1 play KS", "LT-4", WrongPhase),
    (LT, "0 deal 3, 1 ask", "1 refuse", "LT-4", NotYourTurn),
    (LT, "0 deal 3, 1 ask, 0 refuse", "1 ask", "LT-5", WrongPhase),
    (LT, "0 deal 3, 1 i_play", "1 ask", "LT-4", WrongPhase),
    (LT, "0 deal 3, 1 raise 2", "1 play KS", "LT-14", WrongPhase),
    (LT, "0 deal 3, 1 raise 2", "0 raise 4", "LT-14", RaiseNotAllowed),
    (LT, "0 deal 3, 1 raise 2", "1 accept", "LT-14", NotYourTurn),
    (LT, "0 deal 3, 1 raise 2, 0 accept", "1 raise 4", "LT-12", RaiseNotAllowed),
    (LT, "0 deal 3, 1 raise 2, 0 reject", "1 play KS", "V-3", WrongPhase),
    (LT4, "0 deal 3", "2 ask", "LT-4", NotYourTurn),
    (LT4, "0 deal 3, 1 raise 2", "3 accept", "LT-14", NotYourTurn),
    (LT, "0 deal 3, 1 ask, 0 grant", "misdeal", "V-7", WrongPhase),
    (LT, "0 deal 3, 1 ask, 0 grant, 0 deal 3, misdeal", "misdeal", "V-7", WrongPhase),
    (TR, "", "0 trut", "TR-8", WrongPhase),
    (TR, "0 deal 3", "0 deal 3", "TR-2", WrongPhase),
    (TR, "0 deal 3", "0 see", "TR-10", WrongPhase),
    (TR, "0 deal 3", "1 pass", "TR-19", WrongPhase),
    (TR, "0 deal 3, 0 trut", "1 trut", "TR-9", WrongPhase),
    (TR, "0 deal 3, 0 trut", "0 see", "TR-10", NotYourTurn),
    (TR, "0 deal 3, 0 trut", "1 play 7S", "TR-11", WrongPhase),
    (TR, "0 deal 3, 0 trut, 1 see", "0 trut", "TR-9", RaiseNotAllowed),
    (TR4, "0 deal 3, 0 trut", "3 lie_down", "TR-10", NotYourTurn),
    (TS, "", "0 cut", "TS-3", NotYourTurn),
    (TS, "", "0 deal 3", "TS-3", WrongPhase),
    (TS, "1 cut", "1 tap", "TS-3", WrongPhase),
    (TS, "1 cut", "0 deal 1", "TS-3", RuleError),
    (TS, "1 tap", "0 deal 2", "TS-3", RuleError),
    (TS, "1 cut, 0 deal 3", "0 truc", "TS-10", NotYourTurn),
    (TS, "1 cut, 0 deal 3", "1 retruc", "TS-15", RaiseNotAllowed),
    (TS, "1 cut, 0 deal 3", "0 accept", "TS-12", WrongPhase),
    (TS, "1 cut, 0 deal 3", "0 decline", "TS-18", WrongPhase),
    (TS, "1 cut, 0 deal 3, 1 truc", "0 truc", "TS-10", WrongPhase),
    (TS, "1 cut, 0 deal 3, 1 truc", "0 retruc", "TS-16", RaiseNotAllowed),
    (TS, "1 cut, 0 deal 3, 1 truc", "1 accept", "TS-12", NotYourTurn),
    (TS, "1 cut, 0 deal 3, 1 truc", "0 play 3S", "TS-13", WrongPhase),
    (TS, "1 cut, 0 deal 3, 1 truc, 0 accept", "1 retruc", "TS-15", RaiseNotAllowed),
    (TS, "1 cut, 0 deal 3, 1 play 3S, 0 truc", "0 play 2S", "TS-13", NotYourTurn),
    (TS4, "1 cut, 0 deal 3, 3 play 3S, 2 play 2S", "3 truc", "TS-11", NotYourTurn),
    (TS4, "1 cut, 0 deal 3, 3 truc", "1 accept", "TS-12", NotYourTurn),
]


@pytest.mark.parametrize(
    ("where", "before", "text", "rule", "kind"),
    [pytest.param(*row, id=f"{row[3]}-{row[0][0]}-{row[2]}") for row in REFUSED if row[4]],
)
def test_refused(where, before, text, rule, kind):
    match = say(table(*where), before)
    assert not can(match, event(text))
    with pytest.raises(RuleError) as caught:
        apply(match, event(text))
    error = caught.value
    assert (error.rule, type(error), error.tried) == (rule, kind, event(text))
    assert [str(e.seat) for e in error.legal] == [said.split()[0] for said in legal(match)]
    assert error.sentence() == str(error).removeprefix(f"{rule}: ")


@pytest.mark.parametrize(
    ("game", "tokens", "scores", "text", "rule"),
    [
        pytest.param(TRUT, FORTIAL, None, "1 play 7S", "TR-19", id="play-at-fortial"),
        pytest.param(TRUT, FORTIAL, None, "1 trut", "TR-19", id="wrong-player-at-fortial"),
        pytest.param(TRUT, FORTIAL, None, "1 pass", "TR-19", id="wrong-player-passes"),
        pytest.param(TRUT, ((6, 2), (6, 2)), None, "1 trut", "TR-22", id="both-at-fortial"),
        pytest.param(TRUC, None, (11, 9), "1 play 3S", "TS-18", id="play-at-eleven"),
        pytest.param(TRUC, None, (11, 9), "1 truc", "TS-18", id="truc-at-eleven"),
        pytest.param(TRUC, None, (11, 9), "1 decline", "TS-18", id="other-side-at-eleven"),
        pytest.param(LT_ACE, None, (11, 11), "1 raise 2", "LT-16", id="no-raise-left"),
        pytest.param(LT_SEVEN, None, (11, 0), "1 remainder", "LT-17", id="ordinary-raise-left"),
    ],
)
def test_refused_at_a_score(game, tokens, scores, text, rule):
    with pytest.raises(RuleError) as caught:
        say(deal(table(game, tokens=tokens, scores=scores)), text)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("where", "before", "text", "sentence"),
    [
        (LT, "0 deal 3", "0 raise 2", "seat 0 cannot raise to 2 now: seat 1 is on turn"),
        (LT, "", "1 play KS", "seat 1 cannot play KS now: the cards are not dealt yet"),
        (LT4, "0 deal 3, 1 raise 2", "3 accept",
         "seat 3 cannot accept now: it is for seat 0 / 2"),
        (LT, "", "undo", "undo is not possible now: there is nothing to take back"),
        (TR, "0 deal 3, 0 trut", "1 play 7S",
         "seat 1 cannot play 7S now: a trut waits for its answer"),
    ],
)  # fmt: skip
def test_sentences(where, before, text, sentence):
    with pytest.raises(RuleError) as caught:
        verify(say(table(*where), before), event(text))
    assert caught.value.sentence() == sentence
