"""Films of matches: directed, staged and painted."""
