"""The belief in the umpire's shadow: both explain the same hands."""

from datasets.benchmarks.shadow import main


def test_the_belief_explains_what_perfect_eyes_saw_as_it_was_played(capsys):
    assert main(["--eyes", "perfect", "--grade", "home", "--seats", "2", "--hands", "6"]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.startswith("6 hands: both right 6, only the umpire 0, only the belief 0, neither 0")


def test_a_folder_of_takes_that_are_none_is_told_in_a_sentence(tmp_path, capsys):
    (tmp_path / "take.json.gz").write_bytes(b"no take")
    assert main(["--takes", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("datasets.benchmarks.shadow: ")
