"""People against agents: at the same tables, and tables with a person against tables of agents only."""

from collections.abc import Callable, Hashable, Iterable, Sequence

from evaluation import metrics
from evaluation.metrics.base import Key
from evaluation.records.record import Record
from evaluation.tables.contrasts import Contrast, contrast
from evaluation.tables.papers import WHO_MOVED

METHOD_1 = ("wiu.survival", "wiu.comprehension", "wiu.self_judgement", "wiu.influence", "wiu.vote_success")
METHOD_2 = (*METHOD_1, "wiu.victory")
"""The columns of the paper's table 3, with survival in both."""

STUDY = "human_study"
"""The suite whose deals are chosen because a team lost them."""


ARMS = {1: ("person", "agent"), 2: ("with a person", "agents only")}
"""By method the two arms of its contrasts."""

COMMON = (
    "ours.wins",
    "magic.judgement",
    "magic.reasoning",
    "magic.deception",
    "magic.self_awareness",
    "magic.cooperation",
    "magic.coordination",
    "magic.rationality",
    *(f"magic.{ability}.avalon" for ability in ("judgement", "reasoning", "deception")),
    *WHO_MOVED,
)
"""What people and agents are compared in besides the paper's table: every ability of MAgIC."""


def method_1(records: Iterable[Record], columns: Sequence[str] = METHOD_1) -> list[Contrast]:
    """People against agents of the same team in the same matches (MPTT / WIU, section 5.3, table 3). Within a match the
    two change places, so each match is its own pair."""

    def by(record: Record, seat: int) -> Hashable:
        both = {
            metrics.kind(record, other) for other in record.numbers if record.sides.get(other) == record.sides.get(seat)
        }
        return (record.sides.get(seat), metrics.kind(record, seat)) if len(both) == 2 else None

    return _contrasts(records, by, ARMS[1], columns, unit=lambda record: record.id)


def method_2(records: Callable[[], Iterable[Record]], columns: Sequence[str] = METHOD_2) -> list[Contrast]:
    """Matches with a person against matches of agents only (section 5.3, table 3; of survival the text speaks and the
    table does not). Each team counts the matches alone in which a person sat in it. Where there are matches of agents
    dealt alike, with the same agents, these twins alone are counted beside them, in pairs. A human study is compared
    within itself: the matches that its deals were taken from were chosen because a team lost, so they are no measure of
    the agents. Where others moved for a seat, what became of it counts for its teammates alone. records: gives them
    anew at each call; they are gone through twice, so that not all need to be in memory."""
    put_into: dict[Hashable, set[str]] = {}
    alone: set[Hashable] = set()
    for record in filter(_has_agent, records()):
        if record.has_person:
            put_into.setdefault(_dealt_alike(record), set()).update(_teams_of_people(record))
        else:
            alone.add(_dealt_alike(record))
    shared = put_into.keys() & alone

    def by(record: Record, seat: int) -> Hashable:
        team = record.sides.get(seat)
        deal = _dealt_alike(record)
        if shared and (deal not in shared or team not in put_into[deal]):
            return None
        if record.has_person and team not in _teams_of_people(record):
            return None
        return team, ARMS[2][not record.has_person]

    if shared:
        return _contrasts(filter(_has_agent, records()), by, ARMS[2], columns, unit=_dealt_alike)
    apart = (record for record in records() if _has_agent(record) and not _study(record))
    return _contrasts(apart, by, ARMS[2], columns, unit=lambda record: record.id)


def _teams_of_people(record: Record) -> set[str]:
    return {
        record.sides[seat] for seat in record.numbers if seat in record.sides and record.player(seat).kind == "person"
    }


def _dealt_alike(record: Record) -> Hashable:
    """The same for matches, of one study or of none, that were dealt alike to people and the same agents; in a study
    also for the sake of the same team."""
    study = _study(record)
    return (
        study,
        record.labels.get("team", "") if study else "",
        record.deal,
        frozenset(player.agent for player in record.seats if player.agent),
    )


def _study(record: Record) -> str:
    return record.labels.get("competition", "") if record.labels.get("suite") == STUDY else ""


def _has_agent(record: Record) -> bool:
    return any(player.kind == "agent" for player in record.seats)


def _contrasts(
    records: Iterable[Record],
    by: Key,
    arms: tuple[str, str],
    columns: Sequence[str],
    unit: Callable[[Record], Hashable],
) -> list[Contrast]:
    values = metrics.measure(records, by, columns, unit=unit).values
    found = []
    for group in sorted({str(key[0]) for key in values}):
        pair = [values.get((group, arm), {}) for arm in arms]
        for name in columns:
            if all(name in row for row in pair):
                one, other = (row[name] for row in pair)
                if one.n or other.n:
                    found.append(contrast(group, name, one, other))
    return found
