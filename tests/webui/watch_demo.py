"""The demo's film, watched from end to end with the models that ship: ``make bench-demo``.

It takes two minutes of a core, too long for ``make test``.
"""

from __future__ import annotations

from tests.demo_alone import watch_alone

PACE = 2 / 24
"""Seconds between two frames that are watched: as slow machines can."""

SOON = 1.5
"""Seconds of the film within which a card that has come to rest is known."""


def test_the_film_is_scored_without_an_error_and_asks_nothing() -> None:
    alone = watch_alone(PACE)
    assert (alone.wrong, alone.asked) == ([], [])
    assert max(alone.delays) < SOON
