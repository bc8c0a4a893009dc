"""Matches as files for others: what is written of them, in which formats, and the job that does it."""
