"""``CardSize``: all cards of a deck have one size, and outlines are given this size."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tabletop import corners, plane
from vision.detection.outlines import overlaps
from vision.geometry.card_size import NEEDED, WRONG_IN_A_ROW, CardSize
from vision.geometry.table_plane import CARD_CM, Plane

PLANE = plane(2)

SPANISH = (0.97, 1.08)
"""Width and height of a Spanish card, as multiples of a French card's."""


def scaled(turn: float, wide: float, tall: float) -> np.ndarray:
    """An outline whose sides are these multiples of a French card's, around a card's middle."""
    whole = corners(3, -7, turn)
    middle = whole.mean(axis=0)
    a, b, _, d = whole - middle
    across, down = (b - a) / 2 * wide, (d - a) / 2 * tall
    around = np.array([-across - down, across - down, across + down, down - across])
    return (middle + around).astype(np.float32)


def knowing(wide: float = 1.0, tall: float = 1.0, cards: int = NEEDED, first: int = 0) -> CardSize:
    """A ``CardSize`` that has seen cards whose sides are these multiples of a French card's."""
    size = CardSize()
    size.see(PLANE, seen(wide, tall, cards, first))
    return size


def seen(wide: float, tall: float, cards: int, first: int = 0) -> list[tuple[int, np.ndarray]]:
    """Numbers and outlines of cards."""
    return [(first + n, scaled(0.7 * n, wide, tall)) for n in range(cards)]


def stretched(across: float, down: float) -> Plane:
    """The same view of a table, measured as this many times as large."""
    matrix = np.diag([1 / across, 1 / down, 1.0]) @ PLANE.homography
    return Plane(matrix, PLANE.outline / (across, down), 2)


TURNS = pytest.mark.parametrize("turn", [0.0, 0.6, 1.5, 2.4])


@TURNS
@pytest.mark.parametrize(("wide", "tall"), [(1.0, 1.0), (0.9, 1.0), SPANISH, (1.1, 1.1)])
def test_an_outline_with_a_cards_sides_stays_as_it_is(turn, wide, tall):
    outline = scaled(turn, wide, tall)
    assert np.array_equal(knowing().resized(outline, PLANE), outline)


@TURNS
@pytest.mark.parametrize("beginning", [1, 3])
def test_an_outline_that_begins_with_a_longer_side_is_turned(turn, beginning):
    """Seen at a low angle, a card that lies across looks as wide as it is tall."""
    outline = scaled(turn, 1.0, 1.0)
    made = knowing().resized(np.roll(outline, beginning, axis=0), PLANE)
    assert any(np.array_equal(made, np.roll(outline, half, axis=0)) for half in (0, 2))


@TURNS
@pytest.mark.parametrize(
    ("wide", "tall"), [(0.35, 0.25), (2.0, 2.0), (1.4, 1.4)],
    ids=["a coin", "a book", "a card in a hand far above the table"],
)  # fmt: skip
def test_what_is_far_too_small_or_too_large_stays_as_it_is(turn, wide, tall):
    """The tracker recognizes by the size that it is no card on the table."""
    outline = scaled(turn, wide, tall)
    assert np.array_equal(knowing().resized(outline, PLANE), outline)


@TURNS
@pytest.mark.parametrize(
    ("wide", "tall"), [(0.4, 0.4), (0.7, 0.78), (1.0, 0.8), (1.0, 1.5)],
    ids=["a figure", "a frame", "most of a card", "two cards"],
)  # fmt: skip
def test_an_outline_of_a_part_or_of_two_gets_a_cards_size_about_its_middle(turn, wide, tall):
    made = knowing().resized(scaled(turn, wide, tall), PLANE)
    assert made == pytest.approx(corners(3, -7, turn), abs=0.01)


def test_the_longer_side_of_an_outline_is_a_cards_longer_side():
    made = knowing().resized(scaled(0.6, 1.0, 0.5), PLANE)  # half of a card lies across
    assert made == pytest.approx(corners(3, -7, 0.6 + np.pi / 2), abs=0.01)


def part_of(
    outline: np.ndarray, left: float, top: float, right: float, bottom: float
) -> np.ndarray:
    """The part of an outline between these shares of its width and height."""
    a, b, _, d = outline.astype(np.float64)
    return np.array([
        a + x * (b - a) + y * (d - a)
        for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))
    ])  # fmt: skip


def bare_beside(*cards: np.ndarray):
    """Makes a function that tells which share of an outline lies on none of these cards."""
    steps = (np.arange(20) + 0.5) / 20
    x, y = (grid.reshape(-1, 1) for grid in np.meshgrid(steps, steps))

    def bare(outline: np.ndarray) -> float:
        a, b, _, d = outline
        points = a + x * (b - a) + y * (d - a)
        return 1 - float(np.any([inside(points, card) for card in cards], axis=0).mean())

    return bare


def inside(points: np.ndarray, outline: np.ndarray) -> np.ndarray:
    sides = np.roll(outline, -1, axis=0) - outline
    to = points[:, None] - outline
    return (sides[:, 0] * to[..., 1] - sides[:, 1] * to[..., 0] >= 0).all(axis=1)


