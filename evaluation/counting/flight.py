"""Single flight: of one piece of work one run at a time, whichever process asks for it. That somebody asks while it
runs is noted, and it is run once more at the end."""

from dataclasses import dataclass

from django.core.cache import cache

LONGEST = 600
"""Seconds after which a run that nobody ended is given up for dead."""


@dataclass(frozen=True)
class Flight:
    """A piece of work by its name."""

    name: str

    def take(self) -> bool:
        """Take the work on, or note that it is wanted once more by whoever has it; says whether it was free."""
        free = cache.add(self._taken, 1, LONGEST)
        if not free:
            cache.set(self._wanted, 1, LONGEST)
        return free

    def hold(self) -> None:
        """Go on for `LONGEST` from now, and forget who asked until now."""
        cache.set(self._taken, 1, LONGEST)
        cache.delete(self._wanted)

    def wanted(self) -> bool:
        """Whether somebody asked while it ran; asked for once."""
        return cache.delete(self._wanted)

    def end(self) -> None:
        """Let others take it."""
        cache.delete(self._taken)

    @property
    def _taken(self) -> str:
        return f"flight:{self.name}"

    @property
    def _wanted(self) -> str:
        return f"flight-wanted:{self.name}"
