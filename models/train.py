"""Train the reader, the refiner or the finder, from random weights or from exported ones.

``python -m models.train reader --scenes DIR --out DIR`` trains on scenes that
``datasets.scenes.maker`` wrote. With ``--cache DIR`` instead, it makes new scenes all the time. A
run that was stopped goes on from its last checkpoint (``<part>.pt`` in the folder ``--out``).
``--from vision/weights`` begins a new run with the weights of exported models.
"""

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Subset

from datasets.cards.decks import open_shelf
from datasets.scenes.maker import SceneMaker
from datasets.scenes.printings import Printings
from models import settings as settings_file
from models.data import (
    FinderBatches,
    FinderSettings,
    FreshScenes,
    ReaderBatches,
    ReaderSettings,
    RefinerBatches,
    RefinerSettings,
    Source,
    StoredScenes,
)
from models.losses import finder_loss, reader_loss, refiner_loss
from models.networks import build
from models.warm import first_pictures, load_exported, steps_of

OUTLINE_WEIGHT = 2.0
CALIBRATION_BATCHES = 3


def rate(step: int, steps: int, warmup: int) -> float:
    """The factor of the learning rate at a step: a linear rise to 1, then a half cosine to 0.01."""
    if step < warmup:
        return (step + 1) / warmup
    done = min((step - warmup) / max(steps - warmup, 1), 1.0)
    return 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * done))


def _has_bfloat16() -> bool:
    """Whether the processor computes in bfloat16 itself; else a step takes ten times as long."""
    able = torch.cpu.get_capabilities()
    return bool(able.get("avx512_bf16") or able.get("amx_bf16"))


class Trainer:
    """One training run of one network.

    Args:
        part: ``reader``, ``refiner`` or ``finder``.
        settings: as in ``settings.toml``.
        out: the folder of the checkpoint and the log.
        device: where to compute.

    Attributes:
        part: which network it is.
        settings: all settings.
        own: the settings of this network.
        run: the settings of the run.
        device: where it computes.
        checkpoint: the file that the run is saved in.
        network: the network.
        optimiser: changes the network's weights.
        average: moving average of the weights, by their names; it is what is exported.
        step: how many steps are done.
        before: steps that the weights were trained for before this run.
    """

    def __init__(
        self, part: str, settings: dict[str, Any], out: Path, device: torch.device
    ) -> None:
        self.part, self.settings, self.device = part, settings, device
        self.own, self.run = settings[part], settings["run"]
        self.checkpoint, self._log = out / f"{part}.pt", out / f"{part}.jsonl"
        torch.manual_seed(self.run["seed"])
        network = build(part, self.own.get("network", ""))
        self.network = network.to(device, memory_format=torch.channels_last)
        self._bfloat16 = device.type != "cpu" or _has_bfloat16()
        self._run = torch.compile(self.network) if self.run["compile"] else self.network
        decayed = [p for p in network.parameters() if p.ndim > 1]
        others = [p for p in network.parameters() if p.ndim <= 1]
        self.optimiser = torch.optim.AdamW(
            [
                {"params": decayed, "weight_decay": self.own["weight_decay"]},
                {"params": others, "weight_decay": 0.0},
            ],
            lr=self.own["learning_rate"],
        )
        self.average = {k: v.detach().clone() for k, v in network.state_dict().items()}
        self.step = self.before = 0

    def resume(self) -> bool:
        """Load the last checkpoint; false where there is none."""
        if not self.checkpoint.is_file():
            return False
        state = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.average, self.step = state["average"], state["step"]
        self.before = state.get("steps_before", 0)
        return True

    def start_from(self, models: Path, batches: Any) -> None:
        """Take over exported weights; this run's own schedule begins at step 0."""
        pictures = first_pictures(batches, CALIBRATION_BATCHES).to(self.device)
        with torch.no_grad():
            self.network.load_state_dict(load_exported(self.part, models, pictures).state_dict())
        self.average = {k: v.detach().clone() for k, v in self.network.state_dict().items()}
        self.before = steps_of(self.part, models)

    def save(self) -> None:
        """Write the checkpoint; the old one is replaced only when the new one is complete."""
        state = {
            "part": self.part,
            "settings": self.settings,
            "step": self.step,
            "steps_before": self.before,
            "network": self.network.state_dict(),
            "average": self.average,
            "optimiser": self.optimiser.state_dict(),
        }
        whole = self.checkpoint.with_suffix(".new")
        torch.save(state, whole)
        whole.replace(self.checkpoint)

    def _learn(self) -> None:
        """Set the network to training; its first layers stay fixed if the settings say so."""
        self.network.train()
        layers = self.network.layers
        assert isinstance(layers, nn.Sequential)
        for layer in layers[: self.own["frozen"]]:
            layer.eval().requires_grad_(False)

    def _losses(self, batch: list[Tensor]) -> dict[str, Tensor]:
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self._bfloat16):
            given = self._run(batch[0])
        if self.part == "reader":
            smoothing = self.own["smoothing"]
            return {"card": reader_loss(given.float(), batch[1], batch[2], smoothing)}
        if self.part == "refiner":
            return {"moved": refiner_loss(given.float(), batch[1])}
        found, placed = finder_loss(*given, *batch[1:])
        return {"found": found, "placed": placed * OUTLINE_WEIGHT}

    def train(self, batches: nn.Module | Any, *, workers: int, until: float | None) -> None:
        """Train to the last step, or until a time.

        Args:
            batches: the batches, by the number of the step.
            workers: processes that make batches; 0 makes them in this one.
            until: when to stop, in seconds of ``time.monotonic()``; None for not before the end.
        """
        steps = self.own["steps"]
        loader = DataLoader(
            Subset(batches, range(self.step, steps)),
            batch_size=None,
            num_workers=workers,
            pin_memory=self.device.type == "cuda",
        )
        self._learn()
        sums: dict[str, float] = {}
        started, first = time.monotonic(), self.step
        for batch in loader:
            moved = [part.to(self.device, non_blocking=True) for part in batch]
            moved[0] = moved[0].contiguous(memory_format=torch.channels_last)
            factor = rate(self.step, steps, self.run["warmup"])
            for group in self.optimiser.param_groups:
                group["lr"] = self.own["learning_rate"] * factor
            losses = self._losses(moved)
            self.optimiser.zero_grad(set_to_none=True)
            torch.stack(list(losses.values())).sum().backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
            self.optimiser.step()
            self.step += 1
            self._blend_average()
            for name, loss in losses.items():
                sums[name] = sums.get(name, 0.0) + float(loss.detach())
            if self.step % 50 == 0:
                pace = (self.step - first) * len(moved[0]) / (time.monotonic() - started)
                self._note(
                    {k: round(v / 50, 4) for k, v in sums.items()} | {"pace": round(pace, 1)}
                )
                sums = {}
            late = until is not None and time.monotonic() > until
            if self.step % self.run["save_every"] == 0 or late or self.step == steps:
                self.save()
            if late:
                return

    def _blend_average(self) -> None:
        decay = min(self.run["average"], (1 + self.step) / (10 + self.step))
        for name, value in self.network.state_dict().items():
            if value.dtype.is_floating_point:
                self.average[name].lerp_(value, 1 - decay)
            else:
                self.average[name].copy_(value)

    def _note(self, entry: dict[str, float]) -> None:
        line = json.dumps({"step": self.step, **entry})
        with self._log.open("a", encoding="utf-8") as log:
            log.write(line + "\n")
        print(line, flush=True)


