"""Photographs from files: of a camera, of an iPhone, and what is none."""

import os
import subprocess
import sys

import cv2
import numpy as np
import pillow_heif
import pytest
from PIL import Image

from vision.capture import photos
from vision.capture.photos import PhotoError, read_photo

UPRIGHT = np.zeros((120, 90, 3), np.uint8)
"""Taller than wide: blue above, red below."""
UPRIGHT[:60, :, 0] = UPRIGHT[60:, :, 2] = 200

LYING = 6
"""EXIF's mark of a picture that has to be turned by a quarter, clockwise, to stand upright."""


def saved(path, *, mode="RGB", orientation=1):
    """Saves the picture, in the way that a phone held so saves it."""
    stored = (
        cv2.rotate(UPRIGHT, cv2.ROTATE_90_COUNTERCLOCKWISE) if orientation == LYING else UPRIGHT
    )
    exif = Image.Exif()
    exif[0x0112] = orientation
    pillow_heif.register_heif_opener()
    Image.fromarray(stored[:, :, ::-1]).convert(mode).save(path, exif=exif.tobytes())
    return path


@pytest.mark.parametrize("orientation", [1, LYING])
@pytest.mark.parametrize("name", ["a.jpg", "IMG_0001.HEIC"])
def test_a_photo_is_read_upright_however_the_phone_was_held(tmp_path, name, orientation):
    picture = read_photo(saved(tmp_path / name, orientation=orientation))
    assert picture.shape == UPRIGHT.shape
    assert np.abs(picture.astype(int) - UPRIGHT).mean() < 10


@pytest.mark.parametrize("mode", ["L", "RGBA"])
def test_an_iphone_photo_has_three_colours_however_it_was_saved(tmp_path, mode):
    assert read_photo(saved(tmp_path / "a.heic", mode=mode)).shape == UPRIGHT.shape


@pytest.mark.parametrize("kept", [16, 200, 0.5, 0.95])
def test_a_damaged_iphone_photo_is_told(tmp_path, kept):
    path = saved(tmp_path / "a.heic")
    data = path.read_bytes()
    path.write_bytes(data[: kept if kept > 1 else int(len(data) * kept)])
    with pytest.raises(PhotoError, match="damaged"):
        read_photo(path)


def test_a_film_is_no_photo(tmp_path):
    path = tmp_path / "a.heic"
    path.write_bytes(b"\0\0\0\x20ftypisom" + bytes(500))
    with pytest.raises(PhotoError, match="no picture"):
        read_photo(path)


def test_an_iphone_photo_of_too_many_pixels_is_refused(tmp_path, monkeypatch):
    path = saved(tmp_path / "a.heic")
    monkeypatch.setattr(photos, "MEGAPIXELS", 0.01)
    with pytest.raises(PhotoError, match="larger than"):
        read_photo(path)


def test_a_picture_that_is_too_large_is_refused_whoever_loaded_opencv_before(tmp_path) -> None:
    side = 8100  # 66 megapixels
    cv2.imwrite(str(tmp_path / "large.png"), np.zeros((side, side), np.uint8))
    code = """
import sys
from pathlib import Path
from vision.opencv import load_opencv
load_opencv()
from vision.capture.photos import PhotoError, read_photo
try:
    read_photo(Path(sys.argv[1]))
except PhotoError as error:
    print(error)
"""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENCV_")}
    command = [sys.executable, "-c", code, str(tmp_path / "large.png")]
    run = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    assert "larger than 64 megapixels" in run.stdout
