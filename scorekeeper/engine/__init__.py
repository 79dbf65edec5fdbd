"""The referee's engine: an immutable state, folded from checked events."""
