"""A club's tournament: who takes part, who meets whom, who won, and who leads."""
