"""The web server that is part of the program: its connections, and its https certificate."""
