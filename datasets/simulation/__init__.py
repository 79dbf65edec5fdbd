"""Simulated eyes: detections as imperfect models would report them."""
