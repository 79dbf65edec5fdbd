"""Prepares what the table believes of a hand for its page: a drawing from above, words, stories.

A story is one explanation of the hand: who has played which card, one after the other.
"""

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
"""What an object is that is no play, in words; by ``SeenObject.meaning``."""

UNEXPLAINED = N_("left out")

EDGE = 6.0
"""Centimetres around the table, for the names."""


class Face(NamedTuple):
    """A card as it is drawn.

    Attributes:
        rank: its rank, as the deck prints it.
        suit: its suit, one letter; empty where it has none.
    """

    rank: str
    suit: str = ""


class ObjectRow(NamedTuple):
    """An object that the camera saw: in the drawing, and in words.

    Attributes:
        number: its number in the drawing.
        points: its outline, as SVG writes points.
        middle: its middle.
        readings: the cards that it may be, each with its probability in percent.
        words: what it is, according to the likeliest story.
        kind: ``play``, or ``SeenObject.meaning``.
        here: whether it lies there now.
    """

    number: int
    points: str
    middle: Point
    readings: Sequence[tuple[Face, str]]
    words: str
    kind: str
    here: bool


class StoryRow(NamedTuple):
    """A story.

    Attributes:
        chance: its probability in percent.
        plays: who played which card, the number of its object or None, and whether this differs
            from the likeliest story.
        ended: whether the hand ended after these plays, and nobody said how.
    """

    chance: str
    plays: Sequence[tuple[str, Face, int | None, bool]]
    ended: bool


class InsightState(NamedTuple):
    """What the page is drawn from.

    Attributes:
        box: the drawing's viewBox.
        edge: the table's edge, as SVG writes points.
        names: the players' names, each with its place in the drawing.
        objects: the objects, in the order in which they came.
        stories: the stories, the likeliest first.
    """

    box: str
    edge: str
    names: Sequence[tuple[str, Point]]
    objects: Sequence[ObjectRow]
    stories: Sequence[StoryRow]


def insight_state(insight: Insight, match: Match, voice: Voice) -> InsightState:
    """What the page is drawn from.

    Args:
        insight: what the table believes.
        match: the match.
        voice: says names and cards in the language of the page.
    """
    half_x = max(abs(x) for x, _ in insight.outline)
    half_y = max(abs(y) for _, y in insight.outline)
    four = [(0.0, half_y), (-half_x, 0.0), (0.0, -half_y), (half_x, 0.0)]
    places = four if match.seats == len(four) else four[::2]
    numbers = {each.id: number for number, each in enumerate(insight.objects, 1)}
    width, height = half_x + EDGE, half_y + EDGE
    best = insight.stories[0] if insight.stories else None
    return InsightState(
        f"{-width:.0f} {-height:.0f} {2 * width:.0f} {2 * height:.0f}",
        _points(insight.outline),
        [(voice.name(seat), place) for seat, place in enumerate(places)],
        [_object_row(each, numbers[each.id], best, voice) for each in insight.objects],
        [_story_row(story, best, numbers, voice) for story in insight.stories],
    )


def _object_row(each: SeenObject, number: int, best: Story | None, voice: Voice) -> ObjectRow:
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
    return ObjectRow(number, _points(each.corners), middle, readings, words, kind, each.here)


def _story_row(
    story: Story, best: Story | None, numbers: Mapping[int, int], voice: Voice
) -> StoryRow:
    plays = []
    for place, (seat, card, number) in enumerate(story.plays):
        same = best is not None and best.plays[place : place + 1] == [story.plays[place]]
        own = None if number is None else numbers.get(number)
        plays.append((voice.name(seat), _face(card, voice), own, not same))
    return StoryRow(_percent(story.chance, voice), plays, story.ended)


def _face(name: str, voice: Voice) -> Face:
    if name == BACK:
        return Face(voice.say(N_("face down")).text)
    try:
        card: Card = parse_card(name)
    except ValueError:
        return Face("?")
    return Face(voice.face(card), card.suit or "")


def _percent(chance: float, voice: Voice) -> str:
    """A probability in whole percent; but nothing unsure is 100%, and nothing possible is 0%."""
    if 0.99 < chance < 1:
        return f"> {voice.percent(99)}"
    return f"< {voice.percent(1)}" if 0 < chance < 0.01 else voice.percent(round(100 * chance))


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
