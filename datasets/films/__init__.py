"""Films of matches: who moves which card when, and how that looks to a camera."""
