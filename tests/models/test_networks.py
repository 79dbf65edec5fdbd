"""The networks and their losses (needs torch and Ultralytics)."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("ultralytics")
pytestmark = pytest.mark.filterwarnings("ignore")


def test_shapes() -> None:
    from models.networks import build

    with torch.no_grad():
        reader = build("reader", "yolo26n-cls.yaml").eval()
        assert reader(torch.zeros(2, 3, 160, 112)).shape == (2, 104)
        heat, outlines = build("finder", "yolo26n.yaml").eval()(torch.zeros(1, 3, 96, 128))
    assert heat.shape == (1, 1, 12, 16)
    assert outlines.shape == (1, 8, 12, 16)


def test_the_loss_is_least_at_what_is_wanted() -> None:
    from models.losses import finder_loss

    rng = np.random.default_rng(0)
    wanted = torch.tensor(rng.normal(size=(1, 8, 3, 3)), dtype=torch.float)
    ones, heat = torch.ones(1, 3, 3), torch.zeros(1, 3, 3)
    heat[0, 1, 1] = 1
    right = (heat * 20 - 10)[:, None]
    found, placed = finder_loss(right, wanted, heat, wanted, ones, ones, ones)
    assert float(placed) == 0
    assert float(found) < 1e-3
    found, placed = finder_loss(-right, wanted + 0.5, heat, wanted, ones, ones, ones)
    assert float(placed) > 1
    assert float(found) > 5


def test_the_rate_rises_and_falls() -> None:
    from models.train import rate

    rates = [rate(step, 100, 10) for step in range(101)]
    assert rates[0] == pytest.approx(0.1)
    assert max(rates) == pytest.approx(1)
    assert rates[100] == pytest.approx(0.01)
