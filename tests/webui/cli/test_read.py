"""``trucam read`` and ``trucam deck``, with a fake reader."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import zlib

import cv2
import numpy as np
import pytest

from vision.detection.detections import Detection
from vision.packs import PACKS

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


@pytest.fixture
def sees(monkeypatch, tmp_path):
    """Makes the reader see these cards (name, probability) in a row in every picture."""
    monkeypatch.setattr("vision.detection.deck_templates.decks_folder", lambda: tmp_path / "decks")

    def tell(*cards, others=(("KC", 0.001),)):
        class Reader:
            letters = ()

            def __init__(self):
                self.asked = []

            def read(self, _frame, *, pack=None, deck=None, **how):
                self.asked.append((pack, deck))
                box = np.array([[10, 10], [60, 10], [60, 90], [10, 90]], np.float32)
                aside = np.array([60, 0], np.float32)
                return [
                    Detection(box + place * aside, 0.9, ((card, p), *others))
                    for place, (card, p) in enumerate(cards)
                ]

        reader = Reader()
        monkeypatch.setattr("vision.detection.speed.open_reader", lambda _models: reader)
        return reader

    return tell


@pytest.fixture
def photo(tmp_path):
    path = tmp_path / "table.jpg"
    cv2.imwrite(str(path), np.full((120, 200, 3), 90, np.uint8))
    return path


def test_read_in_words(trucam, sees, photo):
    sees(("10H", 0.4), ("KS", 0.998), ("back", 0.97))
    assert trucam("read", photo) == (0, f"{photo}: KS 99.8%, back, ?\n", "")


def test_read_as_json(trucam, sees, photo):
    sees(("back", 0.97), ("KS", 0.998))
    _, out, _ = trucam("read", photo, "--json", "--pack", "le_truc_ace")
    first, second = json.loads(out)["cards"]
    assert first == {
        "card": "KS",
        "p": 0.998,
        "also": [["KC", 0.001]],
        "corners": [[70, 10], [120, 10], [120, 90], [70, 90]],
        "face": "up",
    }
    assert (second["card"], second["face"]) == ("back", "down")
    assert json.loads(out)["size"] == [200, 120]


def test_save_draws_the_cards_in(trucam, sees, photo, tmp_path):
    sees(("KS", 0.998))
    trucam("read", photo, "--save", tmp_path / "drawn")
    drawn = cv2.imread(str(tmp_path / "drawn" / "table-cards.jpg"))
    assert drawn.shape == (120, 200, 3)
    assert np.abs(drawn.astype(int) - 90).max() > 60


def test_photos_of_one_name_are_saved_beside_each_other(trucam, sees, photo, tmp_path):
    sees(("KS", 0.998))
    other = tmp_path / "other" / "TABLE.JPG"
    other.parent.mkdir()
    other.write_bytes(photo.read_bytes())
    trucam("read", photo, other, "--save", tmp_path / "drawn")
    drawn = sorted(path.name for path in (tmp_path / "drawn").iterdir())
    assert drawn == ["TABLE-2-cards.jpg", "table-cards.jpg"]
    trucam("deck", photo, other, "--learn", "ours", "--save", tmp_path / "numbered")
    assert len(list((tmp_path / "numbered").iterdir())) == 2


@pytest.mark.parametrize(
    ("cards", "status", "line"),
    [
        (sorted(PACKS["32"][0]), 0, "The pack is right."),
        (sorted(PACKS["32"][0])[:-2], 1, "Missing: QS KS."),
    ],
)
def test_deck(trucam, sees, photo, cards, status, line):
    sees(*((card, 0.99) for card in cards))
    ended, out, _ = trucam("deck", photo, "--pack", "trut")
    assert ended == status
    if status:
        assert "Missing: " in out
    else:
        assert line in out


def test_without_opencv_reading_ends_in_one_line(trucam, monkeypatch, photo):
    monkeypatch.setitem(sys.modules, "cv2", None)
    status, _, err = trucam("read", photo)
    assert (status, len(err.splitlines())) == (2, 1)
    assert "opencv-python" in err


def test_without_opencv_help_is_shown():
    code = "import sys; sys.modules['cv2'] = None; from webui.cli import main; main()"
    run = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, check=True)
    assert b"deck" in run.stdout


def huge_png(path):
    """A file with only the header of a picture of 900 megapixels."""
    size = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + size
    crc = struct.pack(">I", zlib.crc32(chunk))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + struct.pack(">I", len(size)) + chunk + crc)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda path: None, id="missing"),
        pytest.param(lambda path: path.mkdir(), id="directory"),
        pytest.param(lambda path: path.touch(), id="empty"),
        pytest.param(lambda path: path.write_bytes(b"no picture" * 99), id="no-picture"),
        pytest.param(huge_png, id="900-megapixels"),
        pytest.param(lambda path: os.mkfifo(path), id="named-pipe", marks=POSIX),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), id="device", marks=POSIX),
    ],
)
def test_a_bad_photo_is_one_line_and_stops_no_other(trucam, sees, photo, tmp_path, make):
    sees(("KS", 0.998))
    bad = tmp_path / "bad.png"
    make(bad)
    status, out, err = trucam("read", bad, photo)
    assert (status, len(err.splitlines())) == (2, 1)
    assert "KS 99.8%" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["read"],
        ["deck", "x.jpg"],
        ["read", "--pack", "tarot", "x"],
        ["deck", "x.jpg", "--pack", "trut", "--card", "1=KS"],
        ["deck", "x.jpg", "--learn", "mine", "--card", "first=KS"],
        ["deck", "x.jpg", "--learn", "mine", "--card", "1=ZZ"],
    ],
)
def test_wrong_arguments_are_refused_in_one_line(trucam, arguments):
    status, _, err = trucam(*arguments)
    assert (status, len(err.splitlines())) == (2, 1)


def test_a_deck_is_learned_and_used(trucam, sees, photo, tmp_path):
    sees(("KS", 0.99), ("10H", 0.97))
    status, out, err = trucam("deck", photo, "--learn", "Club 1", "--save", tmp_path / "numbered")
    assert (status, err) == (0, "")
    assert "2 cards" in out
    assert (tmp_path / "numbered" / "table-numbered.jpg").is_file()
    kept = tmp_path / "decks" / "Club 1"
    assert sorted(path.name for path in kept.glob("*.png")) == ["10H.png", "KS.png"]
    reader = sees(("KS", 0.99))
    assert trucam("read", photo, "--deck", "Club 1")[0] == 0
    assert reader.asked[0][1].cards == ("10H", "KS")


def test_what_was_misread_is_put_right_by_number(trucam, sees, photo, tmp_path):
    sees(("KS", 0.99), ("10H", 0.97), ("QD", 0.5))
    arguments = ["--card", "2=9H", "--card", "3=none", "--save", tmp_path]
    status, _, _ = trucam("deck", photo, "--learn", "mine", *arguments)
    assert status == 0
    kept = tmp_path / "decks" / "mine"
    assert sorted(path.stem for path in kept.glob("*.png")) == ["9H", "KS"]


def test_a_card_that_was_read_twice_is_named_once(trucam, sees, photo, tmp_path):
    sees(("KS", 0.99), ("KS", 0.7), others=(("KC", 0.2),))
    status, out, _ = trucam("deck", photo, "--learn", "mine", "--pack", "32", "--save", tmp_path)
    assert status == 0
    assert "2: KC, not sure; by itself it looks like KS." in out
    assert "Not shown: 10C" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["deck", "--learn", "../mine"], "cannot be called"),
        (["deck", "--learn", "mine", "--card", "7=KS"], "there is no card 7"),
        (["read", "--deck", "theirs"], "No deck is kept yet, so none is called 'theirs'"),
    ],
)
def test_what_cannot_be_learned_or_used_is_one_line(trucam, sees, photo, arguments, sentence):
    sees(("KS", 0.99))
    status, _, err = trucam(*arguments, photo)
    assert (status, len(err.splitlines())) == (2, 1)
    assert sentence in err


def test_nothing_to_learn(trucam, sees, photo):
    sees()
    status, _, err = trucam("deck", photo, "--learn", "mine")
    assert (status, err.count("nothing was learned")) == (2, 1)
