"""What a seat says in the talk of a game of clues: of clues, votes and claims, and nothing of its own word.

Whatever its role, it speaks as one who holds a word and compares with it what the others said.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from agents.house import clue_ways as ways
from agents.house import suspicion_ways
from agents.house.discourse import Point, Vocabulary, listed, rules
from agents.house.discourse.meaning import BAD
from agents.house.discourse.reasons import AGAINST, FOR
from agents.house.suspicions import NEITHER, Heard, Remark, Suspicious
from agents.house.words import Network, network
from games.rules.values import Refusal

ODD, FITS = 0.3, 0.6
"""A clue is odd to a seat whose word is less likely to bring it than this, and fits if it is more likely than that."""
WIDE = 0.55
"""A clue that all words like the own one are on average so likely to bring says nothing."""
UNDERSTOOD = 0.5
"""So well a clue must be understood that something is said of what it means."""

GROUPS = {
    "clue": "clue clues hint hints description describe described describes statement",
    "word": "word words secret noun thing object alive animal edible food drink living big small",
    "mean": "mean means meant meaning",
    "sense": "sense unclear strange weird confusing nonsense",
    "vague": "vague vaguely wide general generic broad thin obscure cryptic empty blurry",
    "other": "other different another wrong",
    "half": "half anything everything any",
    "fits": "fit fits fitted suit suits could apply applies",
}
QUESTIONS = rules("""
    told_clue: what @ clue|tell -think -mean -about
    alike: you @ agree|vote often|together|same -will -word
    view_vote: of|about|think @ vote -will -going -who
    meant: what|why|how mean -@ -word
    meant: why|what you clue -bad -word -@ -think -who -which
    meant: why clue -@ -me -vote -suspect -trust -bad -who
    meant: why you tell -@ -suspect -vote -trust
    meant: explain you -vote -@
    meant: you clue word -@ -same
    why_me: what clue wrong me
    opinion: clue|mean @
    opinion: any|who suspect|bad @
    vague: who|what|which|any vague
    vague: who|which|what clue safe
    odd: who|what|which|any clue bad|sense|other
    fits_clue: who|which|what clue like|trust|clean|best|close|near|fits
    odd: which|who clue -tell
    same_word: you same|different -vote
    own_word: you word -@ -vote -suspect -trust
    own_word: word -@ -vote -suspect -trust -who
    own_word: is it -@ -vote
    will_vote: who you|we vote -suspect
    why_vote: why vote me -suspect -trust -not
    vote_me: vote me who
    vote_at: who vote @
""")
STATEMENTS = rules("""
    alike: you @ agree|vote often|together|same -word
    accused: you other word|one
    against: @ other word|one
    own_word: you word -@ -me -think -same
    own_word: give|spill word -@
    accused: it|that|could|clue fits half -@ -me
    accused: you clue vague
    against: clue @ vague
    claim_word: me word -not_fit
    claim_clue: me clue -you -@
    against: clue @ bad|sense
    against: think|vote it|for @
    against: it @
    accused: you clue bad|sense|no|not
    accused: you vote|go
    opinion: clue @
