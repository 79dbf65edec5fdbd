"""``Channel`` wakes waiting screens at the next change, and only then."""

from __future__ import annotations

import threading

from webui.table.channel import Channel


def test_whoever_plays_or_looks_on_is_woken_by_a_change() -> None:
    channel, found = Channel(), []
    seen = channel.number
    threads = [
        threading.Thread(
            target=lambda plays: found.append(channel.wait(seen, 30, plays=plays)), args=[who % 2]
        )
        for who in range(6)
    ]
    for thread in threads:
        thread.start()
    channel.publish()
    for thread in threads:
        thread.join(10)
    assert found == [seen + 1] * 6


def test_a_screen_that_missed_changes_does_not_wait() -> None:
    channel = Channel()
    for _ in range(3):
        channel.publish()
    assert channel.wait(1, 30) == channel.number == 4
    assert channel.wait(-1, 30) == 4


def test_without_a_change_the_number_stays() -> None:
    channel = Channel()
    assert channel.wait(channel.number, 0.01) == 1


def test_each_run_has_a_name_of_its_own() -> None:
    assert len({Channel().run for _ in range(20)}) == 20
