"""What every request passes: limits, keys, the visitor's language, the machine's addresses."""
