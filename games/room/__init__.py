"""The place around matches: tables, seats, and who people are."""
