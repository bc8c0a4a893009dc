"""Matches as metrics read them."""
