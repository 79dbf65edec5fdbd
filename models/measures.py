"""Measures models on labelled photographs and on scenes, also after they learned a deck."""

import time
from collections.abc import Collection, Sequence
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.benchmarks.intervals import share_between
from datasets.benchmarks.strays import MARKERS_A_TABLE, tables_of_markers
from datasets.cards.labels import BACK, FRENCH_CARDS, JOKER, SPANISH_CARDS, rank_of
from datasets.scenes.geometry import Points
from datasets.scenes.photos import (
    Match,
    Photo,
    PhotoCard,
    Reading,
    belongs,
    match,
    smaller,
    upright_boxes,
)
from datasets.scenes.scene import PICTURES_A_DECK, Scene, SceneCard
from models.data import StoredScenes
from models.harvest import assign
from models.scores import NAMED, SURE, Tally, best_temperature, calibration_error
from vision.detection.crops import flatten
from vision.detection.deck_templates import KnownDeck
from vision.detection.detections import Detection
from vision.detection.one_deck import WEIGHED, OneDeck
from vision.detection.outlines import Found, overlaps
from vision.detection.photo_reader import StillReader
from vision.detection.reader import CardReader

Row = dict[str, float | int | None]

_PIQUET = tuple(c for c in FRENCH_CARDS if rank_of(c) in {"A", "K", "Q", "J", "10", "9", "8", "7"})
SETS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("edje", "edje", "", _PIQUET),
    ("anglo-table/measure", "anglo-table", "measure/", FRENCH_CARDS),
    ("spanish", "spanish", "", SPANISH_CARDS),
)
"""Each set of real photographs: its name, its folder, how its photos' names begin, and its pack.

The reader is told the pack, as it is at a table."""

SAME_BACK = 0.4
"""A detection that overlaps more with a labelled back (intersection over union) is that back."""

FACTORS = {"anglo-table/measure": (1, 2, 3, 4)}
"""Factors by which a set's photos are made smaller; a set that is not named has the factor 1."""


class Eyes(Protocol):
    """What reads the cards of a picture: the product's reader, or what it is compared with."""

    def read(self, frame: NDArray[np.uint8], *, pack: Collection[str] | None) -> list[Detection]:
        """The cards of a picture."""
        ...


class PhotoEyes:
    """Reads each picture as ``trucam read`` reads a photograph that it is given alone.

    Args:
        reader: finds and reads the cards in each look.
    """

    def __init__(self, reader: CardReader) -> None:
        self._still = StillReader(reader)

    def read(self, frame: NDArray[np.uint8], *, pack: Collection[str] | None) -> list[Detection]:
        """The cards of a picture."""
        deck = OneDeck()
        deck.add(frame, self._still.read(frame, pack=pack, keep=WEIGHED))
        return deck.read()[0]


def _readings(
    detections: Sequence[Detection], factor: float = 1, *, backs: bool = False
) -> list[Reading]:
    return [
        Reading(s.card, s.probability, s.corners * factor)
        for s in detections
        if backs or s.card != BACK
    ]


def score_photos(
    eyes: Eyes, photos: Sequence[Photo], pack: Collection[str], factor: float = 1
) -> Row:
    """Scores labelled photographs that show no back, made smaller by a factor.

    ``things_a_photo`` counts the places without a card that are called a card or a back.
    """
    tally, things = Tally(), 0
    for photo in photos:
        picture = photo.picture()
        if factor != 1:
            picture = smaller(picture, factor)
        started = time.perf_counter()
        detections = eyes.read(picture, pack=pack)
        seconds = time.perf_counter() - started
        tally.add(*match(photo.cards, _readings(detections, factor)), seconds * 1000)
        things += _things(photo, detections, factor)
    return tally.row() | {"things_a_photo": things / max(len(photos), 1)}


def score_together(still: StillReader, photos: Sequence[Photo], pack: Collection[str]) -> Row:
    """Scores labelled photographs of one deck, read together as ``trucam read`` does."""
    tally, things, deck = Tally(), 0, OneDeck()
    for photo in photos:
        picture = photo.picture()
        deck.add(picture, still.read(picture, pack=pack, keep=WEIGHED))
    for photo, detections in zip(photos, deck.read(), strict=True):
        tally.add(*match(photo.cards, _readings(detections)))
        things += _things(photo, detections)
    return tally.row() | {"things_a_photo": things / max(len(photos), 1)}


