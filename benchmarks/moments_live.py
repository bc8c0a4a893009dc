"""How soon the moments of a match are shown: from its end to its moments on the page of somebody who played.

    python -m benchmarks.moments_live [--matches 40] [--game avalon]

Real parts, SQLite; what is asked in secret takes no time of its own, or a match of SpyGame would last minutes. A
person's moves are a house agent's, asked for here; their page is fetched when the match is over,
which asks for the moments, and once more when these are worked out, as a browser fetches it that is told by a hint.
"""

import argparse
import time
from contextlib import suppress
from typing import Any
from urllib.request import Request, urlopen

from benchmarks.common import begin, below, cookie, rows_of, site

LIVE = (("avalon", "recon", 6), ("undercover", "party", 5), ("chameleon", "party", 5), ("spygame", "party", 6))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=40)
    options.add_argument("--game", choices=[game for game, _preset, _seats in LIVE])
    chosen = options.parse_args()
    tables = [table for table in LIVE if chosen.game in (None, table[0])]
    waits: dict[str, list[float]] = {}
    with site({"DJANGO_SETTINGS_MODULE": "magic_site.settings", "SEALED_SECONDS": ""}) as stack:
        for number in range(chosen.matches):
            game, preset, seats = tables[number % len(tables)]
            found = waits.setdefault(f"{game} {preset}", [])
            found.append(waited(stack, number, game, preset, seats))
            print(f"{game} {preset}, match {number}: {found[-1]:.1f} s", flush=True)
    for name, found in waits.items():
        found.sort()
        print(f"{name}: p50 {below(0.5, found):.1f} s, longest {found[-1]:.1f} s, n = {len(found)}")


def waited(stack: Any, number: int, game: str, preset: str, seats: int) -> float:
    """Play one match to its end; the seconds from there until the page shows its moments."""
    from agents import turns
    from agents.models import AgentProfile, Review
    from games.match import store
    from games.models import Match
    from tests.stack import until

    house = AgentProfile.objects.get(name="house")
    settings = rows_of(game) if game != "avalon" else [{}]
    setting = settings[number % len(settings)]
    match = begin(game, preset, ["me"], ["house"] * (seats - 1), seed=number, setting=setting, pace=0.0)

    def moved() -> bool:
        play = store.load(Match.objects.get(pk=match.pk))
        for request in [one for one in play.state.open.values() if one.seat == 1 and one.waits]:
            decision = turns.decide(play, request, house, play.header.names)
            with suppress(store.IntegrityError):
                store.act(match.pk, 1, request.id, decision.action)
        return play.over

    until(moved, "the match ends", seconds=120)
    began = time.monotonic()
    asked = Request(  # noqa: S310 (our own site)
        f"{stack.base_url}/t/{match.room.code}/", headers={"Cookie": f"magic_person={cookie('me')}"}
    )

    def shown() -> bool:
        return 'class="moments">' in urlopen(asked).read().decode()  # noqa: S310 (our own site)

    shown()  # by which they are asked for
    until(Review.objects.filter(match=match).exists, "the moments are worked out", seconds=120)
    until(shown, "the moments are shown")
    return time.monotonic() - began


if __name__ == "__main__":
    main()
