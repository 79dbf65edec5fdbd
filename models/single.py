"""The plain alternative that the design is compared with: one network that finds and names.

It is a ``yolo26n`` with one class for each card, exported with its one-to-one head: 300 boxes, each
with a score and a class, and no duplicates to suppress. Its boxes are parallel to the picture's
edges, so the corners of its detections are not the cards' own.
"""

import ast
from collections.abc import Collection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detection.crops import to_tensor
from vision.detection.detections import Detection
from vision.detection.outlines import fit
from vision.detection.runtime import onnxruntime

LEAST = 0.1
"""Detections with a lower score are left out."""


class SingleStage:
    """Reads cards with a single-stage detector.

    Args:
        path: an ONNX file of Ultralytics, whose metadata name the classes and the input's size.
        threads: how many threads it may use.
    """

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        about = self._session.get_modelmeta().custom_metadata_map
        self._names: dict[int, str] = ast.literal_eval(about["names"])
        self._longest = int(max(ast.literal_eval(about["imgsz"])))
        self._input = self._session.get_inputs()[0].name

    def read(
        self, frame: NDArray[np.uint8], *, pack: Collection[str] | None = None
    ) -> list[Detection]:
        """The cards of a frame (BGR, 8 bits), the surest first."""
        small, fitted = fit(frame, self._longest)
        square = np.full((self._longest, self._longest, 3), 114, np.uint8)
        square[: small.shape[0], : small.shape[1]] = small
        (places,) = self._session.run(None, {self._input: to_tensor([square])})
        detections = []
        for x0, y0, x1, y1, score, index in places[0]:
            name = self._names[int(index)]
            if score < LEAST or (pack is not None and name not in pack):
                continue
            corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32) / fitted.scale
            detections.append(Detection(corners, float(score), ((name, float(score)),)))
        return sorted(detections, key=lambda detection: -detection.probability)
