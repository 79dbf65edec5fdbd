"""Makes pictures of tables with cards on them, with the place and name of every card.

``python -m datasets.scenes.maker --cache DIR --out DIR --count 20000`` writes JPEG pictures and one
``labels.jsonl``. Scene ``i`` of a seed is always the same picture, in whatever order and on
whatever machine scenes are made.
"""

import argparse
import functools
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.backs import any_back
from datasets.cards.decks import Shelf, Split, open_shelf
from datasets.cards.faces import Pack, draw_pack, strangers
from datasets.cards.labels import BACK, JOKER
from datasets.cards.spanish import SpanishPack
from datasets.cards.vector import Picture, premultiplied
from datasets.scenes import optics, things
from datasets.scenes.bend import bent, moving
from datasets.scenes.geometry import CARD_HEIGHT_CM, Camera, Points, area, card_corners
from datasets.scenes.layouts import COUNTS, draw_camera, poses
from datasets.scenes.scene import PICTURES_A_DECK, Scene, SceneCard, add_options, write_scenes
from datasets.scenes.textures import Image, surface

_FRAMES = ((640, 480), (640, 480), (640, 360), (640, 360), (480, 640), (480, 480), (640, 640))
_LAYOUTS = (
    "scatter", "scatter", "row", "grid", "grid", "fan", "held", "held", "trick", "heap", "heap",
)  # fmt: skip
_FACE_DOWN = (0.04, 0.04, 0.04, 0.04, 0.04, 0.25, 0.5, 1.0)
"""A scene draws one of these: the share of its cards that lie face down, from few to all."""

_SPARSE, _COURTS = ("A", "1", "2", "3"), ("J", "Q", "K", "A", "10", "11", "12")
_INDEX_SPOT = (0.0, 0.0, 0.22, 0.24)  # area of the upper left index: x0, y0, x1, y1, 0–1 of a card


@dataclass(frozen=True)
class _Placed:
    card: str
    face: Picture
    world: Points


