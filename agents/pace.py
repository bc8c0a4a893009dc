"""How long people take to read, to decide and to type, so that agents can take as long at live tables.

Reading: 238 words a minute, the mean of silent reading in English, adults mostly between 175 and 300 (M. Brysbaert,
"How many words do we read per minute? A review and meta-analysis of reading rate", Journal of Memory and Language 109,
2019).

Typing: 51.6 words a minute (SD 20.2) at a keyboard (V. Dhakal et al., "Observations on Typing from 136 Million
Keystrokes", CHI 2018), 36.2 (SD 13.2) on a phone (K. Palin et al., "How do People Type on Mobile Devices?",
MobileHCI 2019). A word is five characters there, the space after it included.

Deciding: nothing is published for these games; a few seconds, assumed.

Times spread as log-normal draws; as a table waits, one text takes no longer than `LONGEST_TYPING`. A seat has one
device, one reading and one typing speed through a match, whoever sits there and whatever its role. Draws come from the
match's seed, so the clock decides nothing.
"""

import math
import random
from typing import Any, NamedTuple

from games.rules import values
from games.rules.fields import Text
from games.rules.play import Play

CHARACTERS_A_WORD = 5
PHONES = 0.5
"""The share of seats that type on a phone; assumed."""
UNEVEN = 0.2
"""The spread of one seat from one time to the next, as the standard deviation of the logarithm; assumed."""


class Rate(NamedTuple):
    """A quantity that differs among people and is never negative."""

    mean: float
    deviation: float

    def draw(self, chance: random.Random) -> float:
        """A log-normal draw with this mean and standard deviation."""
        variance = math.log(1 + (self.deviation / self.mean) ** 2)
        return chance.lognormvariate(math.log(self.mean) - variance / 2, math.sqrt(variance))


READING = Rate(238, 35)
"""Words a minute."""
KEYBOARD, PHONE = Rate(51.6, 20.2), Rate(36.2, 13.2)
"""Words of five characters a minute."""
FINDING_WORDS = Rate(5, 2.5)
"""Seconds until one knows what to say."""
CHOOSING = Rate(4, 2)
"""Seconds until one knows what to choose, as in a vote."""
THINKERS = Rate(1, 0.25)
"""How many times as long as others a seat thinks; assumed."""
SLOWEST_TYPING = 12.0
"""Words a minute; log-normal draws have no least value."""
LONGEST_TYPING = 40.0
"""Seconds that typing one text takes at most; assumed."""


def before(play: Play, request: values.Request, seed: int) -> float:
    """Seconds that somebody takes until they answer or begin to type: to read what is new, and to decide."""
    reading = 60 * _unread_words(play, request) / READING.draw(_person(request, seed))
    chance = random.Random(f"{seed}:{request.id}")
    deciding = FINDING_WORDS if any(isinstance(field, Text) for field in request.fields) else CHOOSING
    thinking = THINKERS.draw(random.Random(f"{seed}:{request.seat}:thinking"))
    return (reading * _uneven(chance)) + deciding.draw(chance) * thinking


def typing(request: values.Request, action: dict[str, Any] | None, seed: int) -> float:
    """Seconds that it takes to type the texts of an action, `LONGEST_TYPING` at most; 0 without any."""
    texts = [action.get(field.name) for field in request.fields if isinstance(field, Text)] if action else []
    characters = sum(len(text) for text in texts if text)
    if not characters:
        return 0.0
    person = _person(request, seed)
    READING.draw(person)
    speed = (PHONE if person.random() < PHONES else KEYBOARD).draw(person)
    uneven = _uneven(random.Random(f"{seed}:{request.id}:typing"))
    return min(LONGEST_TYPING, 60 * characters / CHARACTERS_A_WORD / max(speed, SLOWEST_TYPING) * uneven)


def _unread_words(play: Play, request: values.Request) -> int:
    """The words of what came last: whatever was said before it could be read while that was being typed."""
    words = 0
    for event in reversed(play.log[: request.opened_at]):
        if event.audience is None and isinstance(event.data.get("text"), str):
            words += len(event.data["text"].split())
        if event.request is not None:
            break
    return words


def _person(request: values.Request, seed: int) -> random.Random:
    """The stream of the seat's own speeds: the first draw is how fast it reads."""
    return random.Random(f"{seed}:{request.seat}:speeds")


def _uneven(chance: random.Random) -> float:
    return chance.lognormvariate(0, UNEVEN)
