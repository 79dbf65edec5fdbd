"""The scoring sheet keeps finished films, and watches them anew if anything has changed."""

import json
from pathlib import Path
from typing import Any

import pytest

from datasets.benchmarks import table_sheet
from datasets.benchmarks.breaks import Breaks
from datasets.benchmarks.sheet_table import markdown, row_figures
from datasets.benchmarks.table_sheet import FIRST_SEED, Journal, Row, Sheet, code_of, main
from datasets.benchmarks.taps import Taps

ROW = Row("perfect", "calm", 2, "trut")


def film(hands: int = 10, **others: Any) -> dict[str, Any]:
    """The figures of a film in which nothing went wrong."""
    tally = {
        "hands": hands, "right": hands, "untouched": hands, "lost_beside": 0, "cards": 4 * hands,
        "cards_right": 4 * hands, "tricks": 2 * hands, "tricks_right": 2 * hands,
        "false_plays": 0, "put_right": 0, "spoiled": 0, "answered": 0, "corrected": 0,
        "frames": 300 * hands, "seconds": 20.0 * hands, "questions": {}, "hints": {},
        "delays": [0.3] * hands, **others,
    }  # fmt: skip
    return {"answering": tally, "alone": tally, "took": 2.0}


class Workshop:
    """Replaces watching: notes which films are asked for; can be interrupted."""

    def __init__(self, most: int = 1000) -> None:
        self.seeds: list[int] = []
        self.most = most

    def watch(self, row: Row, seed: int, hands: int, studio: object) -> dict[str, Any]:
        if len(self.seeds) == self.most:
            raise KeyboardInterrupt
        self.seeds.append(seed)
        return film(hands)


def run(monkeypatch: pytest.MonkeyPatch, out: Path, *options: str, most: int = 1000) -> list[int]:
    """Runs the command; returns the seeds of the films that were watched."""
    workshop = Workshop(most)
    monkeypatch.setattr(table_sheet, "watch_film", workshop.watch)
    rows = ("--games", "trut", "--grades", "calm", "--seats", "2", "--eyes", "perfect")
    code = main([*rows, "--out", str(out), *options])
    assert code == (130 if len(workshop.seeds) == most else 0)
    return workshop.seeds


def test_an_interrupted_run_goes_on_where_it_was(monkeypatch, tmp_path, capsys):
    first = run(monkeypatch, tmp_path, "--hands", "50", most=2)
    assert first == [FIRST_SEED, FIRST_SEED + 1]
    assert "20 (2)" in capsys.readouterr().out
    assert run(monkeypatch, tmp_path, "--hands", "50") == [FIRST_SEED + 2 + n for n in range(3)]
    assert "50 (5)" in capsys.readouterr().out
    assert run(monkeypatch, tmp_path, "--hands", "50") == []


def test_more_hands_go_on_and_another_row_begins(monkeypatch, tmp_path):
    assert len(run(monkeypatch, tmp_path, "--hands", "10")) == 1
    assert run(monkeypatch, tmp_path, "--hands", "30") == [FIRST_SEED + 1, FIRST_SEED + 2]
    assert len(run(monkeypatch, tmp_path, "--hands", "10", "--grades", "home")) == 1


def test_a_film_that_was_being_written_is_made_again(monkeypatch, tmp_path):
    run(monkeypatch, tmp_path, "--hands", "30")
    journal = tmp_path / "table.jsonl"
    journal.write_text(journal.read_text()[:-20])
    assert run(monkeypatch, tmp_path, "--hands", "30") == [FIRST_SEED + 2]
    assert run(monkeypatch, tmp_path, "--hands", "30") == []


def test_other_settings_of_the_eyes_begin_anew(monkeypatch, tmp_path):
    run(monkeypatch, tmp_path, "--hands", "10")
    monkeypatch.setitem(table_sheet.EYES, "perfect", table_sheet.EYES["floors"])
    assert len(run(monkeypatch, tmp_path, "--hands", "10")) == 1


def test_another_program_begins_anew(monkeypatch, tmp_path):
    run(monkeypatch, tmp_path, "--hands", "10")
    monkeypatch.setattr(table_sheet, "code_of", lambda entry: "another")
    assert len(run(monkeypatch, tmp_path, "--hands", "10")) == 1


