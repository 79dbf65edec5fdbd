"""Cards to draw: decks of others, printings of our own, their indices, pips and backs."""
