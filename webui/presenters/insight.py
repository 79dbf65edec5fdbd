"""What the table believes of a hand, as a page draws it: from above, in words, and as stories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorekeeper.engine.state import Match
from scorekeeper.games.cards import Card, parse_card
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Voice
from vision.packs import BACK
from vision.process.insight import Insight, Point, SeenObject, Story

MEANINGS: Mapping[str, str] = {
    "left": N_("laid before its turn"),
    "none": N_("no card of this hand"),
    "shown": N_("shown after the hand"),
    "again": N_("a card that was laid before, and moved"),
    "twice": N_("a card that is seen twice"),
    "taken_back": N_("a card that was laid before, and moved"),
    "part": N_("a card that is seen twice"),
}
"""What an object is that is no play, by the kind of its ``BeliefTerm``."""

UNEXPLAINED = N_("left out")

EDGE = 6.0
"""Centimetres around the table, for the names."""


class Face(NamedTuple):
    """A card as it is drawn.

    Attributes:
        rank: as the deck prints it.
        suit: one letter; empty where there is none.
    """

    rank: str
    suit: str = ""


class Row(NamedTuple):
    """An object in words.

    Attributes:
        number: that stands on it in the drawing.
        points: of its outline, as SVG wants them.
        middle: of it.
        readings: what it looks like, and how surely, in percent.
        words: what it is, by the likeliest story.
        kind: ``play``, or the kind of its meaning.
        here: whether it lies there now.
    """

    number: int
    points: str
    middle: Point
    readings: Sequence[tuple[Face, str]]
    words: str
    kind: str
    here: bool


class Told(NamedTuple):
    """A story.

    Attributes:
        chance: in percent.
        plays: who laid which card, the number of its object or None, and whether the likeliest
            story says otherwise.
        ended: whether the hand is over, and nobody has said how.
    """

    chance: str
    plays: Sequence[tuple[str, Face, int | None, bool]]
    ended: bool


class Shown(NamedTuple):
    """What the page draws.

    Attributes:
        box: the drawing's viewBox.
        edge: points of the table's edge.
        names: of the players, and where they stand.
        objects: in the order in which they came.
        stories: the likeliest first.
    """

    box: str
    edge: str
    names: Sequence[tuple[str, Point]]
    objects: Sequence[Row]
    stories: Sequence[Told]


def shown(insight: Insight, match: Match, voice: Voice) -> Shown:
    """What the page draws.

    Args:
        insight: what the table believes.
        match: the match.
        voice: its names, in the language of the page.
    """
    half_x = max(abs(x) for x, _ in insight.outline)
    half_y = max(abs(y) for _, y in insight.outline)
    four = [(0.0, half_y), (-half_x, 0.0), (0.0, -half_y), (half_x, 0.0)]
    places = four if match.seats == len(four) else four[::2]
    numbers = {each.id: number for number, each in enumerate(insight.objects, 1)}
    width, height = half_x + EDGE, half_y + EDGE
    best = insight.stories[0] if insight.stories else None
    return Shown(
        f"{-width:.0f} {-height:.0f} {2 * width:.0f} {2 * height:.0f}",
        _points(insight.outline),
        [(voice.name(seat), place) for seat, place in enumerate(places)],
        [_row(each, numbers[each.id], best, voice) for each in insight.objects],
        [_told(story, best, numbers, voice) for story in insight.stories],
    )


def _row(each: SeenObject, number: int, best: Story | None, voice: Voice) -> Row:
    plays = () if best is None else best.plays
    place = next((n for n, play in enumerate(plays) if play.object == each.id), None)
    if place is None:
        kind, words = each.meaning, voice.say(MEANINGS.get(each.meaning, UNEXPLAINED)).text
    else:
        kind, seat = "play", plays[place].seat
        trick = 1 + sum(play.seat == seat for play in plays[:place])
        words = voice.say(N_("{who} played it to trick {n}"), who=voice.name(seat), n=trick).text
    xs, ys = zip(*each.corners, strict=True)
    middle = round(sum(xs) / len(xs), 1), round(sum(ys) / len(ys), 1)
    readings = [(_face(name, voice), _percent(chance, voice)) for name, chance in each.readings]
    return Row(number, _points(each.corners), middle, readings, words, kind, each.here)


def _told(story: Story, best: Story | None, numbers: Mapping[int, int], voice: Voice) -> Told:
    plays = []
    for place, (seat, card, number) in enumerate(story.plays):
        same = best is not None and best.plays[place : place + 1] == [story.plays[place]]
        own = None if number is None else numbers.get(number)
        plays.append((voice.name(seat), _face(card, voice), own, not same))
    return Told(_percent(story.chance, voice), plays, story.ended)


def _face(name: str, voice: Voice) -> Face:
    if name == BACK:
        return Face(voice.say(N_("face down")).text)
    try:
        card: Card = parse_card(name)
    except ValueError:
        return Face("?")
    return Face(voice.face(card), card.suit or "")


def _percent(chance: float, voice: Voice) -> str:
    """In whole percent: what is not sure is never told as 100%, nor what is possible as 0%."""
    if 0.99 < chance < 1:
        return f"> {voice.percent(99)}"
    return f"< {voice.percent(1)}" if 0 < chance < 0.01 else voice.percent(round(100 * chance))


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