def _batches(
    part: str,
    source: Source,
    photos: Source | None,
    printings: Printings | None,
    settings: dict[str, Any],
) -> Any:
    own, seed = settings[part], settings["run"]["seed"]
    if part == "reader":
        return ReaderBatches(
            source,
            ReaderSettings(
                own["batch"],
                own["jitter"],
                own["negatives"],
                seed,
                own["photo_share"],
                own["covered"],
                own["things"],
                own["printings"],
            ),
            photos=photos,
            printings=printings,
        )
    if part == "refiner":
        shape = [own[key] for key in ("batch", "turn", "stretch", "shift", "jitter")]
        return RefinerBatches(source, RefinerSettings(*shape, seed, own["parts"]))
    zoom = (float(own["zoom"][0]), float(own["zoom"][1]))
    shape = [own[key] for key in ("batch", "longest", "least_visible")]
    return FinderBatches(source, FinderSettings(*shape, zoom, seed, own["photo_share"]), photos)


def main(arguments: list[str] | None = None) -> int:
    """Train one network."""
    parser = argparse.ArgumentParser(prog="models.train", description=main.__doc__)
    parser.add_argument("part", choices=("reader", "refiner", "finder"))
    parser.add_argument("--scenes", type=Path, nargs="+", help="folders of stored scenes")
    parser.add_argument(
        "--cache",
        type=Path,
        help="the decks' cache: printings for the reader, and scenes where none are stored",
    )
    parser.add_argument(
        "--photos", type=Path, nargs="+", help="folders that models.harvest made of photographs"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of checkpoint and log")
    parser.add_argument(
        "--from", type=Path, dest="models", help="folder of exported models to begin with"
    )
    parser.add_argument("--settings", type=Path, default=settings_file.DEFAULT)
    parser.add_argument("--set", action="append", metavar="PART.NAME=VALUE", dest="changes")
    parser.add_argument("--minutes", type=float, help="stop, resumable, after so many minutes")
    parser.add_argument("--workers", type=int, default=0, help="processes that make batches")
    options = parser.parse_args(arguments)
    if options.scenes is None and options.cache is None:
        parser.error("name stored scenes with --scenes, or the decks with --cache")
    settings = settings_file.load(options.settings, options.changes)
    until = None if options.minutes is None else time.monotonic() + options.minutes * 60
    torch.set_num_threads(settings["run"]["threads"])
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    seed = settings["run"]["seed"]
    shelf = None if options.cache is None else open_shelf(options.cache)
    source: Source
    if options.scenes is not None:
        source = StoredScenes(*options.scenes)
    else:
        assert shelf is not None
        source = FreshScenes(SceneMaker(shelf, seed, "train"))
    printings = None if shelf is None else Printings(shelf, seed)
    photos = None if options.photos is None else StoredScenes(*options.photos)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    trainer = Trainer(options.part, settings, options.out, device)
    batches = _batches(options.part, source, photos, printings, settings)
    if trainer.resume():
        print("resumed at", trainer.step, flush=True)
    elif options.models is not None:
        trainer.start_from(options.models, batches)
        print("new run from", options.models, flush=True)
    trainer.train(batches, workers=options.workers, until=until)
    return 0


if __name__ == "__main__":
    sys.exit(main())
