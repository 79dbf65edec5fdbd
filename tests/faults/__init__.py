"""Faults of disks, clocks, databases, processes and phones, while a match is played.

Each kind is a ``Fault``. ``Game`` plays a match at a real server, and checks what is kept.
``python -m tests.faults`` causes many faults; ``test_faults`` causes one of each kind.
"""

CLOCK, SCRIPT, PATIENCE = "FAULTS_CLOCK", "FAULTS_SCRIPT", "FAULTS_PATIENCE"
"""Environment variables of ``tests.faults.program``: the file with the error of the clock, in
seconds; the steps of its watching process, as JSON; the seconds that it waits for a slow phone."""
