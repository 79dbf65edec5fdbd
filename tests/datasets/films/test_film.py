"""Painted films show what the stage says."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.cards.decks import Shelf
from datasets.films import film
from datasets.films.covering import FINGERS, FINGERS_WIDE
from datasets.films.director import direct
from datasets.films.film import main, read_truth, write_truth
from datasets.films.grades import GRADES
from datasets.films.matches import NAMES, play_match
from datasets.films.paint import Painter
from datasets.films.props import MARKER_CM, hand_picture, marker_places
from datasets.films.stage import Key, Lying, Stage, card_outline
from scorekeeper.engine.header import Header
from scorekeeper.history.record import read_record

SMALL = (640, 360)


def made(grade: str = "home", seed: int = 1, **how) -> Stage:
    record = play_match(Header(game="trut", seats=NAMES[:2], best_of=5), seed, 1, misdeals=0)
    return direct(record.header, record.events, grade=grade, seed=seed, size=SMALL, **how)


def sum_of(stage: Stage, shelf: Shelf, times: tuple[float, ...]) -> str:
    painter = Painter(stage, shelf)
    return hashlib.sha256(b"".join(painter.frame(at).tobytes() for at in times)).hexdigest()


@pytest.mark.parametrize("grade", GRADES)
def test_the_same_stage_is_the_same_film(shelf, grade):
    times = (0.5, 4.0, 6.0, 12.0)
    one, same = made(grade), made(grade)
    assert sum_of(one, shelf, times) == sum_of(same, shelf, times)
    assert sum_of(one, shelf, times) != sum_of(made(grade, 2), shelf, times)


@pytest.mark.parametrize("blur", [1.0, 3.0, 5.0])
def test_a_lens_blurs_as_much_as_its_grade_says(shelf, monkeypatch, blur):
    def seen(pixels: float) -> np.ndarray:
        plain = replace(GRADES["home"], blur=(pixels, pixels), noise=(0.0, 0.0), quality=(0, 0))
        monkeypatch.setitem(GRADES, "home", plain)
        return Painter(made(seed=3), shelf).frame(6.0)

    height = SMALL[1] / 720
    wanted = cv2.GaussianBlur(seen(0.0), (0, 0), blur * height)
    assert np.abs(seen(blur).astype(int) - wanted).max() <= 2


@pytest.mark.parametrize("grade", GRADES)
def test_a_card_is_painted_where_the_truth_has_it(shelf, grade):
    """A played card of a blank deck is the brightest thing at its place, while it lies there."""
    stage = made(grade, seed=3)
    painter = Painter(stage, shelf)
    tried = 0
    for card in stage.lying:
        if card.event is None:
            continue
        at = (card.rests + card.leaves) / 2
        seen = next(each for each in stage.at(at) if each.lying is card)
        if seen.visible < 1 or seen.moving:
            continue
        tried += 1
        corners = stage.to_frame(card_outline(seen.pose, stage.card), at)
        mask = np.zeros(SMALL[::-1], np.uint8)
        cv2.fillConvexPoly(mask, corners.round().astype(np.int32), 255)
        mask = cv2.erode(mask, np.ones((5, 5), np.uint8))
        there = painter.frame(at)[mask > 0].mean()
        gone = painter.frame(card.keys[-1].at + 0.4)[mask > 0].mean()
        bare = painter._table[mask > 0].mean() * stage.light(at)[0]
        assert there > bare + 20
        assert abs(gone - bare) < there - bare
    assert tried >= 2


def test_a_card_that_is_pushed_slides_below_the_one_on_it(shelf, monkeypatch):
    still = {"seat": 0, "event": None, "rests": 1.1, "leaves": 19.0}
    pushed = [
        Key(at, x, 0.0, 0.0, 0.0) for at, x in ((1.0, 0.0), (5.0, 0.0), (6.0, 2.0), (20.0, 2.0))
    ]
    upper = [Key(at, 1.0, 0.0, 0.0, 0.0) for at in (1.0, 20.0)]
    cards = (
        Lying("KS", "up", keys=tuple(pushed), **still),
        Lying("QH", "up", keys=tuple(upper), **still),
    )
    stage = replace(made("home"), lying=cards, hands=())
    painter, tall = Painter(stage, shelf), 100
    red, green = (
        np.full((tall, 70, 4), (*colour, 255), np.uint8) for colour in ((0, 0, 255), (0, 255, 0))
    )
    monkeypatch.setattr(painter.faces, "of", {"KS": red, "QH": green}.__getitem__)
    for at in (3.0, 5.5, 8.0):
        x, y = stage.to_frame(np.array([[1.0, 0.0]]), at)[0].round().astype(int)
        blue, seen_green, seen_red = painter.frame(at)[y - 2 : y + 3, x - 2 : x + 3].mean(
            axis=(0, 1)
        )
        assert seen_green > 2 * max(blue, seen_red), at


def test_corner_markers_are_found_where_they_were_put(shelf):
    stage = made("home")
    frame = Painter(stage, shelf, markers=(0, 1, 2, 3)).frame(0.2)
    tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, ids, _ = cv2.aruco.ArucoDetector(tags).detectMarkers(frame)
    assert sorted(ids.ravel().tolist()) == [0, 1, 2, 3]
    for number, found in zip(ids.ravel().tolist(), corners, strict=True):
        place = marker_places(stage)[number]
        half = MARKER_CM / 2
        square = place + np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        assert np.abs(found[0] - stage.to_frame(square)).max() < 2.0


def test_a_hand_is_as_wide_as_the_truth_has_it():
    scale = 10.0
    picture = hand_picture("somebody", scale)
    middle = picture.shape[1] // 2
    fingers = picture[round(scale * 3) : round(scale * FINGERS), :, 3] > 127
    reach = round(FINGERS_WIDE / 2 * scale)
    assert fingers[:, middle - reach : middle + reach].mean() > 0.5
    assert fingers[:, : middle - round(scale * 6)].mean() < 0.05


def test_light_dims_the_whole_picture(shelf):
    stage = made("bar", seed=5)
    painter = Painter(stage, shelf)
    frame = painter.frame(0.1)
    gain = stage.light(0.1)[0]
    expected = painter._table.mean() * gain
    assert frame.mean() == pytest.approx(expected, rel=0.15)


def test_a_nudge_moves_the_painted_table(shelf):
    stage = next(s for s in (made("bar", seed) for seed in range(1, 60)) if s.shifts)
    painter = Painter(stage, shelf)
    before = painter._bare(0.0).astype(np.float32).mean(axis=2)
    after = painter._bare(stage.ends).astype(np.float32).mean(axis=2)
    (x, y), sure = cv2.phaseCorrelate(before, after)
    shift = stage.shift(stage.ends)
    assert sure > 0.1
    assert (x, y) == pytest.approx((shift.x, shift.y), abs=2.5)


def test_the_truth_is_read_as_it_was_written(tmp_path):
    stage = made("bar")
    write_truth(stage, tmp_path / "film.truth.jsonl")
    read = read_truth(tmp_path / "film.truth.jsonl")
    assert [read.at(t) for t in (3.0, 7.5, 11.0)] == [stage.at(t) for t in (3.0, 7.5, 11.0)]
    assert read.events == stage.events


@pytest.mark.parametrize(
    ("name", "codec", "more"),
    [
        ("film.mp4", "FMP4", []),
        ("film.webm", "VP80", []),
        ("film.mp4", "h264", ["--crf", "30"]),
    ],
)
def test_the_command_writes_film_truth_record_and_calls(
    cache: Path, tmp_path: Path, name, codec, more, capsys
):
    out = tmp_path / name
    arguments = ["--cache", str(cache), "--size", "320x180", "--rate", "10", "--hands", "1",
                 "--seconds", "3", "--out", str(out), *more]  # fmt: skip
    assert main(arguments) == 0
    assert "30 frames, 3.0 s" in capsys.readouterr().out
    video = cv2.VideoCapture(str(out))
    assert int(video.get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little").decode() == codec
    assert video.get(cv2.CAP_PROP_FPS) == 10
    frames = 0
    while video.read()[0]:
        frames += 1
    assert frames == 30
    stage = read_truth(out.with_suffix(".truth.jsonl"))
    with out.with_suffix(".record.jsonl").open("rb") as stream:
        record = read_record(stream)
    assert tuple(record.events) == stage.events
    calls = [json.loads(line) for line in out.with_suffix(".calls.jsonl").read_text().splitlines()]
    assert [call["do"] for call in calls] == [call.do for call in stage.calls]
    again = tmp_path / f"again-{name}"
    film_of_record = ["--record", str(out.with_suffix(".record.jsonl")), "--no-video"]
    assert main(["--out", str(again), *film_of_record]) == 0
    assert [e.bare() for e in read_truth(again.with_suffix(".truth.jsonl")).events] == [
        e.bare() for e in stage.events
    ]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--deck", "nobody's"], "there is no french deck nobody's; there are: plain, other"),
        (["--record", "/no/such/file"], "No such file"),
        (["--out", "film.avi"], "a film is an .mp4 or a .webm file, not film.avi"),
        (["--cache", "/no/such/cache"], "no decks in /no/such/cache"),
    ],
)
def test_mistakes_end_in_one_sentence(cache: Path, tmp_path: Path, more, said, capsys):
    arguments = ["--cache", str(cache), "--size", "320x180", "--hands", "1", "--out",
                 str(tmp_path / "film.mp4"), *more]  # fmt: skip
    assert film.main(arguments) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
