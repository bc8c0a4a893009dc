"""Reads what a sentence at an Avalon table tells of the match, and whether the log bears it out.

It is made to find out the house agents, and shares nothing with them: it knows the events of the log and English, by
patterns of its own. Who plays what card is not in the open: "it was not me" is not judged.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from games.rules.values import Event

TRUE, FALSE, UNREAD, NOTHING = "true", "false", "unread", "nothing"
"""What comes of a sentence: it is so; it is not; it tells of the match and was not read; it tells nothing of it."""
SPOKEN = ("speech", "say", "ready", "chat")
LAST_TRY = 5


class Verdict(NamedTuple):
    """kind: what was claimed, by `CLAIMS`."""

    result: str
    kind: str = ""


class Sent(NamedTuple):
    """A team as the log has it; votes is empty, fails and won are None until they are told."""

    seq: int
    quest: int
    attempt: int
    leader: int
    team: frozenset[int]
    votes: dict[int, bool]
    fails: int | None
    won: bool | None


def teams(log: Iterable[Event]) -> list[Sent]:
    """All teams of a log, or of a part of it."""
    found: list[dict[str, Any]] = []
    asked: dict[str, Any] = {}
    for event in log:
        data = event.data
        if event.kind == "proposing":
            asked = {key: data[key] for key in ("quest", "attempt", "leader")}
        elif event.kind == "team":
            team = {"seq": event.seq, "team": frozenset(data["seats"]), "votes": {}, "fails": None, "won": None}
            found.append(asked | team)
        elif event.kind == "voted":
            found[-1]["votes"] = {int(seat): vote for seat, vote in data["votes"].items()}
        elif event.kind == "quested":
            found[-1] |= {"fails": data["fails"], "won": data["success"]}
    return [Sent(**one) for one in found]


class Told:
    """One sentence with the match as it stood when it was said.

    who: the seat that it is about; numbers: of the quests that it names, number the first of them (0: none); table: the
    team that is talked about; done: those before it.
    """

    def __init__(self, log: list[Event], event: Event, sentence: str):
        self.before = [one for one in log if one.seq < event.seq]
        self.text, self.speaker = sentence, event.seat
        *self.done, self.table = teams(self.before)
        self.who = self._who()
        found = re.findall(r"(?:quests? |, |and |at )(\d)\b", sentence, re.IGNORECASE)
        self.numbers = [int(number) for number in found]
        self.number = self.numbers[0] if found else 0

    def _who(self) -> int:
        """The speaker of a reason for itself; else who is named first, and is not only agreed with."""
        if re.search(r"say this to|at the record|remember|think again|forgets one thing", self.text, re.IGNORECASE):
            return self.speaker
        text = re.sub(r"\b(?:agree with|am with|[Aa]s|[Ll]ike) Player \d+", "", self.text)
        named = re.search(r"Player (\d+)", re.sub(r"Player \d+ (?:is right|said|does)", "", text))
        return int(named[1]) if named else self.speaker

    @property
    def of_somebody(self) -> bool:
        """Whether it speaks of a player, and not of the team on the table."""
        return bool(re.search(r"\bthey\b|Player", self.text))

    # What the log holds

    def sent(self, quest: int | None = None) -> Sent | None:
        """The team that went on a quest, the first that the sentence names."""
        number = self.number if quest is None else quest
        return next((one for one in self.done if one.quest == number and one.won is not None), None)

    def ended(self, won: bool) -> int:
        """How many quests were won, or lost."""
        return sum(one.won is won for one in self.done)

    def on_loss(self, *quests: int) -> bool:
        some = [self.sent(quest) for quest in quests or (None,)]
        return all(one is not None and one.won is False and self.who in one.team for one in some)

    def on_win(self, *quests: int) -> bool:
        some = [self.sent(quest) for quest in quests or (None,)]
        clean = all(one is not None and one.won is True and not one.fails and self.who in one.team for one in some)
        return clean and not any(one.fails and self.who in one.team for one in self.done)

    def speaker_was_on(self, *quests: int) -> bool:
        some = [self.sent(quest) for quest in quests or (None,)]
        return any(one is not None and self.speaker in one.team for one in some)

    def voted(self, vote: bool, won: bool) -> bool:
        """How it voted on a team that won or lost; a speaker who holds that against somebody did not vote so."""
        one = self.sent()
        so = one is not None and one.won is won and one.votes.get(self.who) is vote
        held_against = vote is not won and self.who != self.speaker
        return so and not (held_against and one is not None and one.votes.get(self.speaker) is vote)

    def led(self, won: bool) -> bool:
        one = self.sent()
        so = one is not None and one.won is won and one.leader == self.who
        return so and (won or not self.speaker_was_on())

    def share(self, vote: bool, count: int, votes: int) -> bool:
        """So many votes were like that, of so many; and most of the speaker's were not."""
        own = [one.votes[self.who] for one in self.done if self.who in one.votes]
        mine = [one.votes[self.speaker] for one in self.done if self.speaker in one.votes]
        return (own.count(vote), len(own)) == (count, votes) and 2 * mine.count(vote) <= len(mine) + 1

    def alone(self, count: int | None = None) -> bool:
        """It was for a team that most turned down, the speaker with them."""
        for one in self.done:
            yes = sum(one.votes.values())
            turned_down = bool(one.votes) and one.won is None and 2 * yes <= len(one.votes)
            apart = one.votes.get(self.who) is True and one.votes.get(self.speaker) is False
            if one.quest == self.number and turned_down and apart and count in (None, yes):
                return True
        return False

    def took_again(self, failed: int) -> bool:
        lost = self.sent(failed)
        if lost is None or lost.won is not False:
            return False
        later = [one for one in (*self.done, self.table) if one.leader == self.who and one.seq > lost.seq]
        return any(one.team & lost.team - {self.who} for one in later)

    def left_out(self) -> bool:
        every = (*self.done, self.table)
        own = any(one.leader == self.speaker and self.speaker not in one.team for one in every)
        without = (one for one in every if one.leader == self.who and self.who not in one.team)
        return not own and any(one.quest == self.number for one in without)

    def turned(self) -> bool:
        votes: dict[frozenset[int], set[bool]] = {}
        for one in self.done:
            if one.quest == self.number and self.who in one.votes:
                votes.setdefault(one.team, set()).add(one.votes[self.who])
        return any(len(some) == 2 for some in votes.values())

    # What was said before

    def said(self, since: int = 0) -> list[tuple[int, str]]:
        """(seat, words) before this, from an event on."""
        return [(one.seat, one.data["text"] or "") for one in self.before if one.kind in SPOKEN and one.seq > since]

    def taken_up(self) -> bool:
        """Somebody spoke in this discussion of this seat and this quest, and the log shows it in a bad light there."""
        others = [int(seat) for seat in re.findall(r"Player (\d+)", self.text) if int(seat) != self.who]
        said = [text for seat, text in self.said(self.table.seq) if seat in others or not others]
        about = any(f"Player {self.who}" in text and re.search(rf"\b{self.number}\b", text) for text in said)
        one = self.sent()
        lost = one is not None and one.won is False
        stood_by = one is not None and (self.who in one.team or one.votes.get(self.who) or one.leader == self.who)
        bad = (lost and stood_by) or (one is not None and one.won is True and one.votes.get(self.who) is False)
        return about and (bad or self.alone() or self.left_out() or self.turned() or self.took_again(self.number))

    def spoke_before(self) -> bool:
        return any(seat == self.speaker and f"Player {self.who}" in text for seat, text in self.said())


