"""Reads photographs from files, turned upright; or says in one sentence why it cannot."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scorekeeper.errors import ScorekeeperError
from vision.opencv import MEGAPIXELS, load_opencv


class PhotoError(ScorekeeperError):
    """A file that is no picture that can be read."""


def read_photo(path: Path) -> NDArray[np.uint8]:
    """Reads a picture, turned upright by its EXIF mark.

    Returns:
        Shape (height, width, 3), BGR.

    Raises:
        PhotoError: It is no picture, damaged, or too large.
        OSError: The file cannot be read.
    """
    cv2 = load_opencv()
    # A pipe would be waited for, and a device may never end. A folder raises its own error below.
    if not stat.S_ISREG(mode := path.stat().st_mode) and not stat.S_ISDIR(mode):
        raise PhotoError(f"{path} is no file: save the picture, and name that file.")
    data = np.fromfile(path, np.uint8)
    if data.size == 0:
        raise PhotoError(f"{path} is empty.")
    if data[4:8].tobytes() == b"ftyp":
        return _read_heic(path)
    try:
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        raise _too_large(path) from None
    if picture is None:
        raise _no_picture(path)
    return np.asarray(picture, np.uint8)


def _read_heic(path: Path) -> NDArray[np.uint8]:
    """Reads a photo as iPhones take them, which OpenCV cannot read; see :func:`read_photo`.

    The library itself turns the picture upright.
    """
    import pillow_heif  # late: few photos need it

    if not pillow_heif.is_supported(path):
        raise _no_picture(path)
    try:
        photo = pillow_heif.open_heif(path, bgr_mode=True)  # reads the size only
        if photo.size[0] * photo.size[1] > MEGAPIXELS * 1_000_000:
            raise _too_large(path)
        picture = np.asarray(photo)
    except (ValueError, EOFError, SyntaxError, RuntimeError) as error:
        raise PhotoError(f"{path} is damaged; copy it from the phone once more.") from error
    cv2 = load_opencv()
    if photo.mode == "L":
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(picture[:, :, :3], np.uint8)  # without transparency


def _no_picture(path: Path) -> PhotoError:
    return PhotoError(f"{path} is no picture that can be read; JPEG, PNG and HEIC can.")


def _too_large(path: Path) -> PhotoError:
    return PhotoError(
        f"{path} is larger than {MEGAPIXELS} megapixels; make it smaller and try again."
    )
