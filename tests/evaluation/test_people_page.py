"""The page "People against agents": how numbers are shown, what stands behind them, and what may be said of them."""

from __future__ import annotations

import html
import re

import pytest
from django.core.cache import cache

from evaluation.counting import boards
from games.match import store
from games.models import Detection
from tests.games.tables import match_at, play_out, room_of

pytestmark = pytest.mark.django_db
ADDRESS = "/numbers/people/"


@pytest.fixture(autouse=True)
def no_numbers_kept():
    cache.clear()


def text(response):
    """What stands on a page, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", html.unescape(response.content.decode())).split())


def guessed(*agents):
    """A match of one person and two agents, after which the person named these seats as agents."""
    match = match_at(room_of(1, agents_named=False))
    play_out(match)
    Detection.objects.create(match=match, seat=1, agents=list(agents))
    return match


def dilemma():
    """The person defects in every round, the two agents never do."""
    match = match_at(room_of(1, "prisoners_dilemma"), {})
    while (play := store.load(match)) and not play.over:
        request = next(iter(play.state.open.values()))
        choice = "defect" if request.seat == 1 else "cooperate"
        assert store.act(match.pk, request.seat, request.id, {"choice": choice}).refusal is None


def test_how_well_agents_were_seen_is_told_in_percent_and_leads_to_what_is_counted(researcher):
    match = guessed(2, 3)
    guessed(2)
    page = researcher.get(ADDRESS)
    assert "all games 75.0% n 4, 2 matches few" in text(page)
    assert "Undercover 75.0%" in text(page)
    links = re.findall(r'href="(/numbers/ours.detection/behind/[^"]*)"', html.unescape(page.content.decode()))
    assert len(links) == 2
    for link in links:
        shown = researcher.get(link)
        assert "What is counted, 1 to 4" in text(shown)
        assert f"/m/{match.pk}/" in shown.content.decode()


def test_while_a_worker_counts_nobody_is_said_not_to_have_been_asked(researcher, monkeypatch):
    guessed(2, 3)
    monkeypatch.setattr(boards, "AT_ONCE", 0)
    page = text(researcher.get(ADDRESS))
    assert "The answers are being counted." in page
    assert "Nobody has been asked" not in page


def test_a_small_exact_p_from_few_matches_is_not_taken_for_a_difference(researcher):
    dilemma()
    row = next(
        row for row in boards.board(boards.Choice()).data["contrasts"]["1"] if row["column"] == "magic.rationality"
    )
    assert row["difference"]["p"] == 1
    assert row["difference"]["exact"] < 0.001
    page = text(researcher.get(ADDRESS))
    assert "There are too few matches to tell them apart. The small exact p treats items" in page
    assert "p whole matches" in page and "exact p single items" in page
    assert "The conclusion rests on p" in page
