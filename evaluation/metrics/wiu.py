"""The metrics of "Who is Undercover?" (MPTT; WIU), all by team: civilians and undercovers.

Group by `side` and what else is wanted. INF here is influence; ReCon's INF is information.
"""

from collections.abc import Callable, Iterator

from evaluation.metrics.base import family, of_paper
from evaluation.metrics.values import Item, Mean
from evaluation.records.record import Asked, Record
from games.rules.clues import holds_word

TEAMS = ("civilian", "undercover")
counted = of_paper("MPTT / WIU", games=family("undercover"))


def _plays(record: Record, seat: int) -> bool:
    """Whether this seat is on a team; a blank is on none."""
    return record.sides.get(seat) in TEAMS


@counted("wiu.victory", "Victory rate (VR)", "table 1", whole=True)
def victory(record: Record, seat: int) -> Iterator[Item]:
    """Matches that the team won / matches."""
    if _plays(record, seat):
        yield Item(record.end.seq, float(record.won(seat)), 1, record.sides[seat])


def _survival(rounds: int | None) -> Callable[[Record, int], Iterator[Item]]:
    def items(record: Record, seat: int) -> Iterator[Item]:
        if _plays(record, seat):
            gone = record.alive_after(rounds)[seat]
            yield Item(record.end.seq if gone is None else gone.seq, float(gone is None))

    return items


for _suffix, _title, _where, _rounds, _about in (
    ("_1", "Survival (SR@1)", "table 1", 1, "Team members that are in after round 1 / at the start"),
    ("_2", "Survival (SR@2)", "table 1", 2, "Team members that are in after round 2 / at the start"),
    ("", "Survival (SUR)", "section 5.3, table 3", None, "Players that are in at the end / players"),
):
    _about += "; a match that ended earlier counts as it ended." if _rounds else "."
    counted(f"wiu.survival{_suffix}", _title, _where, about=_about, whole=True)(_survival(_rounds))


# Polls --------------------------------------------------------------------------------------------------------------


def _polls(record: Record, seat: int, moment: str) -> list[Asked]:
    """What this seat answered when all were asked ("voting") or before it spoke ("speaking"), by round."""
    if record.options.get("polls") != "wiu" or not _plays(record, seat):
        return []
    return [asked for asked in record.answers_of(seat) if asked.moment.split()[0] == moment]


def _round(asked: Asked) -> str:
    return asked.moment.split()[1].split(".")[0]


def _stated(field: str, own: bool) -> Callable[[Record, int], Iterator[Item]]:
    def items(record: Record, seat: int) -> Iterator[Item]:
        for asked in _polls(record, seat, "voting"):
            for other in asked.said.get(field) or ():
                yield Item(asked.event.seq, float((record.sides[other] == record.sides[seat]) == own))

    return items


for _name, _title, _field, _own, _about in (
    ("trust", "Trust in the own team (PST)", "trusted", True, "trusted who are on the own team"),
    ("assessment", "Assessment of the other team (PSA)", "suspected", False, "suspected who are on the other team"),
):
    counted(f"wiu.{_name}", _title, "table 1", about=f"Players stated as {_about} / stated.")(_stated(_field, _own))


def _judged(record: Record, seat: int, moment: str) -> list[Asked]:
    """The polls in which this seat said something of its own side."""
    return [asked for asked in _polls(record, seat, moment) if asked.said.get("side") is not None]


def _knows_itself(record: Record, asked: Asked) -> bool:
    return asked.said.get("side") == record.sides[asked.seat]


@counted("wiu.self_judgement", "Judgement capability (JCAP)", "section 5.3")
def self_judgement(record: Record, seat: int) -> Iterator[Item]:
    """Right judgements of the own side in the voting phase / such judgements; unsure is wrong."""
    for asked in _judged(record, seat, "voting"):
        yield Item(asked.event.seq, float(_knows_itself(record, asked)))


@counted("wiu.unsure", "Unsure of the own side", "section 5.3", reading=True)
def unsure(record: Record, seat: int) -> Iterator[Item]:
    """Judgements of the own side in the voting phase that say unsure / such judgements."""
    for asked in _judged(record, seat, "voting"):
        yield Item(asked.event.seq, float(asked.said.get("side") == "unsure"))


@counted("wiu.reversal", "Reversal rate (REV)", "table 2", reading=True)
def reversal(record: Record, seat: int) -> Iterator[Item]:
    """Wrong judgements of the own side before speaking that are right in the same round's voting phase / wrong ones
    before speaking; unsure is wrong."""
    voting = {_round(asked): asked for asked in _judged(record, seat, "voting")}
    for asked in _judged(record, seat, "speaking"):
        later = voting.get(_round(asked))
        if later is not None and not _knows_itself(record, asked):
            yield Item(later.event.seq, float(_knows_itself(record, later)))


