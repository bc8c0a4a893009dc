"""What house agents at Avalon answer to questions and claims, however they are typed, and what they make of claims."""

import re

import pytest

from agents import turns
from agents.models import AgentProfile
from games.avalon.house.position import Position
from games.avalon.posterior.exact import ROLES
from games.registry import RULES
from games.rules import table_talk
from games.rules.play import Play, new_header
from games.rules.values import Refusal, Request, SeatInfo

AVALON = RULES["avalon"]
HOUSE = AgentProfile(name="house", provider="house", method="house", switches={})
CALLED = ("Ann", "Hugo", "Vera", "Felix", "Udo", "Rosa")
DEAL = ["servant", "servant", "merlin", "percival", "morgana", "minion"]


def table(deal=DEAL, seats=6, talk=True, **options):
    """Two quests are played: Ann and Hugo won the first; Hugo voted against Ann, Udo and Rosa, who lost the second.
    Then Vera has proposed herself, Hugo, Ann and Felix."""
    setting = {"roles": deal, "assassin": len(deal), "first_leader": 1}
    seated = tuple(SeatInfo(n, name, "agent", "house") for n, name in enumerate(CALLED[:seats], 1))
    options = {"table_talk": talk, "discussion": "none"} | options
    play = Play(AVALON, new_header(AVALON, "official", seats=seated, seed=3, options=options, setting=setting))
    sent(play, [1, 2])
    sent(play, [1, 5, 6], against=(2,), fails=(6,))
    do(play, "team", {"seats": [1, 2, 3, 4]})
    return play


def do(play, kind, move, **others):
    for request in [request for request in play.state.open.values() if request.kind == kind]:
        assert not isinstance(play.act(request.seat, request.id, others.get(f"seat_{request.seat}", move)), Refusal)


def sent(play, team, against=(), fails=()):
    do(play, "team", {"seats": team})
    do(play, "team_vote", {"approve": True}, **{f"seat_{seat}": {"approve": False} for seat in against})
    do(play, "quest", {"success": True}, **{f"seat_{seat}": {"success": False} for seat in fails})


def answered(play, text, seat=2, speaker=1):
    assert not isinstance(play.talk(speaker, "chat", {"text": text, "to": "all"}), Refusal)
    request = Request(f"{len(play.log)}:{seat}:chat", "chat", seat, table_talk.FIELDS["chat"], len(play.log))
    return turns.decide(play, request, HOUSE, play.header.names).action["text"]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Hugo, why did you vote no?", r"quest 2"),
        ("hugo y did u reject that team", r"quest 2"),
        ("why did you approve quest 1 hugo", r"quest 1"),
        ("explain your vote", r"quest [12]"),
        ("Why did you pick Vera, Hugo?", r"Vera"),
        ("who do you suspect hugo?", r"Udo|Rosa"),
        ("Hugo whos evil", r"Udo|Rosa"),
        ("any suspicions?", r"Udo|Rosa"),
        ("who do you trust?", r"you|trust|Vera|Felix|Ann"),
        ("what do you think of Rosa?", r"Rosa.*quest 2"),
        ("thoughts on seat 6?", r"Rosa"),
        ("is 6 evil?", r"Rosa"),
        ("is rosaa evil", r"Rosa"),
        ("what about me?", r"Ann"),
        ("Hugo, who would you take?", r"[Mm]yself"),
        ("what is your role?", r"good"),
        ("tell us what you are", r"good|understand|mean"),
        ("r u evil", r"good|not evil|trust me"),
        ("are you Merlin?", r"Merlin|Assassin"),
        ("hugo are you the minion?", r"minion"),
        ("did you play fail?", r"not.*quest 2|quest 2.*not"),
        ("who failed quest 2?", r"you, Udo or Rosa"),
        ("who failed quest 1?", r"quest 1"),
        ("will you approve this team?", r"[Vv]era|team|Yes|for"),
        ("do you agree that Rosa is evil?", r"Rosa"),
        ("do you agree with Vera?", r"Vera"),
        ("why do you suspect Rosa?", r"Rosa.*quest 2"),
        ("who was on quest 1?", r"you and I"),
        ("how did rosa vote on quest 2?", r"Rosa approved"),
        ("what's the score?", r"1.*1"),
        ("how many evil are there?", r"2"),
        ("who leads?", r"Vera"),
        ("who is merlin?", r"Merlin"),
        ("you voted no on quest 2!", r"rejected"),
        ("hugo you approved the team of quest 2", r"rejected"),
        ("you are evil hugo", r"."),
        ("I trust you, Hugo", r"[Tt]hank|[Gg]ood"),
        ("I am Merlin", r"Merlin|Assassin"),
        ("im percival", r"Ann"),
        ("I saw Rosa evil", r"Rosa|Ann"),
        ("Rosa is evil for sure", r"Rosa"),
        ("I had the Lady and Rosa is evil", r"Lady"),
        ("I failed it haha", r"Ann|you mean"),
        ("it wasnt me", r"quest 2"),
        ("Hugo and Rosa vote identically", r"1 of 2 teams"),
        ("why do you always copy Rosa, Hugo?", r"1 of 2 teams"),
        ("Ann and Rosa always vote the same", r"2 of 2 teams"),
        ("Hugo, would you say yes to Vera, you, me and Felix?", r"team of you, Vera, Felix and me"),
        ("what about a lineup of Hugo, Ann and Vera?", r"4.*3|3.*4"),
        ("thoughts on rosas yes vote, Hugo?", r"(?=.*Rosa approved)(?=.*quest 2)"),
        ("Hugo, if this one fails to pass, who leads next?", r"Felix"),
        ("when is it your turn to lead, Hugo?", r"Vera, Felix, Udo, Rosa and you"),
        ("how many fails would lose this quest?", r"1 fail"),
        ("how many of us go on this quest?", r"\b4\b"),
        ("what has Rosa done wrong, Hugo?", r"quest 2"),
        ("Percival here, one of Vera and Felix is Merlin", r"Assassin"),
        ("who looks the shadiest?", r"Udo|Rosa"),
        ("let's work together, Hugo, ok?", r"Ann|Gladly|Agreed"),
        ("hi all", r"Ann|all|every|Hi|Hello"),
        ("good luck", r"[Ll]uck|same"),
        ("how are you?", r"fine|well|all right|doing|enjoying"),
        ("are you a bot?", r"agent|program|bot"),
        ("asdf jkl", r"understand|follow|get|sense|mean|lost|idea|beyond|past|missing|sorry"),
        ("what is the weather like in Paris?", r"match|understand|world"),
        ("Rosa, are you evil?", None),
    ],
)
def test_it_answers_to_the_point(asked, answer):
    said = answered(table(), asked)
    assert said is None if answer is None else re.search(answer, said, re.IGNORECASE), (asked, said)


