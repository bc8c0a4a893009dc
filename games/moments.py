"""Each person's best moment, for the end of a match: one sentence a seat, from what everybody may know by then."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _

from games.rules import values
from games.rules.avalon import EVIL, MERLIN

Told = dict[int, str]


def moments(game: str, events: Sequence[values.Event], names: Mapping[int, str]) -> Told:
    """The best moment of each seat; {} for a game without such moments or a match that ended early."""
    last = events[-1]
    if game not in TELLERS or last.kind != "finished":
        return {}
    return TELLERS[game](events, last.data, names)


def _undercover(events: Sequence[values.Event], end: dict, names: Mapping[int, str]) -> Told:
    roles = dict(enumerate(end["deal"]["roles"], 1))
    tallies = [event.data for event in events if event.kind == "tally"]
    out = {event.seat for event in events if event.kind == "out"}
    told: Told = {}
    for seat, role in roles.items():
        votes = [(tally["round"], tally["votes"].get(str(seat))) for tally in tallies]
        right = [(number, target) for number, target in votes if target and roles[target] == "undercover"]
        against = sum(target == seat for tally in tallies for target in tally["votes"].values())
        clue = next((e.data["text"] for e in events if e.kind == "clue" and e.seat == seat and e.data["text"]), None)
        if role == "civilian" and right:
            words = _("Voted for {name}, who held the other word, in round {round}.")
            told[seat] = words.format(name=names[right[0][1]], round=right[0][0])
        elif role != "civilian" and seat not in out and not against:
            told[seat] = _("Stayed to the end without a single vote.")
        elif seat not in out:
            told[seat] = _("Stayed to the end.")
        elif clue:
            told[seat] = _("Gave the clue “{clue}”.").format(clue=clue)
    return told


def _avalon(events: Sequence[values.Event], end: dict, names: Mapping[int, str]) -> Told:
    roles = dict(enumerate(end["deal"]["roles"], 1))
    evil = {seat for seat, role in roles.items() if role in EVIL}
    teams = [event.data["seats"] for event in events if event.kind == "team"]
    ballots = [event.data["votes"] for event in events if event.kind == "voted"]
    quests = [event.data for event in events if event.kind == "quested"]
    stabbed = next((event for event in events if event.kind == "assassinate"), None)
    told: Told = {}
    for seat, role in roles.items():
        judged = [(team, votes[str(seat)]) for team, votes in zip(teams, ballots, strict=False) if str(seat) in votes]
        right = sum(approve == evil.isdisjoint(team) for team, approve in judged)
        sunk = [quest["quest"] for quest in quests if seat in quest["team"] and not quest["success"]]
        if stabbed and stabbed.seat == seat and end["result"] == "evil_assassination":
            told[seat] = _("Knew Merlin in the end.")
        elif role == MERLIN and end["result"] == "good":
            told[seat] = _("Led the good to victory and stayed unseen.")
        elif seat in evil and sunk:
            told[seat] = _("Was on quest {quest} when it failed.").format(quest=sunk[0])
        elif seat in evil:
            told[seat] = _("Kept a cover until the end.")
        elif judged:
            told[seat] = _("Judged {right} of {all} teams rightly.").format(right=right, all=len(judged))
    return told


TELLERS: dict[str, Callable[[Sequence[values.Event], dict, Mapping[int, str]], Told]] = {
    "undercover": _undercover,
    "avalon": _avalon,
}
