"""The settings of a training run."""

import pytest

from models import settings


def test_one_setting_is_changed_and_the_rest_stays() -> None:
    plain, changed = settings.load(), settings.load(changes=["reader.steps=7", "run.seed = 3"])
    assert changed["reader"] == plain["reader"] | {"steps": 7}
    assert changed["run"]["seed"] == 3


@pytest.mark.parametrize("change", ["reader.stps=7", "steps=7", "reader.steps", "reader.steps=x"])
def test_a_change_of_no_setting_is_refused(change: str) -> None:
    with pytest.raises(ValueError, match=r"steps|stps"):
        settings.load(changes=[change])
