"""What an Avalon house agent answers whoever speaks to it: from the public record, as a servant at its seat would."""

from __future__ import annotations

import re
from typing import Any

from agents.house.discourse import Point, Reason, Ways, listed
from games.avalon.house import answer_ways as ways
from games.avalon.house import sayings
from games.avalon.house.hearing import remarks
from games.avalon.house.judging import approval_as_servant
from games.avalon.house.record import Record, Tabled
from games.avalon.house.speaker import AvalonSpeaker
from games.avalon.posterior.exact import EVIL
from games.rules.values import Event

WARY, AT_EASE = 1.05, 0.85
"""How many times the usual chance of being evil a seat has, at least and at most, that is doubted and trusted."""
_MINE = frozenset(("merlin", "percival"))
_BAD_ROLES = EVIL | {"assassin"}


class AvalonAnswers(AvalonSpeaker):
    """A method for each kind of point (`agents.house.discourse.meaning`)."""

    def parts(self, point: Point) -> dict[str, Any]:
        return super().parts(point) | {"asker": self.names[point.line.seat]}

    def say(self, point: Point, *some: Ways, **parts: Any) -> str:
        return self.voice.say(*some, **(self.parts(point) | parts))

    def since(self, point: Point, some: Ways, reason: Reason, seat: int, **parts: Any) -> str:
        """A sentence with a reason about a seat, which may be who asks."""
        clause = reason.of_you if seat == point.line.seat else reason.of_me if seat == self.seat else reason.ways
        return self.say(point, some, reason=clause, name=self.names[seat], **reason.facts, **parts)

    # Whom it suspects and trusts -----------------------------------------------------------------------------------

    def on_suspect_who(self, point: Point) -> str:
        among = [seat for seat in point.seats if seat != self.seat]
        ranked = sorted(among if len(among) > 1 else self.doubt, key=lambda seat: (-self.doubt[seat], seat))
        for seat in ranked[: 1 if len(among) > 1 else 3]:
            if self.doubt[seat] > (0 if len(among) > 1 else WARY) and (found := self.against(seat)):
                you = seat == point.line.seat
                return self.since(point, ways.SUSPECT_YOU if you else sayings.ACCUSES, found[0], seat)
        first = ranked[0]
        if len(among) > 1:
            return self.say(point, ways.SUSPECT_AMONG, name=self.names[first], those=self.named(among))
        if self.doubt[first] > WARY and first != point.line.seat:
            return self.say(point, ways.SUSPECT_BARE, name=self.names[first])
        return self.say(point, ways.NO_SUSPECT)

    def on_trust_who(self, point: Point) -> str:
        among = [seat for seat in point.seats if seat != self.seat]
        ranked = sorted(among if len(among) > 1 else self.doubt, key=lambda seat: (self.doubt[seat], seat))
        for seat in ranked[: 1 if len(among) > 1 else 3]:
            if self.doubt[seat] < 1 and (found := self.speaks_for(seat)):
                you = seat == point.line.seat
                return self.since(point, ways.TRUST_YOU if you else sayings.TRUSTS_BY, found[0], seat)
        first = ranked[0]
        if (len(among) > 1 or self.doubt[first] < AT_EASE) and first != point.line.seat:
            return self.say(point, ways.TRUST_BARE, name=self.names[first])
        return self.say(point, ways.NO_TRUST)

    def on_opinion(self, point: Point) -> str:
        seats = [seat for seat in point.seats if seat != self.seat][:2]
        if not seats:
            return self.say(point, ways.OF_MYSELF)
        return " ".join(self.view_of(point, seat) for seat in seats)

    def view_of(self, point: Point, seat: int) -> str:
        """What it thinks of another seat, with the reason that weighs most."""
        you = seat == point.line.seat
        bad, good = self.against(seat), self.speaks_for(seat)
        if self.doubt[seat] > WARY and bad:
            return self.since(point, ways.DOUBT_YOU if you else sayings.ACCUSES, bad[0], seat)
        if self.doubt[seat] < AT_EASE and good:
            return self.since(point, ways.TRUST_YOU if you else sayings.TRUSTS_BY, good[0], seat)
        if bad and good and not you:
            second = good[0].ways.drawn(self.temper, self.chance).format(**good[0].facts)
            return self.since(point, ways.MIXED, bad[0], seat, second=second)
        return self.say(point, ways.UNSURE_YOU if you else ways.UNSURE, name=self.names[seat])

    on_against = on_for = on_urge_take = on_opinion

    def on_why_suspect(self, point: Point) -> str:
        seats = [seat for seat in point.seats if seat != self.seat]
        if not seats:
            return self.on_suspect_who(point)
        seat, you = seats[0], seats[0] == point.line.seat
        if found := self.against(seat):
            return self.since(point, ways.DOUBT_YOU if you else sayings.ACCUSES, found[0], seat)
        return self.say(point, ways.NOTHING_AGAINST_YOU if you else ways.NOTHING_AGAINST, name=self.names[seat])

    def on_why_trust(self, point: Point) -> str:
        seats = [seat for seat in point.seats if seat != self.seat]
        if not seats:
            return self.on_trust_who(point)
        if found := self.speaks_for(seats[0]):
            you = seats[0] == point.line.seat
            return self.since(point, ways.TRUST_YOU if you else sayings.TRUSTS_BY, found[0], seats[0])
        return self.say(point, ways.NOTHING_FOR, name=self.names[seats[0]])

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

    # Quests, teams and votes ---------------------------------------------------------------------------------------

    def on_did_fail(self, point: Point) -> str:
        lost = [team for team in self.record.lost if point.number in (None, team.quest)]
        if not lost:
            return self._no_such_fail(point)
        mine = [team for team in lost if self.seat in team.team]
        if mine:
            return self.say(point, ways.PLAYED_SUCCESS, quest=mine[-1].quest)
        return self.say(point, ways.NOT_ABOARD, quest=lost[-1].quest)

    def on_who_failed(self, point: Point) -> str:
        lost = [team for team in self.record.lost if point.number in (None, team.quest)]
        if not lost:
            return self._no_such_fail(point)
        team = lost[-1]
        others = listed([self.names[seat] for seat in sorted(team.team - {self.seat})], "or")
        if self.seat in team.team:
            first = self.say(point, ways.ONE_OF_NOT_ME, those=others, quest=team.quest)
        else:
            first = self.say(point, ways.ONE_OF, those=others, quest=team.quest)
        ranked = sorted(team.team - {self.seat}, key=lambda seat: -self.doubt[seat])
        ahead = len(ranked) > 1 and self.doubt[ranked[0]] > self.doubt[ranked[1]] + 0.05
        return f"{first} {self.say(point, ways.SUSPECT_BARE, name=self.names[ranked[0]])}" if ahead else first

    def _no_such_fail(self, point: Point) -> str:
        quest = point.number
        if quest is None or not self.record.went:
            return self.say(point, ways.NO_FAIL_YET)
        played = any(team.quest == quest for team in self.record.went)
        return self.say(point, ways.QUEST_DID_NOT_FAIL if played else ways.QUEST_NOT_PLAYED, quest=quest)

    def on_why_vote(self, point: Point) -> str:
        others = [seat for seat in point.seats if seat != self.seat]
        if others and "you" not in point.said.split():
            return self.on_votes(point)
        teams = [team for team in self.record.voted if point.number in (None, team.quest)]
        if not teams:
            return self.say(point, ways.NO_VOTE_YET)
        asked = _vote_named(point)
        team = next((one for one in reversed(teams) if asked is not None and one.by(self.seat) is asked), teams[-1])
        vote = team.by(self.seat)
        if vote is not None and asked not in (None, vote):
            return self.say(point, ways.RECORD_DIFFERS, quest=team.quest, voted=_voted(vote))
        if vote is None:
            return self.say(point, ways.LED_NO_VOTE, quest=team.quest)
        why = self.why(team, vote)
        return self.say(point, ways.APPROVED_SINCE if vote else ways.REJECTED_SINCE, quest=team.quest, why=why)

    def why(self, team: Tabled, vote: bool) -> str:
        """A clause that says why it voted so, from what was known then."""
        before = Record([one for one in self.record if one.seq < team.seq])
        others = sorted(team.team - {self.seat})
        if vote and team.attempt >= 5:
            return self._clause("fifth")
        if vote and team.leader == self.seat:
            return self._clause("led")
        if vote:
            for one in reversed(before.won):
                if who := [seat for seat in others if seat in one.team and seat not in before.stained]:
                    return self._clause("won", who=self.named(who), other=one.quest)
            return self._clause("aboard" if self.seat in team.team else "fair" if before.went else "no_better")
        for one in reversed(before.lost):
            if (who := [seat for seat in others if seat in one.team]) and self.seat not in one.team:
                return self._clause("lost", who=self.named(who), other=one.quest)
        return self._clause("better" if self.seat in team.team else "not_me")

    def _clause(self, kind: str, **parts: Any) -> str:
        return ways.WHY[kind].drawn(self.temper, self.chance).format(**parts)

    def on_why_team(self, point: Point) -> str:
        led = [team for team in self.record if team.leader == self.seat and point.number in (None, team.quest)]
        if not led:
            tabled = self.tabled
            return self.say(point, ways.NOT_LED) if tabled is None else self._not_mine(point, tabled)
        team = led[-1]
        asked = [seat for seat in point.seats if seat != self.seat]
        if asked and asked[0] not in team.team:
            return self.say(point, ways.DID_NOT_TAKE, name=self.names[asked[0]], quest=team.quest, size=len(team.team))
        if asked:
            parts = {"name": self.names[asked[0]], "quest": team.quest}
            return self.say(point, ways.TOOK_ONE, why=self._why_taken(team, asked[:1]), **parts)
        why = self._why_taken(team, sorted(team.team - {self.seat}))
        return self.say(point, ways.TOOK_SINCE, team=self.named(team.team), quest=team.quest, why=why)

    def _not_mine(self, point: Point, team: Tabled) -> str:
        return self.say(point, ways.NOT_MY_TEAM, leader=self.names[team.leader])

    def _why_taken(self, team: Tabled, seats: list[int]) -> str:
        before = Record([one for one in self.record if one.seq < team.seq])
        for one in reversed(before.won):
            if who := [seat for seat in seats if seat in one.team and seat not in before.stained]:
                return self._clause("won", who=self.named(who), other=one.quest)
        return self._clause("fair" if before.went else "no_better")

    def on_view_take(self, point: Point) -> str:
        position = self.position
        teams = position.teams(self.seat)
        chances = position.success(teams, position.face)
        return self.say(point, ways.WOULD_TAKE, team=self.named(teams[int(chances.argmax())]))

    def on_will_vote(self, point: Point) -> str:
        team = self.tabled
        if team is None:
            return self.say(point, ways.NO_TEAM)
        parts = {"leader": self.names[team.leader], "team": self.named(team.team, "me")}
        if team.leader == self.seat:
            return self.say(point, ways.MY_TEAM, **parts)
        spoken = next(
            (one.data["approves"] for one in reversed(self.situation.thoughts) if self._of_this(one, team)), None
        )
        approves = approval_as_servant(self.position) >= 0.5 if spoken is None else spoken
        return self.say(point, ways.TEAM_YES if approves else ways.TEAM_NO, why=self.why_now(team, approves), **parts)

    on_urge_vote = on_will_vote

    @staticmethod
    def _of_this(thought: Any, team: Tabled) -> bool:
        return "approves" in thought.data and int(thought.request.partition(":")[0]) >= team.seq

    def why_now(self, team: Tabled, approves: bool) -> str:
        if approves and self.seat in team.team and team.attempt < 5:
            return "I would be on it"
        said = self.why(team, approves)
        return {"I was not on it": "I am not on it", "it was the last try": "it is the last try"}.get(said, said)

    # Facts ---------------------------------------------------------------------------------------------------------

    def standing(self) -> dict[str, Any]:
        position, quest = self.position, min(self.position.quest, 5)
        return {
            "won": position.successes, "lost": position.failures, "quest": quest, "attempt": position.attempt,
            "evil": sum(role in EVIL for role in position.cast), "seats": len(position.cast), "size": position.size,
            "fails": "1 fail" if position.needed == 1 else f"{position.needed} fails",
            "leader": self.names[position.leader],
        }  # fmt: skip

    def on_score(self, point: Point) -> str:
        return self.say(point, ways.SCORE, **self.standing())

    def on_many(self, point: Point) -> str:
        return self.say(point, ways.COUNT, **self.standing())

    def on_leader(self, point: Point) -> str:
        return self.say(point, ways.LEADER, **self.standing())

    def on_votes(self, point: Point) -> str:
        teams = [team for team in self.record.voted if point.number in (None, team.quest)]
        if not teams:
            return self.say(point, ways.NO_VOTES)
        team, others = teams[-1], [seat for seat in point.seats if seat != self.seat]
        parts = {"quest": team.quest, "leader": self.names[team.leader]}
        if others and (vote := team.by(others[0])) is not None:
            some = ways.OTHERS_VOTE if point.kind == "why_vote" else ways.VOTE_OF
            return self.say(point, some, name=self.names[others[0]], voted=_voted(vote), **parts)
        yes, no = ([seat for seat in team.votes or {} if (team.votes or {})[seat] is way] for way in (True, False))
        return self.say(
            point, ways.VOTES, yes=self.named(yes, "me") or "nobody", no=self.named(no, "me") or "nobody", **parts
        )

    def on_aboard(self, point: Point) -> str:
        went = [team for team in self.record.went if point.number in (None, team.quest)]
        if not went:
            return self.say(point, ways.QUEST_NOT_PLAYED, quest=point.number or min(self.position.quest, 5))
        return self.say(point, ways.TEAM_OF, quest=went[-1].quest, those=self.named(went[-1].team, "I"))

    def on_view(self, point: Point) -> str:
        if not self.record.went and self.tabled is None:
            return self.say(point, ways.EARLY)
        if self.tabled is not None and self.tabled.leader != self.seat:
            return self.on_will_vote(point)
        return f"{self.say(point, ways.VIEW, **self.standing())} {self.on_suspect_who(point)}"

    def on_why_me(self, point: Point) -> str:
        team = self.tabled
        mine = team is not None and team.leader == self.seat and point.line.seat in team.team
        return self.on_why_team(point) if mine else self.on_why_suspect(point)

    def on_why(self, point: Point) -> str:
        """Why it said or did what it did last."""
        last = next((line for line in reversed(self.heard) if line.seat == self.seat), None)
        said = remarks(self.seat, last.text, self.position.names) if last is not None and last.kind == "chat" else ()
        if said:
            about = point._replace(seats=(said[-1].subject,))
            return self.on_why_suspect(about) if said[-1].doubts else self.on_why_trust(about)
        if self.tabled is not None and self.tabled.leader == self.seat:
            return self.on_why_team(point)
        return self.on_why_vote(point)

    def on_sure(self, point: Point) -> str:
        return self.say(point, ways.SURE)

    # What is said of it, and claims --------------------------------------------------------------------------------

    def on_accused(self, point: Point) -> str:
        said = _vote_named(point)
        teams = [team for team in self.record.voted if point.number in (None, team.quest)]
        if "fail" in point.said:
            teams = [team for team in teams if team.lost]
        vote = teams[-1].by(self.seat) if teams else None
        if said is not None and vote is not None:
            some = ways.RECORD_AGREES if vote is said else ways.RECORD_DIFFERS
            return self.say(point, some, quest=teams[-1].quest, voted=_voted(vote))
        if "fail" in point.said or point.number is not None:
            return self.on_did_fail(point)
        return self.defence(self.names[point.line.seat])

    def on_praised(self, point: Point) -> str:
        return self.say(point, ways.THANKS)

    def on_claim_role(self, point: Point) -> str:
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


_FOR = re.compile(r"\b(?:approv|accept|support|back)\w*|\bvoted? for\b|\byes\b")
_AGAINST = re.compile(r"\b(?:reject|refus|declin|den[iy])\w*|\bagainst\b|\bno\b|\bnot (?:approve|vote for|support)\b")


def _vote_named(point: Point) -> bool | None:
    """Which vote a point speaks of; None where it names none."""
    if _AGAINST.search(point.said):
        return False
    return True if _FOR.search(point.said) else None


def _voted(vote: bool) -> str:
    return "approved" if vote else "rejected"


def _called(role: str) -> str:
    """A role as it stands in a sentence."""
    return role.title() if role in ("merlin", "percival", "morgana", "mordred", "oberon") else f"the {role}"
