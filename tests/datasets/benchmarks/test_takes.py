"""Takes of films: what the table was given is kept and watched again. A corpus is many takes."""

import gzip
import json
from argparse import Namespace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from datasets.benchmarks import table_sheet, takes
from datasets.benchmarks.corpus import (
    COLUMNS,
    DECKS,
    FIRST_SEED,
    MOST_TAKES,
    PAINTED,
    main,
    planned,
)
from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.takes import Recorder, opened_take, save, watch
from datasets.benchmarks.tally import Tally
from datasets.benchmarks.taps import Taps
from datasets.simulation.seen import EYES, watched
from scorekeeper.engine.packs import SPANISH
from scorekeeper.errors import FormatError

FILM = {"game": "trut", "seats": 4, "grade": "home", "seed": 3}
SHORT_FILM = {**FILM, "seats": 2, "seed": 6}
"""A film in whose first hand a player says trut, and another one sees it."""


def record(film, hands: int):
    """Watches a film and keeps a take; returns its moments, and the figures."""
    stage = filmed(**film, hands=hands)
    tally, recorder = Tally(), Recorder(stage.camera.size)
    run = Run(stage, tally, answer=True)
    recorder.attach(run.table)
    for glance in watched(stage, EYES["floors"]):
        run.go_on(glance.at)
        run.table.plane = run._plane(glance.at)
        reaching = frozenset(hand.seat for _, hand, _ in stage.passing(glance.at))
        happened = run.table.see(
            glance.at,
            glance.detections,
            lambda points: points[:, 0] < 64,
            lambda reaching=reaching: reaching,
        )
        run.take(glance.at, glance.at + 1 / 15, happened)
    run.finish()
    return recorder.moments, tally


@pytest.fixture(scope="module")
def recorded_hand():
    """A film of one hand of two players, recorded."""
    return record(SHORT_FILM, 1)


@pytest.fixture
def short(recorded_hand, monkeypatch):
    """A recorded film of one hand; films of takes have only one hand in this test."""
    monkeypatch.setattr(takes, "PAINTED_HANDS", 1)
    return recorded_hand


TAKE = {**FILM, "rate": 15.0, "deck": "painted"}
SHORT_TAKE = {**TAKE, **SHORT_FILM}


def test_a_take_is_watched_as_the_film_was(monkeypatch, tmp_path):
    monkeypatch.setattr(takes, "PAINTED_HANDS", 2)
    moments, tally = record(FILM, 2)
    save(tmp_path / "take.json.gz", TAKE, moments)
    again = Tally()
    with opened_take(tmp_path / "take.json.gz") as (film, kept):
        assert film == TAKE
        watch(film, kept, again)
    assert again.to_json() == tally.to_json()
    assert tally.hands == 2


def test_a_corpus_is_told_column_by_column_beside_what_was_before(short, tmp_path, capsys):
    moments, tally = short
    save(tmp_path / "take.json.gz", SHORT_TAKE, moments)
    command = ["watch", "--folder", str(tmp_path), "--workers", "1"]
    assert main([*command, "--to", str(tmp_path / "before.json")]) == 0
    before = json.loads((tmp_path / "before.json").read_text())
    assert before["home 2 painted"] == before["all"]
    assert before["all"]["hands"] == 1
    assert before["all"]["right"][0] == tally.right / tally.hands
    capsys.readouterr()
    assert main([*command, "--against", str(tmp_path / "before.json")]) == 0
    line = capsys.readouterr().out.splitlines()[2]
    share = f"{tally.right / tally.hands:.1%}"
    assert line.startswith("| home 2 painted | 1 |")
    assert f"{share} ({share})" in line


def test_words_that_nobody_says_are_missing_in_what_is_written(short):
    moments, tally = short
    silent = Tally()
    watch(SHORT_TAKE, moments, silent, taps=Taps(untapped=1.0))
    assert silent.hands == tally.hands
    assert silent.right < tally.right


def test_the_corpus_and_the_sheet_share_no_seed():
    seeds = [each.seed for each in planned(MOST_TAKES)]
    assert len(set(seeds)) == MOST_TAKES
    assert min(seeds) >= FIRST_SEED
    assert max(seeds) < table_sheet.FIRST_SEED


def test_spanish_takes_are_of_another_deck_than_the_films_of_the_sheet(tmp_path):
    options = Namespace(
        models=tmp_path, cache=tmp_path, photographed=None, rate=None, resolution=720
    )
    spanish = [column for column in COLUMNS if column.deck == SPANISH]
    sheet = table_sheet.Studio(tmp_path, tmp_path)
    assert spanish
    assert all(column.studio(options, 0).split != sheet.split for column in spanish)


def test_each_column_of_the_corpus_has_each_game_with_each_deck():
    options = Namespace(
        cache=Path(), photographed=Path(), models=Path(), rate=10.0, resolution=1080
    )
    for column in COLUMNS:
        turns = [each.turn for each in planned(240) if each.column == column]
        played = {(column.game(turn), column.studio(options, turn).deck) for turn in turns}
        decks = DECKS if column.deck == PAINTED else [None]
        assert played == set(product(column.games, decks)), column


def test_a_corpus_of_another_plan_is_not_added_to(tmp_path, capsys):
    (tmp_path / "painted-trut-2-bar-80002.json.gz").touch()
    assert main(["record", "--takes", "0", "--folder", str(tmp_path)]) == 0
    (tmp_path / "painted-trut-9-bar-80002.json.gz").touch()
    assert main(["record", "--takes", "0", "--folder", str(tmp_path)]) == 2
    assert "of another corpus" in capsys.readouterr().err


def test_a_film_is_read_as_it_was_given_to_the_table(recorded_hand, tmp_path):
    moments, _ = recorded_hand
    save(tmp_path / "take.json.gz", SHORT_TAKE, moments)
    with opened_take(tmp_path / "take.json.gz") as (_, kept):
        for again, one in zip(kept, moments, strict=True):
            assert (again.at, again.reaching) == (one.at, one.reaching)
            assert again.covered[:, :8].all()
            assert not again.covered[:, 8:].any()
            assert [each.readings for each in again.detections] == [
                each.readings for each in one.detections
            ]
            for mine, others in zip(again.detections, one.detections, strict=True):
                assert np.abs(mine.corners - others.corners).max() <= 0.006


def test_a_take_of_an_evening_is_no_painted_film(tmp_path):
    header = {"format": "trucam-record/1", "game": "trut", "seats": ["0", "1"]}
    with gzip.open(tmp_path / "take.json.gz", "wt") as file:
        file.write(json.dumps({"take": 1, "header": header}) + "\n")
    with (
        pytest.raises(FormatError, match="no painted film"),
        opened_take(tmp_path / "take.json.gz"),
    ):
        pass


@pytest.mark.parametrize("text", ["", "[]\n", '{"game": "trut"}\n', "no take at all\n"])
def test_what_is_no_take_is_told_in_a_sentence(tmp_path, capsys, text):
    with gzip.open(tmp_path / "take.json.gz", "wt") as file:
        file.write(text)
    assert main(["watch", "--folder", str(tmp_path), "--workers", "1"]) == 2
    assert "is no take" in capsys.readouterr().err


def test_a_folder_without_takes_is_told_in_a_sentence(tmp_path, capsys):
    assert main(["watch", "--folder", str(tmp_path)]) == 2
    assert "record some first" in capsys.readouterr().err
