"""Exported weights are loaded into the networks unchanged (needs torch)."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("ultralytics")
pytest.importorskip("onnx")
pytestmark = pytest.mark.filterwarnings("ignore")

WEIGHTS = Path(__file__).parents[2] / "vision" / "weights"


@pytest.mark.parametrize(
    ("part", "size"),
    [("reader", (224, 160)), ("refiner", (128, 96)), ("finder", (96, 128))],
)
def test_the_network_says_what_the_file_says(part: str, size: tuple[int, int]) -> None:
    import json

    from models.warm import load_exported
    from vision.detection.runtime import onnxruntime

    generator = torch.Generator().manual_seed(1)
    data, other = (torch.rand((4, 3, *size), generator=generator) for _ in range(2))
    network = load_exported(part, WEIGHTS, data).eval()
    with torch.no_grad():
        given = network(other[:1])
    session = onnxruntime.InferenceSession(WEIGHTS / f"{part}.onnx")
    stored = session.run(None, {"picture": other[:1].numpy()})
    if part == "reader":
        manifest = json.loads((WEIGHTS / "manifest.json").read_text())
        given = [given[:, :-1] / manifest["reader"]["temperature"], given[:, -1]]
    elif part == "finder":
        given = [given[0].sigmoid(), given[1]]
    else:
        given = [given]
    for mine, theirs in zip(given, stored, strict=False):
        assert np.abs(mine.numpy() - theirs).max() < 1e-4


def test_training_sees_the_statistics_of_the_data() -> None:
    """In training, normalisation uses a batch's statistics: they must match the stored ones."""
    from models.warm import load_exported

    data = torch.rand((6, 3, 128, 96), generator=torch.Generator().manual_seed(2))
    network = load_exported("refiner", WEIGHTS, data)
    with torch.no_grad():
        assert torch.allclose(network.train()(data), network.eval()(data), atol=0.02)
