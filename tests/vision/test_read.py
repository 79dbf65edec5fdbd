"""Models that cannot be used are refused in one line."""

import hashlib
import json
from pathlib import Path

import pytest

from vision.read import CardReader, ModelError

GOOD = {"file": "finder.onnx", "sha256": hashlib.sha256(b"weights").hexdigest()}

WHOLE = json.dumps({"version": 1, "finder": GOOD, "refiner": GOOD, "reader": GOOD})


@pytest.mark.parametrize(
    ("manifest", "weights", "message"),
    [
        (None, None, "no models"),
        ("{", None, "no models"),
        (json.dumps({"version": 99}), None, "version 99"),
        (json.dumps({"version": 1}), None, "no finder and no refiner and no reader"),
        (json.dumps({"version": 1, "finder": GOOD, "refiner": GOOD}), None, "no reader"),
        (WHOLE, None, "cannot read"),
        (WHOLE, b"weight", "damaged"),
    ],
)
def test_unusable_models(
    tmp_path: Path, manifest: str | None, weights: bytes | None, message: str
) -> None:
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest)
    if weights is not None:
        (tmp_path / "finder.onnx").write_bytes(weights)
    with pytest.raises(ModelError, match=message) as caught:
        CardReader(tmp_path)
    assert "\n" not in str(caught.value)
