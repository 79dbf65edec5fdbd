"""A few messages of ``tests.benchmarks.phone_rubbish``."""

from __future__ import annotations

from tests.benchmarks.phone_rubbish import main


def test_rubbish_is_answered_in_order_and_the_match_goes_on_by_hand() -> None:
    assert main(["--messages", "400"]) == 0
