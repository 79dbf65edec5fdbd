"""The networks and their losses, where torch and Ultralytics are installed."""

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
        heat, corners = build("finder", "yolo26n.yaml").eval()(torch.zeros(1, 3, 96, 128))
    assert heat.shape == (1, 1, 12, 16)
    assert corners.shape == (1, 8, 12, 16)


@pytest.mark.parametrize(("turn", "free"), [(0, True), (2, True), (1, False)])
def test_a_card_may_begin_at_either_end(turn: int, free: bool) -> None:
    from models.losses import finder_loss

    wanted = torch.tensor(np.random.default_rng(0).normal(size=(1, 4, 2, 3, 3)), dtype=torch.float)
    given = torch.roll(wanted, turn, dims=1).reshape(1, 8, 3, 3)
    ones = torch.ones(1, 3, 3)
    _, placed = finder_loss(
        torch.zeros(1, 1, 3, 3), given, ones, wanted.reshape(1, 8, 3, 3), ones, ones, ones
    )
    assert (float(placed) < 1e-6) == free


def test_the_rate_rises_and_falls() -> None:
    from models.train import rate

    rates = [rate(step, 100, 10) for step in range(101)]
    assert rates[0] == pytest.approx(0.1)
    assert max(rates) == pytest.approx(1)
    assert rates[100] == pytest.approx(0.01)
