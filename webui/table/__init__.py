"""The one table that a process serves: its room, its keys, what it remembers, its changes."""
