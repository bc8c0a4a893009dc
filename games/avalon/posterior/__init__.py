"""What may be concluded from what one seat has seen: exact probability over everything that may have been dealt.

The rules' companion: made of rules, events and frequencies in recorded games, and of no player's taste. Metrics take it
as the reference; house agents play by it, and bring their own reading of what is said.
"""

VERSION = 1
"""Raised with every change that moves a probability: what was counted by the one before is counted anew."""