NO = r"(?:against|reject|turned down|did not want|said no|voted no|tried to stop)"
YES = (
    r"(?:approv|voted for|they for it|voted yes|backed|supported|said yes|had (?:their|my) vote|wanted the team"
    r"|nothing wrong|for the team)"
)
CHOSE = (
    r"(?:propos|pick|put together|\bled\b|(?:their|my) (?:choice|idea)|\btheirs\b|\bmine\b|their team|chose|choosing"
    r"|(?:they|I) sent)"
)
WON = r"(?:\bwon\b|succeed|\bwin\b|came through|brought us|nobody failed|nothing went wrong|nobody played)"
LOST = r"(?:fail|lost|lose|went wrong)"
EARLY = (
    r"little to go on|shown anything|trust nobody more|(?:before|after|how|brings?) the first quest|no quest has been"
    r"|too early|nothing to go on|know more after this|first quest goes|what the first quest|look the same"
)
TAKEN_UP = (
    r"(?:after|since) quest (?:\d)(?:,| i d| i s|\.)|because of quest \d|quest \d makes|^quest \d: i suspect"
    r"|suspicious after quest \d|doubt player \d+ since"
)

Claim = Callable[[Told, re.Match], bool | None]


def _apart(told: Told) -> bool:
    return len(set(told.numbers)) > 1


