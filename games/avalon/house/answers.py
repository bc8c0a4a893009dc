"""What an Avalon house agent answers whoever speaks to it: from the public record, as a servant at its seat would."""

from __future__ import annotations

from agents.house.discourse import Point
from games.avalon.house import answer_ways as ways
from games.avalon.house.opinions import AT_EASE, WARY
from games.avalon.house.table_answers import OFTEN, TableAnswers, vote_named, voted
from games.avalon.posterior.exact import EVIL
from games.rules.values import Event

_MINE = frozenset(("merlin", "percival"))
_BAD_ROLES = EVIL | {"assassin"}


class AvalonAnswers(TableAnswers):
    """Who it is, what is said of it, and what it makes of claims: with its bases a method for each kind of point
    (`agents.house.discourse.meaning`)."""

    def on_agree(self, point: Point) -> str:
        """With whom it is asked to agree: about whomever they spoke of last, or the one who is named as well."""
        if not set(point.seats) - {self.seat}:
            return self.on_view(point)
        if "with" not in point.said.split():
            return self.on_opinion(point)
        other, *about = (seat for seat in point.seats if seat != self.seat)
        said = [one for one in self.position.said.values() if one.speaker == other and one.subject != self.seat]
        said = [one for one in said if one.subject in about] or said
        if not said:
            return self.say(point, ways.NOTHING_SAID, name=self.names[other])
        last = said[-1]
        alike = (self.doubt[last.subject] > 1) == last.doubts
        stand = self.say(point, ways.AGREE if alike else ways.DISAGREE, name=self.names[other])
        return f"{stand} {self.view_of(point, last.subject)}"

    # Who it is -----------------------------------------------------------------------------------------------------

    def on_role(self, point: Point) -> str:
        return self.say(point, ways.GOOD)

    def on_is_role(self, point: Point) -> str:
        if point.role in _MINE:
            return self.say(point, ways.SPECIAL, role=point.role.title())
        if point.role in _BAD_ROLES:
            return self.say(point, ways.NOT_THAT, role=_called(point.role))
        return self.say(point, ways.JUST_SERVANT)

    on_accused_role = on_is_role

    def on_who_is(self, point: Point) -> str:
        role = point.role or ""
        return self.say(point, ways.WHO_IS_EVIL_ROLE if role in _BAD_ROLES else ways.WHO_HAS_ROLE, role=_called(role))

    def on_trust_you(self, point: Point) -> str:
        if own := self.speaks_for(self.seat):
            return self.since(point, ways.NOT_EVIL_BY, own[0], self.seat)
        return self.say(point, ways.NOT_EVIL)

    def on_seen(self, point: Point) -> str:
        return self.say(point, ways.SEEN)

    def on_lady(self, point: Point) -> str:
        looks = self.looks()
        if looks is None:
            return self.say(point, ways.NO_LADY)
        return self.say(point, ways.LADY_MINE if self.seat in dict(looks) else ways.LADY_NOT_MINE)

    def looks(self) -> list[tuple[int, int]] | None:
        """(holder, whom they looked at) of the Lady of the Lake, as all saw it; None where she is not in play."""
        seen = [event for event in self.situation.log if isinstance(event, Event)]
        if not any(event.kind == "opened" and event.data["lady"] for event in seen):
            return None
        return [(event.seat, event.data["seat"]) for event in seen if event.kind == "lady"]

    # What is said of it, and claims --------------------------------------------------------------------------------

    def on_accused(self, point: Point) -> str:
        said = vote_named(point)
        teams = [team for team in self.record.voted if point.number in (None, team.quest)]
        if "fail" in point.said:
            teams = [team for team in teams if team.lost]
        vote = teams[-1].by(self.seat) if teams and OFTEN.isdisjoint(point.said.split()) else None
        if said is not None and vote is not None:
            some = ways.RECORD_AGREES if vote is said else ways.RECORD_DIFFERS
            return self.say(point, some, quest=teams[-1].quest, voted=voted(vote))
        if said is not None and teams:
            votes = [vote for team in self.record.voted if (vote := team.by(self.seat)) is not None]
            return self.say(point, ways.MY_VOTES, yes=sum(votes), all=len(votes))
        if "fail" in point.said or point.number is not None:
            return self.on_did_fail(point)
        return self.defence(self.names[point.line.seat])

    def on_praised(self, point: Point) -> str:
        return self.say(point, ways.THANKS)

    def on_claim_role(self, point: Point) -> str:
        if "not" in point.said.split():
            return self.on_claim_good(point)
        if point.role in _BAD_ROLES:
            return self.on_confessed(point)
        if point.role not in _MINE:
            return self.on_claim_good(point)
        aloud = self.say(point, ways.MERLIN_ALOUD, role=_called(point.role)) if point.role == "merlin" else ""
        return f"{aloud} {self.on_claim_good(point)}".strip()

    def on_claim_good(self, point: Point) -> str:
        """Believed, doubted or left open, by the record."""
        seat = point.line.seat
        if self.doubt[seat] > WARY and (found := self.against(seat)):
            return self.since(point, ways.DOUBTED, found[0], seat)
        if self.doubt[seat] < AT_EASE and (found := self.speaks_for(seat)):
            return self.since(point, ways.BELIEVED, found[0], seat)
        return self.say(point, ways.OPEN)

    def on_claim_saw(self, point: Point) -> str:
        """What somebody says that they know of another seat's side."""
        shown = {"merlin", "morgana"} & set(point.said.split())
        if shown:
            return self.say(point, ways.SEES_MERLIN, role=_called(min(shown)))
        subject = next((seat for seat in point.seats if seat not in (self.seat, point.line.seat)), None)
        if subject is None:
            return self.defence(self.names[point.line.seat])
        evil = point.tone < 0
        found = self.against(subject) if evil else self.speaks_for(subject)
        fits = self.doubt[subject] > 1 if evil else self.doubt[subject] < 1
        if fits and found:
            return self.since(point, ways.CLAIM_FITS, found[0], subject)
        found = self.speaks_for(subject) if evil else self.against(subject)
        if not fits and found:
            return self.since(point, ways.CLAIM_ODD, found[0], subject)
        return self.say(point, ways.CLAIM_OPEN, name=self.names[subject])

    def on_claim_lady(self, point: Point) -> str:
        looks = self.looks()
        if looks is None:
            return self.say(point, ways.NO_LADY)
        seen = [whom for holder, whom in looks if holder == point.line.seat]
        if not seen:
            return self.say(point, ways.NEVER_HELD)
        if not set(seen) & set(point.seats) and self.seat not in seen:
            return self.say(point, ways.LOOKED_ELSEWHERE, name=self.names[seen[-1]])
        return self.on_claim_saw(point)

    def on_confessed(self, point: Point) -> str:
        return self.say(point, ways.CONFESSED)

    def on_denied_fail(self, point: Point) -> str:
        lost = [team for team in self.record.lost if point.number in (None, team.quest)]
        if not lost:
            return self._no_such_fail(point)
        aboard = point.line.seat in lost[-1].team
        return self.say(point, ways.SO_SAY_ALL if aboard else ways.WAS_NOT_ABOARD, quest=lost[-1].quest)


def _called(role: str) -> str:
    """A role as it stands in a sentence."""
    return role.title() if role in ("merlin", "percival", "morgana", "mordred", "oberon") else f"the {role}"
