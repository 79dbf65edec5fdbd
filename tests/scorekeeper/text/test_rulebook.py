"""The rulebook of unusual tables: short and long targets, two players, dependent options."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.reports.explain import explain
from scorekeeper.text.rulebook import Rulebook
from tests.scorekeeper.talk import LT_ACE, TRUC, TRUT, deal, table


def told(game: str, seats: int = 2, code: str = "en", **changes: Any) -> list[str]:
    book = Rulebook(Header(game=game, seats=("",) * seats, **changes), code)
    return [sentence.text for _, sentences in book.sections() for sentence in sentences]


TARGETS = [
    (1, "en", "The game is won at 1 Long.", "at 0 Longs, 2 Smalls,"),
    (2, "en", "The game is won at 2 Longs.", "at 1 Long, 2 Smalls,"),
    (2, "fr", "La partie est gagnée à 2 Longs.", "(1 Long, 2 Petits)"),
    (2, "es", "La partida se gana con 2 Largas.", "con 1 Larga, 2 Pequeñas,"),
    (2, "ca", "La partida es guanya amb 2 Llargues.", "amb 1 Llarga, 2 Petites,"),
]
"""The Longs to win, the language, what wins the game, and the score at fortial."""


@pytest.mark.parametrize(("target", "code", "won", "fortial"), TARGETS)
def test_TR17_TR18_one_long_is_one(target: int, code: str, won: str, fortial: str) -> None:
    sentences = told(TRUT, code=code, options={"target": target})
    assert won in sentences
    assert any(fortial in sentence for sentence in sentences)


def test_TR10_between_two_players_nobody_answers_one_by_one() -> None:
    assert "The other player sees the trut, or folds." in told(TRUT)
    assert not any("one by one" in sentence for sentence in told(TRUT))
    assert any("one by one" in sentence for sentence in told(TRUT, seats=4))


def test_a_long_ladder_is_cut_in_its_middle() -> None:
    ladder = "From 0–0, if everything is accepted: 1 2 4 6 8 10 12 14 … the remainder."
    assert ladder in told(LT_ACE, variants=("raise_by_two",), options={"target": 999})


@pytest.mark.parametrize("late", [False, True])
def test_an_option_that_changes_nothing_here_is_not_on_offer(late: bool) -> None:
    [line] = [sentence for sentence in told(LT_ACE, options={"late_call": late})
              if sentence.startswith("Answering with a raise: ")]  # fmt: skip
    assert ("for whoever is on turn" in line) == late


ELEVEN = [("es", "A falta de un punto: Ana."), ("ca", "A falta d’un punt: Ana.")]


@pytest.mark.parametrize(("code", "words"), ELEVEN)
def test_TS18_no_eleven_is_named_where_the_game_is_not_won_at_twelve(code: str, words: str) -> None:
    match = deal(table(TRUC, scores=(23, 8), options={"target": 24}))
    story = "\n".join(explain(match, code))
    assert words in story
    assert "once" not in story
