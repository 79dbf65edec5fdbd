"""``hindsight`` explains whole hands, and compares this with what the table wrote."""

from datasets.benchmarks import seen_hands
from datasets.benchmarks.hindsight import main


def test_the_belief_explains_what_perfect_eyes_saw_as_it_was_played(capsys):
    assert main(["--eyes", "perfect", "--grade", "home", "--seats", "2", "--hands", "6"]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.startswith("6 hands: both right 6, only as written 0, only in hindsight 0, ")


def test_a_folder_of_takes_that_are_none_is_told_in_a_sentence(tmp_path, capsys):
    (tmp_path / "take.json.gz").write_bytes(b"no take")
    assert main(["--takes", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("datasets.benchmarks.hindsight: ")


def test_hands_that_were_gathered_are_explained_alike(tmp_path, capsys):
    options = ["--eyes", "floors", "--grade", "home", "--seats", "2", "--hands", "6", "--seed", "7"]
    gathered = tmp_path / "hands.jsonl.gz"
    assert seen_hands.main([*options, "--to", str(gathered)]) == 0
    assert main(options) == 0
    watched = capsys.readouterr().out.splitlines()[-1].rpartition(";")[0]
    assert main(["--gathered", str(gathered)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].rpartition(";")[0] == watched
    assert "log loss 0." in watched
