"""What was said and done: records, corrections, disputes, where an event came from."""
