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
    many: how many
    score: score|won|lost -who -@ -why
""")
VOCABULARY = Vocabulary(roles=_ROLES, groups={"lady": "lady lake"}, questions=_QUESTIONS)