def _old(told: Told) -> int:
    found = re.search(r"(?:failed|after) quest (\d)|team that had failed quest (\d)", told.text, re.IGNORECASE)
    return int(found[1] or found[2]) if found else 0


def _fails(told: Told, found: re.Match) -> bool:
    """So many fails, among so many cards, on a quest that the speaker was not on."""
    one = told.sent()
    size = re.search(r"(?:of|among) (\d) cards|team of (\d)", told.text)
    if one is None or one.fails != int(found[1]) or (size and len(one.team) != int(size[1] or size[2])):
        return False
    return told.on_loss() and not told.speaker_was_on()


def _votes(told: Told, found: re.Match) -> bool:
    no = re.search(r"rejected|turned down \d|were a no|against", told.text)
    return told.share(not no, int(found[1]), int(found[2]))


def _holds(told: Told) -> bool:
    """Whether the team on the table holds all of a team that won the quest that is named."""
    return any(one.won and one.quest == told.number and one.team <= told.table.team for one in told.done)


def _touches(told: Told, won: bool | None, quest: int | None = None) -> bool:
    """Whether somebody on the table's team was on a quest that ended so (None: in either way)."""
    gone = [one for one in told.done if one.won is not None and won in (None, one.won) and quest in (None, one.quest)]
    return any(one.team & told.table.team for one in gone)


CLAIMS: tuple[tuple[str, str, Claim], ...] = (
    (
        "a vote",
        r"Player (\d+) (approved|rejected) (?:the team of|my team|their own|it\b)",
        lambda t, m: any(one.quest == t.number and one.votes.get(int(m[1])) is (m[2] == "approved") for one in t.done),
    ),
    ("nothing yet", EARLY, lambda t, m: all(one.won is None for one in t.done)),
    (
        "last try",
        r"fifth|out of tries|four rejections|turn this down we lose|or nothing|another rejection would|or evil wins",
        lambda t, m: t.table.attempt == LAST_TRY,
    ),
    (
        "score",
        r"good has won (\d), evil (\d); this is quest (\d), try (\d)",
        lambda t, m: tuple(map(int, m.groups())) == (t.ended(True), t.ended(False), t.table.quest, t.table.attempt),
    ),
    ("tries", r"turned down (\d) teams for", lambda t, m: t.table.attempt - 1 == int(m[1])),
    ("tries", r"try (\d) for quest (\d)", lambda t, m: (t.table.attempt, t.table.quest) == (int(m[1]), int(m[2]))),
    ("tries", r"only (\d) more tries", lambda t, m: LAST_TRY - t.table.attempt == int(m[1])),
    ("same team", r"^(?:the same|this very|it is the) team", lambda t, m: None if t.of_somebody else _holds(t)),
    ("whole team", r"whole team that won|everybody who won|builds on the team", lambda t, m: _holds(t)),
    (
        "clean team",
        r"nobody on (?:it|this team) was on a quest that|none of these was on|has nobody from a failed"
        r"|all who were on a failed|nobody aboard was there",
        lambda t, m: any(one.won is False for one in t.done) and not _touches(t, False),
    ),
    (
        "stained team",
        r"somebody (?:on|aboard|from)|from that team is on|not everybody",
        lambda t, m: None if t.of_somebody else _touches(t, False, t.number),
    ),
    ("untried", r"on a quest (?:yet|so far|before)\b|go for the first time", lambda t, m: not _touches(t, None)),
    (
        "on it",
        r"i am on it|know one of them|i am aboard|i would go along myself",
        lambda t, m: t.speaker in t.table.team,
    ),
    (
        "not on it",
        r"i am not on it|if i were asked|goes without me|for sure is left out",
        lambda t, m: t.speaker not in t.table.team,
    ),
    (
        "stands by",
        r"still|as before|remain|what they were|not gone away|keep suspecting",
        lambda t, m: t.spoke_before(),
    ),
    ("trusted after", r"(?:trust|believe) player \d+ after quest", lambda t, m: t.on_win()),
    ("taken up", TAKEN_UP, lambda t, m: t.taken_up()),
    ("took again", r"\btook\b|led with a member|somebody from the failed", lambda t, m: t.took_again(_old(t))),
    ("fails", r"(\d) (?:fails|of \d cards|fail cards)", _fails),
    ("many votes", r"(\d+) (?:yes )?of (?:the |their )?(\d+)", _votes),
    (
        "alone",
        r"most of us|only (\d) of us|that was turned down|few friends|little support",
        lambda t, m: t.alone(int(m[1]) if m[1] else None),
    ),
    ("left out", r"left themselves out|did not go themselves|without themselves|stayed off", lambda t, m: t.left_out()),
    ("turned", r"one way and then|changed their vote|table twice|both ways", lambda t, m: t.turned()),
    (
        "twice won",
        r"both succeeded|two teams that won|nobody played a fail|win quest \d and quest",
        lambda t, m: t.on_win(*t.numbers[:2]) if _apart(t) else None,
    ),
    (
        "twice lost",
        r"both|two (?:failed )?quests|twice|so did|as well|and on quest",
        lambda t, m: t.on_loss(*t.numbers[:2]) and not t.speaker_was_on(*t.numbers[:2]) if _apart(t) else None,
    ),
    (
        "voted against a loss",
        rf"(?<!I voted ){NO}.*{LOST}|voted no before|rejected the team of quest|saw the fail|fail .* coming",
        lambda t, m: t.voted(False, False),
    ),
    ("voted against a win", rf"{NO}.*{WON}|succeeded against|brought us", lambda t, m: t.voted(False, True)),
    ("led a loss", rf"{CHOSE}.*{LOST}|{LOST}.*{CHOSE}", lambda t, m: t.led(False)),
    ("led a win", rf"{CHOSE}.*{WON}|{WON}.*{CHOSE}", lambda t, m: t.led(True)),
    ("voted for a loss", rf"{YES}.*{LOST}|{LOST}.*{YES}", lambda t, m: t.voted(True, False)),
    ("voted for a win", rf"{YES}.*{WON}|{WON}.*{YES}", lambda t, m: t.voted(True, True)),
    ("on a win", rf"{WON}|speaks for", lambda t, m: t.on_win()),
    (
        "on a loss with me",
        r"us both|two of us|i was with|beside them|and i were|i was on",
        lambda t, m: t.on_loss() and t.speaker_was_on(),
    ),
    ("on a loss", LOST, lambda t, m: t.on_loss() and not t.speaker_was_on()),
)
"""Kinds of claims, the more special first: the words by which each is known, and whether it is so (None: not that)."""

