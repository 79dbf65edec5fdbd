"""The questions that are open: asked once, and withdrawn as soon as nobody has to answer them."""

from __future__ import annotations

import math

from vision.proposals import Choice, Question

Key = tuple[str, int | None]


class Questions:
    """Keeps the questions from one look to the next.

    Between ``begin`` and ``end`` all questions are wanted that have to be answered now; what is
    not wanted any longer is withdrawn.
    """

    def __init__(self) -> None:
        self._open: dict[Key, Question] = {}
        self._wanted: dict[Key, Question] = {}
        self._next = 1
        self._at = math.nan

    @property
    def open(self) -> tuple[Question, ...]:
        """The questions that wait for an answer."""
        return tuple(self._open.values())

    def begin(self, at: float) -> None:
        """A look at the table begins."""
        self._at = at
        self._wanted = {}

    def want(
        self, kind: str, key: int | None, seat: int | None, choices: tuple[Choice, ...], why: str,
        card: int | None,
    ) -> None:  # fmt: skip
        """Asks something; a question of the same kind and key stays, with its number."""
        asked = self._open.get((kind, key))
        number = self._next if asked is None else asked.id
        if asked is None:
            self._next += 1
        at = self._at if asked is None else asked.at
        self._wanted[kind, key] = Question(number, kind, seat, choices, why, card, at)

    def end(self) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
        """The look is over.

        Returns:
            The questions that are new, and those that were withdrawn.
        """
        asked = tuple(q for key, q in self._wanted.items() if key not in self._open)
        withdrawn = tuple(q for key, q in self._open.items() if key not in self._wanted)
        self._open = self._wanted
        return asked, withdrawn

    def take(self, number: int) -> Question:
        """Closes a question that is being answered.

        Raises:
            LookupError: it is not open any more.
        """
        for key, question in self._open.items():
            if question.id == number:
                del self._open[key]
                return question
        raise LookupError("this question was withdrawn")
