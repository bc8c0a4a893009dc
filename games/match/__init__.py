"""A stored match: its header and log, who may see what of it, and what is kept beside it."""
