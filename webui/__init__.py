"""The command line and the screens. May import the referee and vision."""
