"""The weights of a training run are blended with those that it began from (needs torch)."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("ultralytics")
onnx = pytest.importorskip("onnx")
pytestmark = pytest.mark.filterwarnings("ignore")


def _model(**weights: list[float]):
    from onnx import helper, numpy_helper

    stored = [
        numpy_helper.from_array(np.array(values, np.float16), name)
        for name, values in weights.items()
    ]
    return helper.make_model(helper.make_graph([], "network", [], [], initializer=stored))


@pytest.mark.parametrize(("share", "mean"), [(1.0, [4, 8]), (0.5, [3, 4]), (0.0, [2, 0])])
def test_a_share_of_what_was_learned_is_kept(share: float, mean: list[float]) -> None:
    from onnx import numpy_helper

    from models.export import blend

    model = _model(filter=[4, 8])
    blend(model, _model(filter=[2, 0], other=[1, 1]), share)
    (weights,) = model.graph.initializer
    assert numpy_helper.to_array(weights).tolist() == mean
    assert numpy_helper.to_array(weights).dtype == np.float16


@pytest.mark.parametrize("before", [{"bias": [1, 2]}, {"filter": [1, 2, 3]}])
def test_another_network_cannot_be_blended(before: dict[str, list[float]]) -> None:
    from models.export import blend

    with pytest.raises(ValueError, match="had no weights filter"):
        blend(_model(filter=[4, 8]), _model(**before), 0.5)
