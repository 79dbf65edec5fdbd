"""Watches takes of real evenings again: ``python -m datasets.takes watch FILE``.

``trucam play --take FILE`` writes them. Each hand is printed as the table wrote it that evening,
beside how a table with the code of now writes it. Moments at which the two likeliest stories of a
hand were about as likely are printed too (``datasets.benchmarks.replays``).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from datasets.benchmarks.replays import NEAR, Hand, Replay, watched
from scorekeeper.engine.events import Event
from scorekeeper.errors import ScorekeeperError
from vision.belief.courses import said


def watch(options: argparse.Namespace) -> None:
    """Watches a take, and prints each hand."""
    latest: Replay | None = None
    matches = hands = alike = 0
    for replay, hand in watched(options.file, near=options.near):
        if replay is not latest:
            matches, latest = matches + 1, replay
            print(f"match {matches}: {replay.header.title}, {len(replay.header.seats)} players")
        hands += 1
        alike += hand.alike
        print("\n".join(in_words(hand)))
        if options.trace:
            print("".join(f"    {line}\n" for line in replay.story), end="")
        replay.story.clear()
    print(f"{hands} hands, {alike} of them written now as they were then")


def in_words(hand: Hand) -> Iterator[str]:
    """Yields the lines that are printed for a hand."""
    right = ", put right by people then" if hand.put_right else ""
    yield f"hand {hand.number}, over at {hand.ended:.1f} s{right}: " + (
        "now as then" if hand.alike else "now otherwise"
    )
    if not hand.alike:
        yield f"    {'then':<20} now"
    for then, now in zip_longest(hand.then, hand.now):
        words = ["" if one is None else said_in_words(one) for one in (then, now)]
        if hand.alike:
            yield f"    {words[0]}"
        else:
            differs = then is None or now is None or said(then) != said(now)
            yield f"    {words[0]:<20} {words[1]:<20}{' <' if differs else ''}".rstrip()
    for each in hand.divided:
        yield f"  divided at {each.in_words()}"


def said_in_words(event: Event) -> str:
    """An event with its seat: ``1 play KS``."""
    return event.in_words() if event.seat is None else f"{event.seat} {event.in_words()}"


def main(arguments: list[str] | None = None) -> int:
    """Watch a take of a real evening again, as the code is now."""
    parser = argparse.ArgumentParser(prog="datasets.takes", description=main.__doc__)
    does = parser.add_subparsers(dest="do", required=True)
    watching = does.add_parser("watch", help="tell each hand as it was written, and is now")
    watching.add_argument("file", type=Path, help="what trucam play --take has written")
    watching.add_argument("--trace", action="store_true", help="tell all that happened")
    watching.add_argument(
        "--near", type=float, default=NEAR,
        help="tell two stories where one is no more than so many times as likely (%(default)g)",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    try:
        watch(options)
    except OSError as error:
        print(f"datasets.takes: {options.file}: {error.strerror or error}", file=sys.stderr)
        return 2
    except ScorekeeperError as error:
        print(f"datasets.takes: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
