"""``Insight``: what the watching table believes of a hand."""

from __future__ import annotations

import json

from tests.vision.tabletop import Tabletop
from vision.process.insight import Insight, StoryPlay, insight_to


def played() -> Tabletop:
    """Seat 1 has led a card that may be a king or a jack; seat 2 has laid an eight."""
    table = Tabletop("trut", 4)
    table.run(3.0)
    assert table.deal() == ["0 deal 3"]
    table.put("KS", 1, KS=0.98, JS=0.02)
    table.run(3.0)
    table.put("8D", 2)
    table.run(3.0)
    return table


def insight_of(table: Tabletop) -> Insight:
    """The insight of a table, sent through JSON."""
    return Insight.from_json(json.loads(json.dumps(insight_to(table.table))))


def test_stories_are_told_with_their_probabilities_the_likeliest_first():
    found = insight_of(played())
    chances = [story.chance for story in found.stories]
    assert chances == sorted(chances, reverse=True)
    assert 0.9 < sum(chances) <= 1.001
    first, second = (object_.id for object_ in found.objects)
    assert found.stories[0].plays == [StoryPlay(1, "KS", first), StoryPlay(2, "8D", second)]
    assert len({tuple((p.seat, p.card[:-1]) for p in s.plays) for s in found.stories}) == len(
        chances
    )


def test_each_object_has_its_readings_its_place_and_what_it_means():
    table = played()
    table.put("2D", 3)  # is not of this pack
    table.run(1.5)
    found = insight_of(table)
    assert [object_.meaning for object_ in found.objects] == ["play", "play", "none"]
    assert all(object_.here and len(object_.corners) == 4 for object_ in found.objects)
    (name, chance), *_ = found.objects[0].readings
    assert name == "KS"
    assert 0.5 < chance <= 1


def test_of_a_hand_that_is_over_it_is_told_until_the_next_one_is_dealt():
    table = played()
    before = insight_of(table).stories
    assert before
    table.say("void_hand")
    table.run(0.5)
    assert [story.plays for story in insight_of(table).stories][:1] == [before[0].plays]


def test_of_a_hand_that_ended_without_a_word_it_is_said():
    table = played()
    assert not any(story.ended for story in insight_of(table).stories[:1])
    table.put("7S", at=(-30, 11))  # seat 1 shows what is left in its hand
    table.put("QD", at=(-30, -11))
    table.run(3.0)
    found = insight_of(table)
    assert found.stories[0].ended
    assert len(found.stories[0].plays) == 2
    assert [object_.meaning for object_ in found.objects] == ["play", "play", "shown", "shown"]


def test_without_a_hand_that_is_followed_there_is_no_story():
    table = Tabletop("trut", 4)
    table.run(1.0)
    found = insight_of(table)
    assert (found.objects, found.stories) == ([], [])
    assert len(found.outline) >= 3
