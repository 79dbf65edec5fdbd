"""The pictures that are kept: the last seconds, the moment of each event, clips."""