def _things(photo: Photo, detections: Sequence[Detection], factor: float = 1) -> int:
    """How many detections are given a name though none of the photograph's cards lies there."""
    named = [each for each in detections if each.probability >= NAMED]
    seen = _readings(named, factor, backs=True)
    return sum(not any(belongs(each, card) for card in photo.cards) for each in seen)


def score_boxes(reader: CardReader, photos: Sequence[Photo], pack: Collection[str]) -> Row:
    """Scores the reader alone: upright, uncovered cards, cut out by their labelled boxes."""
    tally = Tally()
    for photo, card in upright_boxes(photos):
        x0, y0, x1, y1 = card.box
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
        detections = reader.name(photo.picture(), [Found(corners, 1.0)], pack=pack)
        tally.add(*match([card], _readings(detections)))
    return tally.row()


def score_learning(
    still: StillReader, photos: Sequence[Photo], pack: Collection[str]
) -> dict[str, Row]:
    """Scores photographs before and after the deck is learned from one picture of each card.

    A card is learned from the first picture of it whose outline fills its label's box, under the
    label's name. Where the label has no suit, the suit that was read is taken. Photos that a card
    was learned from are not scored.

    Returns:
        A row for before and one for after; nothing where no card was learned.
    """
    shown: dict[str, NDArray[np.uint8]] = {}
    used: set[int] = set()
    for index, photo in enumerate(photos):
        picture = photo.picture()
        size = (picture.shape[1], picture.shape[0])
        for label, detection in assign(photo.cards, still.read(picture, pack=pack), size):
            if rank_of(detection.card) != rank_of(label.card) and label.card.endswith("?"):
                continue
            name = detection.card if label.card.endswith("?") else label.card
            if name not in shown:
                shown[name] = flatten(picture, detection.corners)
                used.add(index)
    if not shown:
        return {}
    deck = KnownDeck(list(shown), list(shown.values()))
    tallies = {"before": Tally(), "after": Tally()}
    for index, photo in enumerate(photos):
        if index in used:
            continue
        picture = photo.picture()
        for name, known in (("before", None), ("after", deck)):
            detections = still.read(picture, pack=pack, deck=known)
            tallies[name].add(*match(photo.cards, _readings(detections)))
    return {f"{name} learning {len(shown)} cards": tally.row() for name, tally in tallies.items()}


def score_strays(eyes: Eyes, tables: int) -> Row:
    """Counts how many calling cards and corner markers on drawn tables are taken for cards."""
    named = [
        detection.probability
        for picture in tables_of_markers(tables)
        for detection in eyes.read(picture, pack=None)
        if detection.card != BACK
    ]
    return {
        "things": tables * MARKERS_A_TABLE,
        "named": sum(probability >= NAMED for probability in named),
        "named_sure": sum(probability >= SURE for probability in named),
    }


def tall_of(card: SceneCard) -> float:
    """The longest side of a card, in pixels."""
    return float(np.linalg.norm(card.corners - np.roll(card.corners, -1, axis=0), axis=1).max())


def _strata(scene: Scene, card: SceneCard) -> list[str]:
    """The rows that a card of a scene counts in."""
    tall, whole = tall_of(card), card.visible >= 0.66
    kind = "French" if card.card in FRENCH_CARDS else "Spanish"
    size = "40–80 px" if tall < 80 else "80–160 px" if tall < 160 else "≥ 160 px"
    tilt = "< 20°" if card.tilt < 20 else "20–40°" if card.tilt < 40 else "≥ 40°"
    cover = "free" if card.visible > 0.95 else "at most a third" if whole else "more than a third"
    mask = np.zeros(scene.picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(card.corners).astype(np.int32), 255)
    bright = float(np.mean(cv2.mean(scene.picture, mask)[:3]))
    light = "dark" if bright < 80 else "bright" if bright > 200 else "medium"
    rows = [f"covered: {cover}"]
    if whole:
        rows += [f"size: {size}", f"tilt: {tilt}", f"light: {light}"]
        if tall >= 80:
            rows.insert(0, f"{kind}, ≥ 80 px, at most a third covered")
    return rows


