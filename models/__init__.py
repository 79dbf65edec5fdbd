"""The weights that ship, and the code that trains, exports and scores them. Not installed."""

import os

# Ultralytics, which trains, else asks the internet for updates and reports how it is used.
os.environ["YOLO_OFFLINE"] = "true"
