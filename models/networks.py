"""The three networks, built of Ultralytics' YOLO26 parts and always started from random weights.

* The **reader** is ``yolo26n-cls``. It looks at one flattened card and gives 103 class scores, and
  one score for "upside down".
* The **refiner** is a few convolutions. It looks at one roughly flattened card and says how far
  each corner is off.
* The **finder** is the backbone and the upper neck of ``yolo26n`` with one head at stride 8. For
  each cell it says how likely a card's middle lies there, and the eight numbers of the card's
  outline (see ``vision.detection.outlines``). They describe a card in perspective, and no corner
  comes first.
"""

from pathlib import Path
from typing import Any

import torch
from torch import nn

from datasets.cards.labels import CLASSES

try:
    import torchvision
except RuntimeError:
    # A build of torch without a matching torchvision lacks the operators that torchvision looks up
    # at import. Ultralytics needs the import, and has an NMS of its own.
    _LIBRARY = torch.library.Library("torchvision", "FRAGMENT")
    for _name in ("nms", "qnms"):
        _LIBRARY.define(f"{_name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    import torchvision
    from ultralytics.utils.nms import TorchNMS

    torchvision.ops.nms = TorchNMS.nms

from ultralytics.nn.modules import Conv
from ultralytics.nn.tasks import (
    ClassificationModel,
    parse_model,
    yaml_model_load,
)

Tensor = torch.Tensor

_NECK_END = 16  # the layer of yolo26's description that ends the neck at stride 8


class Reader(nn.Module):
    """Reads a flattened card.

    Input: (N, 3, 224, 160), RGB, 0–1. Output: (N, 104) logits:
        :data:`datasets.cards.labels.CLASSES`, then one for "upside down".
    """

    def __init__(self, network: str) -> None:
        super().__init__()
        whole = ClassificationModel(network, nc=len(CLASSES) + 1, verbose=False)
        self.layers = whole.model[:-1]
        head = whole.model[-1]
        self.reduce, self.pool, self.drop, self.linear = (
            head.conv,
            head.pool,
            head.drop,
            head.linear,
        )

    def forward(self, crops: Tensor) -> Tensor:
        """Logits of a batch of crops."""
        pooled = self.pool(self.reduce(self.layers(crops))).flatten(1)
        logits: Tensor = self.linear(self.drop(pooled))
        return logits


class Finder(nn.Module):
    """Finds cards.

    Input: (N, 3, H, W), RGB, 0–1, H and W multiples of 32. Output: heat logits (N, 1, H/8, W/8),
    and outlines (N, 8, H/8, W/8) in units of :data:`vision.detection.outlines.OUTLINE_SCALE`
    pixels, their middles relative to the cell's own.
    """

    def __init__(self, network: str) -> None:
        super().__init__()
        description: dict[str, Any] = dict(yaml_model_load(network))
        description["head"] = description["head"][: _NECK_END + 1 - len(description["backbone"])]
        self.layers, _ = parse_model(description, ch=3, verbose=False)
        with torch.no_grad():
            width = self._features(torch.zeros(1, 3, 64, 64)).shape[1]
        self.heat = nn.Sequential(Conv(width, 64, 3), Conv(64, 48, 3), nn.Conv2d(48, 1, 1))
        self.outlines = nn.Sequential(Conv(width, 64, 3), Conv(64, 64, 3), nn.Conv2d(64, 8, 1))
        last = self.heat[-1]
        nn.init.constant_(last.bias, -4.0)

    def _features(self, picture: Tensor) -> Tensor:
        kept: list[Tensor] = []
        x: Any = picture
        for layer in self.layers:
            source = layer.f
            if source != -1:
                x = (
                    kept[source]
                    if isinstance(source, int)
                    else [x if index == -1 else kept[index] for index in source]
                )
            x = layer(x)
            kept.append(x)
        features: Tensor = x
        return features

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        """The heat's logits and the outlines."""
        features = self._features(picture)
        return self.heat(features), self.outlines(features)


class Refiner(nn.Module):
    """Says how far the corners of a found card are from where they should be.

    Input: (N, 3, 128, 96), RGB, 0–1. Output: (N, 8), x and y of four corners' offsets, as parts of
    the crop's height.
    """

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            Conv(3, 24, 3, 2),
            Conv(24, 48, 3, 2),
            Conv(48, 48, 3),
            Conv(48, 80, 3, 2),
            Conv(80, 80, 3),
            Conv(80, 128, 3, 2),
            Conv(128, 128, 3),
            Conv(128, 128, 3, 2),
        )
        self.offsets = nn.Sequential(
            nn.Flatten(), nn.Linear(128 * 4 * 3, 160), nn.SiLU(), nn.Linear(160, 8)
        )

    def forward(self, crops: Tensor) -> Tensor:
        """Offsets of a batch of crops."""
        offsets: Tensor = self.offsets(self.layers(crops))
        return offsets


def build(part: str, network: str) -> nn.Module:
    """Builds the ``reader``, the ``finder`` or the ``refiner`` with random weights.

    Args:
        part: which of the three.
        network: Ultralytics' description of the network; the refiner has none.

    Raises:
        ValueError: there is no such network.
    """
    if part == "reader":
        return Reader(network)
    if part == "finder":
        return Finder(network)
    if part == "refiner":
        return Refiner()
    raise ValueError(f"no network {part!r}: reader, finder or refiner")


def load_weights(path: Path) -> tuple[nn.Module, dict[str, Any]]:
    """The averaged network of a checkpoint, ready to run, and the checkpoint's settings."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    model = build(state["part"], state["settings"][state["part"]].get("network", ""))
    model.load_state_dict(state["average"])
    return model.eval(), state["settings"]
