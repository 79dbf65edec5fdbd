"""Batches for training: crops for the reader and the refiner, whole pictures for the finder.

A batch depends on the seed and on its number alone. So a run that is resumed goes on with the
pictures that come next, whatever the number of worker processes.
"""

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.labels import BACK, CLASSES, UNKNOWN
from datasets.scenes.maker import SceneMaker
from datasets.scenes.printings import Printings
from datasets.scenes.scene import Scene, SceneCard
from datasets.scenes.textures import Image
from models.disturb import cover, disturb, hold
from models.no_cards import outline_of_none, thing
from models.targets import target_maps
from vision.detection.crops import REFINER_VIEW, flatten, offsets_in_view, to_tensor
from vision.detection.outlines import overlaps

Array = NDArray[np.float32]

_CLASS_INDEX = {name: index for index, name in enumerate(CLASSES)}
_OUTLINED = 0.15
"""Share of a scene's ``unknown`` outlines that are used; photographs have very many of them."""

_SAME_OUTLINE = 0.6
"""Where the outlines of two cards overlap more (intersection over union), a crop of the lower one
shows the upper one, and is no example of "no card"."""

_HELD = 0.4
"""Share of the covered crops that are covered by a finger; the rest by another card or a colour."""


class Source(Protocol):
    """A collection of scenes, numbered from 0."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int) -> Scene: ...


class StoredScenes:
    """The scenes of folders that ``datasets.scenes.maker`` and ``datasets.films.stills`` wrote."""

    def __init__(self, *folders: Path) -> None:
        self._labels = []
        for folder in folders:
            with (folder / "labels.jsonl").open(encoding="utf-8") as lines:
                self._labels += [(folder, json.loads(line)) for line in lines]

    def __len__(self) -> int:
        return len(self._labels)

    def __getitem__(self, number: int) -> Scene:
        folder, entry = self._labels[number]
        picture = cv2.imread(str(folder / entry["photo"]), cv2.IMREAD_COLOR)
        if picture is None:
            raise OSError(f"{folder / entry['photo']} is no picture")
        cards = tuple(
            SceneCard(
                card["card"],
                np.array(card["corners"]),
                card["visible"],
                card["readable"],
                card.get("tilt", 0.0),
            )
            for card in entry["cards"]
        )
        return Scene(picture.astype(np.uint8), cards)


class FreshScenes:
    """Scenes that are made when they are asked for: so many that a run sees none of them twice."""

    def __init__(self, maker: SceneMaker, count: int = 10_000_000) -> None:
        self._maker, self._count = maker, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> Scene:
        return self._maker.make(number)


def _order(source: Source, seed: int) -> Any:
    """A function from a running number to a scene's number.

    Each pass over the scenes has an order of its own. A source that is larger than any run needs is
    not shuffled.
    """
    size = len(source)

    def scene_number(running: int) -> int:
        turn, place = divmod(running, size)
        if size > 1_000_000:
            return running % size
        if turn not in orders:
            orders.clear()
            orders[turn] = np.random.default_rng((seed, turn)).permutation(size)
        return int(orders[turn][place])

    orders: dict[int, NDArray[np.int64]] = {}
    return scene_number


@dataclass(frozen=True)
class ReaderSettings:
    """What reader batches depend on; ``[reader]`` in ``settings.toml`` explains each value."""

    batch: int
    jitter: float
    negatives: float
    seed: int
    photo_share: float = 0.0
    covered: float = 0.0
    things: float = 0.0
    printings: float = 0.0


@dataclass(frozen=True)
class _Cut:
    """A crop, its class, and 1 if it is upside down, 0 if upright, 0.5 if it has no upper end.

    ``free`` says that nothing covers the card yet, so that something may be laid over it.
    """

    crop: Image
    name: str
    flipped: float
    free: bool = False


class ReaderBatches:
    """Batches of flattened cards for the reader.

    A batch of N is: crops (N, 3, height, width) of ``READER_VIEW``, RGB, 0–1; classes (N,), places
    in ``CLASSES``; and flipped (N,), 1 upside down, 0 upright, 0.5 where no end is up.

    Args:
        source: the scenes that crops are cut out of.
        settings: the reader's settings.
        scenes_a_batch: how many scenes the crops of one batch come from.
        photos: labelled photographs, for the share ``photo_share`` of the crops.
        printings: cards without a scene, for the share ``printings`` of the crops.
    """

    def __init__(
        self,
        source: Source,
        settings: ReaderSettings,
        scenes_a_batch: int = 36,
        photos: Source | None = None,
        printings: Printings | None = None,
    ) -> None:
        self._settings, self._sources, self._printings = settings, [source], printings
        self._share = settings.photo_share if photos is not None else 0.0
        if photos is not None:
            self._sources.append(photos)
        self._scenes = scenes_a_batch
        self._orders = [_order(each, settings.seed) for each in self._sources]
        self._cuts = functools.lru_cache(maxsize=2)(self._cut_anew)

    def __len__(self) -> int:
        return 1 << 30

    def __getitem__(self, step: int) -> tuple[Array, NDArray[np.int64], Array]:
        rng = np.random.default_rng((self._settings.seed, step))
        size = self._settings.batch
        cuts = [*self._cuts(step), *self._cuts(step + 1)][:size]
        crops = [disturb(rng, cut.crop) for cut in cuts]
        for place in np.nonzero(rng.random(size) < self._settings.covered)[0]:
            if cuts[place].free and rng.random() < _HELD:
                crops[place] = hold(rng, crops[place])
            elif cuts[place].free:
                crops[place] = cover(rng, crops[place], crops[int(rng.integers(0, size))])
        classes = np.array([_CLASS_INDEX[cut.name] for cut in cuts])
        return to_tensor(crops), classes, np.array([cut.flipped for cut in cuts], np.float32)

    def _cut_anew(self, step: int) -> list[_Cut]:
        """Cut half a batch of new crops.

        They are used twice: in batch ``step`` and in the one before it, disturbed differently each
        time. For to make a crop takes as long as to learn from it.
        """
        rng = np.random.default_rng((self._settings.seed, step, 1))
        size = (self._settings.batch + 1) // 2
        of_photos = round(size * self._share)
        of_printings = round(size * self._settings.printings) if self._printings else 0
        cuts = self._collect(rng, 0, step, size - of_photos - of_printings)
        if of_photos:
            cuts += self._collect(rng, 1, step, of_photos)
        cuts += [self._print(rng, step) for _ in range(of_printings)]
        for number in range(int(rng.binomial(size, self._settings.things))):
            cuts[number] = _Cut(thing(rng), UNKNOWN, 0.5)
        return cuts

    def _print(self, rng: np.random.Generator, step: int) -> _Cut:
        """A crop that is made straight from a printing, without a scene."""
        assert self._printings is not None
        crop, name = self._printings.crop(rng, step, self._settings.jitter)
        flipped = rng.random() < 0.5
        turned = crop[::-1, ::-1].copy() if flipped else crop
        return _Cut(turned, name, float(flipped), free=name != BACK)

    def _collect(self, rng: np.random.Generator, which: int, step: int, wanted: int) -> list[_Cut]:
        """Cut so many crops out of one source: cards chosen at random from several scenes."""
        scenes = max(self._scenes * wanted // self._settings.batch, 1)
        running = step * scenes
        cuts: list[_Cut] = []
        while len(cuts) < wanted:
            scene = self._sources[which][self._orders[which](running)]
            cuts += _cut(rng, scene, self._settings)
            running += 1
        return [cuts[index] for index in rng.permutation(len(cuts))[:wanted]]


def _cut(rng: np.random.Generator, scene: Scene, settings: ReaderSettings) -> list[_Cut]:
    """Cut the readable cards out of a scene, and sometimes a place without a card."""
    found = []
    for card in scene.cards:
        tall = float(np.linalg.norm(card.corners[0] - card.corners[3]))
        if card.readable or (card.card == BACK and card.visible > 0.4):
            name = card.card
        elif (card.card == UNKNOWN and rng.random() < _OUTLINED) or (
            0 < card.visible < 0.2
            and not _is_beneath(card, scene)
            and rng.random() < settings.negatives
        ):
            name = UNKNOWN
        else:
            continue
        corners = card.corners + rng.normal(0, settings.jitter * tall, (4, 2))
        if rng.random() < 0.2:  # a rectangle, as a detector with oriented boxes would give it
            corners = _boxed(corners)
        flipped = rng.random() < 0.5
        if flipped:
            corners = np.roll(corners, 2, axis=0)
        free = card.visible > 0.95 and name not in (UNKNOWN, BACK)
        found.append(_Cut(flatten(scene.picture, corners), name, float(flipped), free))
    if rng.random() < settings.negatives * max(len(scene.cards), 1):
        quad = outline_of_none(rng, scene)
        if quad is not None:
            found.append(_Cut(flatten(scene.picture, quad), UNKNOWN, 0.5))
    return found


def _is_beneath(card: SceneCard, scene: Scene) -> bool:
    """Whether a card that can be seen better has nearly the same outline, as in a heap."""
    quad = card.corners.astype(np.float32)
    return any(
        each.visible > card.visible
        and overlaps(quad, each.corners.astype(np.float32))[0] > _SAME_OUTLINE
        for each in scene.cards
        if each is not card and each.card != UNKNOWN
    )


def _boxed(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners of the smallest rotated rectangle around four corners, in the same order."""
    box = cv2.boxPoints(cv2.minAreaRect(corners.astype(np.float32))).astype(np.float64)
    if np.dot(box[:, 0], np.roll(box[:, 1], -1)) < np.dot(box[:, 1], np.roll(box[:, 0], -1)):
        box = box[::-1]
    turns = [np.roll(box, turn, axis=0) for turn in range(4)]
    return min(turns, key=lambda turn: float(np.abs(turn - corners).sum()))


