"""The pure core of every game, and what several of them share, on the standard library alone."""
