"""What screens are drawn from: the table's state, the camera's, charts, posters."""
