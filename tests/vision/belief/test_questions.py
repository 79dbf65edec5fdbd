"""Only one question of each kind is open at a time; the most useful kind comes first."""

import pytest

from vision.belief.proposals import Choice
from vision.belief.questions import Questions
from vision.belief.wording import QUESTIONS

CHOICES = (Choice("drop"), Choice("hold"))


def ask(questions: Questions, *wanted: str) -> tuple[list[str], list[str]]:
    """Wants questions (kind and key); returns which are newly asked, and which are withdrawn."""
    questions.begin(1.0)
    for each in wanted:
        kind, key = each.split()
        questions.want(kind, int(key), 0, CHOICES, int(key))
    questions.end()
    return tuple([f"{q.kind} {q.card}" for q in changed] for changed in questions.news())


def asked(questions: Questions) -> list[str]:
    return [f"{question.kind} {question.card}" for question in questions.open]


@pytest.mark.parametrize(
    ("wanted", "open_"),
    [
        (["too_many 1", "too_many 2", "too_many 3"], ["too_many 1"]),
        (["early 1", "card 2", "early 3"], ["card 2", "early 1"]),
        ([f"{kind} 1" for kind in reversed(QUESTIONS)], [f"{kind} 1" for kind in QUESTIONS]),
        ([], []),
    ],
)
def test_of_a_kind_the_first_is_asked_and_of_the_kinds_the_most_useful_first(wanted, open_):
    questions = Questions()
    assert sorted(ask(questions, *wanted)[0]) == sorted(open_)
    assert asked(questions) == open_
    assert len(questions.all) == len(wanted)


def test_the_next_of_its_kind_is_asked_when_one_is_answered_or_withdrawn():
    questions = Questions()
    wanted = ["early 1", "early 2", "early 3"]
    ask(questions, *wanted)
    assert ask(questions, *wanted) == ([], [])
    questions.take(questions.open[0].id, 0)
    assert ask(questions, *wanted[1:]) == (["early 2"], [])
    assert ask(questions, *wanted[2:]) == (["early 3"], ["early 2"])
    assert ask(questions) == ([], ["early 3"])


@pytest.mark.parametrize("choice", [-1, len(CHOICES)])
def test_an_answer_that_a_question_does_not_have_leaves_it_open(choice):
    questions = Questions()
    ask(questions, "card 1")
    (question,) = questions.open
    with pytest.raises(LookupError):
        questions.take(question.id, choice)
    assert questions.open == (question,)
    assert ask(questions, "card 1") == ([], [])
    assert questions.take(question.id, 1) == (question, CHOICES[1])
