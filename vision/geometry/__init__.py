"""Where the table lies in the picture, and whether the camera was moved or mirrors its pictures."""
