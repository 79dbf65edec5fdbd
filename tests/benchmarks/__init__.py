"""Measurements of speed, and checks that take too long for ``make test``.

``make bench`` and ``make plug`` run them.
"""
