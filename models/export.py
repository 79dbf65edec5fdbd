"""Write the networks of a run as ONNX files, with a manifest of what they are.

``python -m models.export --run DIR --out DIR`` writes ``finder.onnx`` and ``reader.onnx``
(whichever has a checkpoint) and ``manifest.json``. Weights are stored as float16 and computed with
as float32.
"""

import argparse
import hashlib
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from datasets.cards import CLASSES
from models.networks import load_weights
from vision.flatten import READER_VIEW, REFINER_VIEW
from vision.locate import OUTLINE_SCALE, STRIDE

OPSET = 18
MANIFEST_VERSION = 1


class ExportedFinder(nn.Module):
    """The finder with its heat as a probability."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        """Heat (N, 1, R, C), 0–1, and outlines (N, 8, R, C)."""
        heat, outlines = self.network(picture)
        return heat.sigmoid(), outlines


class ExportedReader(nn.Module):
    """The reader with its logits divided by the temperature that calibrates them."""

    def __init__(self, network: nn.Module, temperature: float) -> None:
        super().__init__()
        self.network, self.temperature = network, temperature

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Card logits (N, classes), and the logit of "upside down" (N,)."""
        logits = self.network(crops)
        return logits[:, :-1] / self.temperature, logits[:, -1]


def _onnx(network: nn.Module, example: Tensor, outputs: list[str], shapes: Any) -> onnx.ModelProto:
    program = torch.onnx.export(
        network,
        (example,),
        dynamo=True,
        opset_version=OPSET,
        input_names=["picture"],
        output_names=outputs,
        dynamic_shapes=(shapes,),
        verbose=False,
    )
    if program is None:
        raise RuntimeError("the network could not be exported")
    model: onnx.ModelProto = program.model_proto
    return model


def halve_weights(model: onnx.ModelProto, least: int = 256) -> None:
    """Store float32 weights of at least ``least`` values as float16 with a cast behind each."""
    casts = []
    for weight in list(model.graph.initializer):
        values = numpy_helper.to_array(weight)
        if weight.data_type != TensorProto.FLOAT or values.size < least:
            continue
        name = weight.name
        stored = numpy_helper.from_array(values.astype(np.float16), name + "_half")
        model.graph.initializer.remove(weight)
        model.graph.initializer.append(stored)
        casts.append(helper.make_node("Cast", [stored.name], [name], to=TensorProto.FLOAT))
    for cast in reversed(casts):
        model.graph.node.insert(0, cast)
    del model.graph.value_info[:]
    onnx.checker.check_model(model)


def export(part: str, checkpoint: Path, out: Path, temperature: float) -> dict[str, Any]:
    """Export one network; returns its entry of the manifest."""
    network, settings = load_weights(checkpoint)
    if part == "reader":
        shapes: Any = {0: torch.export.Dim("cards", min=1, max=256)}
        example = torch.rand(2, 3, READER_VIEW.height, READER_VIEW.width)
        model = _onnx(
            ExportedReader(network, temperature).eval(), example, ["cards", "turned"], shapes
        )
        about: dict[str, Any] = {
            "view": asdict(READER_VIEW),
            "classes": list(CLASSES),
            "temperature": temperature,
        }
    elif part == "refiner":
        shapes = {0: torch.export.Dim("cards", min=1, max=256)}
        example = torch.rand(2, 3, REFINER_VIEW.height, REFINER_VIEW.width)
        model = _onnx(network, example, ["offsets"], shapes)
        about = {"view": asdict(REFINER_VIEW)}
    else:
        rows, columns = torch.export.Dim("rows", max=80), torch.export.Dim("columns", max=80)
        shapes = {2: 32 * rows, 3: 32 * columns}
        example = torch.rand(1, 3, 320, 448)
        model = _onnx(ExportedFinder(network).eval(), example, ["heat", "outlines"], shapes)
        about = {"stride": STRIDE, "outline_scale": OUTLINE_SCALE}
    halve_weights(model)
    path = out / f"{part}.onnx"
    onnx.save(model, path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    return {
        "file": path.name,
        "sha256": digest,
        "steps": state["step"],
        "settings": {key: settings[key] for key in (part, "run")},
        **about,
    }


def main(arguments: list[str] | None = None) -> int:
    """Export a run's networks."""
    parser = argparse.ArgumentParser(prog="models.export", description=main.__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder of the checkpoints")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--temperature", type=float, default=1.0, help="what models.evaluate --calibrate found"
    )
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = {"version": MANIFEST_VERSION}
    for part in ("finder", "refiner", "reader"):
        checkpoint = options.run / f"{part}.pt"
        if checkpoint.is_file():
            manifest[part] = export(part, checkpoint, options.out, options.temperature)
            size = (options.out / f"{part}.onnx").stat().st_size
            print(f"{part}: step {manifest[part]['steps']}, {size / 1e6:.1f} MB")
    text = json.dumps(manifest, indent=1) + "\n"
    (options.out / "manifest.json").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
