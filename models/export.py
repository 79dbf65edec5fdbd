"""Write the networks of a run as ONNX files, with a manifest that describes them.

``python -m models.export --run DIR --out DIR`` writes ``finder.onnx``, ``refiner.onnx`` and
``reader.onnx`` (whichever has a checkpoint) and ``manifest.json``. A network without a checkpoint
is taken from ``--from DIR``, a folder of exported models, and exported again. Weights are stored as
float16, which halves the files; the computation is in float32.
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

from datasets.cards.labels import CLASSES
from models.networks import Reader, load_weights
from models.warm import load_exported
from vision.detection.crops import READER_VIEW, REFINER_VIEW
from vision.detection.outlines import OUTLINE_SCALE, STRIDE

OPSET = 18
MANIFEST_VERSION = 3


class ExportedFinder(nn.Module):
    """The finder; its heat is a probability, not a logit."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        """Heat (N, 1, R, C), 0–1, and outlines (N, 8, R, C)."""
        heat, outlines = self.network(picture)
        return heat.sigmoid(), outlines


class ExportedReader(nn.Module):
    """The reader; its card logits are divided by the temperature, which calibrates them."""

    def __init__(self, network: Reader, temperature: float) -> None:
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
    """Store large weights as float16, each followed by a cast back to float32; changes the model.

    Args:
        model: the network.
        least: weights of fewer values stay float32.
    """
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


def without_traces(model: onnx.ModelProto) -> None:
    """Remove the notes of which source line made each node: some 300 kB of local paths."""
    for made in (model, model.graph, *model.graph.node, *model.graph.value_info):
        made.doc_string = ""
        del made.metadata_props[:]


def blend(model: onnx.ModelProto, before: onnx.ModelProto, share: float) -> None:
    """Average a model's weights with those that its training began from.

    A run learns new things and forgets old ones. The mean keeps most of what was learned and loses
    less of what was known (Wortsman et al., *Robust fine-tuning of zero-shot models*, 2022).

    Args:
        model: the exported network; its weights are changed.
        before: the same network, as it was exported before the run.
        share: how much the model's own weights count in the mean, 0–1.

    Raises:
        ValueError: the two do not have the same weights.
    """
    others = {weights.name: numpy_helper.to_array(weights) for weights in before.graph.initializer}
    for weights in model.graph.initializer:
        own = numpy_helper.to_array(weights)
        other = others.get(weights.name)
        if other is None or other.shape != own.shape:
            raise ValueError(f"the network before had no weights {weights.name}")
        if own.dtype.kind == "f" and own.size > 1:
            mean = share * own.astype(np.float32) + (1 - share) * other.astype(np.float32)
            weights.CopyFrom(numpy_helper.from_array(mean.astype(own.dtype), weights.name))


def export(part: str, network: nn.Module, out: Path, temperature: float) -> dict[str, Any]:
    """Export one network.

    Args:
        part: ``finder``, ``refiner`` or ``reader``.
        network: the network.
        out: the folder for its file.
        temperature: of the reader's card logits.

    Returns:
        What the manifest says of the file and of its inputs and outputs.
    """
    cards = torch.export.Dim("cards", min=1, max=256)
    if part == "reader":
        assert isinstance(network, Reader)
        example = torch.rand(2, 3, READER_VIEW.height, READER_VIEW.width)
        exported = ExportedReader(network, temperature).eval()
        model = _onnx(exported, example, ["cards", "turned"], {0: cards})
        about: dict[str, Any] = {
            "view": asdict(READER_VIEW),
            "classes": list(CLASSES),
            "temperature": temperature,
        }
    elif part == "refiner":
        example = torch.rand(2, 3, REFINER_VIEW.height, REFINER_VIEW.width)
        model = _onnx(network, example, ["offsets"], {0: cards})
        about = {"view": asdict(REFINER_VIEW)}
    else:
        rows, columns = torch.export.Dim("rows", max=80), torch.export.Dim("columns", max=80)
        example = torch.rand(1, 3, 320, 448)
        shapes = {2: 32 * rows, 3: 32 * columns}
        model = _onnx(ExportedFinder(network).eval(), example, ["heat", "outlines"], shapes)
        about = {"stride": STRIDE, "outline_scale": OUTLINE_SCALE}
    halve_weights(model)
    without_traces(model)
    path = out / f"{part}.onnx"
    onnx.save(model, path)
    return {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), **about}


def _network(
    part: str, run: Path | None, models: Path | None
) -> tuple[nn.Module, dict[str, Any]] | None:
    """The run's network, or else the exported one; None where there is neither.

    It comes with what the manifest says of its training.
    """
    checkpoint = None if run is None else run / f"{part}.pt"
    if checkpoint is not None and checkpoint.is_file():
        network, settings = load_weights(checkpoint)
        state = torch.load(checkpoint, map_location="cpu", weights_only=True)
        trained = {key: settings[key] for key in (part, "run")}
        steps = {"steps": state["step"], "steps_before": state.get("steps_before", 0)}
        return network, steps | {"settings": trained}
    if models is None:
        return None
    entry = json.loads((models / "manifest.json").read_text(encoding="utf-8"))[part]
    view = {"reader": READER_VIEW, "refiner": REFINER_VIEW}.get(part)
    size = (320, 320) if view is None else (view.height, view.width)
    network = load_exported(part, models, torch.rand(4, 3, *size)).eval()
    return network, {
        "steps": entry["steps"],
        "steps_before": entry.get("steps_before", 0),
        "settings": entry["settings"],
    }


def main(arguments: list[str] | None = None) -> int:
    """Export a run's networks."""
    parser = argparse.ArgumentParser(prog="models.export", description=main.__doc__)
    parser.add_argument("--run", type=Path, help="folder of the checkpoints")
    parser.add_argument(
        "--from", type=Path, dest="models", help="exported models to take a network from otherwise"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--temperature",
        type=float,
        help="what models.evaluate --calibrate found; otherwise that of --from, or 1",
    )
    parser.add_argument(
        "--blend",
        type=float,
        metavar="SHARE",
        help="this share of what the run has learned, and of --from, where it began, the rest",
    )
    options = parser.parse_args(arguments)
    if options.blend is not None and (options.models is None or options.run is None):
        parser.error("--blend needs --run and --from")
    options.out.mkdir(parents=True, exist_ok=True)
    temperature = options.temperature
    if temperature is None and options.models is not None:
        before = json.loads((options.models / "manifest.json").read_text(encoding="utf-8"))
        temperature = before["reader"]["temperature"]
    manifest: dict[str, Any] = {"version": MANIFEST_VERSION}
    for part in ("finder", "refiner", "reader"):
        found = _network(part, options.run, options.models)
        if found is not None:
            network, trained = found
            about = export(part, network, options.out, temperature or 1.0)
            manifest[part] = about | trained
            path = options.out / f"{part}.onnx"
            if options.blend is not None and (options.run / f"{part}.pt").is_file():
                model = onnx.load(path)
                blend(model, onnx.load(options.models / f"{part}.onnx"), options.blend)
                onnx.save(model, path)
                sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
                manifest[part] |= {"sha256": sha256, "blended": options.blend}
            size = path.stat().st_size
            print(f"{part}: step {manifest[part]['steps']}, {size / 1e6:.1f} MB")
    text = json.dumps(manifest, indent=1) + "\n"
    (options.out / "manifest.json").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
