"""Recorded matches and their explanations, kept as text so that any change shows as a diff."""
