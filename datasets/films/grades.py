"""The three grades of films, as one table of settings: *calm*, *home* and *bar*.

In a calm film people lay their cards before them one after the other, under a good camera. Home is
an ordinary evening. In a bar people are in haste and throw cards, many hands pass, and light and
camera are poor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Span = tuple[float, float]
"""From, to: a value between them is drawn, all equally likely."""


@dataclass(frozen=True, kw_only=True)
class Grade:
    """How people play, and how they are filmed.

    Lengths are in centimetres, times in seconds, angles in radians; rates are per minute of film.
    "How likely" is a probability, 0–1.

    Attributes:
        think: from when a card rests until a hand brings the next one.
        speak: from an event until the word that follows it.
        carry: how long a card is on its way to its place.
        linger: how long the hand stays over the card that it put down.
        crooked: standard deviation of a card's angle from straight.
        spread: standard deviation of a card's place.
        middle: share of players who throw into the middle of the table.
        onto: how likely a card lands on one that lies there.
        early: how likely a card is laid before the one that is due.
        thrown: how likely a card is let go early, slides and turns.
        pushed: how likely a card that lies there is pushed later.
        gathered: how likely it is that the winner of each trick takes it, in the whole film.
        shown: how likely a seat shows its remaining cards after a hand.
        cuts: how likely the cut for the first deal is filmed.
        empty: how long the table is empty between two hands.
        pack_out: how likely the pack lies beside the dealer; otherwise the dealer keeps it in hand.
        reaching: how many hands a minute reach over the table for something else.
        heads: how many shadows of heads a minute fall on the table.
        lamps: how often a minute the light changes at once: a lamp, a door, a cloud.
        drift: how far the light changes slowly, as a standard deviation of its logarithm.
        nudges: how often a minute somebody nudges the camera.
        nudge: how far a nudge moves the picture, as a part of its height.
        tilt: of the camera; 0 looks straight down.
        roll: standard deviation of the camera's turn about its viewing axis.
        room: size of what the picture shows, as a multiple of the table's size.
        things: how many things that are no cards lie on the table: fewest, most.
        exposure: share of a frame's time in which the shutter is open, 0–1; it blurs what moves.
        blur: standard deviation of the lens's blur, in pixels of a picture of 720 rows.
        noise: standard deviation of the sensor's noise, of 255.
        quality: of the JPEG pictures that the camera sends: worst, best; 0 where it sends none.
        gain: exposure of the whole picture; 1 is right.
        uneven: how much darker the far corner of the table is than its brightest spot.
    """

    think: Span
    speak: Span
    carry: Span
    linger: Span
    crooked: float
    spread: float
    middle: float
    onto: float
    early: float
    thrown: float
    pushed: float
    gathered: float
    shown: float
    cuts: float
    empty: Span
    pack_out: float
    reaching: float
    heads: float
    lamps: float
    drift: float
    nudges: float
    nudge: Span
    tilt: Span
    roll: float
    room: Span
    things: tuple[int, int]
    exposure: float
    blur: Span
    noise: Span
    quality: tuple[int, int]
    gain: Span
    uneven: Span


GRADES: Mapping[str, Grade] = {
    "calm": Grade(
        think=(1.2, 2.5),
        speak=(0.8, 1.6),
        carry=(0.7, 1.1),
        linger=(0.05, 0.25),
        crooked=0.06,
        spread=0.5,
        middle=0.0,
        onto=0.0,
        early=0.0,
        thrown=0.0,
        pushed=0.0,
        gathered=0.5,
        shown=0.2,
        cuts=0.3,
        empty=(2.5, 4.0),
        pack_out=1.0,
        reaching=0.2,
        heads=0.3,
        lamps=0.0,
        drift=0.01,
        nudges=0.0,
        nudge=(0.0, 0.0),
        tilt=(0.0, 0.12),
        roll=0.01,
        room=(1.04, 1.1),
        things=(0, 1),
        exposure=0.2,
        blur=(0.3, 0.6),
        noise=(1.0, 2.5),
        quality=(0, 0),
        gain=(0.95, 1.05),
        uneven=(0.05, 0.15),
    ),
    "home": Grade(
        think=(0.7, 2.2),
        speak=(0.5, 1.5),
        carry=(0.45, 0.9),
        linger=(0.05, 0.5),
        crooked=0.2,
        spread=1.2,
        middle=0.3,
        onto=0.15,
        early=0.0,
        thrown=0.25,
        pushed=0.05,
        gathered=0.5,
        shown=0.5,
        cuts=0.3,
        empty=(1.6, 3.5),
        pack_out=0.8,
        reaching=1.5,
        heads=1.5,
        lamps=0.2,
        drift=0.03,
        nudges=0.1,
        nudge=(0.004, 0.012),
        tilt=(0.0, 0.35),
        roll=0.04,
        room=(1.02, 1.12),
        things=(1, 4),
        exposure=0.4,
        blur=(0.4, 0.9),
        noise=(2.0, 5.0),
        quality=(80, 95),
        gain=(0.8, 1.12),
        uneven=(0.1, 0.35),
    ),
    "bar": Grade(
        think=(0.35, 1.8),
        speak=(0.4, 1.2),
        carry=(0.28, 0.65),
        linger=(0.05, 1.0),
        crooked=0.45,
        spread=2.0,
        middle=0.55,
        onto=0.4,
        early=0.01,
        thrown=0.5,
        pushed=0.12,
        gathered=0.5,
        shown=0.7,
        cuts=0.3,
        empty=(1.2, 2.5),
        pack_out=0.7,
        reaching=4.0,
        heads=4.0,
        lamps=0.6,
        drift=0.06,
        nudges=0.3,
        nudge=(0.006, 0.03),
        tilt=(0.05, 0.5),
        roll=0.1,
        room=(1.0, 1.15),
        things=(3, 8),
        exposure=0.6,
        blur=(0.6, 1.2),
        noise=(4.0, 9.0),
        quality=(55, 80),
        gain=(0.6, 1.2),
        uneven=(0.2, 0.55),
    ),
}
"""The grades by name."""
