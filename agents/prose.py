"""A reply in prose, read as an action by a small grammar: every sentence whole, or none.

After greetings and labels each sentence must state the action and do nothing else. What stands beside it that could
deny, quote, condition, defer, compare, report or ask is not in the grammar, so the reply is asked again. Nothing is
searched for inside of a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from games.registry import RULES
from games.rules.fields import Choice, Field, Flag, Malformed, Number, OneSeat, SomeSeats, Split
from games.rules.values import Request

UNCLEAR = "Your reply does not state one clear answer."
NO_OBJECT = "Your reply holds no JSON object that can be read."

SIGNS = {0xFF01 + n: 0x21 + n for n in range(94)} | {0x3000: " ", 0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}
I = (  # noqa: E741
    r"I(?:'ll|'m\s+going\s+to|\s+(?:will|shall|hereby|must|am\s+going\s+to|have\s+decided\s+to|(?:will\s+)?now|"
    r"(?:will\s+)?(?:therefore|thus|still|finally|definitely|officially)))?"
)
OPENER = (
    r"(?:(?:so|well|therefore|thus|hence|finally|in\s+conclusion|in\s+the\s+end|now|"
    r"after\s+(?:some|careful|long)\s+(?:thought|thinking|consideration)|all\s+things\s+considered)(?:\s*[,:]\s*|\s+))*"
)
NEUTRAL = (
    r"(?:hello|hi|hey|greetings|good\s+(?:morning|evening|day))(?:,?\s+(?:all|everyone|everybody|there|friends|team))?|"
    r"thanks|thank\s+you|good\s+luck(?:,?\s+(?:all|everyone|everybody|team))?|cheers|understood|"
    r"that\s+is\s+all|that's\s+all|(?:this|that)\s+is\s+my\s+(?:final\s+)?(?:answer|vote|decision|choice)|"
    r"(?:here\s+is|here's)\s+my\s+(?:final\s+)?(?:answer|vote|decision|choice|move|proposal)"
)
ADDRESS = r"(?:(?:hello|hi|hey|dear)\s+)?(?:all|everyone|everybody|friends|team)"
UNIT = r"(?:\s+(?:points?|coins?|credits?|tokens?|units?|dollars?))"
IT = r"(?:it|(?:this|the)\s+(?:proposed\s+)?(?:team|proposal|mission|quest|party))"
QUEST = r"(?:it|(?:this|the)\s+(?:mission|quest))"
ACCUSATION = r"(?:(?:this|the)\s+accusation)"
SOUGHT = "|".join(
    rules.sought if rules.sought_as_side else rf"the\s+{rules.sought}" for rules in RULES.values() if rules.sought
)
REASON = (
    r"(?:,?\s+(?:because|since|as)\s+(?:he|she|they|it|(?:his|her|their)\s+(?:clue|answer|words|story|vote))|,\s+who)"
    r"\s+(?:is|was|are|were|seems|seemed|sounds|sounded|looks|looked)(?:\s+(?:very|too|so|quite|rather|really|the\s+most))?"
    r"\s+(?:suspicious|odd|strange|vague|evasive|quiet|unclear|off|nervous|inconsistent|generic|"
    rf"{SOUGHT}|lying)"
)

CHOOSES = r"choose|pick|select|name"
SEAT_VERBS = {
    "vote": rf"vote(?:\s+for)?|cast\s+my\s+vote\s+for|accuse|{CHOOSES}",
    "assassinate": rf"assassinate|kill|stab|target|{CHOOSES}",
    "lady": rf"inspect|investigate|examine|check|look\s+at|use\s+the\s+lady(?:\s+of\s+the\s+lake)?\s+on|{CHOOSES}",
}
TEAM_VERBS = r"propose|nominate|suggest|send|choose|pick|select"
FLAGS = {
    "approve": (
        rf"approved?|accept|support|(?:{I}\s+)(?:approve(?:\s+of)?|accept|support)(?:\s+{IT})?|"
        rf"(?:approve|accept|support)\s+{IT}|{I}\s+vote\s+(?:yes|approve|to\s+(?:approve|accept)|in\s+favou?r)"
        rf"(?:\s+(?:of\s+)?{IT})?|{I}\s+vote\s+for\s+{IT}|yes|yea|aye|yep|true",
        rf"reject(?:ed)?|disapprove|(?:{I}\s+)?(?:reject|disapprove(?:\s+of)?|oppose)(?:\s+{IT})?|"
        rf"{I}\s+vote\s+(?:no|reject|to\s+reject)(?:\s+{IT})?|{I}\s+vote\s+against\s+{IT}|no|nay|nope|false",
    ),
    "success": (
        rf"success|succeed|{I}\s+(?:succeed|(?:play|choose|pick|put\s+in|submit|use|vote)\s+(?:a\s+|the\s+|for\s+)?success"
        rf"(?:\s+card)?|(?:choose|vote)\s+to\s+succeed)",
        rf"fail|sabotage|{I}\s+(?:fail|sabotage|(?:play|choose|pick|put\s+in|submit|use|vote)\s+(?:a\s+|the\s+|for\s+)?"
        rf"(?:fail|failure|sabotage)(?:\s+card)?|(?:choose|vote)\s+to\s+(?:fail|sabotage))(?:\s+{QUEST})?",
    ),
    "agree": (
        rf"agreed?|{I}\s+(?:agree(?:\s+with\s+{ACCUSATION})?|vote\s+(?:yes|agree|to\s+agree))|yes|true",
        rf"disagree|{I}\s+(?:disagree(?:\s+with\s+{ACCUSATION})?|vote\s+(?:no|disagree|to\s+disagree))|no|false",
    ),
}
YES_OR_NO = (
    r"yes|true",
    rf"no|false|not\s+now|{I}\s+(?:stay|remain)\s+hidden|I\s+(?:do\s+not|don't)\s+reveal(?:\s+myself)?",
)

SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
NUMBER_WORDS = {word: n for n, word in enumerate(SMALL)} | TENS
NUMBER_WORDS |= {f"{ten}-{one}": n + m for ten, n in TENS.items() for m, one in enumerate(SMALL[1:10], 1)}
NUMBER = rf"(?:[0-9]{{1,9}}|{'|'.join(NUMBER_WORDS)})"
SEAT_WORD = rf"(?:{'|'.join(SMALL[1:13])})"

RESERVED = frozenset(
    "i me my myself we us you your him her he she they them it its that this the a an no not none nobody noone one "
    "anyone anybody everyone everybody someone somebody who whoever whom all any both either neither nor or and but "
    "except never abstain skip pass seat player number yes true false other others same rest team accuse vote for to "
    "against undecided unknown unsure nothing null".split()
) | {name for rules in RULES.values() for name in rules.role_names}
"""Words that no name may hold to be read as a name."""


def action(text: str, request: Request, names: Mapping[int, str]) -> dict[str, Any]:
    """The values that the words state. Words carry one value, and beside it only what is weaker than what they leave
    out: an accusation that is said, or that somebody does not reveal themselves. Raises `Malformed`."""
    first, *more = request.fields
    if not more:
        return {first.name: value(text, first, request, names)}
    if any(item.name == "accuse" for item in more) and isinstance(first, OneSeat):
        accusing = request._replace(kind="accusation", fields=(first,))
        return {first.name: value(text, first, accusing, names), "accuse": True}
    if isinstance(first, Flag) and all(item.optional for item in more) and not value(text, first, request, names):
        return {first.name: False}
    raise Malformed(NO_OBJECT)


def value(text: str, field: Field, request: Request, names: Mapping[int, str]) -> Any:
    """The one value that every sentence of the text states, neutral ones left aside. Raises `Malformed`."""
    table = _Table(request, names)
    found = [_stated(sentence, field, table) for sentence in sentences(text, table)]
    if not found or any(one != found[0] or type(one) is not type(found[0]) for one in found):
        raise Malformed(UNCLEAR)
    return found[0]


def seats_in(text: str, request: Request, names: Mapping[int, str]) -> list[int]:
    """The different seats that a text mentions; none in doubt."""
    try:
        return list(dict.fromkeys(_Table(request, names).seats_of(plainly(text))))
    except Malformed:
        return []


def plainly(text: str) -> str:
    """Text with one form for each sign: full-width ones, quotation marks, emphasis, invisible characters."""
    text = "".join(ch for ch in unicodedata.normalize("NFC", text) if unicodedata.category(ch) != "Cf").translate(SIGNS)
    return re.sub(r"(?<!\w)[*_`]{1,3}|[*_`]{1,3}(?!\w)", "", text)


def sentences(text: str, table: _Table) -> list[str]:
    """The sentences that are not neutral, without their end, openers and labels."""
    text = re.sub(r":\s*\n\s*", ": ", plainly(text).strip())
    found = []
    for sentence in re.split(r"\n+|(?<=[.!;])\s+", text):
        bare = re.sub(r"^#{1,6}\s+", "", " ".join(sentence.split()))
        bare = re.sub(r"(?<![.!;])(?:[.!]|;)$", "", bare)
        bare = re.sub(rf"^(?:{ADDRESS}\s*[,:]\s*)?{OPENER}", "", bare, flags=re.IGNORECASE)
        if bare and not _is(NEUTRAL, bare):
            found.append(_unlabelled(bare, table))
    return found


class _Table:
    """Who is asked for what, and how a text can name a seat."""

    def __init__(self, request: Request, names: Mapping[int, str]) -> None:
        self.request, self.own = request, request.seat
        folded = {seat: " ".join(plainly(name).casefold().split()) for seat, name in names.items()}
        taken = list(folded.values())
        self.names = {
            name: seat
            for seat, name in folded.items()
            if taken.count(name) == 1
            and not re.fullmatch(r"[\W_]*p?[\W_]*[0-9]*[\W_]*", name)
            and not RESERVED & set(re.findall(r"\w+", name))
        }
        # A name such as "Agent 4" makes a bare 4 another seat's.
        self.taken = {
            int(n) for seat, name in folded.items() for n in re.findall(r"[0-9]{1,9}", name) if int(n) != seat
        }
        known = sorted(self.names, key=len, reverse=True)
        spoken = "|".join(re.sub(r"(?:\\ )+", r"\\s+", re.escape(name)) for name in known)
        number = rf"(?:(?:seat|player)\s*(?:number\s+|#\s*)?(?:[0-9]{{1,2}}|{SEAT_WORD})|[p#]?[0-9]{{1,2}})"
        one = rf"(?:{number}|{spoken})" if spoken else number
        self.seat = rf"(?:{one}(?:\s*\(\s*{one}\s*\))?)"
        own = rf"(?:{self.seat}|me|myself)"
        self.some = rf"(?:(?:seats|players)\s+)?{own}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*){own})*"

    def seat_of(self, said: str) -> int:
        """The seat that this text names. Raises `Malformed` where it may be another one."""
        seats = {self._one(part) for part in re.split(r"[()]", said) if part.strip()}
        if len(seats) != 1:
            raise Malformed(UNCLEAR)
        return seats.pop()

    def _one(self, said: str) -> int:
        said = " ".join(said.casefold().split())
        if said in ("me", "myself"):
            return self.own
        if said in self.names:
            return self.names[said]
        digits = re.search(r"[0-9]{1,2}$", said)
        number = int(digits[0]) if digits else NUMBER_WORDS.get(said.rpartition(" ")[2])
        if number is None or (number in self.taken and not said.startswith("seat")):
            raise Malformed(UNCLEAR)
        return number

    def seats_of(self, said: str) -> list[int]:
        """The seats of a list."""
        said = re.sub(r"^(?:seats|players)\s+", "", said.strip(), flags=re.IGNORECASE)
        found = [m[0] for m in re.finditer(rf"(?<!\w)(?:{self.seat}|me|myself)(?!\w)", said, re.IGNORECASE)]
        return [self.seat_of(one) for one in found]


def _is(pattern: str, text: str) -> re.Match[str] | None:
    return re.fullmatch(pattern, text, re.IGNORECASE)


def _unlabelled(sentence: str, table: _Table) -> str:
    """The sentence without the label that says that it is the answer."""
    known = {item.name for item in table.request.fields} | {table.request.kind}
    words = "|".join(sorted(re.escape(name.replace("_", " ")) for name in known))
    mine = rf"(?:my\s+)?(?:final\s+)?(?:answer|vote|choice|decision|{words})"
    label = rf"(?:{mine}|the\s+(?:final\s+)?answer)(?:\s+is)?\s*[:=]\s*"
    said = r"my\s+(?:final\s+)?(?:answer|vote|choice|decision)\s+(?:is|goes)(?:\s+(?:for|to))?\s+"
    return re.sub(rf"^(?:{label}|{said})", "", sentence, count=1, flags=re.IGNORECASE)


def _stated(said: str, field: Field, table: _Table) -> Any:
    """What a sentence states, whole."""
    if isinstance(field, OneSeat):
        return _seat(said, table)
    if isinstance(field, SomeSeats):
        return _seats(said, field, table)
    if isinstance(field, Flag):
        yes, no = FLAGS.get(field.name, YES_OR_NO)
        return _one_of({True: yes, False: no}, said)
    if isinstance(field, Choice):
        verb = rf"(?:{I}\s+)?(?:(?:choose|pick|select|play|go\s+for)\s+(?:to\s+)?)?"
        return _one_of({option: verb + re.escape(option) for option in field.options}, said)
    if isinstance(field, Number):
        verb = rf"(?:{I}\s+(?:contribute|put\s+in|give|invest|pay|play|choose)\s+)?(?:all\s+of\s+my\s+)?"
        of_all = rf"(?:\s+(?:out\s+)?of\s+my\s+[0-9]{{1,9}}{UNIT}?)?"
        where = r"(?:\s+(?:in)?to\s+the\s+(?:common\s+|public\s+)?(?:pot|pool|fund|good|project))?"
        match = _is(rf"{verb}(?P<n>{NUMBER}){UNIT}?{of_all}{where}", said)
        return _number(match["n"]) if match else _unclear()
    if isinstance(field, Split):
        share, and_then = r"[0-9]{1,3}", r"(?:\s*[,/&]\s*(?:and\s+)?|\s+and\s+)"
        verb = rf"(?:{I}\s+(?:propose|suggest|offer|choose)\s+)?"
        match = _is(rf"{verb}(?P<list>{share}(?:{and_then}{share})+)", said)
        return [int(n) for n in re.findall(r"[0-9]+", match["list"])] if match else _unclear()
    return _unclear()


def _seat(said: str, table: _Table) -> int:
    kind, seat = table.request.kind, rf"(?P<seat>{table.seat})"
    if kind == "accusation":
        forms = [rf"{I}\s+accuse\s+{seat}"]
    else:
        verb = rf"(?:{I}\s+(?:{SEAT_VERBS.get(kind, CHOOSES)})\s+|I\s+am\s+voting\s+for\s+|I'm\s+voting\s+for\s+)"
        forms = [rf"{verb}?{seat}", rf"{verb}{seat}(?:,\s+(?:and\s+)?not\s+(?P<other>{table.seat})|{REASON})"]
    if kind == "assassinate":
        forms += [
            rf"(?:I\s+(?:think|believe|am\s+sure)\s+(?:that\s+)?)?{seat}\s+is\s+Merlin",
            rf"Merlin(?:\s+is|\s*:)\s+{seat}",
        ]
    for form in forms:
        if match := _is(form, said):
            found, other = table.seat_of(match["seat"]), match.groupdict().get("other")
            return _unclear() if other and table.seat_of(other) == found else found
    return _unclear()


def _seats(said: str, field: SomeSeats, table: _Table) -> list[int]:
    size = r"(?:\s+of(?:\s+(?P<size>[0-9]{1,2})(?:\s+(?:people|players|seats))?)?)?"
    team = rf"(?:(?:a|the)\s+(?:team|party){size}(?:\s+(?:with|consisting\s+of))?\s*[:,]?\s*)?"
    verb = rf"(?:{I}\s+(?:{TEAM_VERBS})\s+|my\s+team\s+is\s*:?\s*|(?:my\s+)?team\s*:\s*)?"
    but = rf"(?:,\s+(?:and\s+)?not\s+(?P<other>{table.seat}))?"
    match = _is(rf"{verb}{team}(?P<list>{table.some}){but}", said)
    if not match:
        return _unclear()
    seats = table.seats_of(match["list"])
    if match["other"] and table.seat_of(match["other"]) in seats:
        return _unclear()
    if match["size"] and int(match["size"]) != len(seats):
        return _unclear()
    return sorted(seats)


def _one_of(meanings: Mapping[Any, str], said: str) -> Any:
    found = [meaning for meaning, forms in meanings.items() if _is(rf"(?:{forms})", said)]
    return found[0] if len(found) == 1 else _unclear()


def _number(said: str) -> int:
    return NUMBER_WORDS[said.casefold()] if said.casefold() in NUMBER_WORDS else int(said)


def _unclear() -> Any:
    raise Malformed(UNCLEAR)
