"""What a card may be, by its pictures and by the cards that may still be laid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from tests.scorekeeper.talk import NAMES, TRUT, event
from tests.vision.tabletop import corners
from vision.belief.context import RefereeContext
from vision.belief.posterior import FOREIGN, is_sure, meanings
from vision.packs import BACK
from vision.tracking.tracked_card import TrackedCard

LAID = ("0 deal 3", "1 play KS")
EXPECTED = RefereeContext(replay(Header(game=TRUT, seats=NAMES[:2]), map(event, LAID)), 2)


def card(**evidence: float) -> TrackedCard:
    quad = corners(0, 0, 0)
    return TrackedCard(
        id=1, place=(0.0, 0.0), turn=0.0, came=(0.0, 0.0), quad=quad, corners=quad,
        evidence=evidence, detections=9, since=0.0, appeared=0.0, seen=1.0, missing=0.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("evidence", "best", "rank", "sure"),
    [
        pytest.param({"7S": 9.0}, "7", "7", True, id="a rank that may still be laid"),
        pytest.param({"7S": 9.0, "7H": 9.0}, "7", "7", True, id="two suits of one rank"),
        pytest.param({"7S": 9.0, "8S": 9.0}, None, None, False, id="two ranks alike"),
        pytest.param({"7S": 0.5}, "7", "7", False, id="hardly read"),
        pytest.param({"KS": 9.0}, "KS", "", True, id="a card that was laid"),
        pytest.param({"KH": 9.0}, "K", "K", True, id="another card of its rank"),
        pytest.param({"2S": 9.0}, FOREIGN, "", True, id="a card of another pack"),
        pytest.param({BACK: 9.0}, BACK, "", True, id="a back"),
        pytest.param({}, None, None, False, id="nothing read"),
    ],
)
def test_a_card_means_what_its_pictures_say_and_the_referee_allows(
    evidence: dict[str, float], best: str | None, rank: str | None, sure: bool
) -> None:
    read = meanings(card(**evidence), EXPECTED)
    assert best in (None, read.best)
    assert rank in (None, read.rank)
    assert read.sure == sure


NAMES_READ = st.sampled_from([*sorted(EXPECTED.pack), "2S", "3D", BACK])


@given(st.dictionaries(NAMES_READ, st.floats(0, 30), max_size=6))
def test_meanings_are_probabilities(evidence: dict[str, float]) -> None:
    read = meanings(card(**evidence), EXPECTED)
    chances = [*read.ranks.values(), *read.others.values()]
    assert all(0 < chance < 1 for chance in chances)
    assert sum(chances) < 1 + 1e-6
    assert set(read.ranks) == {name[:-1] for name in EXPECTED.possible}


@given(NAMES_READ, st.floats(0, 20), st.floats(0, 10))
def test_more_evidence_makes_a_card_no_less_likely(name: str, some: float, more: float) -> None:
    def chance(value: float, expected: RefereeContext = EXPECTED) -> float:
        read = meanings(card(**{name: value}), expected)
        kind = name[:-1] if name in expected.possible else name
        kind = kind if name in (*expected.pack, BACK) else FOREIGN
        return {**read.ranks, **read.others}[kind]

    assert chance(some + more) >= chance(some) - 1e-12


@pytest.mark.parametrize(
    ("chances", "sure"),
    [((), False), ((0.0,), False), ((0.3,), True), ((0.9, 0.1), False), ((0.95, 0.05), True)],
)
def test_sure_is_what_is_far_likelier_than_the_second(
    chances: tuple[float, ...], sure: bool
) -> None:
    assert is_sure(chances) == sure
