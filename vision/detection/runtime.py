"""ONNX Runtime, which computes the models. It is imported here and nowhere else.

Its official builds send their maker, Microsoft, what they run on and which models they load, unless
they are told not to. A variable of the environment turns all of that off, but only if it is set
before the library loads; the processes that this one starts inherit it. Builds for Windows apps
hand their events to Windows instead, and only a call stops those.
"""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime  # type: ignore[import-untyped]

onnxruntime.disable_telemetry_events()

__all__ = ["onnxruntime"]
