"""Trains, exports and scores the networks. Not installed; those that ship: ``vision/weights``."""

import os

# Otherwise Ultralytics, which the networks are built of, asks the internet for updates and reports
# how it is used.
os.environ["YOLO_OFFLINE"] = "true"
