"""Competitions: planned, rehearsed, run, and what they reproduce of papers."""
