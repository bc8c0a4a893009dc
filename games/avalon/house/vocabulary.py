"""The words of Avalon that are looked for in what players say to one another."""

from agents.house.discourse.meaning import Vocabulary, rules

_ROLES = {
    "merlin": "merlin", "merl": "merlin", "percival": "percival", "percy": "percival", "perci": "percival",
    "servant": "servant", "servants": "servant", "vanilla": "servant", "knight": "servant",
    "morgana": "morgana", "mordred": "mordred", "oberon": "oberon", "minion": "minion", "minions": "minion",
    "assassin": "assassin", "assasin": "assassin",
}  # fmt: skip
_QUESTIONS = rules("""
    seen: you see bad -think -why
    seen: what you see -@ -think
    lady: you lady
    seen: you see # -why
    score: how many quest won|lost|we -fail|#
    fails: how many fail quest
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
VOCABULARY = Vocabulary(roles=_ROLES, groups={"lady": "lady lake"}, questions=_QUESTIONS)
