"""Hands are gathered as the belief sees them, together with what was really played."""

import pytest

from datasets.benchmarks.seen_hands import course_of, hands_in, main
from scorekeeper.engine.events import Event
from scorekeeper.errors import FormatError
from scorekeeper.games.cards import parse_card


@pytest.fixture(scope="module")
def gathered(tmp_path_factory):
    path = tmp_path_factory.mktemp("hands") / "hands.jsonl.gz"
    options = [
        "--eyes",
        "floors",
        "--grade",
        "home",
        "--seats",
        "2",
        "--seed",
        "50",
        "--hands",
        "6",
    ]
    assert main([*options, "--to", str(path)]) == 0
    return path


def test_a_hand_is_kept_with_what_was_seen_written_and_played(gathered):
    hands = list(hands_in([gathered]))
    assert [hand.number for hand in hands] == list(range(6))
    assert {hand.film.rsplit(" ", 2)[0] for hand in hands} == {"home 2 floors"}
    for hand in hands:
        assert len(hand.objects) >= len(hand.played)
        assert hand.start.in_progress
    committed = [each for hand in hands for each in hand.committed]
    assert all(0.8 < each.chance < each.read + 0.01 < 1.02 for each in committed)
    right = sum(each.right for each in committed)
    assert 0.9 * sum(len(hand.played) for hand in hands) <= right <= len(committed)


def test_plays_are_named_as_the_belief_names_them():
    """A sota is a jack to the rules, and its printed number is 10."""
    plays = [Event("play", 0, card=parse_card("10O")), Event("truc", 1)]
    assert course_of(plays) == ((0, "10"),)


def test_it_reads_back_what_it_wrote(gathered):
    hand = next(hands_in([gathered]))
    told = hand.to_json()
    assert told["played"] == hand.played
    assert list(told["objects"][0].sides) == list(hand.objects[0].sides)


def test_another_file_is_told(tmp_path, capsys):
    path = tmp_path / "other.jsonl.gz"
    path.write_bytes(b"no hands")
    with pytest.raises((FormatError, OSError)):
        list(hands_in([path]))
    assert main(["--takes", str(tmp_path / "none"), "--to", str(tmp_path / "x.jsonl.gz")]) == 2
    assert "holds no takes" in capsys.readouterr().err
