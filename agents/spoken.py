"""What a reply wants the table to hear: without labels, carriers and private parts, and no refusal to play."""

import re
import unicodedata

from agents.private import UnclearError, marked, parts
from agents.prose import plainly
from games.registry import RULES
from games.rules.fields import Malformed, Text
from games.rules.guesses import named
from games.rules.values import Request

UNCLEAR_PART = (
    "It is not clear which part of your reply is to be said. Reply with the words to be said and nothing else."
)
NO_ANSWER = "That is no answer. Say something that counts, as a player would."
MANY_ANSWERS = "Give one answer and nothing else."

CANNOT = r"(?:can't|cannot|can not|could not|couldn't|won't|will not|(?:am |'m )?(?:unable|not able)|must decline)"
TO_PLAY = (
    r"(?: to)?(?: (?:help|assist|comply|continue|participate|provide|fulfil|fulfill|do (?:that|this|so)|engage|create|"
    r"generate|answer that|discuss|play|with (?:that|this))\b(?! but\b)|\W*$)"
)
REFUSAL = re.compile(
    rf"\bas an? (?:ai|artificial intelligence|(?:large )?language model|virtual assistant)\b|\blanguage model\b|"
    rf"^\W*(?:(?:(?:i'm|i am) )?(?:so |very |really )?sorry|i apologi[sz]e|unfortunately|my apologies)?\W*(?:but )?"
    rf"\bi(?:'m)? ?{CANNOT}{TO_PLAY}",
    re.IGNORECASE,
)
THE_ANSWER = (
    r"(?: to)?(?: (?:say|tell|answer|guess|play|comply|help|assist|engage|participate|take part|"
    r"(?:give|name|offer|share|provide)\b.*|do (?:it|that|this|so)))?\W*$"
)
NOT_NOW = re.compile(
    "|".join(
        (
            rf"^\W*(?:(?:i'm|i am) )?(?:so |very |really )?sorry\b(?:\W*$|.*\b(?:{CANNOT}|no)\b)",
            r"^\W*(?:my )?apologies\W+(?:but|i)\b",
            rf"^\W*(?:i(?:'m| am) afraid (?:that )?)?(?:i )?(?:{CANNOT}|unable){THE_ANSWER}",
            rf"^\W*i(?:'m| am) afraid (?:that )?i {CANNOT}\b",
            r"^\W*i(?:'ll| will| must|'d| would)? (?:refuse|decline|abstain|skip|pass|(?:rather|prefer) not)"
            rf"{THE_ANSWER}",
            r"^\W*i (?:have (?:no|nothing)|(?:do not|don't) have (?:an?|any))(?: (?:answer|clue|guess|word|idea))?"
            r"(?: to (?:say|add|give))?\W*$",
            r"\b(?:against|violates?) (?:my|our) (?:guidelines|polic(?:y|ies)|principles)\b",
            r"^\W*(?:(?:this|your|the) )?request (?:is |was |has been )?(?:denied|refused|rejected|inappropriate)\b",
            r"^\W*i(?:'m| am) (?:just|only) an ai\b",
        )
    ),
    re.IGNORECASE | re.DOTALL,
)
"""No clue and no guess, though somebody may say so in talk."""

NOTHING_SAID = frozenset({"", "none", "na", "n a", "null", "nil", "undefined", "no answer", "not applicable", "empty"})
NO_CLUE = NOTHING_SAID | frozenset(
    "no clue|no guess|no idea|i have no idea|i do not know|i don t know|idk|i m not sure|not sure|i am not sure|unsure|"
    "unknown|pass|i pass|skip|nothing|no comment|i have no clue|i give up|i cannot guess|i can t guess|no word|"
    "abstain|nothing to say|nothing to add|tbd|your clue|your guess|clue here|guess here".split("|")
)
"""What is no clue and no guess, though it may answer a question."""

STRANGERS = ("outsider", "imposter", "impostor")
"""What models call an odd one, whatever the game."""

