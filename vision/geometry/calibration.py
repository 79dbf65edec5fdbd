"""What is kept of each camera: where its table lies; and the check that it still lies there."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from enum import StrEnum, auto
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

from scorekeeper.files import written_whole
from scorekeeper.messages import N_
from vision.capture.streams import shown
from vision.geometry.table_plane import MARKER_CM, Plane, PlaneError

FOLDER = "TRUCAM_CAMERAS"
"""Names another folder than the one in the user's data folder."""

VERSION = 1

LONGEST = 60
"""Letters of a camera's name that its file's name has at most."""


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
        "camera": shown(camera),
        "homography": plane.homography.tolist(),
        "outline": plane.outline.tolist(),
        "seats": plane.seats,
        "markers": {str(number): corners.tolist() for number, corners in plane.markers.items()},
        "middle": plane.middle,
        "size": plane.size,
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with written_whole(path) as file:
            file.write(json.dumps(data, indent=1).encode())
    except OSError as error:
        raise PlaneError(
            N_("{path} cannot be written: {error}."), path=path, error=error.strerror
        ) from None
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
        size = data.get("size")  # files of before do not say it
        return Plane(
            np.array(data["homography"], np.float64),
            np.array(data["outline"], np.float64),
            int(data["seats"]),
            {int(id_): np.array(c, np.float64).reshape(4, 2) for id_, c in data["markers"].items()},
            float(data["middle"]),
            size and (int(size[0]), int(size[1])),
        )
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PlaneError(
            N_("{path} cannot be read: {error}."), path=path, error=error.strerror
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise PlaneError(
            N_("{path} is damaged; move it away, and set the camera up again."), path=path
        ) from None


def _path(camera: str, where: Path | None) -> Path:
    whole = re.sub(r"[^\w-]+", "-", shown(camera)).strip("-")
    name = whole[:LONGEST]
    if not name:
        raise PlaneError(
            N_("{camera} cannot name a camera: use letters, digits and dashes."),
            camera=repr(shown(camera)),
        )
    if shown(camera) != camera or name != whole:  # two may differ only in what is left out
        name += f"-{hashlib.sha256(camera.encode()).hexdigest()[:8]}"
    return (where or folder()) / f"{name}.json"


STEADY_CM = 0.5
"""The camera was nudged where the table's outline moves by more than this, in centimetres."""

OTHER_SIZE = 0.05
"""A marker that would be larger or smaller by more than this part shows that the place is wrong."""

AGREE = 3
"""So many looks in a row must agree that the camera was nudged: a hand on a marker is no nudge."""


class Check(StrEnum):
    """How a look at the camera's place ended."""

    STEADY = auto()
    FOUND = auto()
    """The table's place was not known before."""
    CORRECTED = auto()
    """The camera was nudged, and the plane follows."""
    UNSEEN = auto()
    """There is nothing to tell by."""


class PlaneKeeper:
    """Checks all the time whether the camera still stands where it stood.

    Args:
        plane: where the table was when it was set up.

    Attributes:
        plane: where the table is now.
    """

    def __init__(self, plane: Plane) -> None:
        self.plane = plane
        self._moved: list[Plane] = []

    def check_markers(self, markers: Mapping[int, NDArray[np.floating]]) -> Check:
        """Looks at the corner markers that are seen now.

        Args:
            markers: id to corners, shape (4, 2), in pixels.
        """
        try:
            now = self.plane.followed(markers)
        except PlaneError:
            self._moved.clear()
            return Check.UNSEEN
        if self._stands(markers) or _drift(self.plane, now) <= STEADY_CM:
            self._moved.clear()
            return Check.STEADY
        if self._moved and _drift(self._moved[-1], now) > STEADY_CM:
            self._moved.clear()  # it is still being moved
        self._moved.append(now)
        if len(self._moved) < AGREE:
            return Check.STEADY
        self.plane = now
        self._moved.clear()
        return Check.CORRECTED

    def fits(self, markers: Mapping[int, NDArray[np.floating]], *, but: int = 1) -> bool:
        """Whether markers lie to one another as they did; else they were laid anew.

        Args:
            markers: id to corners, shape (4, 2), in pixels; those of the plane among them.
            but: so many may lie elsewhere.
        """
        if not self.plane.markers:
            return False
        if self._stands(markers, but=but):
            return True
        now = self.plane.followed(markers)  # right if the camera was nudged: then sheets keep size
        quads = np.stack([now.to_table(markers[number]) for number in self.plane.markers])
        sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)
        return bool(np.abs(sides / MARKER_CM - 1).max() <= OTHER_SIZE)

    def _stands(self, markers: Mapping[int, NDArray[np.floating]], *, but: int = 1) -> bool:
        """Whether all markers, but for so many, lie where they lay: somebody has pushed those."""
        known = [number for number in self.plane.markers if number in markers]
        moved = 0
        for number in known:
            away = self.plane.to_table(markers[number]) - self.plane.markers[number]
            moved += bool(np.linalg.norm(away, axis=1).max() > STEADY_CM)
        return moved <= but


def _drift(before: Plane, now: Plane) -> float:
    """How far the outline moves from one plane to another, at most, in centimetres."""
    there = now.to_table(before.to_frame(before.outline))
    return float(np.linalg.norm(there - before.outline, axis=1).max())
