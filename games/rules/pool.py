"""Texts that are mostly the same, such as prompts, kept as the lines that they share and those that are new."""

from collections.abc import Iterable, Sequence

Piece = Sequence[int]
"""[text, first line, last line]: some lines of a text of the pool, all counted from 0."""

TELLING = 16
"""A shorter line among new ones is kept with them, although it stands elsewhere too."""


class Pool:
    """The texts of one match, to which new ones are added; none of them ever changes its lines' number."""

    def __init__(self, texts: Iterable[str] = ()):
        self.texts: list[list[str]] = []
        self._where: dict[str, tuple[int, int]] = {}
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Take a text into the pool as it is."""
        lines = text.split("\n")
        for number, line in enumerate(lines):
            self._where.setdefault(line, (len(self.texts), number))
        self.texts.append(lines)

    def put(self, text: str) -> Sequence[Piece]:
        """The pieces that a text is made of; those lines that are in no text yet become a further one."""
        pieces: list[list[int]] = []
        fresh: list[str] = []
        place = len(self.texts)
        for line in text.split("\n") if text else ():
            here, at = (pieces[-1][0], pieces[-1][2] + 1) if pieces else (place, 0)
            if here < place and at < len(self.texts[here]) and self.texts[here][at] == line:
                pieces[-1][2] = at
                continue
            known = self._where.get(line)
            if known is None or (here == place and fresh and len(line) < TELLING):
                if here != place or not pieces:
                    pieces.append([place, len(fresh), len(fresh) - 1])
                pieces[-1][2] += 1
                fresh.append(line)
            else:
                pieces.append([*known, known[1]])
        if fresh:
            self.add("\n".join(fresh))
        return pieces

    def get(self, pieces: Iterable[Piece]) -> str:
        """The text that these pieces make; raises `LookupError` where one is not there."""
        lines: list[str] = []
        for text, first, last in pieces:
            if not (0 <= text < len(self.texts) and 0 <= first <= last < len(self.texts[text])):
                raise LookupError(f"there are no lines {first} to {last} of text {text}")
            lines += self.texts[text][first : last + 1]
        return "\n".join(lines)
