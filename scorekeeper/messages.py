"""Messages that are written here and translated where they are shown."""

N_ = str
"""Marks a message for the catalogues, and leaves it as it is."""