PRIVATE_LABEL = (
    r"(?:(?:my|inner|internal|private|secret|hidden)\s+)*(?:thoughts?|thinking|think|thought\s+process|reasoning|"
    r"reasons?|rationale|analysis|private|internal|inner\s+voice|monologue|notes?(?:\s+to\s+self)?|plan|strategy|"
    r"scratchpad|reflection|observations?|step\s+[0-9]+|role|word|identity|explanation|justification|intention|goal|aside)"
)
ROLES = f"(?:{'|'.join([*(name for rules in RULES.values() for name in rules.role_names), *STRANGERS])})"
I_MAY = (
    r"\bi(?:'ll| will| should| must| need to| have to| want to| am going to|'m going to| could| might|'d better)? "
    r"(?:just |only |better |now |try to )?"
)
ASIDE = re.compile(
    rf"\bas (?:the |an? )?{ROLES}\b|\bi(?:'m| am)(?: the| an?| actually| secretly| really)* {ROLES}\b|"
    r"\bmy (?:own |secret )?(?:role|word|identity|team-?mates?|fellow|ally|allies|goal|aim|plan|strategy|cover|clue|"
    rf"instructions?|speech|answer)\b|{I_MAY}(?:say|pretend|bluff|blend|hide|avoid|deflect|act|lie|mislead|deceive|steer|"
    r"respond|reply|hint|stay|keep|describe|sound|seem|appear|cast doubt)\b|"
    r"\b(?:best|better|safer|safest) to\b|"
    r"\b(?:should be|must be|need to be|keep it|stay) (?:safe|vague|subtle|general|quiet)\b|"
    r"\blet(?:'s| me) (?:think|see|say|start|go|try|be|keep|give|pick)\b|"
    r"\bthe (?:user|prompt|system|moderator|instructions?)\b|\bjson\b|\bsecretly\b|\bblend in\b|"
    r"\bwithout (?:revealing|giving|naming|saying)\b|^\W*(?:okay|ok|hmm+|wait|alright)\b|"
    r"\bsuspicion (?:off|away|from)\b|[(\[*]\s*(?:thinks?|thinking|aside|whispers?|to (?:my|him|her)self|private\w*)\b|"
    r"\b(?:they|others|everyone|everybody|nobody)\b[^.]{0,20}\b(?:think|know|suspect|notice)",
    re.IGNORECASE,
)
"""What somebody says to themselves, not to others."""

CLUE_ASIDE = re.compile(
    rf"\b(?:{ROLES}|roles?|words?|clues?|hints?|describ\w+|players?|seats?|opponents?|suspects?|votes?|bluff|they|"
    r"vague|obvious|generic|subtle|both|fits?|should|must|i think|i guess|i need|i will|i'll|game|others|maybe|perhaps|"
    r"so|therefore|because)\b|"
    r"[;:()\[\]{}]|"
    r"[.!?]\s+\S",
    re.IGNORECASE,
)
ONE_SENTENCE = re.compile(r"[.!?;]\s+\S|[()\[\]{}\"]|\u2026|\.\.\.")
"""What no single sentence holds. Two of them without a label may be a thought and what is to be said."""

SEVERAL = re.compile(
    r"\b(?:or|not|nor|neither|either|maybe|perhaps|but|because|since|if|unless|instead|than|i|think|guess|know|sure|"
    r"word|is)\b|n't\b|[/;:,?()\[\]{}\n]|[.!]\s+\S",
    re.IGNORECASE,
)
CARRIER = re.compile(
    r"(?:my|the)\s+(?:clue|answer|statement|words?)\s+(?:is|would\s+be|will\s+be)\s*(?::\s*|(?=[\"\u201c]))",
    re.IGNORECASE,
)
OPENING_QUOTES, CLOSING_QUOTES = "\"'\u201c\u2018\u00ab`", "\"'\u201d\u2019\u00bb`"


