"""Questions, answers and hints are put into words in each language."""

import json

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, replay
from scorekeeper.engine.said import GUESSED, SUIT
from scorekeeper.errors import RuleError
from scorekeeper.text.narrator import Narrator
from tests.scorekeeper.talk import event
from vision.belief.proposals import Choice, Question, refused
from vision.belief.wording import answer_in_words, hint_in_words, question_in_words
from vision.process.protocol import hint_from, hint_to, question_from, question_to

HEADER = Header(game="trut", seats=("Ana", "Bea"))


@pytest.mark.parametrize(
    ("code", "words"), [("en", "Ana cannot play K♠ now"), ("fr", "Ana ne peut pas jouer R♠")]
)
def test_a_refusal_comes_through_the_wire_and_is_told_in_a_language(code, words):
    with pytest.raises(RuleError) as caught:
        apply(replay(HEADER, [event("0 deal 3")]), event("0 play KS"))
    hint = hint_from(json.loads(json.dumps(hint_to(refused(caught.value, 0)))), HEADER)
    told = hint_in_words(hint, Narrator(HEADER, code)).text
    assert words in told
    assert ("it is Bea's turn" in told) == (code == "en")


@pytest.mark.parametrize(("remarks", "words"), [({}, "K♠"), ({SUIT: GUESSED}, "K")])
def test_v_12_an_answer_names_a_suit_only_where_it_was_read(remarks, words):
    choice = Choice("play", event("1 play KS")._replace(remarks=remarks))
    question = Question(1, "card", 1, (choice,), None, 0.0)
    assert answer_in_words(question, choice, Narrator(HEADER, "en")) == words


@pytest.mark.parametrize(
    ("word", "said", "words"),
    [
        ("instead", "1 play KS", "Bea played this one, not the one before"),
        ("play", "0 play KS", "Ana played it"),
    ],
)
def test_v_1_an_answer_says_who_laid_a_card_that_seems_early(word, said, words):
    choice = Choice(word, event(said))
    question = Question(1, "early", 1, (choice,), None, 0.0)
    assert answer_in_words(question, choice, Narrator(HEADER, "en")) == words


LAY_DOWN = Question(
    3,
    "cleared",
    None,
    (
        Choice("side", event("1 lie_down"), before=(event("0 trut"),), side=1),
        Choice("misdeal", event("misdeal")),
        Choice("void", event("void_hand")),
        Choice("no"),
    ),
    None,
    1.0,
)


def test_v_14_what_was_said_before_comes_through_the_wire_with_an_answer():
    assert question_from(json.loads(json.dumps(question_to(LAY_DOWN))), HEADER) == LAY_DOWN


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("side 1", "Bea"),
        ("misdeal", "Nobody: the same hand was dealt again"),
        ("void", "Nobody: the hand is void"),
        ("no", "Nobody: the hand goes on"),
    ],
)
def test_v_14_an_answer_names_who_lay_down_or_says_that_nobody_did(key, words):
    (choice,) = [each for each in LAY_DOWN.choices if each.key == key]
    assert answer_in_words(LAY_DOWN, choice, Narrator(HEADER, "en")) == words


DOUBTED = Question(
    4,
    "doubted",
    1,
    (
        Choice("revise", event("1 play JS"), 0.8),
        Choice("stay", event("1 play KS"), 0.2),
        Choice("no"),
    ),
    7,
    1.0,
    trick=2,
)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", ["Which card did Bea play to trick 2?", "J♠", "K♠", "None"]),
        (
            "fr",
            ["Quelle carte a été posée par Bea au pli 2\N{NO-BREAK SPACE}?", "V♠", "R♠", "Aucune"],
        ),
    ],
)
def test_v_13_a_doubt_names_the_trick_and_the_card_that_is_likelier_first(code, words):
    voice = Narrator(HEADER, code)
    question = question_from(json.loads(json.dumps(question_to(DOUBTED))), HEADER)
    assert question == DOUBTED
    answers = [answer_in_words(question, choice, voice) for choice in question.choices]
    assert [question_in_words(question, voice).text, *answers] == words
    assert [choice.key for choice in question.choices] == ["revise J", "stay K", "no"]