def test_the_code_is_what_is_imported_and_nothing_else(tmp_path):
    for name, text in {
        "judge/main.py": "import json\nfrom judge import rules\n",
        "judge/rules.py": "def f():\n    from judge.deep import x\n",
        "judge/deep.py": "x = 1\n",
        "judge/other.py": "y = 1\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    main_file = tmp_path / "judge" / "main.py"
    before = code_of(main_file, root=tmp_path)
    (tmp_path / "judge" / "other.py").write_text("y = 2\n")
    assert code_of(main_file, root=tmp_path) == before
    (tmp_path / "judge" / "deep.py").write_text("x = 2\n")
    assert code_of(main_file, root=tmp_path) != before


def test_a_film_out_of_turn_waits_for_those_before_it(tmp_path):
    sheet = Sheet(
        Journal(tmp_path / "table.jsonl"), ("one", "other"), table_sheet.Studio(Path(), Path())
    )
    sheet.journal.add(sheet.key(ROW, FIRST_SEED + 1), film())
    assert sheet.finished(ROW) == []
    sheet.journal.add(sheet.key(ROW, FIRST_SEED), film())
    assert len(sheet.finished(ROW)) == 2


def test_two_processes_make_the_same_sheet_as_one(monkeypatch, tmp_path):
    monkeypatch.setattr(table_sheet, "HANDS_PER_FILM", 1)
    tables = []
    for processes in ("1", "2"):
        out = tmp_path / processes
        options = ["--games", "trut", "--grades", "calm", "--seats", "2", "--eyes", "floors"]
        assert main([*options, "--hands", "2", "--processes", processes, "--out", str(out)]) == 0
        rows = json.loads((out / "table.json").read_text())["rows"]
        tables.append([{**row, "frames_a_second": 0} for row in rows])
    assert tables[0] == tables[1]
    assert tables[0][0]["hands"] == 2


def test_figures_are_the_sums_of_films():
    films = [
        film(),
        film(right=8, untouched=7, false_plays=3, put_right=1, spoiled=2, questions={"card": 2}),
    ]
    row = row_figures(ROW._asdict(), films)
    assert row["hands"] == 20
    assert row["answered"][0] == 0.9
    assert row["untouched"][0] == 0.85
    assert row["false_plays"][0] == 0.15
    assert row["put_right"][0] == 0.05
    assert row["spoiled"][0] == 0.1
    assert row["questions"][0] == 0.1
    assert row["cards_right"][0] == 1
    assert row["delay_p95"][0] == pytest.approx(0.3)
    assert row["frames_a_second"] == 1500
    text = markdown([row])
    assert "| calm 2 trut, french | 20 (2) | 100.00% | 100.00% | 85.0% (" in text
    assert "15.0 (" in text
    assert "[10.0] | 5.0 |" in text


def test_a_row_says_how_people_tapped_and_what_was_lost_beside():
    row = ROW._replace(taps=Taps(untapped=0.2, twice=0.1))
    text = markdown([row_figures(row._asdict(), [film(), film(lost_beside=3)])])
    words = "20% of the words not tapped, 10% of the words tapped twice; 3 hands lost beside those"
    assert f"| calm 2 trut, french, {words} | 20 (2)" in text


def test_a_row_says_how_often_people_corrected_wrong_answers():
    row = ROW._replace(taps=Taps(misanswered=0.5))
    text = markdown([row_figures(row._asdict(), [film(corrected=2), film(corrected=3)])])
    words = "50% of the questions answered wrongly; the record corrected 5 times"
    assert f"| calm 2 trut, french, {words} | 20 (2)" in text


def test_a_row_says_how_often_the_watching_breaks_off():
    row = ROW._replace(taps=Taps(late=0.5), breaks=Breaks(0.5, 0.25))
    text = markdown([row_figures(row._asdict(), [film()])])
    what = (
        "50% of the words tapped late, the watching killed in 50% of the hands, "
        "no picture for a while in 25% of the hands"
    )
    assert f"| calm 2 trut, french, {what}; 0 hands lost beside those | 10 (1)" in text


@pytest.mark.parametrize("option", ["--killed", "--paused"])
def test_the_watching_breaks_off_with_simulated_eyes_alone(option, capsys):
    with pytest.raises(SystemExit) as end:
        main(["--eyes", "perfect,models", option, "0.5"])
    assert end.value.code == 2
    assert "simulated eyes alone" in capsys.readouterr().err


def test_models_without_decks_are_left_out_and_named(tmp_path, capsys):
    assert main(["--eyes", "models", "--cache", str(tmp_path), "--out", str(tmp_path)]) == 0
    assert "Eyes models are left out" in capsys.readouterr().err
    assert not (tmp_path / "table.jsonl").exists()


@pytest.mark.parametrize("option", [["--games", "poker"], ["--grades", "calm,hell"]])
def test_an_unknown_name_ends_in_one_sentence(option, capsys):
    with pytest.raises(SystemExit) as end:
        main(option)
    assert end.value.code == 2
    assert "there is no" in capsys.readouterr().err


def test_a_game_has_a_row_for_each_pack_that_it_is_played_with(monkeypatch, tmp_path):
    rows: list[Row] = []
    monkeypatch.setattr(Sheet, "fill", lambda self, row, pool, most: rows.append(row))
    options = ("--grades", "calm", "--seats", "2", "--eyes", "perfect", "--out", str(tmp_path))
    main(["--games", "trut,truc_spain", *options])
    assert [(row.game, row.pack) for row in rows] == [
        ("trut", "french"), ("truc_spain", "french"), ("truc_spain", "spanish"),
    ]  # fmt: skip
    rows.clear()
    main(["--games", "trut,truc_spain", "--packs", "spanish", *options])
    assert [(row.game, row.pack) for row in rows] == [("truc_spain", "spanish")]
