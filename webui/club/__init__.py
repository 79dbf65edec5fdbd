"""A club's hall in the browser: the board of all tables, the standing, and the host's page."""
