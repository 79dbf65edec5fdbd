"""What was said and done in a match: its record, corrections, disputes, and what was seen."""
