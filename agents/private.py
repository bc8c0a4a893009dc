"""What of a reply is private: reasoning that a mark sets apart, cut off from what is said.

Known marks are tags (<think>, [THINK], <|START_THINKING|> ...), channels and fields of an object. Where a mark does not
tell both of its ends, nobody can tell which words were meant for others: `UnclearError`.
"""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any


class UnclearError(ValueError):
    """The private part of a reply cannot be told from its public words."""


@dataclass(frozen=True)
class Parts:
    """A reply in two: what is said, and what is not."""

    public: str
    thought: str = ""


_NAME = (
    r"(?:\w+:)?(?:think(?:ing)?|thoughts?|thought_process|reason(?:ing)?|analysis|reflect(?:ion)?|scratch_?pad|"
    r"(?:inner_|internal_)?monologue|internal|(?:inner_|internal_)thoughts?|private|chain_of_thought|cot|deliberation|"
    r"plan(?:ning)?)"
)
_TAG = re.compile(
    rf"<\|(?:(?P<begin>begin_of_|start_)|end_(?:of_)?)(?P<special>{_NAME})\|>|"
    rf"(?:<\|?|\[|\u25c1|&lt;)\s*(?P<close>/\s*)?(?P<name>{_NAME})(?:\s[^<>\]\n]{{0,80}})?(?:\|?>|\]|\u25b7|&gt;)",
    re.IGNORECASE,
)
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)\s*(?:<\|constrain\|>\s*\w+\s*)?<\|message\|>", re.IGNORECASE)
_SPECIAL = re.compile(r"<\|start\|>assistant|<\|(?:start|end|return)\|>", re.IGNORECASE)
_BARE_CHANNELS = re.compile(r"\s*analysis(?P<thought>.*)assistant\s*final(?P<public>.*)", re.DOTALL)
_WRAPPED = re.compile(
    r"<(answer|final|final_answer|response|output|reply)>(?P<words>.*)</\1>|"
    r"<\|(?:begin_of_|start_)(solution|response)\|>(?P<marked>.*)<\|end_(?:of_)?\3\|>",
    re.IGNORECASE | re.DOTALL,
)
_END = re.compile(r"\s*(?:<\|(?:im_end|eot_id|end|return|endoftext|end_of_text)\|>|</s>)\s*$", re.IGNORECASE)
_MARK = re.compile(
    rf"<\||\|>|<!--|</?(?!said\b)[a-z]|{_TAG.pattern}|"
    rf"[<\[{{](?:\W|_)*(?:{_NAME}|\u601d\u8003)(?:\W|_)*[>\]}}]|(?<!\w)/\s*{_NAME}\b|"
    r"(?:\\u003c|%3c)\W*[a-z]|assistant\s*(?:analysis|commentary|final)|\bdone thinking\b",
    re.IGNORECASE,
)
_BRACKETS = {"Ps": "[", "Pi": "[", "Pe": "]", "Pf": "]"}

_FIELD = re.compile(
    r"(?:(?:my|inner|internal|private|hidden)_?)*(?:reasoning(?:_\w+)?|thoughts?|thought_process|think(?:ing)?|analysis|"
    r"chain_of_thought|cot|scratch_?pad|monologue|rationale|reflection)",
    re.IGNORECASE,
)


def parts(reply: str) -> Parts:
    """A reply without the reasoning that its marks cut off. Raises `UnclearError`."""
    if "<|channel|>" in reply:
        return _by_channel(reply)
    if bare := _BARE_CHANNELS.fullmatch(reply):
        return Parts(bare["public"].strip(), bare["thought"].strip())
    reply = _END.sub("", reply)
    public: list[str] = []
    thoughts: list[str] = []
    inside: list[str] = []
    start = 0
    for tag in _TAG.finditer(reply):
        name = (tag["special"] or tag["name"]).casefold()
        if tag["begin"] or (tag["name"] and not tag["close"]):
            if not inside:
                public.append(reply[start : tag.start()])
                start = tag.end()
            inside.append(name)
        elif inside:
            if inside.pop() != name:
                raise UnclearError
            if not inside:
                thoughts.append(reply[start : tag.start()])
                start = tag.end()
        elif thoughts:
            raise UnclearError
        else:  # the opening tag stood at the end of the prompt
            thoughts.append(reply[: tag.start()])
            start = tag.end()
    said = [piece.strip() for piece in (*public, reply[start:]) if piece.strip()]
    if inside or len(said) > 1:
        raise UnclearError
    words = said[0] if said else ""
    if wrapped := _WRAPPED.fullmatch(words):
        words = (wrapped["words"] or wrapped["marked"] or "").strip()
    return Parts(words, _joined(thoughts))


def _by_channel(reply: str) -> Parts:
    """What the last channel says, if it is the final one and the only such; every other channel is private."""
    marks = list(_CHANNEL.finditer(reply))
    ends = [*(mark.start() for mark in marks[1:]), len(reply)]
    said = [_SPECIAL.sub("", reply[mark.end() : end]).strip() for mark, end in zip(marks, ends, strict=True)]
    channels = [mark[1].casefold() for mark in marks]
    before = _SPECIAL.sub("", reply[: marks[0].start()]).strip() if marks else reply
    if before or channels.count("final") != 1 or channels[-1] != "final":
        raise UnclearError
    return Parts(said[-1], _joined(said[:-1]))


def marked(words: str) -> bool:
    """Whether a mark of any kind stands in these words, one that nobody knows among them, in whatever brackets."""
    plain = unicodedata.normalize("NFKC", words)
    square = "".join(ch if ch in "(){}" else _BRACKETS.get(unicodedata.category(ch), ch) for ch in plain)
    return _MARK.search(plain) is not None or _MARK.search(square) is not None


def take_fields(found: dict[str, Any], known: Collection[str]) -> str:
    """Take the fields of reasoning out of an object; returns what they say."""
    private = [name for name in found if name not in known and _FIELD.fullmatch(name)]
    return _joined([str(found.pop(name) or "") for name in private])


def _joined(pieces: list[str]) -> str:
    return "\n\n".join(piece.strip() for piece in pieces if piece.strip())
