"""``Evidence``: what is kept of an event, and what its pictures never show."""

from __future__ import annotations

import av
import cv2
import numpy as np
import pytest

from scorekeeper.engine.events import Event
from scorekeeper.history.fixes import READINGS
from tests.scorekeeper.talk import NAMES, TRUT
from tests.vision.show import (
    FELT,
    MATCH,
    OUTSIDE,
    PLANE,
    PLAYED,
    RATE,
    SECRET,
    everything,
    film,
    is_like,
    seen_at,
    still,
)
from tests.vision.tabletop import Tabletop
from vision.belief.context import RefereeContext
from vision.capture.sources import Frame
from vision.detection.detections import Detection
from vision.evidence.draw import SURE
from vision.evidence.recorder import Evidence
from vision.packs import BACK

# --- what is kept ---


def test_an_event_has_a_picture_with_its_card_outlined_and_a_clip_that_phones_play(show) -> None:
    show.put(3, 0, 20)
    show.run(2.0, {3})
    seq = show.play(3, ago=0.4)
    show.run(2.0)
    kept = show.kept(seq)
    quad = show.cards[3].corners
    edge = np.round(quad.mean(axis=0) + (quad[0] - quad[2]) * 0.6).astype(int)
    assert is_like(still(kept)[edge[1] :, edge[0] :], SURE)[0, 0]
    assert is_like(seen_at(still(kept), 0, 20), PLAYED).all()
    data = kept.clip.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")
    with av.open(str(kept.clip)) as clip:
        (stream,) = clip.streams
        assert (stream.codec_context.name, stream.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height) == (960, 540)
        assert float(stream.duration * stream.time_base) == pytest.approx(2.0, abs=0.15)
    assert kept.about["moment"] == pytest.approx(1.0, abs=0.1)
    assert not show.evidence.hitches


@pytest.mark.parametrize(
    ("card", "readings", "changed"),
    [
        ("KS", [["KS", 0.9], ["JS", 0.1]], None),
        ("KS", [["JS", 0.6], ["KS", 0.4]], "rank"),
        ("KS", [["KH", 0.6], ["KS", 0.4]], "suit"),
        ("KS", [], None),
    ],
)
def test_what_was_expected_and_whether_that_changed_the_reading(
    show, card, readings, changed
) -> None:
    show.put(3, 0, 20)
    show.run(0.3, {3})
    about = show.kept(show.play(3, **{READINGS: readings})).about
    assert (about["do"], about["seat"], about["card"], about["seq"]) == ("play", 1, card, 2)
    assert (about["readings"], about["changed"]) == (readings, changed)
    assert about["expected"]["due"] == [1]
    assert len(about["expected"]["possible"]) == len(RefereeContext(MATCH, 1).possible)
    assert (about["why"], about["chance"]) == ("it lies there", 0.9877)
    assert np.allclose(about["corners"], show.cards[3].corners, atol=0.1)


def test_nobody_is_named_in_it(show) -> None:
    show.run(0.5)
    seq = show.play()
    show.run(1.5)
    show.kept(seq)
    for path in show.pictures.folder.rglob("*"):
        if path.is_file():
            assert not any(name.encode() in path.read_bytes() for name in NAMES)


def test_an_event_without_a_card_has_a_picture_too(show) -> None:
    show.run(1.0)
    kept = show.kept(show.play())
    assert kept.about["corners"] is None
    assert still(kept).shape == (720, 1280, 3)


def test_a_card_that_lay_there_long_before_it_counted_is_seen_as_it_lies_now(show) -> None:
    show.put(3, 0, 20)
    show.run(13.0, {3})
    kept = show.kept(show.play(3, ago=12.5))
    assert is_like(seen_at(still(kept), 0, 20), PLAYED).all()
    assert len(film(kept)) == pytest.approx(RATE, abs=1)


def test_v_14_of_a_card_that_counts_when_it_is_long_gone_there_is_no_picture(show) -> None:
    show.run(13.0)
    kept = show.kept(show.play(ago=12.5))
    assert kept.about["card"] == "KS"
    assert (kept.still, kept.clip) == (None, None)


@pytest.mark.parametrize(("step", "frames"), [(-1.5, 23), (1000.0, 23)])
def test_a_clock_that_jumps_cuts_the_clip_short(show, step, frames) -> None:
    show.run(2.0)
    seq = show.play()
    show.run(0.5)
    show.at += step
    show.run(1.0)
    assert len(film(show.kept(seq))) == pytest.approx(frames, abs=1)


def test_two_plays_in_a_second_have_a_clip_each(show) -> None:
    show.run(1.0)
    seqs = [show.play()]
    show.run(0.5)
    seqs.append(show.play())
    show.run(1.5)
    assert [len(film(show.kept(seq))) for seq in seqs] == pytest.approx([30, 30], abs=2)


