"""Load exported ONNX files back into the networks, so that training can go on from them.

Exporting folds every batch normalisation into the convolution before it. To unfold one, the
convolution gets the folded filters, scaled to length one, and the normalisation gets the mean and
variance of some data. Its scale and shift are then set so that the network's output stays the same.
(The reader's temperature is a step of its own after the logits; it changes no weights.)
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from models.networks import build

_WRAPPER = "network."
_LEAST_VARIANCE = 1e-5


def _constants(path: Path) -> dict[str, Tensor]:
    """The weights of an exported network as float32, by their names in the PyTorch network."""
    found = {}
    for each in onnx.load(path).graph.initializer:
        name = each.name.removesuffix("_half").removeprefix(_WRAPPER)
        found[name] = torch.tensor(numpy_helper.to_array(each).copy()).float()
    return found


def _norms(network: nn.Module) -> Iterator[tuple[str, nn.Conv2d, nn.BatchNorm2d]]:
    """Every convolution with the batch normalisation that follows it: name, convolution, norm."""
    for name, module in network.named_modules():
        conv, norm = getattr(module, "conv", None), getattr(module, "bn", None)
        if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
            yield f"{name}.conv", conv, norm


class _Statistics:
    """A hook that sets a normalisation by the mean and variance of what enters it.

    Args:
        length: lengths of the folded filters, one for each channel.
        bias: biases of the folded convolution, one for each channel.
    """

    def __init__(self, length: Tensor, bias: Tensor) -> None:
        self._length, self._bias = length, bias

    def __call__(self, norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        values = inputs[0].float()
        mean = values.mean(dim=(0, 2, 3))
        variance = values.var(dim=(0, 2, 3), unbiased=False).clamp(min=_LEAST_VARIANCE)
        norm.running_mean = mean
        norm.running_var = variance
        norm.weight.data = (variance + norm.eps).sqrt() * self._length
        norm.bias.data = self._bias + mean * self._length


def load_exported(part: str, models: Path, pictures: Tensor) -> nn.Module:
    """Build a network and give it the weights of an exported one.

    Args:
        part: ``reader``, ``refiner`` or ``finder``.
        models: the folder with ``manifest.json`` and the ONNX files.
        pictures: some of the data that it is trained on, for the normalisations' mean and variance.

    Raises:
        ValueError: the file does not hold the network that the manifest's settings describe.
    """
    entry: dict[str, Any] = json.loads((models / "manifest.json").read_text("utf-8"))[part]
    network = build(part, entry["settings"][part].get("network", ""))
    stored = _constants(models / entry["file"])
    hooks = []
    norms = list(_norms(network))
    with torch.no_grad():
        for name, conv, norm in norms:
            folded, bias = _take(stored, f"{name}.weight"), _take(stored, f"{name}.weight_bias")
            if folded.shape != conv.weight.shape:
                raise ValueError(f"{entry['file']}: {name} has the shape {tuple(folded.shape)}")
            length = folded.flatten(1).norm(dim=1).clamp(min=1e-6)
            conv.weight.copy_(folded / length[:, None, None, None])
            hooks.append(norm.register_forward_pre_hook(_Statistics(length, bias)))
        inside = {id(p) for _, conv, norm in norms for p in (conv.weight, *norm.parameters())}
        for name, parameter in network.named_parameters():
            if id(parameter) not in inside:
                parameter.copy_(_take(stored, name).reshape(parameter.shape))
        network.eval()(pictures)
    for hook in hooks:
        hook.remove()
    return network


def steps_of(part: str, models: Path) -> int:
    """How many steps exported weights were trained for, over all runs."""
    entry = json.loads((models / "manifest.json").read_text("utf-8"))[part]
    return int(entry["steps"]) + int(entry.get("steps_before", 0))


def _take(stored: dict[str, Tensor], name: str) -> Tensor:
    if name not in stored:
        raise ValueError(f"the exported network has no weights {name}")
    return stored[name]


def first_pictures(batches: Any, count: int) -> Tensor:
    """The pictures of a run's first ``count`` batches, in one tensor."""
    chosen: Iterable[Any] = (batches[index][0] for index in range(count))
    return torch.cat([torch.as_tensor(each) for each in chosen])
