"""The review after the end: how a match stood, move by move, and the moments that mattered to who played it.

A game with hidden roles brings what is its own in `games/<game>/house/review.py`.
"""
