"""What a house agent answers around matches, where nobody plays: small talk, and that it has no more to tell."""

from random import Random

from agents.house.discourse.lines import Line
from agents.house.discourse.meaning import Vocabulary, understood
from agents.house.discourse.replies import ANYWHERE
from agents.house.discourse.speaker import SMALL
from agents.house.discourse.voice import Voice
from agents.house.discourse.wording import Ways, temper_of
from agents.models import AgentProfile
from games.room.replies import Asked

OVER = Ways(
    "That match is played; ask me such things in the next one.",
    "The match is over, and I have nothing to add to it.",
    "Of that match I have said all that I had to say.",
    "Let us play another one, and ask me then.",
)
WAITING = Ways(
    "Ask me that when we play.",
    "We have not begun, so I know nothing yet.",
    "No match is being played; I am ready when you are.",
    "When we play I will have an answer.",
)
_VOCABULARY = Vocabulary()


def answer(asked: Asked) -> str:
    """One short line; "" where it has said all of them, and for agents that think by a model. It calls nobody by name:
    whoever asked may be erased later, and the line stays."""
    if not AgentProfile.objects.filter(name=asked.agent, method="house").exists():
        return ""
    names = tuple(asked.names.items())
    points = understood(Line(asked.number, 0, asked.text, "chat", "all"), asked.seat, names, _VOCABULARY)
    general = next((point.kind for point in points if point.kind in SMALL or point.kind in ("bot", "called")), None)
    if general is None and not any(point.kind for point in points):
        general = "unknown"
    nameless = [text for text in ANYWHERE[general].every if "{name}" not in text] if general else []
    ways = Ways(*nameless) if nameless else OVER if asked.over else WAITING
    chance = Random(f"{asked.seat}:{asked.number}:{asked.text}")
    voice = Voice(tuple(asked.names.values()), temper_of(asked.seat), chance, asked.said)
    return voice.say(ways, me=asked.names[asked.seat])
