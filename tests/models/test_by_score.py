"""How much the finder's score counts for a reading is fitted to labelled readings."""

import numpy as np
import pytest

from datasets.scenes.scene import Scene, SceneCard
from models.by_score import Answers, ask
from models.scores import log_chances
from vision.detection.detections import Detection
from vision.detection.reader import BY_SCORE

WHERE = np.array([[10, 10], [80, 10], [80, 110], [10, 110]], np.float32)
PICTURE = np.zeros((240, 320, 3), np.uint8)


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_the_power_that_made_the_answers_explains_them_best(power: float) -> None:
    draw = np.random.default_rng(0)
    logits, scores = draw.normal(0, 4, (6000, 5)), draw.uniform(0.3, 1, 6000)
    chances = np.exp(logits * scores[:, None] ** power)
    chances /= chances.sum(axis=1, keepdims=True)
    truth = np.array([draw.choice(5, p=chance) for chance in chances])
    losses = {each: Answers(logits, scores, truth).log_loss(each) for each in (0.0, 0.5, 1.0)}
    assert min(losses, key=losses.__getitem__) == power


class Sees:
    """A reader that sees a king at ``WHERE``, and a back beside it."""

    classes = ("KS", "QS", "back", "unknown")

    def read(self, picture, keep):
        readings = (("KS", 0.7), ("QS", 0.2), ("back", 0.06), ("unknown", 0.04))
        back = (("back", 0.7), ("unknown", 0.2), ("KS", 0.06), ("QS", 0.04))
        return [Detection(WHERE, 0.81, readings), Detection(WHERE + 120, 0.5, back)]


@pytest.mark.parametrize(
    ("cards", "truth"),
    [
        ([SceneCard("QS", WHERE.astype(float), 1.0, True)], ["QS", "unknown"]),
        ([SceneCard("KS", WHERE.astype(float), 0.3, False)], ["unknown"]),  # nobody could read it
        ([SceneCard("QS", WHERE + np.float64([0, 62]), 1.0, True)], ["unknown", "unknown"]),
        ([SceneCard("KS", WHERE.astype(float), 0.3, False),
          SceneCard("QS", WHERE + np.float64([0, 20]), 1.0, True)], ["QS", "unknown"]),
    ],
    ids=["a card", "a hidden card", "half of a card", "a card on another one"],
)  # fmt: skip
def test_each_answer_is_held_against_the_card_that_its_outline_shows(cards, truth) -> None:
    answers = ask(Sees(), [Scene(PICTURE, tuple(cards))])
    assert [Sees.classes[each] for each in answers.truth] == truth
    chances = np.exp(log_chances(answers.weighed(BY_SCORE)))  # as the reader gave them
    assert sorted(chances[-1]) == pytest.approx([0.04, 0.06, 0.2, 0.7])
