"""Studies with people, and trials of one decision."""
