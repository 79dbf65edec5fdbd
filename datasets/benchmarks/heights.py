"""Measures from how high above a table printed markers can be read, on drawn pictures.

``python -m datasets.benchmarks.heights`` lays markers on tables and draws each table as a camera of
720 or 1080 lines sees it from several heights, with the blur, noise and compression of the training
pictures. It prints the share of markers that are found. ``--harsh`` adds the shadows, lamps,
darkness and glare of the training pictures.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from random import Random

import cv2
import numpy as np

from datasets.scenes import optics
from datasets.scenes.geometry import Camera, Points, card_corners
from datasets.scenes.textures import Image, surface
from vision.geometry.markers import CALL_CM, CORNER_CM, find_markers

VIEW = 70.0
"""Horizontal field of view in degrees, as of a common webcam or a phone's main camera."""
SIZES = ((1280, 720), (1920, 1080))
HEIGHTS = (60, 80, 100, 110, 120, 140, 160, 180, 200, 230, 260)  # of the camera, in centimetres
MODULES = 8  # squares along a side of an AprilTag 36h11, with its black border
PAPER = 1.25  # side of the white paper, as a multiple of the black square's side
TILTS = (0.0, 0.35, 0.7)  # of the camera, in radians; 0 looks straight down


def _focal(size: tuple[int, int]) -> float:
    return size[0] / 2 / math.tan(math.radians(VIEW / 2))


def _tag(number: int) -> Image:
    """A marker on its white paper, BGR, ten pixels for each module."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    side = MODULES * 10
    paper = np.full((round(side * PAPER),) * 2, 245, np.uint8)
    edge = (len(paper) - side) // 2
    drawn = cv2.aruco.generateImageMarker(family, number, side)
    paper[edge : edge + side, edge : edge + side] = np.maximum(drawn, 25)
    return cv2.cvtColor(paper, cv2.COLOR_GRAY2BGR).astype(np.uint8)


def lay(scene: Image, picture: Image, corners: Points) -> None:
    """Draws a picture (BGR) into a scene so that its corners lie at ``corners``, in place.

    It is drawn four times as large and averaged down, so that its edges are smooth.
    """
    low = np.maximum(np.floor(corners.min(axis=0)) - 1, 0).astype(int)
    high = np.minimum(np.ceil(corners.max(axis=0)) + 1, scene.shape[1::-1]).astype(int)
    extent = high - low
    if extent.min() < 2:
        return
    fine = 4
    side, tall = picture.shape[1], picture.shape[0]
    source = np.array([[0, 0], [side, 0], [side, tall], [0, tall]], np.float32) - np.float32(0.5)
    target = ((corners - low) * fine - 0.5).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    size = (int(extent[0]) * fine, int(extent[1]) * fine)
    edge = cv2.BORDER_REPLICATE  # it is masked: black from beyond would darken its edges
    warped = cv2.warpPerspective(picture, matrix, size, borderMode=edge).astype(np.float32)
    mask = cv2.warpPerspective(np.ones((tall, side), np.float32), matrix, size)
    small = (int(extent[0]), int(extent[1]))
    share = cv2.resize(mask, small, interpolation=cv2.INTER_AREA)[..., None]
    drawn = cv2.resize(warped * mask[..., None], small, interpolation=cv2.INTER_AREA)
    view = scene[low[1] : high[1], low[0] : high[0]]
    view[:] = np.clip(view * (1 - share) + drawn, 0, 255)


def photograph(
    number: int,
    size: tuple[int, int],
    height: float,
    black: float,
    count: int = 8,
    harsh: bool = False,
) -> tuple[Image, dict[int, Points]]:
    """Draws a table with markers as a camera sees it.

    Args:
        number: The table's number; it decides where the markers lie, the light and the blur.
        size: Width and height of the picture, in pixels.
        height: How high the camera is above the table, in centimetres.
        black: Side of a marker's black square, in centimetres.
        count: How many markers lie there.
        harsh: Whether there are shadows, lamps, darkness and glare, as in training pictures.

    Returns:
        The picture, and the corners of each marker's black square by its number.
    """
    rng = Random(f"height {number}")
    draw = np.random.default_rng(rng.getrandbits(64))
    tilt = rng.choice(TILTS)
    camera = Camera(_focal(size), height / math.cos(tilt), tilt, rng.gauss(0, 0.1), size)
    scene = surface(draw, size[1], size[0])
    laid: dict[int, Points] = {}
    numbers = rng.sample(range(16, 80), count)
    for index, name in enumerate(numbers):
        spot = ((index % 4 + rng.uniform(0.35, 0.65)) / 4, (index // 4 + rng.uniform(0.3, 0.7)) / 2)
        place = camera.on_table((spot[0] * size[0], spot[1] * size[1]))
        turn = rng.uniform(0, 2 * math.pi)
        paper = camera.project(card_corners(black * PAPER, black * PAPER, place, turn))
        lay(scene, _tag(name), paper)
        laid[name] = camera.project(card_corners(black, black, place, turn))
    if harsh:
        scene = optics.light(draw, scene)
    return optics.photograph(draw, scene, scale=0.7), laid


def found(picture: Image, laid: dict[int, Points]) -> tuple[int, int]:
    """How many markers were found in their places, and how many in a place without that marker."""
    right = 0
    markers = find_markers(picture)
    for marker in markers:
        true = laid.get(marker.id)
        right += true is not None and float(np.abs(true - marker.corners).max()) < marker.side / 4
    return right, len(markers) - right


def shares(
    black: float, pictures: int, harsh: bool
) -> Iterator[tuple[tuple[int, int], int, float, int]]:
    """Measures markers of one size.

    Yields:
        The picture's size, the camera's height in centimetres, the share of markers found, and how
        many were found where none lies.
    """
    for size in SIZES:
        for height in HEIGHTS:
            total = right = false = 0
            for number in range(pictures):
                picture, laid = photograph(number, size, height, black, harsh=harsh)
                hits, wrong = found(picture, laid)
                total, right, false = total + len(laid), right + hits, false + wrong
            yield size, height, right / total, false


def main(arguments: list[str] | None = None) -> int:
    """Print from how high markers are read."""
    parser = argparse.ArgumentParser(prog="datasets.benchmarks.heights", description=main.__doc__)
    parser.add_argument("--pictures", type=int, default=20, help="tables of each height")
    parser.add_argument("--harsh", action="store_true", help="in the light of training pictures")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    for name, black in (("calling card", CALL_CM), ("corner", CORNER_CM)):
        for size, height, share, false in shares(black, options.pictures, options.harsh):
            print(f"{name} {black} cm, {size[1]} lines, {height} cm: {share:.1%}, {false} false",
                  flush=True)  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
