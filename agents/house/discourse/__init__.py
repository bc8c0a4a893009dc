"""How house agents talk, in any game: what was said is read off the log, what is said stands on what happened.

- `meaning` reads what somebody wants of a seat (`kinds`: what that can be, `spelling`: however it is typed), `speaker`
  answers;
- `wording` holds ways to say a thing and the three temperaments, `voice` says none of them twice in a match;
- `reasons` are what the record holds for or against a seat, each of which can be checked by itself.

No game is named here. A game's house agent has a `Speaker` of its own with the answers that it knows, and a
`Vocabulary` with its words.
"""

from .kinds import rules as rules
from .meaning import Point as Point
from .meaning import Vocabulary as Vocabulary
from .reasons import Reason as Reason
from .speaker import Speaker as Speaker
from .speaker import talk as talk
from .voice import Voice as Voice
from .voice import within as within
from .wording import Ways as Ways
from .wording import listed as listed