@dataclass(frozen=True)
class RefinerSettings:
    """What refiner batches depend on; ``[refiner]`` in ``settings.toml`` explains each value."""

    batch: int
    turn: float
    stretch: float
    shift: float
    jitter: float
    seed: int
    parts: float = 0.0


class RefinerBatches:
    """Batches of roughly flattened cards for the refiner, with the errors of their corners.

    A batch of N is: crops (N, 3, height, width) of ``REFINER_VIEW``, RGB, 0–1; and offsets (N, 8),
    x and y from each rough corner to the true one, as parts of the crop's height.

    Args:
        source: the scenes that crops are cut out of.
        settings: the refiner's settings.
    """

    def __init__(self, source: Source, settings: RefinerSettings) -> None:
        self._source, self._settings = source, settings
        self._order = _order(source, settings.seed)

    def __len__(self) -> int:
        return 1 << 30

    def __getitem__(self, step: int) -> tuple[Array, Array]:
        rng = np.random.default_rng((self._settings.seed, step))
        cuts: list[tuple[Image, Array]] = []
        running = step * (self._settings.batch // 4)
        while len(cuts) < self._settings.batch:
            scene = self._source[self._order(running)]
            running += 1
            for card in scene.cards:
                if card.visible < 0.25:
                    continue
                truth = np.roll(card.corners, 2 * int(rng.integers(0, 2)), axis=0)
                rough = roughened(rng, truth, self._settings)
                crop = flatten(scene.picture, rough, REFINER_VIEW)
                offsets = offsets_in_view(rough, truth).reshape(8)
                if np.abs(offsets).max() < 0.9:
                    cuts.append((disturb(rng, crop), offsets.astype(np.float32)))
        chosen = [cuts[index] for index in rng.permutation(len(cuts))[: self._settings.batch]]
        return to_tensor([crop for crop, _ in chosen]), np.stack([each for _, each in chosen])


def roughened(
    rng: np.random.Generator, corners: NDArray[np.float64], settings: RefinerSettings
) -> NDArray[np.float64]:
    """The corners that a finder might give: turned, scaled, shifted, each a little wrong.

    The share ``parts`` of them goes round a part of the card only: a finder may take the halves of
    a court card for two cards.
    """
    tall = float(np.linalg.norm(corners[0] - corners[3]) + np.linalg.norm(corners[1] - corners[2]))
    if rng.random() < settings.parts:
        corners = _part(rng, corners)
    middle = corners.mean(axis=0)
    angle, size = rng.normal(0, settings.turn), np.exp(rng.normal(-0.1, settings.stretch))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    rough = (corners - middle) @ turn.T * size + middle
    rough += rng.normal(0, settings.shift * tall / 2, 2)
    rough += rng.normal(0, settings.jitter * tall / 2, (4, 2))
    return np.asarray(rough, np.float64)


def _part(rng: np.random.Generator, corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The outline of a part of a card: it keeps one edge and reaches over 40–85 % of the card."""
    turn, share = int(rng.integers(0, 4)), float(rng.uniform(0.4, 0.85))
    first, second, third, fourth = np.roll(corners, turn, axis=0)
    part = np.stack([first, second, second + (third - second) * share,
                     first + (fourth - first) * share])  # fmt: skip
    return np.roll(part, -turn, axis=0)


@dataclass(frozen=True)
class FinderSettings:
    """What finder batches depend on; ``[finder]`` in ``settings.toml`` explains each value."""

    batch: int
    longest: int
    least_visible: float
    zoom: tuple[float, float]
    seed: int
    photo_share: float = 0.0


class FinderBatches:
    """Batches of pictures for the finder, with the maps that it should give.

    A batch of N pictures of side S is: pictures (N, 3, S, S), RGB, 0–1; and, with a cell for 8×8
    pixels, heat (N, S/8, S/8), 0–1; outlines (N, 8, S/8, S/8), in the finder's unit; weight
    (N, S/8, S/8), how much a cell's outline counts; size (N, S/8, S/8) of the cell's card, in the
    outlines' unit; and asked (N, S/8, S/8), 0 where the heat does not count, else 1.

    Args:
        source: the scenes that are shown.
        settings: the finder's settings.
        photos: labelled photographs, for the share ``photo_share`` of the pictures.
    """

    def __init__(
        self, source: Source, settings: FinderSettings, photos: Source | None = None
    ) -> None:
        self._settings = settings
        share = settings.photo_share if photos is not None else 0.0
        of_photos = round(settings.batch * share)
        self._parts = [(source, _order(source, settings.seed), settings.batch - of_photos)]
        if photos is not None and of_photos:
            self._parts.append((photos, _order(photos, settings.seed), of_photos))

    def __len__(self) -> int:
        return 1 << 30

    def __getitem__(self, step: int) -> tuple[Array, ...]:
        rng = np.random.default_rng((self._settings.seed, step))
        pictures, maps = [], []
        for source, order, count in self._parts:
            for place in range(count):
                scene = source[order(step * count + place)]
                picture, cards = _moved(rng, scene, self._settings)
                pictures.append(picture)
                side, least = self._settings.longest, self._settings.least_visible
                maps.append(target_maps(cards, side, least))
        return to_tensor(pictures), *(np.stack(parts) for parts in zip(*maps, strict=True))


def _moved(
    rng: np.random.Generator, scene: Scene, settings: FinderSettings
) -> tuple[Image, list[SceneCard]]:
    """Turn, scale and shift a scene into a square, and vary its light.

    Fine detail has to look as it does when a frame is read, neither jagged nor soft. So the scene
    is scaled down by averaging areas, as ``vision.detection.outlines.fit`` does it, and rotated
    with a filter that keeps it sharp.

    Returns:
        The square picture, and its cards with their corners in it.
    """
    side = settings.longest
    height, width = scene.picture.shape[:2]
    scale = side / max(height, width) * float(rng.uniform(*settings.zoom))
    angle = float(rng.integers(0, 4) * 90 + rng.normal(0, 4))
    matrix = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), angle, scale), float)
    shift = rng.uniform(-0.08, 0.08, 2) * side
    matrix[:, 2] += np.array([side / 2 - width / 2, side / 2 - height / 2]) + shift
    picture, at_pixels = scene.picture, matrix.copy()
    if scale < 1:
        size = (max(round(width * scale), 1), max(round(height * scale), 1))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
        at_pixels[:, :2] *= (width / size[0], height / size[1])
    # OpenCV counts from the middle of the first pixel.
    at_pixels[:, 2] += at_pixels[:, :2] @ (0.5, 0.5) - 0.5
    picture = cv2.warpAffine(
        picture, at_pixels, (side, side), flags=cv2.INTER_LANCZOS4,
        borderMode=cv2.BORDER_CONSTANT, borderValue=(114, 114, 114),
    )  # fmt: skip
    gain = rng.normal(1, 0.06, 3) * np.exp(rng.normal(0, 0.15))
    table = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)
    picture = cv2.LUT(picture, table.reshape(256, 1, 3))
    cards = [
        SceneCard(
            card.card, card.corners @ matrix[:, :2].T + matrix[:, 2], card.visible, card.readable
        )
        for card in scene.cards
        if card.card != UNKNOWN  # an outline of no card: the finder should find nothing there
    ]
    return picture.astype(np.uint8), cards
