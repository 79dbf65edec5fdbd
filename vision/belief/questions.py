"""The open questions: each is asked once, and withdrawn when it needs no answer any more."""

from __future__ import annotations

import math
from itertools import count

from vision.belief.proposals import Choice, Question
from vision.belief.wording import QUESTIONS

Key = tuple[str, int | None]
"""Kind of a question, and what it is about: the number of a card, a seat, a play or a hand."""


class Questions:
    """Keeps the questions from one look to the next.

    Between ``begin`` and ``end`` the belief calls ``want`` for all questions that need an answer
    now; ``end`` withdraws all others. Of each kind one is asked at a time. The others wait, for the
    answer to the first one often settles them, too.
    """

    def __init__(self) -> None:
        self._open: dict[Key, Question] = {}
        self._wanted: dict[Key, Question] = {}
        self._asked: tuple[Question, ...] = ()
        self._numbers = count(1)
        self._at = math.nan

    @property
    def open(self) -> tuple[Question, ...]:
        """The questions that are asked: one of each kind, in the order of ``QUESTIONS``."""
        first: dict[str, Question] = {}
        for question in sorted(self._open.values(), key=lambda question: question.id):
            first.setdefault(question.kind, question)
        return tuple(first[kind] for kind in QUESTIONS if kind in first)

    @property
    def all(self) -> tuple[Question, ...]:
        """The questions that are asked, and those that wait for another one of their kind."""
        return tuple(self._open.values())

    def begin(self, at: float) -> None:
        """A look at the table begins."""
        self._at = at
        self._wanted = {}

    def want(
        self, kind: str, key: int | None, seat: int | None, choices: tuple[Choice, ...],
        card: int | None, trick: int | None = None,
    ) -> None:  # fmt: skip
        """Asks something. If a question of this kind and key is open, it keeps its number.

        Args:
            kind: see ``Question``.
            key: what tells it from others of its kind, see ``Key``.
            seat: see ``Question``.
            choices: the answers, the likeliest first.
            card: number of the card that it is about, or None.
            trick: see ``Question``.
        """
        asked = self._open.get((kind, key))
        number, at = (next(self._numbers), self._at) if asked is None else (asked.id, asked.at)
        self._wanted[kind, key] = Question(number, kind, seat, choices, card, at, trick)

    def end(self) -> None:
        """The look is over: what was not wanted is withdrawn."""
        self._open = self._wanted

    def news(self) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
        """The questions that are asked since the last call, and those that were withdrawn."""
        before, self._asked = self._asked, self.open
        asked = tuple(one for one in self._asked if all(one.id != each.id for each in before))
        gone = tuple(one for one in before if all(one.id != each.id for each in self._asked))
        return asked, gone

    def take(self, number: int, choice: int) -> tuple[Question, Choice]:
        """Closes a question that is being answered.

        Args:
            number: of the question.
            choice: place of the answer among its choices.

        Returns:
            The question and the answer.

        Raises:
            LookupError: it is not open (any more), or has no such answer; then it stays open.
        """
        for key, question in self._open.items():
            if question.id == number:
                if not 0 <= choice < len(question.choices):
                    raise LookupError("this question has no such answer")
                del self._open[key]
                self._asked = tuple(each for each in self._asked if each.id != number)
                return question, question.choices[choice]
        raise LookupError("this question was withdrawn")