def test_a_claim_and_the_wish_to_be_believed_are_answered_once():
    said = answered(table(), "I am a servant, trust me. Do you believe me, Hugo?")
    assert len(re.findall(r"[.!?]", said)) == 1, said


def test_several_questions_in_one_message_are_all_answered():
    said = answered(table(), "Hugo, who do you suspect? And are you Merlin? what's the score")
    assert re.search("Udo|Rosa", said) and re.search("Merlin|Assassin", said) and "1" in said


@pytest.mark.parametrize(
    "asked", ["who do you suspect?", "are you Merlin?", "why did you vote no?", "will you approve this?"]
)
def test_what_it_answers_tells_no_role(asked):
    """Whoever Hugo is, and whatever he knows, his answer stays the same."""
    deals = (DEAL, ["servant", "merlin", "servant", "percival", "morgana", "minion"],
             ["servant", "percival", "servant", "merlin", "morgana", "minion"],
             ["servant", "morgana", "servant", "merlin", "percival", "minion"])  # fmt: skip
    assert len({answered(table(deal), asked) for deal in deals}) == 1


def test_where_agents_may_be_hidden_it_does_not_say_that_it_is_one():
    play = table(talk=False, discussion="free")
    do(play, "say", {"text": "Hugo, are you a bot?"}, seat_2={"text": "Hm."})
    request = next(r for r in play.state.open.values() if (r.seat, r.kind) == (2, "say"))
    said = turns.decide(play, request._replace(opened_at=len(play.log)), HOUSE, play.header.names).action["text"]
    assert said is None or not re.search("agent|program|a bot", said)


# What it makes of claims ---------------------------------------------------------------------------------------------


def beliefs(play, seat, role=None):
    position = Position.of(seat, play.visible(seat), play.header.names)
    if role is None:
        return position.mind.evil()
    return position.mind.roles()[:, ROLES.index(role)]


def claimed(play, speaker, text):
    play.talk(speaker, "chat", {"text": text, "to": "all"})
    return play


def test_who_claims_to_be_merlin_is_rather_held_for_merlin_by_the_assassin():
    before = beliefs(table(), 6, "merlin")
    after = beliefs(claimed(table(), 2, "I am Merlin"), 6, "merlin")
    assert after[1] > before[1]


def test_merlin_believes_no_other_merlin():
    after = beliefs(claimed(table(), 5, "I am Merlin"), 3, "merlin")
    assert after[4] == 0


def test_who_is_claimed_to_be_evil_is_doubted_more_if_the_speaker_is_trusted():
    before = beliefs(table(), 1)
    after = beliefs(claimed(table(), 2, "I saw Felix evil"), 1)
    assert after[3] > before[3]
    denied = beliefs(claimed(table(), 2, "I did not see Felix evil"), 1)
    assert denied[3] <= after[3]


def test_a_claim_of_the_lady_counts_for_more_where_she_was():
    deal = ["servant", "servant", "merlin", "percival", "morgana", "minion", "oberon"]
    plays = []
    for looked in (True, False):
        setting = {"roles": deal, "assassin": 6, "first_leader": 2}
        seated = tuple(SeatInfo(n, name, "agent", "house") for n, name in enumerate((*CALLED, "Leo"), 1))
        options = {"table_talk": True, "lady": True, "discussion": "none"}
        play = Play(AVALON, new_header(AVALON, "official", seats=seated, seed=3, options=options, setting=setting))
        sent(play, [1, 2])
        sent(play, [1, 2, 3])
        do(play, "lady", {"seat": 4 if looked else 5})
        plays.append(beliefs(claimed(play, 1, "I had the Lady and Felix is evil"), 2)[3])
    assert plays[0] > plays[1]
