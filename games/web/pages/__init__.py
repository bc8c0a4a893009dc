"""The pages: `lobby` before a match, `table` during it, `replay` after it."""
