"""What is timed, or takes too long for every run of the tests: ``make bench``, ``make plug``."""
