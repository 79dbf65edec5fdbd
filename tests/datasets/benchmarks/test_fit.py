"""The fit: terms add up to the explainer's log-likelihoods; known parameters are found again."""

import json
from dataclasses import replace

import numpy as np
import pytest

from datasets.benchmarks import fit
from datasets.benchmarks.seen_hands import Committed, SeenHand
from datasets.benchmarks.term_sums import TermSums, course_of, explained
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, legal_events, start
from vision.belief.hypotheses import HandObject
from vision.belief.likelihoods import PARAMETERS, USUAL, Side, likelihoods_of

PLAIN = replace(USUAL, misread=0.02, trust=1.0, unread=-0.7)
"""Parameters by which readings are believed."""

VALUES = np.array(list(PLAIN.values().values()))


def dealt():
    match = start(Header(game="trut", seats=("Ana", "Bea"), best_of=3))
    while not any(event.do == "play" for event in legal_events(match)):
        match = apply(match, next(e for e in legal_events(match) if e.do in ("cut", "deal")))
    return match


def hand(number, *, misread=False, side=Side.OWN):
    """A hand of two plays. The first is read as a king; if it is misread, it is none."""
    other = Side.OTHER
    objects = (
        HandObject(1, {"KS": 9.0, "QS": 6.0}, True, 1.0, 60.0, (other, side)),
        HandObject(2, {"8D": 9.0}, True, 2.0, 60.0, (side, other)),
        HandObject(3, {"back": 7.0}, True, 3.0, 60.0, (side, other)),
    )
    played = ((1, "Q" if misread else "K"), (0, "8"))
    wrote = Committed(1, "K", 0.99, 0.99, side, not misread)
    return SeenHand(f"bar 2 floors trut {number}", 0, dealt(), objects, (), played, (), (wrote,))


@pytest.fixture(scope="module")
def hands():
    return [hand(number, misread=number % 4 == 0) for number in range(20)]


def test_terms_add_up_to_what_the_beam_search_says(hands):
    pairs = [(each, explained(each, [PLAIN])) for each in hands]
    sums = TermSums(pairs, PLAIN)
    said = [hypothesis.log_likelihood for _, found in pairs for hypothesis in found]
    assert sums.nats(VALUES) == pytest.approx(said)
    courses = [course_of(hypothesis) for hypothesis in pairs[0][1]]
    assert hands[0].played in courses
    losses = sums.losses(VALUES)
    assert losses[0] > 2 > 0.2 > losses[1] > 0


def test_it_finds_by_how_much_readings_can_be_trusted(hands):
    sums = TermSums([(each, explained(each, [PLAIN])) for each in hands], PLAIN)
    weights = np.ones(len(hands))
    found = fit.fitted(sums, weights, (*fit.GROUPS["misread"], *fit.GROUPS["pictures"]), VALUES)
    assert weights @ sums.losses(found) < 0.75 * (weights @ sums.losses(VALUES))
    now = dict(zip(sums.names, found, strict=True))
    assert now["trust"] < 1 or now["misread"] > PLAIN.misread
    assert now["early"] == PLAIN.early
    assert fit.fitted(sums, weights, (), VALUES) is VALUES


def test_scales_are_turned_there_and_back():
    names = list(USUAL.values())
    assert fit.own_scale(names, fit.free_scale(names, VALUES)) == pytest.approx(VALUES)


def test_what_was_written_and_true_is_counted_by_where_the_card_lay(hands):
    shares, counts = fit.shares_right(hands, np.ones(len(hands)))
    assert counts["right own"] == 20
    assert counts["right onto"] == 0
    assert shares["right own"] == pytest.approx(0.75)
    assert shares["right onto"] == pytest.approx(0.75)  # nothing is known of it: as all


def test_hands_of_one_film_are_left_out_together():
    films = ["a 2 floors trut 1"] * 3 + ["a 2 floors trut 2"] * 2
    folds = fit.folds_of(films)
    assert len(set(folds[:3])) == 1
    assert folds[0] != folds[3]


def test_a_gain_has_the_error_of_its_films():
    before, after = np.ones(4), np.array([0.0, 0.0, 1.0, 1.0])
    every = np.ones(4, bool)
    mean, error = fit.gain_of(before, after, ["a", "a", "b", "b"], every)
    assert mean == 0.5
    assert error == pytest.approx(np.sqrt(2) / 4)


def test_the_command_writes_values_with_source_and_count(tmp_path, hands, monkeypatch, capsys):
    monkeypatch.setattr(fit, "hands_in", lambda paths: iter(hands))
    path = tmp_path / "likelihoods.json"
    path.write_text(PARAMETERS.read_text("utf-8"), "utf-8")
    was = json.loads(path.read_text("utf-8"))
    assert fit.main(["hands.jsonl.gz", "--groups", "misread", "--to", str(path)]) == 0
    now = json.loads(path.read_text("utf-8"))
    assert "20 of simulated films" in now["misread"]["source"]
    assert now["misread"]["count"] == 40
    assert now["right own"]["value"] == pytest.approx(0.75)
    assert now["misread"]["unit"] == "share, 0–1"
    assert now["early"]["value"] == was["early"]["value"]
    assert now["early"]["source"] == was["early"]["source"]
    assert likelihoods_of({name: each["value"] for name, each in now.items()}) != USUAL
    assert "of 0 more no hypothesis is true" in capsys.readouterr().out


def test_seeds_of_the_scoring_sheet_are_refused(monkeypatch, capsys):
    monkeypatch.setattr(fit, "hands_in", lambda paths: iter([hand(100_000)]))
    assert fit.main(["hands.jsonl.gz"]) == 2
    assert "scoring sheet" in capsys.readouterr().err


def test_every_parameter_says_its_unit_its_source_and_how_often_it_was_counted():
    told = json.loads(PARAMETERS.read_text("utf-8"))
    assert list(told) == list(USUAL.values())
    for each in told.values():
        assert each.keys() == {"value", "unit", "source", "count"}
        assert (
            each["source"].startswith("chosen by hand")
            or "datasets.benchmarks.fit" in each["source"]
        )
