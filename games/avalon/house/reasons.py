"""All that the record of Avalon holds for or against a seat."""

from agents.house.discourse.reasons import Reason
from games.avalon.house import faults, merits
from games.avalon.house.kinds_of_reason import KINDS
from games.avalon.house.record import Record

__all__ = ["KINDS", "faults", "merits", "reasons"]


def reasons(record: Record, subject: int, speaker: int, tone: int) -> list[Reason]:
    """All that a speaker may say for or against a subject."""
    return [reason for kind in KINDS if kind.tone == tone for reason in kind.found(record, subject, speaker)]
