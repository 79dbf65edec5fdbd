"""The weights that ship, and the code that trains, exports and scores them. Not installed."""
