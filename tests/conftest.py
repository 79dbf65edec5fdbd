"""Settings that hold for all tests."""

from hypothesis import settings

# No deadline: a test must not fail because the machine is busy. The same examples every time.
settings.register_profile("trucam", max_examples=60, deadline=None, derandomize=True)
settings.load_profile("trucam")