def score_scenes(eyes: Eyes, scenes: StoredScenes, limit: int) -> dict[str, Row]:
    """Scores whole scenes, with a row for each kind, cover, size, tilt and light of cards.

    A card counts where at least a third of it can be seen, and it is readable. A back counts where
    half of it can be seen; its rank is right where it is called a back. ``things_a_photo`` counts
    the places without a card that are called a card or a back.
    """
    tallies: dict[str, Tally] = {"all": Tally()}
    named, pictures = 0, min(limit, len(scenes))
    for number in range(pictures):
        scene = scenes[number]
        started = time.perf_counter()
        detections = eyes.read(scene.picture, pack=None)
        seconds = time.perf_counter() - started
        labels = [PhotoCard(card.card, _box(card)) for card in scene.cards if card.card != BACK]
        cards = [card for card in scene.cards if card.card != BACK]
        deck = number // PICTURES_A_DECK
        matches, extra = match(labels, _readings(detections))
        asked: list[Match] = []
        for card, found in zip(cards, matches, strict=True):
            if card.card == JOKER or not card.readable or card.visible < 0.33:
                continue
            asked.append(found)
            for row in _strata(scene, card):
                tallies.setdefault(row, Tally()).add([found], [], deck=deck)
        for found in _backs(scene, detections):
            tallies.setdefault("backs, at most half covered", Tally()).add([found], [], deck=deck)
        backs = [card.corners.astype(np.float32) for card in scene.cards if card.card == BACK]
        things = [each for each in extra if not _on_any(each, backs)]
        tallies["all"].add(asked, things, seconds * 1000, deck=deck)
        named += _named_things(scene, detections)
    rows = {name: tallies[name].row() for name in sorted(tallies)}
    for name, row in rows.items():
        if name != "all":  # a reading that lies on no card belongs to no kind of card
            row |= {"extra": None, "precision": None}
    rows["all"]["things_a_photo"] = named / max(pictures, 1)
    return rows


def _named_things(scene: Scene, detections: Sequence[Detection]) -> int:
    """How many detections are given a name though none of the scene's cards lies there."""
    quads = [card.corners.astype(np.float32) for card in scene.cards]
    named = [each for each in detections if each.probability >= NAMED]
    return sum(not _on_any(each, quads) for each in _readings(named, backs=True))


def _backs(scene: Scene, detections: Sequence[Detection]) -> list[Match]:
    """What was read where cards lie face down."""
    labels = [PhotoCard(card.card, _box(card)) for card in scene.cards]
    matches, _ = match(labels, _readings(detections, backs=True))
    return [
        found
        for card, found in zip(scene.cards, matches, strict=True)
        if card.card == BACK and card.visible >= 0.5
    ]


def score_backs(reader: CardReader, scenes: StoredScenes, limit: int) -> dict[str, Row]:
    """Scores backs, each by itself, and weighed by the other backs of the picture.

    ``found`` is the share of labelled backs that are called backs, however much of them is covered.
    ``things_a_photo`` is how often a picture has something called a back that lies on no card.
    """
    counts = {"backs by themselves": [0, 0, 0], "backs of one deck": [0, 0, 0]}
    pictures = min(limit, len(scenes))
    for number in range(pictures):
        scene, deck = scenes[number], OneDeck()
        detections = reader.read(scene.picture, keep=WEIGHED)
        deck.add(scene.picture, detections)
        backs = [
            card.corners.astype(np.float32) for card in _most_seen_first(scene) if card.card == BACK
        ]
        for count, seen in zip(counts.values(), (detections, deck.read()[0]), strict=True):
            named = [s for s in seen if s.card == BACK and s.probability >= NAMED]
            count[0] += len(backs)
            count[1] += _found(backs, [each.corners for each in named])
            count[2] += _named_things(scene, named)
    return {
        name: {
            "cards": backs,
            "found": found / max(backs, 1),
            "things_a_photo": things / max(pictures, 1),
        }
        for name, (backs, found, things) in counts.items()
    }


def _box(card: SceneCard) -> tuple[float, float, float, float]:
    (x0, y0), (x1, y1) = card.corners.min(axis=0), card.corners.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def _on_any(reading: Reading, outlines: Sequence[NDArray[np.float32]]) -> bool:
    x, y = (float(value) for value in reading.corners.mean(axis=0))
    return any(cv2.pointPolygonTest(outline, (x, y), False) >= 0 for outline in outlines)