def from_prose(text: str, field: Text, request: Request) -> tuple[str, str]:
    """The words to be said in a reply without structure, and what stood before them. Raises `Malformed`."""
    labels = _labels(text, field, request)
    before, said = "", text
    if labels:
        first, last = labels[0], labels[-1]
        before, said = text[: last.start()].strip(), text[last.end() :]
        on_a_line = not before or "\n" in text[last.start() - 1 : last.end()]
        after_private = first["private"] is not None and not text[: first.start()].strip()
        many = any(label["private"] is None for label in labels[:-1])
        if last["private"] or many or not (on_a_line or after_private):
            raise Malformed(UNCLEAR_PART)
    said = said.strip(" \t\n*_")
    carried = CARRIER.match(said)
    whole = unquoted(said[carried.end() if carried else 0 :])
    if re.search(r"\n\s*\S", whole):
        raise Malformed(UNCLEAR_PART)
    plain = plainly(whole)
    if is_guess(field, request):
        whole = re.sub(r"^(?:an?|the)\s+", "", unquoted(named(whole).strip(" .!")), flags=re.IGNORECASE)
        if SEVERAL.search(plainly(whole)):
            raise Malformed(MANY_ANSWERS)
    elif (
        (not labels and ONE_SENTENCE.search(plain))
        or ASIDE.search(plain)
        or (request.kind == "clue" and CLUE_ASIDE.search(plain.strip(" .!?")))
    ):
        raise Malformed(UNCLEAR_PART)
    return whole, before


def checked(said: str, field: Text, request: Request) -> tuple[str, str]:
    """Words as the table may hear them, and what of them is private. Raises `Malformed` where they are no answer or
    where that cannot be told."""
    try:
        split = parts(said)
    except UnclearError:
        raise Malformed(UNCLEAR_PART) from None
    words, thought = split.public, split.thought
    if any(label["private"] for label in _labels(words, field, request)):
        words, before = from_prose(words, field, request)
        thought = "\n\n".join(piece for piece in (thought, before) if piece)
    if marked(words):
        raise Malformed(UNCLEAR_PART)
    short = request.kind == "clue" or is_guess(field, request)
    if is_guess(field, request):
        words = unquoted(named(words))
        if re.search(r"\bor\b|\?", words, re.IGNORECASE):
            raise Malformed(MANY_ANSWERS)
    if _says_nothing(words, NO_CLUE if short else NOTHING_SAID):
        if not field.optional:
            raise Malformed(NO_ANSWER)
        words = ""
    if REFUSAL.search(plainly(words)) or (short and NOT_NOW.search(plainly(words))):
        raise Malformed(NO_ANSWER)
    return words, thought


def is_guess(field: Text, request: Request) -> bool:
    """Whether these words are to name one thing."""
    return field.name == "guess" or request.kind == "guess"


def unquoted(said: str) -> str:
    """Without one pair of quotation marks around all of it."""
    said = said.strip()
    if len(said) > 1 and said[0] in OPENING_QUOTES and said[-1] == CLOSING_QUOTES[OPENING_QUOTES.index(said[0])]:
        inner = said[1:-1]
        if said[0] not in inner and said[-1] not in inner:
            return inner.strip()
    return said


def _says_nothing(words: str, known: frozenset[str]) -> bool:
    """Whether they are one of these; a picture is not."""
    pictures = any(unicodedata.category(ch).startswith("S") for ch in words)
    return not pictures and " ".join(re.findall(r"\w+", words.casefold())) in known


def _labels(text: str, field: Text, request: Request) -> list[re.Match[str]]:
    """The labels in a reply, at the start of a line or a sentence."""
    usual = ("answer", "clue", "statement", "speech", "public", "response", "guess", "say", "reply")
    names = "|".join(map(re.escape, sorted({field.name, request.kind, *usual})))
    label = rf"(?:(?P<private>{PRIVATE_LABEL})|(?:my\s+)?(?:final\s+|public\s+)?(?:{names}))[*_]*\s*:[*_]*[ \t]*"
    return list(re.finditer(rf"(?:^|(?<=[.!?\n])|(?<=[.!?]\s))[\s*_>#(\[-]{{0,12}}{label}", text, re.IGNORECASE))
