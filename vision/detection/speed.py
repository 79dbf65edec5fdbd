"""Which execution provider, how many threads and which input size suit this machine.

Found by a short test at the first start and remembered in the user's cache folder, until the
machine, ONNX Runtime or the models change.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import time
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np
import platformdirs

from vision.detection.reader import CardReader
from vision.detection.runtime import onnxruntime
from vision.detection.sessions import CPU, ModelError

SLOW_TO_START = frozenset({"TensorrtExecutionProvider", "AzureExecutionProvider"})
"""Providers that are never used: they compile for minutes, or compute on another machine."""

SIZES = (640, 448)
"""Longest sides of the finder's input, the better one first."""

BUDGET = 60.0
"""Milliseconds that the finder may take for one frame; where it needs more, the smaller input is
used."""

WORTH = 0.8
"""A choice replaces the best one before only if a frame then takes less than this part of the time:
a second thread should be worth it."""

_RUNS = 3


@dataclass(frozen=True)
class Speed:
    """What was chosen.

    Attributes:
        provider: the execution provider of ONNX Runtime.
        threads: how many threads a model may use.
        longest: the longest side of the finder's input, in pixels.
        milliseconds: how long finding cards in one frame took.
    """

    provider: str
    threads: int
    longest: int
    milliseconds: float


def cache_file() -> Path:
    """Where the choice is remembered."""
    return platformdirs.user_cache_path("trucam", appauthor=False) / "speed.json"


def machine_key(models: Path) -> str:
    """What the choice depends on, as one word."""
    try:
        manifest = (models / "manifest.json").read_text(encoding="utf-8")
    except OSError:
        manifest = ""
    parts = [
        version("trucam"), onnxruntime.__version__, *onnxruntime.get_available_providers(),
        platform.node(), platform.machine(), platform.processor(), str(os.cpu_count()), manifest,
    ]  # fmt: skip
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def remembered(models: Path, file: Path | None = None) -> Speed | None:
    """The choice for this machine and these models, where one was made."""
    try:
        entry = json.loads((file or cache_file()).read_text(encoding="utf-8"))
        if entry.pop("key") != machine_key(models):
            return None
        speed = Speed(**entry)
        if speed.provider in onnxruntime.get_available_providers() and speed.longest % 32 == 0:
            return speed
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    return None


def choose(models: Path, file: Path | None = None) -> Speed:
    """The remembered choice, or else the one that a short test makes.

    Raises:
        ModelError: the models are missing, damaged, or of another version.
    """
    speed = remembered(models, file)
    if speed is None:
        speed = _test(models)
        file = file or cache_file()
        with contextlib.suppress(OSError):  # then it is tested again next time
            file.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"key": machine_key(models), **asdict(speed)}, indent=1)
            file.write_text(text + "\n", encoding="utf-8")
    return speed


def open_reader(models: Path, *, longest: int | None = None) -> CardReader:
    """A card reader as it suits this machine.

    Args:
        models: the folder of the models.
        longest: the longest side of the finder's input, in pixels; None for what suits the machine.

    Raises:
        ModelError: the models are missing, damaged, or of another version.
    """
    speed = choose(models)
    longest = longest or speed.longest
    return CardReader(models, provider=speed.provider, threads=speed.threads, longest=longest)


def _test(models: Path) -> Speed:
    """Try providers and threads at the smaller size, then see whether the larger one is quick."""
    small = SIZES[-1]
    best: Speed | None = None
    for provider in onnxruntime.get_available_providers():
        if provider in SLOW_TO_START:
            continue
        several = provider == CPU and (os.cpu_count() or 1) > 1
        for threads in (1, 2) if several else (1,):
            try:
                reader = CardReader(models, provider=provider, threads=threads, longest=small)
                spent = _milliseconds(reader)
            except ModelError:
                raise
            except Exception:  # a provider that is named and does not work here raises its own
                continue
            if best is None or spent < best.milliseconds * WORTH:
                best = Speed(provider, threads, small, spent)
    if best is None:
        return Speed(CPU, 1, small, 0.0)
    for size in SIZES[:-1]:
        if best.milliseconds * (size / small) ** 2 > BUDGET:
            continue
        reader = CardReader(models, provider=best.provider, threads=best.threads, longest=size)
        spent = _milliseconds(reader)
        if spent <= BUDGET:
            return Speed(best.provider, best.threads, size, spent)
    return best


def _milliseconds(reader: CardReader) -> float:
    """The median time of finding cards in an empty frame of a webcam."""
    frame = np.full((720, 1280, 3), 90, np.uint8)
    spent = []
    for _ in range(_RUNS + 1):  # the first one is slower
        started = time.perf_counter()
        reader.locate(frame)
        spent.append((time.perf_counter() - started) * 1000)
    return round(float(np.median(spent[1:])), 2)
