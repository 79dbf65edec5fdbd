"""Faults of disks, clocks, databases, processes and phones, at a table that goes on."""

CLOCK, SCRIPT, PATIENCE = "FAULTS_CLOCK", "FAULTS_SCRIPT", "FAULTS_PATIENCE"
"""Variables of the served program: the file with the clock's error in seconds, the steps of its
worker as JSON, and the seconds that it waits for a phone."""
