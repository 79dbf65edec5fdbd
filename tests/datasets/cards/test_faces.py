"""Printings of French and Spanish decks."""

from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from datasets.cards.backs import draw_back
from datasets.cards.decks import CARD_HEIGHT, Shelf, Split
from datasets.cards.faces import Pack, draw_pack, strangers
from datasets.cards.indices import LEGIBLE, draw_style, find_index
from datasets.cards.labels import FRENCH_CARDS, SPANISH_CARDS
from datasets.cards.spanish import SpanishPack


def test_the_same_seed_gives_the_same_printing(shelf: Shelf) -> None:
    first, second = (draw_pack(shelf, "french", "train", Random(4)) for _ in range(2))
    assert all(np.array_equal(first.face(c), second.face(c)) for c in first.cards)


def test_training_and_testing_share_no_deck(shelf: Shelf) -> None:
    for seed in range(5):
        assert draw_pack(shelf, "french", "train", Random(seed)).deck.name == "plain"
        assert draw_pack(shelf, "french", "test", Random(seed)).deck.name == "other"


def test_an_index_is_found_by_its_ink(shelf: Shelf) -> None:
    box = find_index(shelf.of("french", "train")[0].face("7H"))
    assert box is not None
    assert box.x in range(13, 20)
    assert box.y in range(19, 24)
    assert box.height == pytest.approx(32, abs=4)


def test_printings_differ_in_look_and_never_in_shape(shelf: Shelf) -> None:
    deck = shelf.of("french", "train")[0]
    packs = [Pack(shelf, deck, Random(seed)) for seed in range(12)]
    faces = [pack.face("KS") for pack in packs]
    assert all(f.shape[0] == CARD_HEIGHT and f.shape[2] == 4 for f in faces)
    assert len({f.tobytes() for f in faces}) > 6


def test_cached_faces_are_not_written_to(shelf: Shelf) -> None:
    deck = shelf.of("french", "train")[0]
    before = np.array(deck.face("QD"))
    for seed in range(6):
        Pack(shelf, deck, Random(seed)).face("QD")
    assert np.array_equal(deck.face("QD"), before)


def test_an_unknown_card_is_refused(shelf: Shelf) -> None:
    with pytest.raises(KeyError, match="1O"):
        draw_pack(shelf, "french", "train", Random(0)).face("1O")


def test_the_spanish_deck_has_48_different_cards(shelf: Shelf) -> None:
    pack = SpanishPack(shelf, Random(2))
    assert len({pack.face(card).tobytes() for card in SPANISH_CARDS}) == 48


@pytest.mark.parametrize(("card", "gaps"), [("4O", 0), ("4U", 1), ("4E", 2), ("4B", 3)])
def test_the_gaps_in_the_frame_name_the_suit(shelf: Shelf, card: str, gaps: int) -> None:
    pack = SpanishPack(shelf, Random(2))
    face = pack.face(card)[..., :3].astype(int).sum(axis=2)
    half = face[: CARD_HEIGHT // 13]  # above all signs: its longest dark line is the frame
    line = half[int(np.argmin(half[:, 60:-10].mean(axis=1)))] < 300
    inner = line[50:-30].astype(int)
    starts = int((np.diff(inner) == -1).sum())
    assert starts == gaps


@pytest.mark.parametrize("seed", range(5))
def test_a_back_looks_the_same_turned_by_half(seed: int) -> None:
    back = draw_back(Random(seed)).astype(int)
    assert np.abs(back - back[::-1, ::-1]).mean() < 3


def test_a_back_is_plain_only_within_a_border() -> None:
    plain = 0
    for seed in range(60):
        back = draw_back(Random(seed))[..., :3].astype(float)
        tall, wide = back.shape[0] // 8, back.shape[1] // 8
        inner = back[tall:-tall, wide:-wide]
        if inner.std(axis=(0, 1)).max() <= 3:
            plain += 1
            border = back[4, wide:-wide].mean(axis=0)
            assert np.abs(border - inner.mean(axis=(0, 1))).max() > 20
    assert 0 < plain < 20


def test_a_deck_of_courts_alone_is_a_whole_pack(shelf: Shelf) -> None:
    courts = tuple(f"{rank}{suit}" for rank in "JQK" for suit in "CDHS")
    deck = replace(shelf.of("french", "train")[0], cards=courts, courts_only=True)
    pack = Pack(shelf, deck, Random(1))
    assert set(pack.cards) == set(FRENCH_CARDS)
    assert len({pack.face(card).tobytes() for card in pack.cards}) == 52


def test_a_deck_that_says_its_letters_keeps_them_and_lends_no_pictures(shelf: Shelf) -> None:
    deck = replace(shelf.of("french", "train")[0], indices="french")
    assert {Pack(shelf, deck, Random(seed))._texts["Q"] for seed in range(9)} == {"D"}
    assert strangers(replace(shelf, decks=(deck,)), "train", "french") == []


def test_letters_that_are_asked_for_are_drawn_on_any_deck(shelf: Shelf) -> None:
    packs = [draw_pack(shelf, "french", "train", Random(seed), "french") for seed in range(9)]
    assert {pack.letters for pack in packs} == {"french"}


@pytest.mark.parametrize(("split", "body"), [("train", "other"), ("test", "pips")])
def test_only_in_training_a_card_has_the_pips_of_another(
    split: Split, body: str, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    style = replace(draw_style(Random(0)), body="other")
    monkeypatch.setattr("datasets.cards.faces.draw_style", lambda rng, trained: style)
    assert draw_pack(shelf, "french", split, Random(1))._style.body == body


def test_a_strangers_court_stands_behind_this_decks_index(shelf: Shelf, tmp_path: Path) -> None:
    deck = shelf.of("french", "train")[0]
    red = np.full((CARD_HEIGHT, 270, 4), (0, 0, 255, 255), np.uint8)
    cv2.imwrite(str(tmp_path / "JD.png"), red)
    stranger = replace(deck, name="red", folder=tmp_path, cards=("JD",))
    packs = [Pack(shelf, deck, Random(seed), strangers=[stranger]) for seed in range(60)]

    def lent(card: str, *, legible: bool) -> int:
        """How many printings show the other deck's picture on a card."""
        faces = [pack.face(card) for pack in packs if (pack._style.tall >= LEGIBLE) is legible]
        middles = [face[CARD_HEIGHT // 2, face.shape[1] // 2, :3] for face in faces]
        return sum(int(m.min()) == 0 and int(m.max()) > 200 for m in middles)

    assert 3 < lent("KS", legible=True) < 30
    assert 0 < lent("JD", legible=False) < 20
    assert lent("KS", legible=False) == 0  # there a king is recognized by its picture
    number = [pack.face("7H")[..., :3] for pack in packs]
    assert not any((n == (0, 0, 255)).all(axis=2).mean() > 0.5 for n in number)
