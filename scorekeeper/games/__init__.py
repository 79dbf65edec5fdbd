"""The games: cards, order of ranks, tricks, raises and points, as data and pure functions."""
