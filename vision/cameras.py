"""What is kept of each camera: where its table lies; and the check that it still lies there."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import platformdirs
from numpy.typing import NDArray

from vision.plane import Plane, PlaneError

FOLDER = "TRUCAM_CAMERAS"
"""Names another folder than the one in the user's data folder."""

VERSION = 1


def folder() -> Path:
    """Where the cameras' files are."""
    named = os.environ.get(FOLDER, "").strip()
    if named:
        return Path(named)
    return Path(platformdirs.user_data_path("trucam", appauthor=False)) / "cameras"


def keep_plane(camera: str, plane: Plane, where: Path | None = None) -> Path:
    """Keeps the plane of a camera for the next time; the file is whole or as it was.

    Args:
        camera: the camera's name, as people or the system call it.
        plane: its plane.
        where: the folder; None for the one in the user's data folder.

    Returns:
        The file.

    Raises:
        PlaneError: it cannot be written.
    """
    path = _path(camera, where)
    data = {
        "version": VERSION,
        "camera": camera,
        "homography": plane.homography.tolist(),
        "outline": plane.outline.tolist(),
        "seats": plane.seats,
        "markers": {str(number): corners.tolist() for number, corners in plane.markers.items()},
        "middle": plane.middle,
    }
    name = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(prefix=".trucam-", dir=path.parent)
        with open(handle, "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except OSError as error:
        if name is not None:
            with suppress(OSError):
                os.unlink(name)
        raise PlaneError(f"{path} cannot be written: {error.strerror}.") from None
    return path


def open_plane(camera: str, where: Path | None = None) -> Plane | None:
    """The plane that was kept of a camera; None where none was.

    Raises:
        PlaneError: the file cannot be read, or holds something else.
    """
    path = _path(camera, where)
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            raise ValueError(data["version"])
        return Plane(
            np.array(data["homography"], np.float64),
            np.array(data["outline"], np.float64),
            int(data["seats"]),
            {int(id_): np.array(c, np.float64).reshape(4, 2) for id_, c in data["markers"].items()},
            float(data["middle"]),
        )
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PlaneError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise PlaneError(f"{path} is damaged; move it away, and set the camera up again.") from None


def _path(camera: str, where: Path | None) -> Path:
    name = re.sub(r"[^\w-]+", "-", camera).strip("-")[:60]
    if not name:
        raise PlaneError(f"{camera!r} cannot name a camera: use letters, digits and dashes.")
    return (where or folder()) / f"{name}.json"


@dataclass(frozen=True)
class Check:
    """How a look at the camera's place ended.

    Attributes:
        state: ``steady``; ``corrected``: it was nudged, and the plane follows; ``moved``: it was
            nudged, and the table has to be shown again; ``unseen``: there is nothing to tell by.
        by_cm: how far the table's outline has moved, in centimetres of the old plane.
    """

    state: str
    by_cm: float = 0.0


class PlaneKeeper:
    """Checks all the time whether the camera still stands where it stood.

    A nudge is believed once it was seen so often in a row, so that a hand on a marker is none.

    Args:
        plane: where the table was when it was set up.
        tolerance_cm: what is no nudge.
        looks: so many looks in a row must agree.

    Attributes:
        plane: where the table is now.
    """

    def __init__(self, plane: Plane, *, tolerance_cm: float = 0.5, looks: int = 3) -> None:
        self.plane = plane
        self.tolerance_cm, self.looks = tolerance_cm, looks
        self._moved: list[Plane] = []
        self._shifts: list[NDArray[np.float64]] = []
        self._reference: _Landmarks | None = None

    def check_markers(self, markers: Mapping[int, NDArray[np.floating]]) -> Check:
        """Looks at the corner markers that are seen now.

        Args:
            markers: id to corners, shape (4, 2), in pixels.
        """
        try:
            now = self.plane.followed(markers)
        except PlaneError:
            self._moved.clear()
            return Check("unseen")
        by = _drift(self.plane, now)
        if by <= self.tolerance_cm:
            self._moved.clear()
            return Check("steady", by)
        if self._moved and _drift(self._moved[-1], now) > self.tolerance_cm:
            self._moved.clear()  # it is still being moved
        self._moved.append(now)
        if len(self._moved) < self.looks:
            return Check("steady", by)
        self.plane = now
        self._moved.clear()
        return Check("corrected", by)

    def check_picture(self, grey: NDArray[np.uint8]) -> Check:
        """Compares the picture with the first one given, by its landmarks, the table's and all.

        Args:
            grey: shape (height, width), 8 bits.
        """
        seen = _Landmarks.of(grey)
        if self._reference is None:
            self._reference = seen
            return Check("steady")
        move = self._reference.move_to(seen)
        if move is None:
            self._shifts.clear()
            return Check("unseen")
        frame = self.plane.to_frame(self.plane.outline)
        there = cv2.transform(frame[None], move)[0]
        shift = np.asarray(self.plane.to_table(there) - self.plane.outline, np.float64)
        by = float(np.linalg.norm(shift, axis=1).max())
        if by <= self.tolerance_cm * 2:  # landmarks are less exact than markers
            self._shifts.clear()
            return Check("steady", by)
        self._shifts.append(shift)
        return Check("moved" if len(self._shifts) >= self.looks else "steady", by)


def _drift(before: Plane, now: Plane) -> float:
    """How far the outline moves from one plane to another, at most, in centimetres."""
    there = now.to_table(before.to_frame(before.outline))
    return float(np.linalg.norm(there - before.outline, axis=1).max())


@dataclass(frozen=True)
class _Landmarks:
    """Points of a picture that are found again."""

    points: NDArray[np.float32]
    marks: NDArray[np.uint8]

    @classmethod
    def of(cls, grey: NDArray[np.uint8]) -> _Landmarks:
        points, marks = cv2.ORB_create(nfeatures=600).detectAndCompute(grey, None)  # type: ignore[attr-defined]
        if marks is None:
            return cls(np.empty((0, 2), np.float32), np.empty((0, 32), np.uint8))
        return cls(np.array([point.pt for point in points], np.float32), marks)

    def move_to(self, other: _Landmarks) -> NDArray[np.float64] | None:
        """How the picture moved, as a 2×3 matrix; None where too little is found again."""
        if min(len(self.points), len(other.points)) < 12:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(self.marks, other.marks)
        if len(pairs) < 12:
            return None
        source = np.array([self.points[pair.queryIdx] for pair in pairs])
        target = np.array([other.points[pair.trainIdx] for pair in pairs])
        cv2.setRNGSeed(0)
        move, inliers = cv2.estimateAffinePartial2D(
            source, target, method=cv2.RANSAC, ransacReprojThreshold=3.0
        )
        if move is None or int(inliers.sum()) < 12:
            return None
        return np.asarray(move, np.float64)
