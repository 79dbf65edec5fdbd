"""The one table that a process serves: its room, keys, memory and version number."""
