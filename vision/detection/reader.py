"""Reading cards: a frame in, detections out, on ONNX Runtime.

The finder says where cards are. The refiner moves their corners until they settle. Each card is
flattened from the full frame, and the reader names it; of a card that lies still it sees the mean
of the latest frames, made sharper. An unsure card is read both ways up, and the two answers are
averaged. Where the table's own deck is known, it also counts how much a card looks like one of that
deck's cards (see ``vision.detection.deck_templates``).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.detection.crops import (
    REFINER_VIEW,
    flatten,
    flatten_still,
    moved,
    sharpened,
    to_tensor,
)
from vision.detection.detections import NO_LETTERS, Detection, one_a_card
from vision.detection.outlines import (
    Found,
    decode,
    fit,
    is_outline,
    moved_by,
    turned_back,
    without_doubles,
)
from vision.detection.runtime import onnxruntime
from vision.detection.sessions import CPU, ModelError, open_session

if TYPE_CHECKING:
    from vision.detection.deck_templates import KnownDeck

MANIFEST_VERSION = 3
NO_CARDS = frozenset({"XJ", "back", "unknown"})
"""Classes of the reader that are no card of any pack: they are read whatever the pack is."""

LEAST_SCORE = 0.3
"""How sure the finder has to be of a card, 0–1. What it finds with less is hardly ever a card."""

NEARLY_ONE = 0.75
"""Of outlines that overlap more than this (intersection over union) only the surest is read."""

LOOK_AGAIN = 0.9
"""A face that is read with less probability than this is read by its earlier outlines too."""

ACROSS = 2
"""How often corners are refined where a side is tried as the card's upper edge."""

SETTLED = 0.03
"""Corners that were moved by no more than this part of the card's height are refined no more."""

AT_A_GLANCE, WHICH_END = 0.98, 2.0
"""A flattened card is read one way up only if its class has at least this probability, and which
end is up at least these logits."""

BY_SCORE = 0.5
"""The reader's logits are multiplied by the finder's score to this power. Where the finder was
hardly sure of a card, the outline may be wrong, and then the reading too. Fitted on scenes and
stills of the calibration decks by ``models.by_score``."""

AT_ONCE = 8
"""Most flattened cards that a model looks at together."""

NO_FACES = frozenset({"back", "unknown"})
"""Classes for which other outlines are not tried: of 187 such detections, in 60 frames of films,
none was a face that another outline read right."""