""")


def vocabulary_of(roles: Mapping[str, str], bad: str) -> Vocabulary:
    """The words of a game of clues: its roles by the words for them, and what those are called who are looked for."""
    return Vocabulary(bad=bad, roles=roles, groups=GROUPS, questions=QUESTIONS, statements=STATEMENTS)


class ClueSpeaker(Suspicious):
    """A game says what its `word` is or most probably is. hunted: the role that is looked for."""

    vocabulary: ClassVar[Vocabulary] = vocabulary_of({}, BAD)
    hunted: ClassVar[str]
    thing = "clue"
    usual = (ways.ODD, ways.VAGUE, ways.FITTING)
    typical: ClassVar[Mapping[str, str]] = {"name": "Player 1", "said": "You find it in a kitchen"}
    odd, wide = ODD, WIDE

    @property
    def word(self) -> int | None:
        """The place in the network of the word by which it judges."""
        raise NotImplementedError

    # What it goes by -----------------------------------------------------------------------------------------------

    @cached_property
    def network(self) -> Network:
        return network()

    @cached_property
    def public(self) -> dict[str, Any]:
        return self.situation.rules.public(self.situation.state)

    @cached_property
    def said(self) -> dict[int, list[Heard]]:
        found: dict[int, list[Heard]] = {}
        for clue in self.public["clues"]:
            if clue["text"] is not None:
                found.setdefault(clue["seat"], []).append(self._heard(clue["seat"], clue["text"]))
        return found

    def _heard(self, seat: int, text: str) -> Heard:
        reading = self.network.reading(text)
        likely = np.broadcast_to(reading.likelihoods, len(self.network.words))
        if self.word is None or reading.certainty < UNDERSTOOD:
            return Heard(seat, text, 0.5, 0.0, NEITHER, ways.UNCLEAR)
        fits, wide = float(likely[self.word]), float(likely @ self.network.partners(self.word))
        if fits < ODD:
            return Heard(seat, text, fits, wide, AGAINST, ways.ODD)
        if wide > WIDE:
            return Heard(seat, text, fits, wide, AGAINST, ways.VAGUE)
        return Heard(seat, text, fits, wide, *((FOR, ways.FITTING) if fits > FITS else (NEITHER, ways.UNCLEAR)))

    @property
    def ballots(self) -> dict[int, int | None]:
        """Whom each voted for in the last vote that was told."""
        last = self.public["tallies"][-1:]
        return {int(voter): target for tally in last for voter, target in tally["votes"].items()}

    def sayable(self, text: str) -> bool:
        """Whether the rules let this seat say it: another one's clue may hold its word."""
        return not isinstance(self.situation.rules.check_talk(self.situation.state, self.seat, text), Refusal)

    def mine(self) -> str:
        own = self.said.get(self.seat)
        return own[-1].text if own else ""

    # Remarks -------------------------------------------------------------------------------------------------------

    def remarks(self, seat: int) -> Iterator[Remark]:
        """The newest clue first."""
        name = self.names[seat]
        for heard in reversed(self.said.get(seat, [])):
            if self.sayable(heard.text):
                yield Remark(heard.tone, heard.ways, {"name": name, "said": heard.text})
        if seat not in self.said:
            silent = any(clue["seat"] == seat for clue in self.public["clues"])
            yield Remark(NEITHER, ways.SILENT if silent else ways.NO_CLUE_YET, {"name": name})
        if self.ballots.get(seat) == self.seat:
            yield Remark(NEITHER, ways.VOTED_FOR_ME, {"name": name})

    def openings(self) -> Iterable[Remark]:
        """About whom it suspects most and least."""
        last = self.ranked[-1]
        if last == self.ranked[0]:
            return super().openings()
        trusts = Remark(FOR, suspicion_ways.TRUSTS, {"name": self.names[last]})
        return [*super().openings(), *self.remarks(last), trusts]

    # Answers -------------------------------------------------------------------------------------------------------

    def on_view(self, point: Point) -> str:
        if self.ranked and self.said and self.chance.random() < 0.5:
            return self.voice.say(ways.PLAN, name=self.names[self.ranked[0]])
        return self.on_suspect_who(point)

    on_fits_clue = Suspicious.on_trust_who

    def on_why_vote(self, point: Point) -> str:
        target = self.ballots.get(self.seat)
        asked = [point.line.seat] if "me" in point.said.split() else self.about(point)
        if target is None:
            return self.voice.say(ways.NO_VOTES_YET)
        if asked and target not in asked:
            return self.voice.say(ways.NOT_VOTED, name=self.names[asked[0]], other=self.names[target])
        said = ways.WHY_VOTED_YOU if target == point.line.seat else ways.WHY_VOTED
        return f"{self.voice.say(said, other=self.names[target])} {self.of(target, AGAINST)}".strip()

    def on_why(self, point: Point) -> str:
        """Why it did what it did last: its vote, else its clue."""
        return self.on_why_vote(point) if self.ballots.get(self.seat) else self.on_meant(point)

    def on_alike(self, point: Point) -> str:
        """Whom it and another one voted for."""
        others = self.about(point)[:1] or [seat for seat in self.ballots if seat != self.seat]
        target = self.ballots.get(self.seat)
        if target and len(others) == 1 and self.ballots.get(others[0]) == target:
            both = {"name": self.names[others[0]], "about": self.names[target]}
            return f"{self.voice.say(ways.VOTED_ALIKE, **both)} {self.of(target, AGAINST)}".strip()
        return self.told([*others, self.seat])

    def on_view_vote(self, point: Point) -> str:
        """What it makes of somebody's last vote: of whom they voted for."""
        seat = next(iter(self.about(point)), self.seat)
        target = self.ballots.get(seat)
        about = self.of(target) if target not in (None, self.seat) else ""
        return f"{self.told([seat])} {about}".strip()

    def on_votes(self, point: Point) -> str:
        voters = [voter for voter in self.about(point) if voter in self.ballots] or sorted(self.ballots)
        return self.told(voters)

    def on_vote_me(self, point: Point) -> str:
        """Who voted for whoever asks."""
        return self._against(point.line.seat)

    def on_vote_at(self, point: Point) -> str:
        return self._against(next(iter(point.seats)))

    def _against(self, target: int) -> str:
        voters = [self.called(voter, "I") for voter, voted in self.ballots.items() if voted == target]
        if not self.ballots:
            return self.voice.say(ways.NO_VOTES_YET)
        if not voters:
            return self.voice.say(ways.NO_VOTE_AGAINST, name=self.names[target])
        return self.voice.say(ways.VOTES_AGAINST, voters=listed(voters), name=self.names[target])

    def called(self, seat: int, own: str) -> str:
        return own if seat == self.seat else self.names[seat]

    def told(self, voters: list[int]) -> str:
        """Whom these voted for."""
        if not self.ballots:
            return self.voice.say(ways.NO_VOTES_YET)
        votes = [
            f"{self.called(voter, 'I')} for {self.called(voted, 'me') if voted else 'nobody'}"
            for voter, voted in self.ballots.items()
            if voter in voters
        ]
        return self.voice.say(ways.VOTES, votes=listed(votes))

    def on_told_clue(self, point: Point) -> str:
        """What somebody said as a clue."""
        seat = next(iter(point.seats))
        given = [heard.text for heard in self.said.get(seat, []) if self.sayable(heard.text)]
        if not given:
            return self.voice.say(ways.NO_CLUE_YET, name=self.names[seat])
        said = self.voice.say(ways.TOLD_CLUE, name=self.names[seat], clues=listed([f"“{text}”" for text in given]))
        return f"{said} {self.of(seat)}".strip()

    def on_claim_clue(self, point: Point) -> str:
        return self.of(point.line.seat) or self.general("listening", point)

    def on_meant(self, point: Point) -> str:
        """What its own clue meant; what it makes of another one's where that is quoted."""
        quoted = [seat for seat in self._spoken_of(point.line.text, self.seat) if seat != point.line.seat]
        if quoted and not self.about(point):
            return self.of(quoted[0])
        if not self.mine():
            return self.voice.say(ways.NOTHING_MEANT)
        return self.voice.say(ways.MEANT, mine=self.mine())

    def on_own_word(self, point: Point) -> str:
        return self.voice.say(ways.OWN_WORD)

    on_same_word = on_own_word

    def on_role(self, point: Point) -> str:
        return self.voice.say(ways.EVERYBODY_HIDES)

    on_is_role = on_trust_you = on_role

    def on_claim_word(self, point: Point) -> str:
        return self.voice.say(ways.CLAIMED_WORD, name=self.names[point.line.seat])

    def on_claim_good(self, point: Point) -> str:
        """What it makes of somebody's word that they are one of the many: their clues speak for them, or against."""
        said = self.voice.say(ways.CLAIMED_GOOD, name=self.names[point.line.seat])
        return f"{said} {self.of(point.line.seat, AGAINST, FOR)}".strip()

    def on_claim_role(self, point: Point) -> str:
        confessed = point.role == self.hunted and "not" not in point.said.split()
        return self.on_confessed(point) if confessed else self.on_claim_good(point)

    def on_accused(self, point: Point) -> str:
        mine = self.mine()
        some = (ways.DEFENCE, ways.DEFENCE_BY_CLUE) if mine else (ways.DEFENCE,)
        return self.voice.say(*some, name=self.names[point.line.seat], mine=mine)

    on_accused_role = on_accused
