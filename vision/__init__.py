"""From a camera's pixels to plays. May import the referee, and nothing else of the project."""
