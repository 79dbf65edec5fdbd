"""Draws at random what happens around a match: hands, heads, lamps, a nudged camera."""

from __future__ import annotations

import math
from random import Random

from datasets.films.grades import Grade
from datasets.films.stage import Key, Light, Passing, Shift
from datasets.scenes.geometry import Camera


def _times(rng: Random, rate: float, ends: float) -> list[float]:
    """Random moments of a film of ``ends`` seconds, ``rate`` of them a minute on average."""
    times, at = [], 0.0
    while rate > 0:
        at += rng.expovariate(rate / 60)
        if at > ends - 3:
            break
        times.append(at)
    return times


def passing_by(
    rng: Random, grade: Grade, ends: float, table: tuple[float, float], seats: int
) -> list[Passing]:
    """Hands that reach over the table for something else, and shadows of heads."""
    found = []
    wide, deep = table[0] / 2, table[1] / 2
    for at in _times(rng, grade.reaching, ends):
        seat = rng.randrange(seats)
        angle = seat * 2 * math.pi / seats
        ox, oy = -math.sin(angle), math.cos(angle)
        reach = abs(ox) * wide + abs(oy) * deep
        side = rng.uniform(-0.8, 0.8) * (abs(oy) * wide + abs(ox) * deep)
        start = (ox * (reach + 24) + oy * side, oy * (reach + 24) - ox * side)
        goal = (rng.uniform(-0.8, 0.8) * wide, rng.uniform(-0.8, 0.8) * deep)
        turn = math.atan2(goal[0] - start[0], start[1] - goal[1])
        there, stays = rng.uniform(0.4, 1.0), rng.uniform(0.1, 1.5)
        keys = (
            Key(at, *start, turn, 8.0), Key(at + there, *goal, turn, 5.0),
            Key(at + there + stays, *goal, turn, 5.0),
            Key(at + 2 * there + stays, *start, turn, 8.0),
        )  # fmt: skip
        found.append(Passing("hand", seat, keys))
    for at in _times(rng, grade.heads, ends):
        seat = rng.randrange(seats)
        angle = seat * 2 * math.pi / seats + rng.gauss(0, 0.3)
        ox, oy = -math.sin(angle), math.cos(angle)
        far, near = 75.0, rng.uniform(10, 35)
        stays, way = rng.uniform(0.5, 4.0), rng.uniform(0.8, 2.0)
        keys = (
            Key(at, ox * far, oy * far, 0.0, 40.0), Key(at + way, ox * near, oy * near, 0.0, 40.0),
            Key(at + way + stays, ox * near, oy * near, 0.0, 40.0),
            Key(at + 2 * way + stays, ox * far, oy * far, 0.0, 40.0),
        )  # fmt: skip
        found.append(Passing("head", seat, keys, rng.uniform(12, 20)))
    return found


def nudges(rng: Random, grade: Grade, ends: float, size: tuple[int, int]) -> tuple[Shift, ...]:
    """Nudges of the camera; each swings once, within a tenth of a second."""
    shifts: list[Shift] = []
    x = y = turn = 0.0
    for at in _times(rng, grade.nudges, ends):
        far, angle = rng.uniform(*grade.nudge) * size[1], rng.uniform(0, 2 * math.pi)
        dx, dy, spin = far * math.cos(angle), far * math.sin(angle), rng.gauss(0, 0.004)
        for part in (0.4, 1.15, 1.0):  # it swings once
            shifts.append(Shift(at, x + dx * part, y + dy * part, turn + spin * part))
            at += 0.04
        x, y, turn = x + dx, y + dy, turn + spin
    return tuple(shifts)


def lights(rng: Random, grade: Grade, ends: float) -> tuple[Light, ...]:
    """The light over a film: it drifts, and sometimes it changes at once."""
    gain, warm = rng.uniform(*grade.gain), rng.gauss(0, 0.03)
    keys = [Light(0.0, gain, warm)]
    switches = _times(rng, grade.lamps, ends)
    at = 0.0
    while at < ends:
        following = at + rng.uniform(2, 8)
        for switch in (time for time in switches if at <= time < following):
            keys.append(Light(switch, *keys[-1][1:]))
            gain = min(max(gain * math.exp(rng.choice([-1, 1]) * rng.uniform(0.15, 0.4)), 0.5), 1.3)
            warm = max(min(warm + rng.gauss(0, 0.06), 0.15), -0.15)
            keys.append(Light(switch + 0.08, gain, warm))
        at = max(following, keys[-1].at + 0.01)
        keys.append(Light(at, gain * math.exp(rng.gauss(0, grade.drift)), warm))
    return tuple(keys)


def camera_over(
    rng: Random, grade: Grade, size: tuple[int, int], table: tuple[float, float],
    tilt: float | None, roll: float | None,
) -> Camera:  # fmt: skip
    """A camera that sees the whole table.

    Args:
        rng: draws what is left open.
        grade: how it is filmed.
        size: width and height of the pictures, in pixels.
        table: width and depth of the table, in centimetres.
        tilt: in radians; None to draw it by the grade.
        roll: in radians; None to draw it by the grade.
    """
    drawn = rng.uniform(*grade.tilt), rng.gauss(0, grade.roll), rng.uniform(*grade.room)
    focal = max(size) * rng.uniform(0.8, 1.1)
    tilt = drawn[0] if tilt is None else tilt
    roll = drawn[1] if roll is None else roll
    c, s = abs(math.cos(roll)), abs(math.sin(roll))
    wide, deep = (table[0] * c + table[1] * s) * drawn[2], (table[0] * s + table[1] * c) * drawn[2]
    # A tilted camera sees the nearer half of the table larger, so it stands farther away.
    nearer = math.sin(abs(tilt)) * deep / 2
    distance = max(focal * wide / size[0], focal * deep * math.cos(tilt) / size[1]) + nearer
    return Camera(focal, distance, tilt, roll, size)
