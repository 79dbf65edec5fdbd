"""Keeps for each camera where its table lies, and checks that it still lies there."""

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
"""The variable of the environment that names another folder than the usual one."""

VERSION = 1
"""Of the files' format; files of another version are refused."""

LONGEST = 60
"""Most letters of a camera's name that are used in its file's name."""


def folder() -> Path:
    """The folder with a file for each camera."""
    named = os.environ.get(FOLDER, "").strip()
    if named:
        return Path(named)
    return Path(platformdirs.user_data_path("trucam", appauthor=False)) / "cameras"


def keep_plane(camera: str, plane: Plane, where: Path | None = None) -> Path:
    """Keeps the plane of a camera for the next time; if that fails, the file stays as it was.

    Args:
        camera: the camera's name, as people or the system call it.
        plane: its plane.
        where: the folder; None for the usual one.

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
        size = data.get("size")  # older files do not say it
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
    if shown(camera) != camera or name != whole:  # two names may differ only in what is left out
        name += f"-{hashlib.sha256(camera.encode()).hexdigest()[:8]}"
    return (where or folder()) / f"{name}.json"


STEADY_CM = 0.5
"""The camera was nudged if the table's outline has moved by more than this, in centimetres."""

OTHER_SIZE = 0.05
"""If the camera was only nudged, no marker seems larger or smaller by more than this part."""

AGREE = 3
"""This many looks in a row must agree that the camera was nudged: a hand may lie on a marker."""


class Check(StrEnum):
    """What a look at the table's place has shown."""

    STEADY = auto()
    """The table lies where it lay."""
    FOUND = auto()
    """The table's place was found, which was not known before or was wrong."""
    CORRECTED = auto()
    """The camera was nudged, and the plane was moved with it."""
    UNSEEN = auto()
    """Too few markers or cards are seen to tell."""


class PlaneKeeper:
    """Checks at each look whether the camera still stands where it stood.

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

        Returns:
            ``CORRECTED`` where ``plane`` has just been moved; else ``STEADY`` or ``UNSEEN``.
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
        """Whether the markers lie as they did, or the camera was only nudged; else they were moved.

        Args:
            markers: id to corners, shape (4, 2), in pixels; those of the plane among them.
            but: how many of them may lie elsewhere.
        """
        if not self.plane.markers:
            return False
        if self._stands(markers, but=but):
            return True
        now = self.plane.followed(markers)  # right if the camera was nudged: markers keep size
        quads = np.stack([now.to_table(markers[number]) for number in self.plane.markers])
        sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)
        return bool(np.abs(sides / MARKER_CM - 1).max() <= OTHER_SIZE)

    def _stands(self, markers: Mapping[int, NDArray[np.floating]], *, but: int = 1) -> bool:
        """Whether all markers, but for a few that somebody may have pushed, lie where they lay."""
        known = [number for number in self.plane.markers if number in markers]
        moved = 0
        for number in known:
            away = self.plane.to_table(markers[number]) - self.plane.markers[number]
            moved += bool(np.linalg.norm(away, axis=1).max() > STEADY_CM)
        return moved <= but


def _drift(before: Plane, now: Plane) -> float:
    """How far the outline's corners move from one plane to another, at most, in centimetres."""
    there = now.to_table(before.to_frame(before.outline))
    return float(np.linalg.norm(there - before.outline, axis=1).max())
