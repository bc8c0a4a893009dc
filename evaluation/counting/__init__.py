"""Records out of the database, and numbers that are counted once and kept."""
