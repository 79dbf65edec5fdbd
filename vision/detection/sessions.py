"""Loads models into ONNX Runtime, after checking that they are those that the manifest names."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from scorekeeper.errors import ScorekeeperError
from vision.detection.runtime import onnxruntime

CPU = "CPUExecutionProvider"


class ModelError(ScorekeeperError):
    """The models that ship are missing, damaged, or of another version."""


def open_session(
    path: Path, entry: dict[str, Any], threads: int, provider: str
) -> onnxruntime.InferenceSession:
    """A session of one model.

    Args:
        path: of the model's file.
        entry: what the manifest says of it; with ``sha256``, the hash of the file.
        threads: how many threads it may use.
        provider: what computes: one of ONNX Runtime's execution providers.

    Raises:
        ModelError: it cannot be read, or is damaged.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read the model {path.name}: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise ModelError(f"the model {path.name} is damaged: its hash is not the manifest's")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    providers = list(dict.fromkeys([provider, CPU]))  # what one cannot compute, the other does
    return onnxruntime.InferenceSession(data, options, providers=providers)
