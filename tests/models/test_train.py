"""A training run (needs torch)."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("ultralytics")
pytestmark = pytest.mark.filterwarnings("ignore")


class Noise:
    """Batches of the refiner's shapes."""

    def __len__(self) -> int:
        return 100

    def __getitem__(self, step: int) -> tuple[Any, Any]:
        generator = torch.Generator().manual_seed(step)
        pictures = torch.rand((4, 3, 128, 96), generator=generator)
        return pictures, torch.rand((4, 8), generator=generator)


@pytest.mark.parametrize("frozen", [0, 2])
def test_frozen_layers_stay_and_the_others_learn(frozen: int, tmp_path: Path) -> None:
    from models import settings
    from models.train import Trainer

    changes = [f"refiner.frozen={frozen}", "refiner.steps=2", "run.warmup=1"]
    trainer = Trainer("refiner", settings.load(changes=changes), tmp_path, torch.device("cpu"))
    before = {name: value.clone() for name, value in trainer.network.state_dict().items()}
    trainer.train(Noise(), workers=0, until=None)
    learned = {
        int(name.split(".")[1])
        for name, value in trainer.network.state_dict().items()
        if name.startswith("layers.") and not torch.equal(value, before[name])
    }
    assert learned == set(range(frozen, 8))