def score_reader(
    reader: CardReader, scenes: StoredScenes, limit: int
) -> tuple[dict[str, Row], float]:
    """Scores the reader alone, on cards cut out by their true corners.

    Returns:
        The rows, and the temperature that fits these cards best.
    """
    logits, truth, heights = [], [], []
    for number in range(min(limit, len(scenes))):
        scene = scenes[number]
        cards = [card for card in scene.cards if card.readable]
        if not cards:
            continue
        crops = [flatten(scene.picture, card.corners) for card in cards]
        logits.append(reader.read_crops(crops).logits)
        truth += [reader.classes.index(card.card) for card in cards]
        heights += [tall_of(card) for card in cards]
    given, true = np.concatenate(logits), np.array(truth)
    chances = np.exp(given - given.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    named, sure = chances.argmax(axis=1), chances.max(axis=1)
    ranks = np.array([rank_of(name) for name in reader.classes])
    rows: dict[str, Row] = {}
    for kind, names in (("French", FRENCH_CARDS), ("Spanish", SPANISH_CARDS)):
        chosen = np.isin(true, [reader.classes.index(n) for n in names]) & (np.array(heights) >= 80)
        if not chosen.any():
            continue
        right = ranks[named[chosen]] == ranks[true[chosen]]
        confident = sure[chosen] >= 0.9
        low, high = share_between(int(right.sum()), len(right))
        rows[f"{kind}, ≥ 80 px, true corners, reader alone"] = {
            "cards": int(chosen.sum()),
            "rank_right": float(right.mean()),
            "rank_low": low,
            "rank_high": high,
            "card_right": float((named[chosen] == true[chosen]).mean()),
            "sure": float(confident.mean()),
            "sure_wrong": float((~right[confident]).mean()) if confident.any() else 0.0,
            "calibration_error": calibration_error(sure[chosen], right),
        }
    return rows, best_temperature(given, true)


def _most_seen_first(scene: Scene) -> list[SceneCard]:
    """A scene's cards, the most visible first: so an outline is given to it, not to one beneath."""
    return sorted(scene.cards, key=lambda card: -card.visible)


def _found(cards: list[Points], outlines: list[Points]) -> int:
    """How many cards are outlined. Each card takes its best outline, which no other may have."""
    left, found = list(outlines), 0
    for card in cards:
        shared = [overlaps(outline, card)[0] for outline in left]
        if shared and max(shared) > SAME_BACK:
            del left[int(np.argmax(shared))]
            found += 1
    return found


def score_finder(reader: CardReader, scenes: StoredScenes, limit: int) -> dict[str, Row]:
    """Scores the finder with the refiner: cards found, by size, and how far corners are off.

    A card counts where at least half of it is visible. It is found where an outline's corners are
    off by less than 0.35 of its height on average. ``corner_error`` is the median, in card heights.
    """
    bins = {"≥ 80 px": (80, 9999), "40–80 px": (40, 80)}
    wanted = dict.fromkeys(bins, 0)
    errors: dict[str, list[float]] = {name: [] for name in bins}
    false = given = 0
    for number in range(min(limit, len(scenes))):
        scene = scenes[number]
        found = reader.locate(scene.picture)
        used: set[int] = set()
        given += len(found)
        for card in _most_seen_first(scene):
            tall = tall_of(card)
            best, error = None, 0.35
            for index, candidate in enumerate(found):
                if index not in used:
                    gap = corner_error(candidate.corners, card.corners) / tall
                    if gap < error:
                        best, error = index, gap
            if best is not None:
                used.add(best)
            if card.visible < 0.5:
                continue
            for name, (low, high) in bins.items():
                if low <= tall < high:
                    wanted[name] += 1
                    if best is not None:
                        errors[name].append(error)
        false += len(found) - len(used)
    rows: dict[str, Row] = {
        f"outlines, {name}": {
            "cards": wanted[name],
            "found": len(errors[name]) / max(wanted[name], 1),
            "corner_error": float(np.median(errors[name])) if errors[name] else None,
        }
        for name in bins
    }
    rows["outlines, all"] = {"precision": 1 - false / max(given, 1)}
    return rows


def corner_error(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """The mean distance of four corners from four others, in pixels; either end may be up."""
    return min(
        float(np.linalg.norm(np.roll(first, turn, axis=0) - second, axis=1).mean())
        for turn in (0, 2)
    )
