"""The kinds of point that a message can make (`meaning`), and the words by which each is known in any game."""

from typing import NamedTuple


class Rule(NamedTuple):
    """A kind of point and the words that it has: each of ``needs`` (one of several between bars), none of ``lacks``."""

    kind: str
    needs: tuple[frozenset[str], ...]
    lacks: frozenset[str]

    def fits(self, found: frozenset[str]) -> bool:
        return self.lacks.isdisjoint(found) and all(not some.isdisjoint(found) for some in self.needs)


def rules(text: str) -> tuple[Rule, ...]:
    """Rules, one a line: "kind: word other|another -not_this"."""
    made = []
    for row in text.strip().splitlines():
        kind, _, wanted = row.strip().partition(":")
        parts = wanted.split()
        needs = tuple(frozenset(part.split("|")) for part in parts if not part.startswith("-"))
        made.append(Rule(kind, needs, frozenset(part[1:] for part in parts if part.startswith("-"))))
    return tuple(made)


# "@": another seat that is named; "@@": a list of seats, "me" and "you" among them; "you": who is asked; "me": who
# asks; "#": a role; else groups of words, and words.
QUESTIONS = rules("""
    promise: you promise -@ -who
    promise: you keep|kept|keeping|stand|stick|sticking word|it|that|promise|said|say|by -@ -who -why
    promise: you break|broke|breaking word|promise -@ -who -why
    promise: count on you -how -many
    alike: vote|yes|no|agree same -will -going
    alike: you @ agree|vote often|together|same -will -word
    alike: why you same @ -word
    alike: why vote like @
    bot: you bot
    bot: bot -@ -who
    lady: lady
    did_fail: was|is it you fail
    did_fail: you fail card
    did_fail: did you fail -why -who -suspect -think -@
    who_failed: who fail -you
    who_failed: what fail quest -you -why
    did_fail: you fail -why -suspect -think -who -yes -vote -take -team -@
    who_is: who # -you
    who_is: who # think|guess|suspect
    who_is: @ #
    is_role: you # -@
    role: you role|card -why
    role: role -@ -quest -why -many
    role: what are you -think -do -going -vote -take -like -suspect -trust -say -plan -see -team
    role: who are you -take -trust -suspect -bad -clean -think -vote -see -send -with -going -yes -no -lead -like
    role: what|which side you
    role: you claim -@ -why
    will_vote: team wrong
    view_take: who want team|quest|next|it
    suspect_who: which bad|suspect -why
    why_me: why me -you -vote -yes -no -suspect -trust -clean -bad -@@
    why_me: why you after|picking|target|targeting me
    why_me: what me wrong|done|did -@ -you -quest -should
    why_me: what|why you against me -vote
    why_me: why it me -vote -quest -@@ -trust
    why_vote: what|how did you vote
    why_suspect: what @ wrong|done|against
    why_not: why not @ -you -yes -suspect -trust -clean -vote -bad
    why_trust: why trust|clean -not -suspect -bad -yes -vote -take -you_object
    why_suspect: why suspect|bad|lie -yes -take -vote
    why_suspect: why not trust -yes -take -vote
    why_vote: why vote|yes|no -take
    why_vote: why not yes
    why_team: why take|team|lead|include|quest
    why_vote: how come vote|yes|no
    why_team: how come take|team
    trust_you: trust you_object -@
    trust_you: clean|bad|lie you -@ -who -think_of -me -vote -yes -team
    many: how many bad|clean|fail|quest|#|players
    votes: who vote|yes|no
    votes: how @ vote
    votes: did @ vote|yes|no -you
    aboard: who was|were quest|team
    leader: who lead
    leader: turn
    suspect_who: who take|go|team not -why
    suspect_who: who exclude|rule|avoid|leave
    suspect_who: who between|among
    view_take: who take|go|team|aboard|join|partner -fail -suspect -bad
    view_take: what|which team -think -like -vote -about
    view_take: you take -@ -vote -why
    suspect_who: who trust|clean not|least
    suspect_who: who suspect|bad|lie|against|culprit
    suspect_who: any suspect|bad
    suspect_who: you suspect -@ -why
    trust_who: who trust|clean|clear|like
    trust_who: you trust -@ -why -me
    agree: agree
    opinion: without|with|want @ -agree
    opinion: think|trust|suspect|bad|clean|about|lie|like|take|view|of @
    opinion: think|trust|suspect|bad|clean|about|lie|take|of me -team -vote
    opinion: @ -vote -yes -no -team -quest
    will_vote: vote|yes|no
    will_vote: team think|like|clean|about|bad|of|opinion
    will_vote: you like team|this|it|that
    score: score
    score: what|which|where|how quest -why
    score: who win|winning|won|ahead
    leader: lead
    why: why
    why: how come
    view: think|plan
    view: what do|should|happened|next|say
    view: you tell
    sure: sure
    suspect_who: suspect|bad
    trust_who: trust
    view_take: take
    ally: let|we|us|both cooperate|together|ally|allies|alliance
""")

STATEMENTS = rules("""
    promise: you break|broke|broken|keep|kept word|promise -@
    alike: vote|yes|no|agree same -will -going
    alike: you @ agree|vote often|together|same -word
    bot: you bot
    claim_saw: as|here # @ -bad
    claim_lady: lady @
    claim_role: am|as|here|claim|claiming # -@ -think -you
    claim_role: me # -@ -think -suspect -trust
    claim_saw: me see @ bad|clean|#
    accused_role: you # -@
    denied_fail: me fail not
    denied_fail: was not me -@
    confessed: me fail|bad -not -you -@ -think -suspect -trust -see -against
    claim_good: me bad not -@ -you
    claim_good: me clean -@ -you -trust -think
    claim_good: me trust -you -@ -who -not
    urge_vote: if vote|yes
    accused: you bad|lie|fail|suspect
    accused: lie stop
    accused: you yes|no|vote often
    opinion: you wrong @
    differ: you wrong
    differ: me agree you
    denied_fail: me success
    accused: me not trust you
    praised: you clean|trust -not
    accused: you clean|trust not
    accused: you yes|no|vote|take fail|quest
    against: @ bad|lie|fail|suspect
    against: @ not trust|clean
    against: @ think|it -clean -trust -you
    for: @ clean|trust
    who_is: @ #
    urge_take: take me|@
    urge_vote: vote|yes|no|team
    agree: agree
    leader: lead
    claim_role: #
    suspect_who: suspect|bad
    view: think|plan
    ally: let|we|us|both cooperate|together|ally|allies|alliance
""")