@TURNS
@pytest.mark.parametrize(
    "free",
    [(0, 0, 1, 0.5), (0, 0.3, 1, 1), (0, 0, 0.6, 1), (0.3, 0.4, 1, 1), (0, 0, 1, 0.78)],
    ids=["a half", "two thirds", "the left", "a corner", "nearly all"],
)  # fmt: skip
def test_an_outline_of_a_part_is_made_a_card_that_hides_the_table(turn, free):
    """Enlarged around its own middle, it would show the table beside the card."""
    card = scaled(turn, 1.0, 1.0)
    made = knowing().resized(part_of(card, *free), PLANE, bare_beside(card))
    assert overlaps(made, card)[0] > 0.98


def test_the_part_of_a_card_that_another_leaves_free_goes_on_below_that_one():
    card = scaled(0.6, 1.0, 1.0)
    above = card - (card[3] - card[0]) * 0.5  # lies over its upper half
    made = knowing().resized(part_of(card, 0, 0.5, 1, 1), PLANE, bare_beside(card, above))
    assert overlaps(made, card)[0] > 0.98


def test_where_the_table_looks_like_cards_an_outline_keeps_its_middle():
    part = scaled(0.6, 1.0, 0.8)
    made = knowing().resized(part, PLANE, lambda outline: 0.75)
    assert made.mean(axis=0) == pytest.approx(part.mean(axis=0), abs=0.01)


@TURNS
def test_the_size_of_the_deck_is_learned_from_the_cards_that_lie_there(turn):
    size = knowing(*SPANISH)
    assert size.sides == pytest.approx(np.multiply(CARD_CM, SPANISH), abs=0.01)
    whole = scaled(turn, *SPANISH)
    assert np.array_equal(size.resized(whole, PLANE), whole)
    without_its_head = scaled(turn, SPANISH[0], 0.9)
    assert size.resized(without_its_head, PLANE) == pytest.approx(whole, abs=0.01)


@pytest.mark.parametrize(
    "size", [CardSize(), knowing(cards=NEEDED - 1), knowing(1.5, 1.5), knowing(0.5, 0.6)],
    ids=["no card", "few cards", "a table that seems too small", "figures only"],
)  # fmt: skip
def test_while_the_size_is_unknown_outlines_stay_as_they_are(size):
    size.see(PLANE, [(0, scaled(0.0, 1.0, 1.0))] * 20)  # one card counts once
    assert size.sides is None
    figure = scaled(0.6, 0.4, 0.4)
    assert np.array_equal(size.resized(figure, PLANE), figure)


def test_single_outlines_that_are_wrong_do_not_count():
    size = knowing(cards=5)
    size.see(PLANE, seen(1.2, 0.8, 2, first=100))
    assert size.sides == pytest.approx(CARD_CM, abs=0.01)


@pytest.mark.parametrize(("across", "down"), [(1.15, 1.15), (1.0, 1.15), (1.15, 1.0)])
def test_all_is_measured_anew_where_a_centimetre_is_another_one(across, down):
    """The first card has shown how large the table is; cards were measured before that."""
    size, cards = CardSize(), seen(1.0, 1.0, NEEDED)
    size.see(stretched(across, down), cards)
    size.see(PLANE, cards)
    assert size.sides == pytest.approx(CARD_CM, abs=0.01)


def test_where_centimetres_differ_by_direction_outlines_stay_as_they_are():
    size, plane = CardSize(), stretched(1.13, 0.9)
    size.see(plane, seen(1.0, 1.0, 20))
    assert size.sides is None
    outline = scaled(0.6, 0.4, 0.4)
    assert np.array_equal(size.resized(outline, plane), outline)


def test_a_size_that_no_card_has_is_forgotten_and_later_cards_show_it():
    """The first outlines were wrong, and all later ones would be given their size."""
    size = knowing(1.15, 1.15)
    lying = [
        (number, size.resized(outline, PLANE))
        for number, outline in seen(1.0, 1.0, WRONG_IN_A_ROW, first=100)
    ]
    size.see(PLANE, lying[:-1])
    assert size.sides == pytest.approx(np.multiply(CARD_CM, 1.15), abs=0.01)
    size.see(PLANE, lying)
    assert size.sides is None
    size.see(PLANE, lying)  # they still lie there as they were made
    assert size.sides is None
    size.see(PLANE, seen(1.0, 1.0, NEEDED, first=300))
    assert size.sides == pytest.approx(CARD_CM, abs=0.01)


def test_cards_of_which_the_figure_is_outlined_too_show_their_size():
    size = knowing()
    for number in range(2 * WRONG_IN_A_ROW):
        figure, card = scaled(0.3 * number, 0.5, 0.5), scaled(0.3 * number, 1.02, 1.02)
        size.resized(figure, PLANE)
        size.see(PLANE, [(100 + number, size.resized(card, PLANE))])
    assert size.sides == pytest.approx(np.multiply(CARD_CM, 1.02), abs=0.01)


def test_a_card_of_which_only_the_figure_was_outlined_tells_nothing_of_the_size():
    size = knowing(*SPANISH)
    for number in range(WRONG_IN_A_ROW - 1):
        size.see(PLANE, [(100 + number, size.resized(scaled(0.3 * number, 0.5, 0.5), PLANE))])
    moved = [(200 + n, outline + 200) for n, outline in seen(1.01, 1.12, cards=NEEDED + 1)]
    size.see(PLANE, moved)  # one more card than before
    assert size.sides == pytest.approx(np.multiply(CARD_CM, (1.01, 1.12)), abs=0.01)


def test_a_point_is_no_outline_and_makes_no_trouble():
    assert np.isfinite(knowing().resized(np.zeros((4, 2), np.float32), PLANE)).all()
