"""Tests of the eyes and of the watching table."""
