"""Trains, exports and scores the networks; those that ship lie in ``vision/weights``. Not installed."""

import os

# Otherwise Ultralytics, which the networks are built of, asks the internet for updates and reports
# how it is used.
os.environ["YOLO_OFFLINE"] = "true"
