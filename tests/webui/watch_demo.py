"""Watches the whole film of the demo with the models that ship: ``make bench-demo``.

It takes about two minutes, too long for ``make test``.
"""

from __future__ import annotations

from tests.demo_alone import watch_alone

PACE = 2 / 24
"""Seconds from one frame that is read to the next: the pace of a slow machine."""

SOON = 1.5
"""Within so many seconds of the film after a card has come to rest, its event must be written."""


def test_the_film_is_scored_without_an_error_and_asks_nothing() -> None:
    alone = watch_alone(PACE)
    assert (alone.wrong, alone.asked) == ([], [])
    assert max(alone.delays) < SOON
