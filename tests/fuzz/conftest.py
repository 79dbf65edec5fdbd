"""How many examples the fuzzer tries: few in ``make test``, as many as wanted in ``make fuzz``."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from tests.webui.conftest import app, empty_ledger, folder, ledger, memory, room

__all__ = ["app", "empty_ledger", "folder", "ledger", "memory", "room"]

EXAMPLES = int(os.environ.get("FUZZ", "0"))

settings.register_profile(
    "fuzz",
    max_examples=EXAMPLES or 100,
    deadline=None,
    derandomize=not EXAMPLES,  # the same examples in each ``make test``, others in ``make fuzz``
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