_TELLS = re.compile(r"fail|\bwon\b|reject|approved|voted|turned down|\bled\b", re.IGNORECASE)
_STANCE = re.compile(
    r"i (?:will|am going to) vote|i vote|gladly see|want these quests|rather lose|i led that team|would vote yes",
    re.IGNORECASE,
)
_OWN_CARD = re.compile(r"the fail was not mine|it was not me|my card was a success|though not by me", re.IGNORECASE)

_TO_THEM = re.compile(r"\b(beside|with|of|against) you\b")
_TOOK = re.compile(
    r"^(?:I took (Player \d+) for quest (\d)|For quest (\d) I wanted (Player \d+) on my team) (?:because|since) (.+)$"
)


def judged(log: list[Event], event: Event, sentence: str) -> Verdict:
    """Whether a sentence of this event is so."""
    if _STANCE.search(sentence):
        return Verdict(NOTHING)
    sentence = _TO_THEM.sub(r"\1 them", _OWN_CARD.sub("", sentence)).replace(" your ", " their ")
    if found := _TOOK.search(sentence):
        who, quest = int((found[1] or found[4]).split()[1]), int(found[2] or found[3])
        own = [one for one in teams(log[: event.seq - 1]) if one.leader == event.seat and one.quest == quest]
        if not any(who in one.team for one in own):
            return Verdict(FALSE, "own team")
        reason = judged(log, event, f"Player {who}: {found[5]}")
        return Verdict(TRUE, "own team") if reason.result == NOTHING else reason
    told = Told(log, event, sentence)
    for kind, words, claim in CLAIMS:
        if found := re.search(words, sentence, re.IGNORECASE):
            so = claim(told, found)
            if so is not None:
                return Verdict(TRUE if so else FALSE, kind)
    return Verdict(UNREAD, "not read") if _TELLS.search(sentence) else Verdict(NOTHING)