class SceneMaker:
    """Makes scenes with the decks of one split.

    Args:
        shelf: the decks.
        seed: scenes of different seeds have nothing in common.
        split: which decks are used.
        spanish: the share of scenes with Spanish packs, 0–1.
    """

    def __init__(self, shelf: Shelf, seed: int, split: Split, spanish: float = 0.3) -> None:
        self._shelf, self._seed, self._split, self._spanish = shelf, seed, split, spanish
        self._pack = functools.lru_cache(maxsize=6)(self._new_pack)

    def _new_pack(self, number: int) -> Pack | SpanishPack:
        rng = Random(f"pack {self._seed} {self._split} {number}")
        if rng.random() >= self._spanish:
            return draw_pack(self._shelf, "french", self._split, rng)
        if self._shelf.of("spanish", self._split) and rng.random() < 0.35:
            return draw_pack(self._shelf, "spanish", self._split, rng)
        lenders = strangers(self._shelf, self._split, "spanish", "french")
        return SpanishPack(self._shelf, rng, split=self._split, strangers=lenders)

    def _back(self, rng: Random) -> Picture:
        return any_back(self._shelf, self._split, rng)

    def make(self, number: int) -> Scene:
        """Make scene ``number``."""
        rng = Random(f"scene {self._seed} {self._split} {number}")
        draw = np.random.default_rng(rng.getrandbits(64))
        pack = self._pack(number // PICTURES_A_DECK)
        width, height = rng.choice(_FRAMES)
        camera, tall = draw_camera(rng, (width, height))
        scene = _draw_table(rng, draw, camera)
        for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
            _lay_thing(rng, draw, scene, camera)
        kind = rng.choice(_LAYOUTS) if rng.random() < 0.92 else "none"
        placed = self._layout(rng, kind, pack, camera, tall)
        owner = np.zeros((height, width), np.uint8)
        for index, item in enumerate(placed, start=1):
            _lay_card(draw, scene, owner, item.face, camera.project(item.world), index)
        self._cover(rng, draw, scene, owner, camera, placed, tall)
        if kind == "held":
            _hold(rng, draw, scene, owner, camera.project(placed[-1].world))
        scene = optics.light(draw, scene)
        scene = optics.photograph(draw, scene, scale=min(1.0, max(tall / 150, 0.35)))
        cards = tuple(
            _seen(item.card, camera.project(item.world), owner, index, camera.tilt_of(item.world))
            for index, item in enumerate(placed, start=1)
        )
        return Scene(scene, tuple(card for card in cards if card.visible > 0.02))

    def _layout(
        self, rng: Random, kind: str, pack: Pack | SpanishPack, camera: Camera, tall: float
    ) -> list[_Placed]:
        count = rng.randint(*COUNTS[kind])
        names = list(pack.cards)
        if rng.random() < 0.3:  # one suit, so that neighbouring cards look alike
            suit = rng.choice(names)[-1]
            names = [name for name in names if name[-1] == suit]
        ranks = rng.choice([_SPARSE, _COURTS, (), (), ()])
        some = [name for name in names if name[:-1] in ranks]
        chosen = rng.sample(some if len(some) >= count else names, count)
        if "AS" in pack.cards and "AS" not in chosen and chosen and rng.random() < 0.1:
            chosen[-1] = "AS"  # printers decorate it, so its looks vary most
        lying = poses(rng, kind, count, camera, tall)
        back, share = self._back(rng), rng.choice(_FACE_DOWN)
        placed = []
        for name, (place, turn, lift, lean) in zip(chosen, lying, strict=True):
            name, face = (BACK, back) if rng.random() < share else self._face(rng, pack, name)
            size = (CARD_HEIGHT_CM * face.shape[1] / face.shape[0], CARD_HEIGHT_CM)
            world = card_corners(*size, place, turn, lift, lean)
            if area(camera.project(world)) < 0:  # it leans so far that its other side is seen
                name, face, world = BACK, back, world[[1, 0, 3, 2]]
            placed.append(_Placed(name, face, world))
        return placed

    def _face(self, rng: Random, pack: Pack | SpanishPack, name: str) -> tuple[str, Picture]:
        if rng.random() < 0.02 and isinstance(pack, Pack) and JOKER in pack.deck.cards:
            return JOKER, pack.face(JOKER)
        return name, pack.face(name)

    def _cover(
        self, rng: Random, draw: np.random.Generator, scene: Image, owner: NDArray[np.uint8],
        camera: Camera, placed: list[_Placed], tall: float,
    ) -> None:  # fmt: skip
        """Lay hands and things over some cards."""
        if not placed:
            if rng.random() < 0.3:
                spot = (rng.uniform(0, camera.size[0]), rng.uniform(0, camera.size[1]))
                size = float(rng.uniform(30, 150))
                things.draw_hand(draw, scene, spot, rng.uniform(0, 2 * math.pi), size)
            return
        for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
            corners = camera.project(rng.choice(placed).world)
            share = rng.uniform(0, 0.55)
            side = rng.choice([0, 1, 2, 3])
            edge = (corners[side] + corners[(side + 1) % 4]) / 2
            middle = corners.mean(axis=0)
            at = edge + (middle - edge) * share
            towards = math.atan2(*(middle - edge)[::-1]) + rng.gauss(0, 0.5)
            size = max(tall * rng.uniform(0.55, 1.0), 12)
            mask = things.draw_hand(draw, scene, (float(at[0]), float(at[1])), towards, size)
            owner[mask > 127] = 0
        if rng.random() < 0.2:
            _lay_thing(rng, draw, scene, camera, owner, near=rng.choice(placed).world.mean(axis=0))
        if rng.random() < 0.08:
            owner[things.draw_cable(draw, scene) > 127] = 0


def _hold(
    rng: Random, draw: np.random.Generator, scene: Image, owner: NDArray[np.uint8], top: Points
) -> None:
    """Draw the hand that holds a card by its lower end."""
    low, high = (top[2] + top[3]) / 2, (top[0] + top[1]) / 2
    up, side = high - low, top[2] - top[3]
    tall = float(np.linalg.norm(up))
    at = low + up * rng.uniform(0.05, 0.45) + side * rng.uniform(-0.5, 0.5)
    towards = math.atan2(up[1], up[0]) + rng.gauss(0, 0.5)
    size = max(tall * rng.uniform(0.4, 0.9), 12)
    mask = things.draw_hand(draw, scene, (float(at[0]), float(at[1])), towards, size)
    owner[mask > 127] = 0


def _draw_table(rng: Random, draw: np.random.Generator, camera: Camera) -> Image:
    width, height = camera.size
    scene = surface(draw, height, width)
    if rng.random() < 0.3:  # the edge of the table, or a mat on it
        other = surface(draw, height, width)
        mask = np.zeros((height, width), np.uint8)
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        angle = rng.uniform(0, 2 * math.pi)
        along = np.array([math.cos(angle), math.sin(angle)]) * 2 * max(camera.size)
        across = np.array([-along[1], along[0]])
        start = np.array([x, y])
        points = start + np.stack([along, -along, across - along, across + along])
        cv2.fillPoly(mask, [points.astype(np.int32)], 255)
        scene[mask > 0] = other[mask > 0]
    return scene


def _warped(
    picture: Picture, corners: Points, size: tuple[int, int], border: int = 0
) -> tuple[Picture, int, int] | None:
    """Warp a premultiplied picture so that the card in it has its corners at the given pixels.

    Args:
        picture: the card's picture, BGRA.
        corners: shape (4, 2), in pixels of the scene.
        size: width and height of the scene.
        border: how many of the picture's pixels lie outside the card on each side.

    Returns:
        The part that lies in the scene, with its left and top; None where nothing does.
    """
    around = 2 + border * float(np.ptp(corners, axis=0).max()) / max(picture.shape[:2])
    low = np.maximum(np.floor(corners.min(axis=0) - around), 0).astype(int)
    high = np.minimum(np.ceil(corners.max(axis=0) + around), size).astype(int)
    if (high - low).min() < 2 or abs(area(corners)) < 16:
        return None
    longest = max(np.linalg.norm(corners[i] - corners[i - 1]) for i in range(4))
    inset = np.array([border / picture.shape[1], border / picture.shape[0]])
    while max(picture.shape[:2]) > 2.2 * longest:
        half = (max(picture.shape[1] // 2, 2), max(picture.shape[0] // 2, 2))
        picture = cv2.resize(picture, half, interpolation=cv2.INTER_AREA).astype(np.uint8)
    height, width = picture.shape[:2]
    (x0, y0), (x1, y1) = inset * (width, height), (1 - inset) * (width, height)
    source = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]).astype(np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, (corners - low - 0.5).astype(np.float32))
    extent = (int(high[0] - low[0]), int(high[1] - low[1]))
    warped = cv2.warpPerspective(picture, matrix, extent, flags=cv2.INTER_LINEAR)
    return warped.astype(np.uint8), int(low[0]), int(low[1])


def _blend(scene: Image, warped: Picture, left: int, top: int) -> NDArray[np.bool_]:
    """Lay a warped picture over the scene; returns where it hides what lies below."""
    height, width = warped.shape[:2]
    view = scene[top : top + height, left : left + width]
    share = warped[..., 3:].astype(np.float32) / 255
    view[:] = np.minimum(view * (1 - share) + warped[..., :3], 255)
    return warped[..., 3] > 127


def _cast_shadow(
    draw: np.random.Generator, scene: Image, warped: Picture, left: int, top: int
) -> None:
    """Darken the surface around a card a little, more on one side, in place."""
    height, width = warped.shape[:2]
    reach = max(2.0, 0.02 * max(height, width))
    pad = int(reach * 3)
    shape = np.zeros((height + 2 * pad, width + 2 * pad), np.float32)
    shape[pad : pad + height, pad : pad + width] = warped[..., 3]
    shape = cv2.GaussianBlur(shape, (0, 0), float(draw.uniform(0.5, 1.2)) * reach)
    dx, dy = (int(v) for v in draw.uniform(-1, 1, 2) * reach)
    x0, y0 = left - pad + dx, top - pad + dy
    cx0, cy0 = max(x0, 0), max(y0, 0)
    cx1, cy1 = min(x0 + shape.shape[1], scene.shape[1]), min(y0 + shape.shape[0], scene.shape[0])
    if cx0 >= cx1 or cy0 >= cy1:
        return
    part = shape[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0] * (float(draw.uniform(0.1, 0.6)) / 255)
    view = scene[cy0:cy1, cx0:cx1]
    view[:] = view * (1 - part[..., None])


def _lay_card(
    draw: np.random.Generator, scene: Image, owner: NDArray[np.uint8], face: Picture,
    corners: Points, index: int,
) -> None:  # fmt: skip
    size = (scene.shape[1], scene.shape[0])
    face, border = premultiplied(face), 0
    if draw.random() < 0.25:
        face, border = bent(draw, face)
    if draw.random() < 0.08:
        face, border = moving(draw, face, border)
    laid = _warped(face, corners, size, border)
    if laid is None:
        return
    warped, left, top = laid
    _cast_shadow(draw, scene, warped, left, top)
    left_shade, right_shade = (float(value) for value in draw.normal(1.0, 0.06, 2))
    ramp = np.linspace(left_shade, right_shade, warped.shape[1], dtype=np.float32)
    shade = ramp[None, :, None] * float(draw.normal(0.97, 0.05))
    warped[..., :3] = np.clip(warped[..., :3] * shade, 0, 255)
    hides = _blend(scene, warped, left, top)
    owner[top : top + warped.shape[0], left : left + warped.shape[1]][hides] = index


def _lay_thing(
    rng: Random, draw: np.random.Generator, scene: Image, camera: Camera,
    owner: NDArray[np.uint8] | None = None, near: Points | None = None,
) -> None:  # fmt: skip
    thing, tall = things.random_thing(draw)
    if near is None:
        spot = (rng.uniform(0, camera.size[0]), rng.uniform(0, camera.size[1]))
        place = camera.on_table(spot)
    else:
        place = (float(near[0]) + rng.gauss(0, 5), float(near[1]) + rng.gauss(0, 5))
    world = card_corners(tall * thing.shape[1] / thing.shape[0], tall, place, rng.uniform(0, 6.3))
    laid = _warped(premultiplied(thing), camera.project(world), camera.size)
    if laid is None:
        return
    warped, left, top = laid
    _cast_shadow(draw, scene, warped, left, top)
    hides = _blend(scene, warped, left, top)
    if owner is not None:
        owner[top : top + warped.shape[0], left : left + warped.shape[1]][hides] = 0


def _seen(
    card: str, corners: Points, owner: NDArray[np.uint8], index: int, tilt: float = 0.0
) -> SceneCard:
    mine = owner == index
    visible = min(float(mine.sum()) / max(abs(area(corners)), 1.0), 1.0)
    source = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    x0, y0, x1, y1 = _INDEX_SPOT
    steps = np.linspace(0.1, 0.9, 5)
    grid = np.array([(x0 + u * (x1 - x0), y0 + v * (y1 - y0)) for u in steps for v in steps])
    seen = []
    for spot in (grid, 1 - grid):
        at = cv2.perspectiveTransform(spot[None].astype(np.float32), matrix)[0]
        x, y = np.floor(at).astype(int).T
        inside = (x >= 0) & (y >= 0) & (x < owner.shape[1]) & (y < owner.shape[0])
        hits = inside.copy()
        hits[inside] = mine[y[inside], x[inside]]
        seen.append(float(hits.mean()))
    readable = max(seen) > 0.9 or visible > 0.75
    return SceneCard(card, corners, visible, readable, tilt)


def _made(options: argparse.Namespace, part: int) -> Iterator[tuple[str, Scene]]:
    """One worker's scenes; the scenes of one printing are all made by the same worker."""
    maker = SceneMaker(open_shelf(options.cache), options.seed, options.split, options.spanish)
    chunk, end = PICTURES_A_DECK, options.first + options.count
    for first in range(options.first + part * chunk, end, chunk * options.workers):
        for number in range(first, min(first + chunk, end)):
            yield f"{number:07d}.jpg", maker.make(number)


def main(arguments: list[str] | None = None) -> int:
    """Make scenes and write them to a folder."""
    parser = argparse.ArgumentParser(prog="datasets.scenes.maker", description=main.__doc__)
    add_options(parser)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first scene")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--spanish", type=float, default=0.3, help="share of Spanish packs")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    count = write_scenes(_made, options)
    seconds = time.perf_counter() - start
    print(f"{count} scenes in {seconds:.1f} s ({count / seconds:.1f} a second)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
