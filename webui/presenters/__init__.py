"""Turns the table, the camera and the ledger into what screens show: JSON, charts, posters, PDF."""
