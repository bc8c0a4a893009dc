"""How the words of the network are related, and in which of its five parts each stands.

The parts are those of "Who is Undercover?" (Dong et al. 2024, section 3.2). A file of the network names its ``part``
and may state, beside its categories and facts:

- ``similar_to``: pairs of words which are easily taken for one another, in one of their meanings at least;
- ``is_a``: kinds, each with what is of that kind; ``@category`` stands for all of a category, and what a kind holds of
  another kind is also of this one;
- ``different_from``: pairs of kinds that are set against each other: what is of the one is not of the other.

The first and last hold both ways.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

PARTS = ("similarity_and_difference", "polysemy", "ambiguity", "cultural_and_linguistic", "domain_relevance")


def word_of(sense: str) -> str:
    """The word that is said: "mouse" for "mouse (device)"."""
    return sense.partition(" (")[0]


@dataclass
class Relations:
    """What the files state. similar: (word, other, part) in the files' order; kinds: what is of each kind, by sense;
    parts: those in which each word stands."""

    similar: list[tuple[str, str, str]] = field(default_factory=list)
    kinds: dict[str, list[str]] = field(default_factory=dict)
    opposites: list[tuple[str, str]] = field(default_factory=list)
    parts: dict[str, list[str]] = field(default_factory=dict)

    def take(self, data: Mapping[str, Any]) -> None:
        """Add what one file states. Raises ValueError for a part that there is not."""
        part = data.get("part", PARTS[0])
        if part not in PARTS:
            raise ValueError(f"The word network has no part '{part}'. It has: {', '.join(PARTS)}.")
        self.similar += [(one, other, part) for one, other in data.get("similar_to", ())]
        for kind, names in data.get("is_a", {}).items():
            self.kinds.setdefault(kind, []).extend(names)
        self.opposites += [(one, other) for one, other in data.get("different_from", ())]
        for sense in _all(data.get("categories", {})):
            parts = self.parts.setdefault(word_of(sense), [])
            parts += [part] if part not in parts else []

    def settle(self, categories: Mapping[str, Sequence[str]]) -> None:
        """Put words for categories and kinds within kinds. Raises ValueError where something unknown is named."""
        senses = set(_all(categories))
        named = {word for one, other, _ in self.similar for word in (one, other)}
        if unknown := named - set(self.parts):
            raise ValueError(f"Similar to another are said to be unknown words: {', '.join(sorted(unknown))}.")
        if unknown := {kind for pair in self.opposites for kind in pair} - set(self.kinds):
            raise ValueError(f"Different from another are said to be unknown kinds: {', '.join(sorted(unknown))}.")
        self.kinds = {kind: list(dict.fromkeys(self._of(kind, categories, ()))) for kind in self.kinds}
        if unknown := set(_all(self.kinds)) - senses:
            raise ValueError(f"Of some kind are said to be unknown words: {', '.join(sorted(unknown))}.")

    def _of(self, kind: str, categories: Mapping[str, Sequence[str]], within: tuple[str, ...]) -> Iterable[str]:
        if kind in within:
            raise ValueError(f"'{kind}' is said to be a kind of itself.")
        for name in self.kinds[kind]:
            if name[0] == "@":
                yield from categories.get(name[1:], (name,))
            elif name in self.kinds and name != kind:
                yield from self._of(name, categories, (*within, kind))
            else:
                yield name

    def is_a(self, word: str) -> list[str]:
        """The kinds of a word, in any of its meanings."""
        return [kind for kind, senses in self.kinds.items() if word in map(word_of, senses)]

    def similar_to(self, word: str) -> list[str]:
        """The words which are easily taken for this one."""
        linked = [other if one == word else one for one, other, _ in self.similar if word in (one, other)]
        return list(dict.fromkeys(linked))

    def different_from(self, word: str) -> list[str]:
        """The words of the kinds that are set against a kind of this one, in any of their meanings."""
        found: dict[str, None] = {}
        for one, other in self.opposites:
            for kind, against in ((one, other), (other, one)):
                if word in map(word_of, self.kinds[kind]):
                    found |= dict.fromkeys(map(word_of, self.kinds[against]))
        found.pop(word, None)
        return list(found)


def _all(groups: Mapping[str, Iterable[str]]) -> Iterable[str]:
    return (name for names in groups.values() for name in names)