def _same_word(record: Record, asked: Asked) -> tuple[set[int], set[int], list[int]] | None:
    """(named as holding the own word, who does, who could be named), or None where it was not said."""
    named = asked.said.get("same_word")
    if named is None:
        return None
    alive = [other for other in record.others(asked.seat) if _is_in(record, other, asked.event.seq)]
    holds = {other for other in alive if record.sides[other] == record.sides[asked.seat]}
    return set(named), holds, alive


def _is_in(record: Record, seat: int, seq: int) -> bool:
    gone = record.alive_after()[seat]
    return gone is None or gone.seq > seq


@counted("wiu.comprehension", "Comprehension (CCAP)", "tables 2 and 3", reading=True)
def comprehension(record: Record, seat: int) -> Iterator[Item]:
    """Polls in which exactly those are named who hold the own word / polls that name somebody or nobody."""
    for asked in _polls(record, seat, "voting"):
        if said := _same_word(record, asked):
            named, holds, _ = said
            yield Item(asked.event.seq, float(named == holds))


@counted("wiu.comprehension.soft", "Comprehension, by player", "tables 2 and 3", edition="soft", reading=True)
def comprehension_soft(record: Record, seat: int) -> Iterator[Item]:
    """Other players rightly named, or rightly not named, as holding the own word / other players who are in."""
    for asked in _polls(record, seat, "voting"):
        if said := _same_word(record, asked):
            named, holds, alive = said
            for other in alive:
                yield Item(asked.event.seq, float((other in named) == (other in holds)))


# Votes --------------------------------------------------------------------------------------------------------------


@counted("wiu.vote_success", "Voting success (VSR)", "tables 2 and 3")
def vote_success(record: Record, seat: int) -> Iterator[Item]:
    """Votes for an opponent who goes out in that round / votes; a run-off's votes are votes of their own."""
    if _plays(record, seat):
        for vote in record.votes_of(seat):
            opponent = record.sides[vote.target] != record.sides[seat]
            yield Item(vote.event.seq, float(opponent and vote.target == vote.out))


@counted("wiu.concealment", "Concealment (CONC)", "table 2", whole=True)
def concealment(record: Record, seat: int) -> Iterator[Item]:
    """Votes of the other team that do not hit this team / votes of the other team."""
    if _plays(record, seat):
        for vote in record.ballots:
            if (
                vote.target is not None
                and _plays(record, vote.voter)
                and record.sides[vote.voter] != record.sides[seat]
                and record.own(vote.event)
            ):
                hits = record.sides[vote.target] == record.sides[seat]
                yield Item(vote.event.seq, float(not hits), 1, (record.sides[seat], vote.event.seq))


@counted("wiu.influence", "Influence (INF)", "table 2", sums=Mean, reading=True)
def influence(record: Record, seat: int) -> Iterator[Item]:
    """Mean over votes of the share of that ballot's votes that name the same target, the own one included."""
    if _plays(record, seat):
        for vote in record.votes_of(seat):
            cast = [
                other.target
                for other in record.ballots
                if (other.round, other.runoff) == (vote.round, vote.runoff) and other.target is not None
            ]
            yield Item(vote.event.seq, cast.count(vote.target) / len(cast))


# Tactics ------------------------------------------------------------------------------------------------------------


@counted("wiu.guesses_word", "Guess at the other word", "figure 4a", reading=True)
def guesses_word(record: Record, seat: int) -> Iterator[Item]:
    """Moves before which a reply of the model names the other team's word / moves with replies of a model."""
    dealt = record.first("record")
    if dealt is None or not _plays(record, seat):
        return
    other = dealt.data["undercover_word" if record.sides[seat] == "civilian" else "civilian_word"]
    thought: dict[int, bool] = {}
    for note in record.notes_of(seat):
        move = record.answered.get(note.request)
        if note.model and move is not None and move.kind != "poll":
            thought[move.seq] = thought.get(move.seq, False) or holds_word(note.reply, other)
    for seq, named in thought.items():
        yield Item(seq, float(named))


@counted("wiu.teammate_vote", "Vote for a supposed teammate", "figure 4b", reading=True)
def teammate_vote(record: Record, seat: int) -> Iterator[Item]:
    """Votes for somebody whom the voter, when last asked, trusted or took for a holder of its own word / votes of those
    who were asked."""
    asked = _polls(record, seat, "voting")
    for vote in record.votes_of(seat):
        last = next((one.said for one in reversed(asked) if one.event.seq < vote.event.seq), None)
        if last is not None:
            mates = {*(last.get("trusted") or ()), *(last.get("same_word") or ())}
            yield Item(vote.event.seq, float(vote.target in mates))
