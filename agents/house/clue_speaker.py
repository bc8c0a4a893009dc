"""What a seat says in the talk of a game of clues: of clues, votes and claims, and nothing of its own word.

Whatever its role, it speaks as one who holds a word and compares with it what the others said.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from agents.house import clue_ways as ways
from agents.house.discourse import Point, Speaker, Vocabulary, Ways, rules
from agents.house.words import Network, network

ODD, FITS = 0.3, 0.6
"""A clue is odd to a seat whose word is less likely to bring it than this, and fits if it is more likely than that."""
WIDE = 0.45
"""A clue that all words like the own one are on average so likely to bring says nothing."""
UNDERSTOOD = 0.5
"""So well a clue must be understood that something is said of what it means."""

VOCABULARY = Vocabulary(
    groups={
        "clue": "clue clues hint hints description describe described describes statement",
        "word": "word words secret noun thing object alive animal edible food drink living big small",
        "mean": "mean means meant meaning",
    },
    questions=rules("""
        meant: what|why mean you
        meant: why|what you clue -bad -word
        meant: why you tell -@ -suspect -vote -trust
        meant: explain you clue
        odd_clue: who|what clue bad
        odd_clue: which clue
        odd_clue: any clue bad
        fits_clue: who clue like|trust|clean|best
        opinion: clue @
        opinion: what @ tell|mean
        same_word: you same|different
        own_word: you word -@ -vote -suspect -trust
        own_word: word -@ -vote -suspect -trust -who
        own_word: is it -@ -vote
        why_vote: why me -suspect -trust -not
        vote_me: vote me who
        vote_me: who vote -you -should
    """),
    statements=rules("""
        claim_word: me word -not_fit
        against: clue @ bad|vague|strange
        accused: you clue bad|vague
        accused: you clue not
        opinion: clue @
    """),
)


class Heard(NamedTuple):
    """A clue as this seat takes it. fits: how likely its own word brings it; wide: how likely words like it do on
    average; understood: how far it was understood."""

    seat: int
    text: str
    fits: float
    wide: float
    understood: float

    @property
    def ways(self) -> Ways:
        """How it is spoken of."""
        if self.understood < UNDERSTOOD:
            return ways.UNCLEAR
        if self.fits < ODD:
            return ways.ODD
        return ways.VAGUE if self.wide > WIDE else ways.FITTING if self.fits > FITS else ways.UNCLEAR


class ClueSpeaker(Speaker):
    """A game says how much each other seat is suspected (`suspicion`), and what its `word` is or most probably is."""

    vocabulary: ClassVar[Vocabulary] = VOCABULARY

    @property
    def word(self) -> int | None:
        """The place in the network of the word by which it judges."""
        raise NotImplementedError

    def suspicion(self) -> dict[int, float]:
        """How much it stands against each other seat that is in."""
        raise NotImplementedError

    # What it goes by -----------------------------------------------------------------------------------------------

    @cached_property
    def network(self) -> Network:
        return network()

    @cached_property
    def public(self) -> dict[str, Any]:
        return self.situation.rules.public(self.situation.state)

    @cached_property
    def clues(self) -> dict[int, list[Heard]]:
        """What each seat said, oldest first."""
        found: dict[int, list[Heard]] = {}
        for clue in self.public["clues"]:
            if clue["text"] is not None:
                found.setdefault(clue["seat"], []).append(self._heard(clue["seat"], clue["text"]))
        return found

    def _heard(self, seat: int, text: str) -> Heard:
        reading = self.network.reading(text)
        likely = np.broadcast_to(reading.likelihoods, len(self.network.words))
        if self.word is None:
            return Heard(seat, text, 0.0, 0.0, 0.0)
        wide = float(likely @ self.network.partners(self.word))
        return Heard(seat, text, float(likely[self.word]), wide, reading.certainty)

    @cached_property
    def ranked(self) -> list[int]:
        """The other seats, whom it suspects most first."""
        suspicion = self.suspicion()
        return sorted(suspicion, key=lambda seat: -suspicion[seat])

    @property
    def ballots(self) -> dict[int, int | None]:
        """Whom each voted for in the last vote that was told."""
        last = self.public["tallies"][-1:]
        return {int(voter): target for tally in last for voter, target in tally["votes"].items()}

    def mine(self) -> str:
        own = self.clues.get(self.seat)
        return own[-1].text if own else ""

    # Remarks -------------------------------------------------------------------------------------------------------

    def remarks(self, seat: int) -> Iterator[tuple[Ways, dict[str, Any]]]:
        """What it can say of a seat, the newest clue first, with the parts of the sentence."""
        name = self.names[seat]
        for heard in reversed(self.clues.get(seat, [])):
            yield heard.ways, {"name": name, "clue": heard.text}
        if seat not in self.clues:
            silent = any(clue["seat"] == seat for clue in self.public["clues"])
            yield (ways.SILENT if silent else ways.NO_CLUE_YET), {"name": name}
        if self.ballots.get(seat) == self.seat:
            yield ways.VOTED_FOR_ME, {"name": name}

    def of(self, seat: int) -> str:
        """Something about a seat; "" where all has been said."""
        for said, parts in self.remarks(seat):
            if text := self.voice.say(said, **parts):
                return text
        return ""

    def openings(self) -> list[str]:
        """Sentences with which it may begin a talk, those about whom it suspects most first; none that it has said."""
        own = {line.text.casefold() for line in self.heard if line.seat == self.seat}
        found = []
        for seat in self.ranked[:1]:
            for said, parts in [*self.remarks(seat), (ways.WOULD_VOTE, {"name": self.names[seat]})]:
                found += [text.format(**parts) for text in said.of(self.temper)]
        return [text for text in found if text.casefold() not in own and len(text) <= self.room]

    # Answers -------------------------------------------------------------------------------------------------------

    def about(self, point: Point) -> list[int]:
        """Whom a point is about, this seat left out."""
        return [seat for seat in point.seats if seat != self.seat]

    def on_suspect_who(self, point: Point) -> str:
        if not self.clues or not self.ranked:
            return self.voice.say(ways.NOBODY)
        first = self.ranked[0]
        return f"{self.voice.say(ways.WOULD_VOTE, name=self.names[first])} {self.of(first)}".strip()

    on_will_vote = on_odd_clue = on_view = on_suspect_who

    def on_trust_who(self, point: Point) -> str:
        if not self.clues or not self.ranked:
            return self.voice.say(ways.NOBODY)
        return self.voice.say(ways.TRUSTS, name=self.names[self.ranked[-1]])

    on_fits_clue = on_trust_who

    def on_opinion(self, point: Point) -> str:
        texts = [self.of(seat) for seat in self.about(point)]
        return " ".join(text for text in texts if text) or self.on_suspect_who(point)

    def on_why_suspect(self, point: Point) -> str:
        return self.on_opinion(point)

    on_why_trust = on_for = on_why_suspect

    def on_why_vote(self, point: Point) -> str:
        target = self.ballots.get(self.seat)
        seats = [seat for seat in self.about(point) if seat == target] or ([target] if target else [])
        if "me" in point.said.split() and point.line.seat in self.names:
            seats = [point.line.seat]
        if not seats:
            return self.on_suspect_who(point)
        if seats[0] == target and self.ballots:
            said = self.voice.say(ways.WHY_VOTED, other=self.names[seats[0]])
            return f"{said} {self.of(seats[0])}".strip()
        return self.of(seats[0])

    on_why = on_why_vote

    def on_votes(self, point: Point) -> str:
        if not self.ballots:
            return self.voice.say(ways.NO_VOTES_YET)
        texts = [self._vote_of(voter) for voter in self.about(point) or sorted(self.ballots)]
        return " ".join(text for text in texts if text)

    def on_vote_me(self, point: Point) -> str:
        """Who voted for whoever asks, or for whom it is asked about."""
        if not self.ballots:
            return self.voice.say(ways.NO_VOTES_YET)
        target = next(iter(self.about(point)), point.line.seat)
        voters = [voter for voter, voted in self.ballots.items() if voted == target]
        texts = [self._vote_of(voter) for voter in voters]
        return " ".join(text for text in texts if text) or self.voice.say(
            Ways("Nobody voted for {name}.", "{name} got no vote."), name=self.names[target]
        )

    def _vote_of(self, voter: int) -> str:
        voted = self.ballots.get(voter)
        if voted is None:
            return self.voice.say(ways.NO_VOTE, name=self.names[voter])
        return self.voice.say(ways.VOTE_OF, name=self.names[voter], other=self.names[voted])

    def on_meant(self, point: Point) -> str:
        if not self.mine():
            return self.voice.say(ways.NOTHING_MEANT)
        return self.voice.say(ways.MEANT, mine=self.mine())

    def on_own_word(self, point: Point) -> str:
        return self.voice.say(ways.OWN_WORD)

    on_same_word = on_own_word

    def on_role(self, point: Point) -> str:
        return self.voice.say(ways.EVERYBODY_HIDES)

    on_is_role = on_trust_you = on_claim_good = on_role

    def on_claim_word(self, point: Point) -> str:
        return self.voice.say(ways.CLAIMED_WORD, name=self.names[point.line.seat])

    on_claim_role = on_confessed = on_claim_word

    def on_accused(self, point: Point) -> str:
        kinds = ways.DEFENCE
        return self.voice.say(kinds, name=self.names[point.line.seat], mine=self.mine() or "my clue")

    on_accused_role = on_accused

    def on_against(self, point: Point) -> str:
        seats = self.about(point)
        if not seats:
            return self.on_suspect_who(point)
        close = seats[0] in self.ranked[: max(1, len(self.ranked) // 2)]
        said = self.voice.say(ways.AGREED if close else ways.DISAGREED, about=self.names[seats[0]])
        return f"{said} {self.of(seats[0])}".strip()

    on_agree = on_who_is = on_urge_vote = on_against

    def on_plan(self, point: Point) -> str:
        return self.voice.say(ways.PLAN, name=self.names[self.ranked[0]]) if self.ranked else ""

    def on_sure(self, point: Point) -> str:
        return self.voice.say(ways.SURE)