# --- what is never in it ---


def test_nothing_outside_of_the_tables_outline_is_in_it(show) -> None:
    show.put(3, 45, 35)  # over the corner
    show.run(1.5, {3})
    seq = show.play(3)
    show.run(1.5)
    inside = np.zeros((720, 1280), np.uint8)
    cv2.fillPoly(inside, [np.round(PLANE.to_frame(PLANE.outline)).astype(np.int32)], 1)
    for pixels in everything(show.kept(seq)):
        assert not is_like(pixels, OUTSIDE).any()
        # Compression smears what is inside over one more of its blocks.
        assert pixels[cv2.dilate(inside, np.ones((65, 65))) == 0].max() < 8


@pytest.mark.parametrize("kind", ["lies", "held", "not read"])
def test_a_face_that_was_not_played_is_not_seen(show, kind) -> None:
    show.put(3, 0, 20)
    if kind == "lies":
        show.put(4, -20, 0)
    else:
        show.hold(-20, 0)
    if kind == "not read":
        show.held = [Detection(show.held[0].corners, 0.9, ())]
    show.run(1.5, {3})
    seq = show.play(3)
    show.run(1.5)
    for pixels in everything(show.kept(seq)):
        assert not is_like(pixels, SECRET).any()
        assert is_like(seen_at(pixels, 0, 20), PLAYED).all()


@pytest.mark.parametrize("kind", ["lies", "held"])
def test_a_face_is_covered_before_it_is_known_and_while_it_is_missed(show, kind) -> None:
    show.put(3, 0, 20)
    if kind == "lies":
        show.put(4, -20, 0)
    else:
        show.hold(-20, 0)
    drawn = show.picture({3})
    show.picture = lambda _: drawn
    known = dict(show.cards), list(show.held)
    for step in range(RATE):
        missed = step < 10 if kind == "lies" else step % 2
        show.cards, show.held = ({3: known[0][3]}, []) if missed else known
        show.run(1 / RATE)
    for pixels in everything(show.kept(show.play(3))):
        assert not is_like(pixels, SECRET).any()


def test_cards_that_were_played_and_backs_are_seen(show) -> None:
    show.put(2, 20, 0)
    show.played = {2}
    show.put(3, 0, 20)
    show.put(4, -20, 0, BACK)
    show.put(5, 20, 20)
    show.run(1.5, {3, 5})
    seq = show.play(3)
    show.run(0.5, {5})
    show.play(5)  # while the clip of the one before is not over
    show.run(1.5)
    pixels = everything(show.kept(seq))
    for place in ((20, 0), (0, 20), (-20, 0)):
        assert all(is_like(seen_at(each, *place), PLAYED).all() for each in pixels)
    assert not is_like(seen_at(pixels[0], 20, 20), PLAYED).any()
    assert is_like(seen_at(pixels[-1], 20, 20), PLAYED).all()


def test_a_card_is_seen_landing(show) -> None:
    show.put(3, 0, 20)
    landed = show.cards.pop(3)
    show.hold(1, 21)
    colour = show.picture(set())
    colour[is_like(colour, SECRET)] = PLAYED
    show.picture = lambda played: colour
    show.run(1.0)
    show.cards[3] = landed
    seq = show.play(3)
    assert all(is_like(seen_at(each, 0, 20), PLAYED).all() for each in everything(show.kept(seq)))


# --- with the watching table ---


def test_every_event_of_a_watched_table_is_kept_under_its_number(pictures) -> None:
    table = Tabletop(TRUT, 2)
    evidence = Evidence(pictures)
    evidence.begin(7)
    evidence.follow(table.table)
    picture = np.full((720, 1280, 3), FELT, np.uint8)

    def run(seconds: float) -> None:
        for _ in range(round(seconds / 0.1)):
            table.run(0.1)
            associations = table.table.belief.associations
            evidence.see(
                Frame(picture, table.at, 0),
                PLANE,
                cards=table.table.cards,
                played=associations.cards(),
            )

    table.deal()
    table.put("KS", 1, KS=0.5, JS=0.45)
    run(3.5)
    table.answer("1 play JS")
    run(1.5)
    table.put("9S", 0)
    run(1.5)
    evidence.close()
    events: list[Event] = table.log.events
    kept = {seq: pictures.find(7, seq) for seq in pictures.of(7)}
    assert list(kept) == list(range(1, len(events) + 1))
    for seq, each in kept.items():
        said = events[seq - 1]
        assert each is not None
        assert (each.about["do"], each.about["card"]) == (said.do, said.card and str(said.card))
    assert len(events) == 3
    played = [each for each in kept.values() if each.about["do"] == "play"]
    assert all(each.still and each.clip and each.about["corners"] for each in played)
