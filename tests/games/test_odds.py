"""The curve of a match: after the end, how likely a side was to win, move by move."""

import json
import re

import pytest
from django.test import Client

from games.models import Match
from games.registry import RULES
from games.web.review import Curve, Point
from tests.games.matches import dealt, play_on, stored, visitor
from tests.games.test_replay import room
from tests.people import researcher

pytestmark = pytest.mark.django_db

HIDDEN = [rules.name for rules in RULES.values() if rules.sought]
OPEN = [rules.name for rules in RULES.values() if not rules.sought]


def finished(game: str, moves: int | None = None, **settings) -> Match:
    return stored(play_on(dealt(game, *RULES[game].quick), moves), room=room(game, **settings))


def page(client: Client, match: Match, **asked) -> str:
    answer = client.get(f"/m/{match.pk}/", asked)
    assert answer.status_code == 200
    return answer.content.decode()


def points(html: str) -> list[list]:
    found = re.search(r'<script id="odds" type="application/json">(.*?)</script>', html)
    return json.loads(found[1]) if found else []


@pytest.mark.parametrize("game", HIDDEN)
def test_a_replay_has_the_curve_of_its_match_which_ends_as_it_ended(game):
    match = finished(game)
    curve = points(page(visitor("ann"), match))
    won = match.result in RULES[game].part("house.review").WON
    assert curve[-1] == [match.events.count(), float(won)]
    assert all(0 < share < 1 for _seq, share in curve[:-1])
    assert [seq for seq, _share in curve] == sorted({seq for seq, _share in curve})


@pytest.mark.parametrize("game", HIDDEN)
def test_it_is_the_same_for_whoever_looks(game):
    """It follows from what everybody saw and from the deal that the end tells, and from nothing that one seat knew."""
    match = finished(game)
    assert points(page(researcher(), match, **{"as": "all"})) == points(page(visitor("ann"), match))


@pytest.mark.parametrize("game", HIDDEN)
def test_nothing_of_it_is_told_before_the_end(game):
    match = finished(game, moves=1)
    assert match.status == "running"
    for client in (visitor("ann"), researcher()):
        html = page(client, match)
        assert not points(html)
        assert "data-oddsline" not in html


@pytest.mark.parametrize("game", OPEN)
def test_a_game_in_which_nobody_hides_has_none(game):
    assert not points(page(visitor("ann"), finished(game)))


def test_each_figure_stands_in_a_table_and_leads_to_its_moment():
    match = finished("avalon")
    html = page(visitor("ann"), match)
    linked = re.findall(r'as=public&amp;seq=(\d+)"\s+data-seq-link', html[html.index("odds-table") :])
    assert [int(seq) for seq in linked] == [seq for seq, _share in points(html)]
    assert re.search(r'<svg class="odds"[^>]* role="img" aria-label="How likely good was to win, move by move: ', html)


@pytest.mark.parametrize("game", HIDDEN)
def test_researchers_are_shown_where_the_side_of_the_curve_won_or_lost(game):
    match = finished(game)
    words = ["Here it was lost", "Here it was won"]
    won = match.result in RULES[game].part("house.review").WON
    shown = page(researcher(), match)
    assert words[won] in shown and words[not won] not in shown
    assert "Here it was" not in page(visitor("ann"), match)


def curve(*shares: float) -> Curve:
    return Curve([Point(seq, share) for seq, share in enumerate(shares, 1)], "", "", "")


@pytest.mark.parametrize(
    ("shares", "lost_at"),
    [
        ((0.6, 0.4, 0.6, 0.3, 0.2, 0.0), 4),  # below even for good
        ((0.4, 0.3, 0.8, 0.9, 1.0), 3),  # the other side
        ((0.4, 0.35, 0.1, 0.05, 0.0), 3),  # never ahead: the deepest fall
        ((0.7, 0.8, 0.0), 3),
    ],
)
def test_a_match_is_lost_where_the_loser_falls_below_even_for_good(shares, lost_at):
    assert curve(*shares).lost_at == lost_at and curve(*shares).won == (shares[-1] == 1)
