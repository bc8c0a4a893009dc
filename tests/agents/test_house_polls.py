"""House agents answer Avalon's polls out of their posterior."""

from agents import headless
from agents.models import AgentProfile
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header

AVALON = RULES["avalon"]


def test_house_agents_answer_from_what_they_know_and_a_tie_is_no_opinion():
    setting = {"roles": ["merlin", "servant", "servant", "morgana", "minion"], "assassin": 5, "first_leader": 1}
    seats = agents_and_people(0, 5)
    header = new_header(
        AVALON, "official", seats=seats, seed=3, setting=setting, options={"polls": "magic", "discussion": "none"}
    )
    play = Play(AVALON, header)
    mind = headless.of_profile(AgentProfile(name="house", provider="house"))
    played = headless.play_out(play, dict.fromkeys(range(1, 6), mind))
    assert play.over and played.refusals == [] and played.attempts == []
    answers = [event for event in play.log if event.kind == "poll"]
    assert all("skipped" not in event.data for event in answers)
    named = [event.data["evil"] for event in answers if "evil" in event.data]
    assert None in named, "before anything has happened a servant suspects nobody more than another"
    assert any(named), "later it does"
