"""The weights that ship, and the code that trains, exports and scores them. Not installed."""

import os

# Otherwise Ultralytics, which the networks are built of, asks the internet for updates and reports
# how it is used.
os.environ["YOLO_OFFLINE"] = "true"
