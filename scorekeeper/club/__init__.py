"""A club's tournament: its teams, the draw, the results and the standing."""