Image = NDArray[np.uint8]
Corners = NDArray[np.float32]
Region = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a frame, in its pixels."""


class How(NamedTuple):
    """How a picture is shown to the finder: what it overlooks one way it may find another way.

    Attributes:
        turn: quarter turns by which it is turned, counterclockwise.
        longest: its longest side, in pixels; 0 for the usual one (``CardReader.longest``).
    """

    turn: int = 0
    longest: int = 0


PLAINLY = How()


def _run(
    session: onnxruntime.InferenceSession, crops: list[Image], *outputs: str
) -> list[NDArray[np.float32]]:
    """What a model says of flattened cards: some of its outputs, each of shape (N, …).

    A few cards at a time, for the runtime never frees the memory that the most cards needed.
    """
    parts = [
        session.run(outputs, {"picture": to_tensor(crops[first : first + AT_ONCE])})
        for first in range(0, len(crops), AT_ONCE)
    ]
    return [np.concatenate(each) for each in zip(*parts, strict=True)]


@dataclass(frozen=True)
class Crops:
    """What the reader says of N flattened cards.

    Attributes:
        logits: shape (N, classes).
        upside_down: whether each was flattened upside down, shape (N,).
        letters: shape (N, letters), probabilities; None where the model cannot tell letters.
    """

    logits: NDArray[np.float32]
    upside_down: NDArray[np.bool_]
    letters: NDArray[np.float32] | None = None


class _Seen(NamedTuple):
    """Of N cards the probability of each class, whether they are upside down, and letters."""

    chances: NDArray[np.float32]
    upside_down: NDArray[np.bool_]
    letters: NDArray[np.float32]


class CardReader:
    """Finds and reads the cards of frames.

    Args:
        models: the folder with ``manifest.json`` and the models it names.
        threads: how many threads a model may use.
        longest: the finder's input's longest side, in pixels, a multiple of 32.
        threshold: the least score of a card, 0–1.
        refinements: how often corners are refined, at most.
        provider: what computes: one of ONNX Runtime's execution providers.

    Attributes:
        classes: what it can name: cards by their plain names, and ``NO_CARDS``.
        letters: what it can see in the corners of a card; the empty text stands for none. Empty
            where it was made without ``models.letters``.

    Raises:
        ModelError: the models are missing, damaged, or of another version.
    """

    letters: tuple[str, ...] = ()

    def __init__(
        self,
        models: Path,
        *,
        threads: int = 2,
        longest: int = 448,
        threshold: float = LEAST_SCORE,
        refinements: int = 3,
        provider: str = CPU,
    ) -> None:
        try:
            manifest = json.loads((models / "manifest.json").read_text(encoding="utf-8"))
        except OSError as error:
            raise ModelError(f"There are no models in {models}: {error.strerror}.") from error
        except ValueError as error:
            raise ModelError(f"There are no models in {models}: {error}.") from error
        if manifest.get("version") != MANIFEST_VERSION:
            raise ModelError(
                f"the models are of version {manifest.get('version')}, not {MANIFEST_VERSION}"
            )
        parts = ("finder", "refiner", "reader")
        if missing := [part for part in parts if part not in manifest]:
            raise ModelError(f"the manifest names no {' and no '.join(missing)}")
        self._finder, self._refiner, self._reader = (
            open_session(models / manifest[part]["file"], manifest[part], threads, provider)
            for part in parts
        )
        self.classes: tuple[str, ...] = tuple(manifest["reader"]["classes"])
        self.letters = tuple(manifest["reader"].get("letters", ()))
        outputs = [output.name for output in self._reader.get_outputs()]
        if self.letters and "letters" not in outputs:
            raise ModelError(
                f"the manifest names letters that {manifest['reader']['file']} does not tell: "
                "make them again with models.letters"
            )
        self.longest, self.threshold, self.refinements = longest, threshold, refinements

    def locate(self, frame: Image) -> list[Found]:
        """Find the cards of a frame (BGR, 8 bits), the surest first."""
        return without_doubles(self._outline(frame)[-1])

    def _outline(
        self,
        frame: Image,
        region: Region | None = None,
        skip: Callable[[Found], bool] | None = None,
        how: How = PLAINLY,
        resize: Callable[[Corners], Corners] | None = None,
    ) -> list[list[Found]]:
        """The cards of a frame as they were found, and after each refinement, in one order.

        Of two that a refinement moves onto one another only one stays: they were one card.
        """
        left, top, right, bottom = region or (0, 0, frame.shape[1], frame.shape[0])
        longest = how.longest or self.longest
        if region is not None:  # enlarging a region beyond the frame's own pixels finds no more
            longest = min(longest, 32 * math.ceil(max(right - left, bottom - top) / 32))
        part = np.rot90(frame[top:bottom, left:right], how.turn)
        small, fitted = fit(np.ascontiguousarray(part), longest)
        heat, outlines = self._finder.run(None, {"picture": to_tensor([small])})
        maps = (heat[0, 0], outlines[0], fitted)
        found = decode(*maps, threshold=self.threshold, overlap=NEARLY_ONE)
        back = turned_back(right - left, bottom - top, how.turn)
        back[:, 2] += (left, top)
        found = [
            Found((card.corners @ back[:, :2].T + back[:, 2]).astype(np.float32), card.score)
            for card in found
        ]
        if resize is not None:
            found = without_doubles(_resized(found, resize), NEARLY_ONE)
        steps = [[card for card in found if skip is None or not skip(card)]]
        moving = list(range(len(steps[0])))
        for _ in range(self.refinements):
            before, after = steps[-1], list(steps[-1])
            better = self.refine(frame, [before[place] for place in moving])
            if resize is not None:
                better = _resized(better, resize)
            for place, card in zip(moving, better, strict=True):
                after[place] = card
            once = [id(card) for card in without_doubles(after, NEARLY_ONE)]
            places = [place for place, card in enumerate(after) if id(card) in once]
            steps = [[step[place] for place in places] for step in (*steps, after)]
            both = zip(steps[-2], steps[-1], strict=True)
            moving = [n for n, (was, now) in enumerate(both) if moved_by(was, now) > SETTLED]
        return steps

    def refine(self, frame: Image, found: list[Found]) -> list[Found]:
        """Move the corners of cards to where the refiner sees them."""
        if not found:
            return []
        crops = [flatten(frame, card.corners, REFINER_VIEW) for card in found]
        (offsets,) = _run(self._refiner, crops, "offsets")
        corners = [
            moved(card.corners, offset.reshape(4, 2))
            for card, offset in zip(found, offsets, strict=True)
        ]
        return [
            Found(quad, card.score) if is_outline(quad) else card
            for quad, card in zip(corners, found, strict=True)
        ]

    def read_crops(self, crops: list[Image], frames: Sequence[int] | None = None) -> Crops:
        """Read flattened cards; those that are not sure at a glance both ways up.

        Args:
            crops: the flattened cards.
            frames: the number of frames that each is the mean of; None for one each.
        """
        crops = list(map(sharpened, crops, frames or [1] * len(crops)))
        more = ("letters",) if self.letters else ()
        answers = _run(self._reader, crops, "cards", "turned", *more)
        cards, turned = answers[:2]
        unsure = np.flatnonzero(
            (_softmax(cards).max(axis=1) < AT_A_GLANCE) | (np.abs(turned) < WHICH_END)
        )
        if unsure.size:
            other = [np.ascontiguousarray(crops[place][::-1, ::-1]) for place in unsure]
            seen = _run(self._reader, other, "cards", "turned", *more)
            seen[1] = -seen[1]
            for answer, again in zip(answers, seen, strict=True):
                answer[unsure] = (answer[unsure] + again) / 2
        letters = _softmax(answers[2]) if more else None
        return Crops(cards, turned > 0, letters)

    def read(
        self,
        frame: Image,
        *,
        before: Sequence[Image] = (),
        pack: Collection[str] | None = None,
        deck: KnownDeck | None = None,
        keep: int = 5,
        region: Region | None = None,
        skip: Callable[[Found], bool] | None = None,
        how: How = PLAINLY,
        resize: Callable[[Corners], Corners] | None = None,
    ) -> list[Detection]:
        """Find and read the cards of a frame.

        Args:
            frame: BGR, 8 bits.
            before: the frames before it, the latest first: they help to read a card that lies
                still.
            pack: the cards that can be there; others get no probability. None for all cards.
            deck: the deck on the table, where it was shown before.
            keep: how many readings a detection keeps.
            region: the part of the frame where cards are looked for; the smaller it is, the
                larger they are for the finder.
            skip: tells which cards need not be read, by their rough outlines.
            how: how the frame is shown to the finder.
            resize: gives an outline the size of the table's cards; called when the outline is
                found, and after each refinement.

        Returns:
            The detections, by the finder's score, the highest first; without what is no card, and
            what was seen twice.
        """
        steps = self._outline(frame, region, skip, how, resize)
        if not steps[-1]:
            return []
        found, frames = list(steps[-1]), (frame, *before)
        seen = self._chances(frames, found, pack, deck)
        unsure = [
            place
            for place, chances in enumerate(seen.chances)
            if chances.max() < LOOK_AGAIN and self.classes[int(chances.argmax())] not in NO_FACES
        ]
        if unsure and self.refinements > 1:
            earlier = [[each[place] for place in unsure] for each in steps[1:-1]]
            self._look_again(frames, found, seen, unsure, earlier, pack, deck)
        across = [
            place
            for place in unsure
            if seen.chances[place].max() < LOOK_AGAIN and _may_lie_across(found[place], resize)
        ]
        if across:
            self._look_across(frames, found, seen, across, pack, deck)
        return one_a_card(self._detections(found, seen, keep))

    def _look_again(
        self, frames: Sequence[Image], found: list[Found], seen: _Seen, unsure: list[int],
        earlier: list[list[Found]], pack: Collection[str] | None, deck: KnownDeck | None,
    ) -> None:  # fmt: skip
        """Read unsure cards by their earlier outlines too; the mean of the probabilities counts.

        A card that is well outlined reads alike by all of them. The outline by which the likeliest
        class is surest is kept. Changes ``found`` and ``seen``.
        """
        looks = [self._chances(frames, outlines, pack, deck) for outlines in earlier]
        for index, place in enumerate(unsure):
            chances = np.stack([look.chances[index] for look in looks] + [seen.chances[place]])
            mean = chances.mean(axis=0)
            best = int(chances[:, int(mean.argmax())].argmax())
            seen.chances[place] = mean
            if best < len(looks):
                found[place] = earlier[best][index]
                seen.upside_down[place] = looks[best].upside_down[index]
                seen.letters[place] = looks[best].letters[index]

    def _look_across(
        self, frames: Sequence[Image], found: list[Found], seen: _Seen, unsure: list[int],
        pack: Collection[str] | None, deck: KnownDeck | None,
    ) -> None:  # fmt: skip
        """Read unsure cards as if a side were their upper edge.

        A card that lies across, seen at a low angle, looks as wide as tall and may be outlined so.
        Where it reads surely that way, both answers count, each by how sure it is. Changes
        ``found`` and ``seen``.
        """
        across = [Found(_on_its_side(found[place]), found[place].score) for place in unsure]
        for _ in range(ACROSS):
            across = self.refine(frames[0], across)
        look = self._chances(frames, across, pack, deck)
        for place, card, after, *rest in zip(unsure, across, *look, strict=True):
            before = seen.chances[place]
            if after.max() >= LOOK_AGAIN and self.classes[int(after.argmax())] not in NO_CARDS:
                both = before * before.max() + after * after.max()
                seen.chances[place] = both / both.sum()
                found[place], seen.upside_down[place], seen.letters[place] = card, *rest

    def name(
        self,
        frame: Image,
        found: list[Found],
        *,
        pack: Collection[str] | None,
        deck: KnownDeck | None = None,
        keep: int = 5,
    ) -> list[Detection]:
        """Read cards whose corners are known."""
        return self._detections(found, self._chances([frame], found, pack, deck), keep)

    def _chances(
        self,
        frames: Sequence[Image],
        found: list[Found],
        pack: Collection[str] | None,
        deck: KnownDeck | None,
    ) -> _Seen:
        still = [flatten_still(frames, card.corners) for card in found]
        flat = [crop for crop, _ in still]
        crops = self.read_crops(flat, [count for _, count in still])
        scores = np.array([card.score for card in found], np.float32)
        logits = crops.logits * scores[:, None] ** BY_SCORE
        if deck is not None:
            logits = logits + deck.evidence(flat, self.classes)
        if pack is not None:
            allowed = NO_CARDS.union(pack)
            logits[:, [name not in allowed for name in self.classes]] = -np.inf
        chances = _softmax(logits)
        letters = crops.letters
        if letters is None:
            letters = np.zeros((len(flat), 0), np.float32)
        return _Seen(chances, crops.upside_down, letters)

    def _detections(self, found: list[Found], seen: _Seen, keep: int) -> list[Detection]:
        detections = []
        for card, chance, turn, shown in zip(
            found, seen.chances, seen.upside_down, seen.letters, strict=True
        ):
            order = np.argsort(-chance, kind="stable")[:keep]
            readings = tuple((self.classes[i], float(chance[i])) for i in order)
            if readings[0][0] == "unknown":
                continue
            corners = np.roll(card.corners, 2, axis=0) if turn else card.corners
            letters = dict(zip(self.letters, shown.tolist(), strict=True))
            letters.pop("", None)
            detections.append(Detection(corners, card.score, readings, letters or NO_LETTERS))
        return detections


def _resized(found: list[Found], resize: Callable[[Corners], Corners]) -> list[Found]:
    made = [(card, resize(card.corners)) for card in found]
    return [Found(quad, card.score) if is_outline(quad) else card for card, quad in made]


def _on_its_side(card: Found) -> Corners:
    return np.roll(card.corners, 1, axis=0)


def _may_lie_across(card: Found, resize: Callable[[Corners], Corners] | None) -> bool:
    """Whether a side may be the card's upper edge; where a card's size is known, that says so."""
    corners = _on_its_side(card)
    return resize is None or np.array_equal(resize(corners), corners)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Probabilities of N rows of logits."""
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), np.float32)
