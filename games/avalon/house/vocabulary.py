"""The words of Avalon that are looked for in what players say to one another."""

from agents.house.discourse import Vocabulary, rules

_ROLES = {
    "merlin": "merlin", "merl": "merlin", "percival": "percival", "percy": "percival", "perci": "percival",
    "servant": "servant", "servants": "servant", "vanilla": "servant", "knight": "servant",
    "morgana": "morgana", "mordred": "mordred", "oberon": "oberon", "minion": "minion", "minions": "minion",
    "assassin": "assassin", "assasin": "assassin",
}  # fmt: skip
_WOULD_TEAM = (
    "would_team: @@ team|quest|yes|take|like|lineup|with -why -who -which -was -were -did -same -fail -bad -role"
)
_QUESTIONS = rules(f"""
    {_WOULD_TEAM}
    next_leader: who|whose lead|leader|turn next|after|then|following
    next_leader: if no who next|after|then -suspect -bad
    my_turn: when|how you lead|turn|leader
    view_vote: of|about|think @ vote|yes|no -why -who -going -will -team -would
    view_vote: vote @ surprise|surprised|surprising|bad -why -who
    seen: you see bad -think -why
    seen: what you see -@ -think
    lady: you lady
    seen: you see # -why
    score: how many quest won|lost|we -fail|#
    needed: how many fail -was|were|did -suspect
    needed: what|does|is fail needed|takes|need|enough
    fails: how many fail quest
    size: how many|big|large go|team|players|people|need|size quest|team|go
    size: how big|large team|quest
    evils: how many bad|#
    many: how many
    goal: how|when|what we|good|evil win
    proposer: who proposed|picked|chose|led team|quest
    result: was|is|did quest fail|clean|succeed|succeeded|won|lost|go|ok -who -you -how
    result: how did quest -you -@
    view_take: what plan quest
    will_vote: who are you vote
    join: you want team|quest|go|aboard -@ -who -what -which
    score: score|won|lost -who -@ -why
""")
_STATEMENTS = rules(f"""
    {_WOULD_TEAM} -see -not
""")
VOCABULARY = Vocabulary(roles=_ROLES, groups={"lady": "lady lake"}, questions=_QUESTIONS, statements=_STATEMENTS)
