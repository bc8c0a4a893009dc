"""A match that was declared void counts nowhere: no page of numbers and nothing that is kept for them knows of it."""

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from evaluation.counting import boards, stored, sums
from evaluation.models import MatchSums
from evaluation.web import urls
from evaluation.web.pages.boards import PAGES
from games.match import store
from games.models import Detection, Match, Notebook
from tests.games.matches import dealt, play_on
from tests.games.matches import stored as kept

pytestmark = pytest.mark.django_db

CHOICES = [boards.Choice(seats=seats, models=models) for seats in ("", "all") for models in ("", "apart")]


GAMES = (("undercover", "wiu"), ("chameleon", "party"))


def numbers() -> list:
    """All that can be counted, whatever it is counted for and however matches are read."""
    cache.clear()
    return [boards.counted(choice, part)[0] for choice in CHOICES for part in ((), boards.CALIBRATION)]


def pages(browser: Client) -> dict[str, str]:
    """Every page of numbers that has an address of its own."""
    found = [reverse(f"evaluation:{one.name}") for one in urls.urlpatterns if str(one.pattern).startswith("numbers/")
             and "<" not in str(one.pattern)]  # fmt: skip
    found += [reverse("evaluation:board", args=[name]) for name in PAGES]
    cache.clear()
    shown = {page: browser.get(page, follow=True).content.decode() for page in found}
    return {page: re.sub(r'\w{64}|data-look="\d+"', "", text) for page, text in shown.items()}


def played(game: str, preset: str, seed: int, moves: int | None = None) -> Match:
    match = kept(play_on(dealt(game, preset, 5, seed=seed), moves))
    Detection.objects.create(match=match, seat=1, agents=[3])
    Notebook.objects.create(match=match, seat=1, marks=[[5, 2, "doubt"], [9, 3, "trust"]])
    return match


def test_a_void_match_counts_in_no_number_and_on_no_page(researcher):
    for game, preset in GAMES:
        played(game, preset, 1)
    before, shown = numbers(), pages(researcher)
    running = [played(game, preset, 2, moves=12) for game, preset in GAMES]
    for match in running:
        store.end(match.pk, "abandoned", "Tea.")
    assert numbers() != before
    for match in running:
        match.delete()
    for seed, (game, preset) in enumerate(GAMES, 3):
        match = played(game, preset, seed, moves=12)
        store.end(match.pk, "void", "Tea.")
        assert not MatchSums.objects.filter(match=match).exists()
    assert numbers() == before
    assert pages(researcher) == shown
    assert not MatchSums.objects.filter(match__status="void").exists()


def test_no_record_is_made_of_a_void_match():
    match = played("undercover", "wiu", 1, moves=9)
    store.end(match.pk, "void", "Tea.")
    assert list(stored.records(Match.objects.all())) == []
    assert not Match.objects.originals().exists()
    assert sums.recount() == (0, 0)
