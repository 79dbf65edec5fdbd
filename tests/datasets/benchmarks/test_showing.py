"""What is told of decks that were shown before a match."""

from datasets.benchmarks import showing
from datasets.films.shown import Showing


def test_what_came_of_each_showing_is_told(shelf, monkeypatch, capsys):
    monkeypatch.setattr(showing, "opened", lambda studio: (shelf, None))
    monkeypatch.setattr(showing, "show_deck", lambda *_: Showing(None, 30, 1, 2))
    assert showing.main(["--showings", "2", "--deck", "plain"]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == ["| plain | 32 | 30 | 1 | 2 |"] * 2


def test_without_decks_it_ends_with_a_sentence(tmp_path, capsys):
    assert showing.main(["--cache", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("datasets.benchmarks.showing: ")
