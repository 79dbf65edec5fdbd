"""The referee's engine: checks each event, and applies it to a state that never changes."""
