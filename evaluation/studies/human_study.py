"""The human study of "Who is Undercover?" (section 5.3): topics on which a team of agents loses most, dealt again.

Out of matches of agents alone come, for each team, the topics that it loses most often. The suite `human_study` plays
the same words and seats once more with agents only; `human_tables` opens the same deal with one seat of that
team left free for a person.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from evaluation.records.record import Record

FAMILY, TEAMS = "undercover", ("civilian", "undercover")
TOPICS = 6
"""Topics of each team, where nothing else is said."""


@dataclass(frozen=True)
class LostMatch:
    """A match of agents that a team lost, to be dealt again. team: the one that lost it."""

    topic: str
    team: str
    seed: int
    setting: dict[str, Any]

    def plain(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def hardest(records: Iterable[Record], seeds: dict[str, int], topics: int = TOPICS) -> list[LostMatch]:
    """For each team the deals of the topics on which it lost most often, at most so many; of equals the one that was
    played more, then by name. Of a topic the first match that was lost. seeds: by match."""
    played: dict[str, int] = defaultdict(int)
    lost: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in records:
        if record.family != FAMILY or record.preset != "wiu" or record.has_person or not record.finished:
            continue
        if not all(map(record.counts, record.numbers)):  # not lost by these agents
            continue
        topic = " / ".join(sorted((record.setting["civilian_word"], record.setting["undercover_word"])))
        played[topic] += 1
        for team in TEAMS:
            members = [seat for seat in record.numbers if record.sides[seat] == team]
            if not any(record.won(seat) for seat in members):
                lost[team, topic].append(record)
    found = []
    for team in TEAMS:
        ranked = sorted(
            (
                (len(losses) / played[topic], played[topic], topic)
                for (side, topic), losses in lost.items()
                if side == team
            ),
            key=lambda row: (-row[0], -row[1], row[2]),
        )
        for _share, _played, topic in ranked[:topics]:
            record = lost[team, topic][0]
            found.append(LostMatch(topic, team, seeds[record.id], dict(record.setting)))
    return found
