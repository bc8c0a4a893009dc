"""What a seat says in the talk of a game of clues: of clues, votes and claims, and nothing of its own word.

Whatever its role, it speaks as one who holds a word and compares with it what the others said.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from random import Random
from typing import Any, ClassVar, NamedTuple

import numpy as np

from agents.house import clue_ways as ways
from agents.house.discourse import Point, Speaker, Vocabulary, Ways, listed, rules
from agents.house.discourse.meaning import BAD
from agents.house.form import of_drawn_length
from agents.house.words import Network, network
from games.rules.values import Refusal

ODD, FITS = 0.3, 0.6
"""A clue is odd to a seat whose word is less likely to bring it than this, and fits if it is more likely than that."""
WIDE = 0.55
"""A clue that all words like the own one are on average so likely to bring says nothing."""
UNDERSTOOD = 0.5
"""So well a clue must be understood that something is said of what it means."""

SPEAKS = 0.7
"""How often it says something before a vote without being asked. Whether it does must not tell how much it knows."""
TYPICAL = {"name": "Player 1", "clue": "You find it in a kitchen"}
"""What stands in the sentence from which a length is drawn."""

GROUPS = {
    "clue": "clue clues hint hints description describe described describes statement",
    "word": "word words secret noun thing object alive animal edible food drink living big small",
    "mean": "mean means meant meaning",
    "sense": "sense unclear vague wide general strange weird confusing nonsense",
}
QUESTIONS = rules("""
    told_clue: what @ clue|tell -think -mean -about
    meant: what|why mean you -@
    meant: why|what you clue -bad -word -@ -think
    meant: why you tell -@ -suspect -vote -trust
    meant: explain you clue
    opinion: clue|mean @
    opinion: any|who suspect|bad @
    odd_clue: who|what|which|any clue bad|sense
    odd_clue: which clue
    fits_clue: who|which|what clue like|trust|clean|best
    same_word: you same|different
    own_word: you word -@ -vote -suspect -trust
    own_word: word -@ -vote -suspect -trust -who
    own_word: is it -@ -vote
    will_vote: who you|we vote -suspect
    why_vote: why me -suspect -trust -not
    vote_me: vote me who
    vote_at: who vote @
""")
STATEMENTS = rules("""
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

    vocabulary: ClassVar[Vocabulary] = vocabulary_of({}, BAD)

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

    def sayable(self, text: str) -> bool:
        """Whether the rules let this seat say it: another one's clue may hold its word."""
        return not isinstance(self.situation.rules.check_talk(self.situation.state, self.seat, text), Refusal)

    def mine(self) -> str:
        own = self.clues.get(self.seat)
        return own[-1].text if own else ""

    # Remarks -------------------------------------------------------------------------------------------------------

    def remarks(self, seat: int) -> Iterator[tuple[Ways, dict[str, Any]]]:
        """What it can say of a seat, the newest clue first, with the parts of the sentence."""
        name = self.names[seat]
        for heard in reversed(self.clues.get(seat, [])):
            if self.sayable(heard.text):
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
        """Sentences with which it may begin a talk, about whom it suspects most and least; none that it has said."""
        own = {line.text.casefold() for line in self.heard if line.seat == self.seat}
        first, last = self.ranked[0], self.ranked[-1]
        said = [*self.remarks(first), (ways.WOULD_VOTE, {"name": self.names[first]})]
        said += [*self.remarks(last), (ways.TRUSTS, {"name": self.names[last]})] if last != first else []
        found = [text.format(**parts) for some, parts in said for text in some.of(self.temper)]
        return [text for text in found if text.casefold() not in own and len(text) <= self.room]

    def before_the_vote(self, chance: Random) -> str | None:
        """What it says in the talk without being asked, or nothing. Whether it speaks, and how long it is, is drawn
        before it thinks of what to say, so that neither tells a role."""
        if chance.random() >= SPEAKS:
            return None
        usual = [
            text.format(**TYPICAL) for some in (ways.ODD, ways.VAGUE, ways.FITTING) for text in some.of(self.temper)
        ]
        texts = self.openings()
        near = of_drawn_length(texts, usual, chance)
        return texts[chance.choice(near)] if near else None

    # Answers -------------------------------------------------------------------------------------------------------

    def about(self, point: Point) -> list[int]:
        """Whom a point is about, this seat left out."""
        return [seat for seat in point.seats if seat != self.seat]

    def named(self, seat: int, point: Point, of_another: Ways, of_asker: Ways) -> str:
        """What it says of a seat to whoever spoke, who may be that seat."""
        said = of_asker if seat == point.line.seat else of_another
        return self.voice.say(said, name=self.names[seat])

    def on_suspect_who(self, point: Point) -> str:
        if not self.clues or not self.ranked:
            return self.voice.say(ways.NOBODY)
        first = self.ranked[0]
        return f"{self.named(first, point, ways.WOULD_VOTE, ways.WOULD_VOTE_YOU)} {self.of(first)}".strip()

    on_will_vote = on_odd_clue = on_suspect_who

    def on_view(self, point: Point) -> str:
        if self.ranked and self.clues and self.chance.random() < 0.5:
            return self.voice.say(ways.PLAN, name=self.names[self.ranked[0]])
        return self.on_suspect_who(point)

    def on_trust_who(self, point: Point) -> str:
        if not self.clues or not self.ranked:
            return self.voice.say(ways.NOBODY)
        return self.named(self.ranked[-1], point, ways.TRUSTS, ways.TRUSTS_YOU)

    on_fits_clue = on_trust_who

    def on_opinion(self, point: Point) -> str:
        texts = [self.of(seat) for seat in self.about(point)]
        return " ".join(text for text in texts if text) or self.on_suspect_who(point)

    def on_why_suspect(self, point: Point) -> str:
        return self.on_opinion(point)

    on_why_trust = on_why_me = on_for = on_why_suspect

    def on_why_vote(self, point: Point) -> str:
        target = self.ballots.get(self.seat)
        seats = [seat for seat in self.about(point) if seat == target] or ([target] if target else [])
        if "me" in point.said.split() and point.line.seat in self.names:
            seats = [point.line.seat]
        if not seats:
            return self.on_suspect_who(point)
        if point.seats and target is not None and target not in point.seats and "me" not in point.said.split():
            return self.voice.say(ways.NOT_VOTED, name=self.names[point.seats[0]], other=self.names[target])
        if seats[0] == target and self.ballots:
            said = self.voice.say(ways.WHY_VOTED, other=self.names[seats[0]])
            return f"{said} {self.of(seats[0])}".strip()
        return self.of(seats[0])

    on_why = on_why_vote

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
        given = [heard.text for heard in self.clues.get(seat, []) if self.sayable(heard.text)]
        if not given:
            return self.voice.say(ways.NO_CLUE_YET, name=self.names[seat])
        said = self.voice.say(ways.TOLD_CLUE, name=self.names[seat], clues=listed([f"“{text}”" for text in given]))
        return f"{said} {self.of(seat)}".strip()

    def on_claim_clue(self, point: Point) -> str:
        return self.of(point.line.seat) or self.general("listening", point)

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

    def on_sure(self, point: Point) -> str:
        return self.voice.say(ways.SURE)
