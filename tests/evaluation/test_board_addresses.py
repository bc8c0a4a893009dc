"""Pages of numbers: who may see them, what they say before much is played, and whatever their addresses ask for."""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache

from evaluation import kinds
from evaluation.competitions import running
from evaluation.counting import boards
from evaluation.suites import Entry
from evaluation.tables import papers
from evaluation.tables.published import TABLES as PUBLISHED
from games.jobs import jobs
from magic_site.parts import site_parts

pytestmark = pytest.mark.django_db
PAGES = [
    "/numbers/",
    "/numbers/points/",
    "/numbers/wiu/",
    "/numbers/spygame/",
    "/numbers/recon/",
    "/numbers/people/",
    "/numbers/ratings/",
]


@pytest.fixture(autouse=True)
def given_out(fixtures, workers):
    cache.clear()
    return workers.bouts


def text(response):
    """A page in one line, however its template is laid out."""
    return " ".join(html.unescape(response.content.decode()).split())


def test_only_researchers_see_numbers(client):
    for address in [*PAGES, "/numbers/recon/behind/?column=recon.success&row=1", "/numbers/recon/download.csv"]:
        assert client.get(address).status_code == 302
    client.force_login(User.objects.create_user("bob", password="b"))
    assert {client.get(address).status_code for address in PAGES} == {403}


@pytest.mark.parametrize("address", PAGES)
def test_a_page_without_matches_shows_the_published_rows_and_says_so(researcher, address):
    page = text(researcher.get(address))
    assert "being counted" not in page
    if address == "/numbers/people/":
        assert "Nobody has been asked yet." in page
    elif address == "/numbers/ratings/":
        assert "There is no match between different players yet." in page
    else:
        assert "published" in page and "From 0 matches." in page


def test_ratings_stand_by_game_and_role_for_those_who_met(researcher, given_out):
    competition = running.make("Spies", "spygame", Entry(("house",), take=4))
    running.start(competition)
    for key in given_out:
        jobs.work(key)
    page = text(researcher.get("/numbers/ratings/"))
    assert "SpyGame, spy" in page
    assert "SpyGame, citizen" in page
    assert "house-weak" in page
    rows = boards.board(boards.Choice()).data["ratings"]
    assert {(row["who"], row["role"]) for row in rows} == {("house", "spy"), ("house-weak", "citizen")}
    assert {row["matches"] for row in rows} == {2}, "against itself the house agent is not rated"


def test_every_note_on_what_a_paper_prints_stands_beside_its_rows(researcher):
    shown = {name: spec.printed for spec in papers.SPECS.values() for name in [spec.name]}
    noted = {name for name, table in PUBLISHED.items() if table.note}
    assert noted <= {name for printed in shown.values() for name in printed}, "a note that no page shows"
    seen = set()
    for address in PAGES[:5]:
        for table in researcher.get(address).context["tables"]:
            notes = {note: mark for mark, note in table["footnotes"]}
            for name in shown[table["name"]]:
                printed = PUBLISHED[name]
                for row in table["rows"]:
                    if printed.note and row["name"].split(" · ")[-1] in printed.rows and row["source"] == printed.paper:
                        assert notes[printed.note] in row["marks"] or " · " in row["name"]
                        seen.add(printed.note)
        page = text(researcher.get(address))
        assert all(f"</sup> Published: {note}" in page for note in notes)
    assert seen == {PUBLISHED[name].note for name in noted}


def test_rows_are_sorted_by_the_address(researcher):
    rates = [
        [row["cells"][0]["value"] for row in researcher.get(f"/numbers/?sort={sort}").context["tables"][0]["rows"]]
        for sort in ("-magic.win_rate", "magic.win_rate")
    ]
    assert rates[0] == rates[1][::-1]
    assert rates[0][0] == "63.5%"


@pytest.mark.parametrize("query", ["", "column=magic.nothing&row=1", "column=magic.cooperation&row={"])
def test_odd_requests_for_what_is_behind_are_not_found(researcher, query):
    assert researcher.get(f"/numbers/game_theory/behind/?{query}").status_code == 404


def test_tables_are_counted_on_a_queue_of_their_own_by_one_thread(tmp_path):
    parts = {part.name: part.command for part in site_parts({}, "127.0.0.1", 1, tmp_path)}
    assert {"--queues=counts", "--concurrency=1"} <= set(parts["counts"])
    others = [command for name, command in parts.items() if name != "counts"]
    assert not any("counts" in word for command in others for word in command if word.startswith("--queues"))
    assert kinds.COUNTS == "counts" != kinds.BOUTS


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_first_and_the_last_day_there_are_may_be_asked_for(researcher, address, day):
    assert researcher.get(address, {"since": day, "until": day}).status_code == 200


def test_an_address_behind_a_number_that_makes_no_sense_is_no_page_or_the_first_one(researcher):
    address, column = "/numbers/wiu.civilian/behind/", papers.SPECS["wiu.civilian"].columns[0]
    for row in ("[" * 5000, r'"\ud800"', r'["\ud800", 1]'):
        assert researcher.get(address, {"column": column, "row": row}).status_code == 404
    for name in ("suite", "game", "role"):
        assert researcher.get("/numbers/", {name: "a\0b"}).status_code == 200
    for since in ("9" * 30, "9" * 5000, "-1", "x"):
        assert researcher.get(address, {"column": column, "row": '"house"', "from": since}).status_code == 200


@pytest.mark.parametrize(("sort", "sign", "order"), [("-", "▼", "descending"), ("", "▲", "ascending")])
def test_the_column_by_which_a_table_is_sorted_shows_it_and_the_direction(researcher, sort, sign, order):
    page = text(researcher.get(f"/numbers/wiu/?sort={sort}wiu.victory"))
    heads = re.findall(r"<th [^>]*aria-sort.*?</th>", page)
    assert len(heads) == len(re.findall("[▼▲]", page)) == 3, "one in each table that has the column"
    for head in heads:
        assert f'aria-sort="{order}"' in head and "Victory rate" in head and sign in head


def test_a_bar_chart_says_which_column_it_draws_on_the_page_and_in_the_picture(researcher):
    assert "The picture shows the column “Survival (SR@1)”" in text(researcher.get("/numbers/wiu/"))
    picture = ElementTree.fromstring(researcher.get("/numbers/wiu.civilian/download.svg").content)  # noqa: S314 (our own)
    drawn = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert "Who is Undercover?, civilians: Survival (SR@1)" in drawn


@pytest.mark.parametrize("address", PAGES[:5])
def test_each_table_says_which_matches_it_counts(researcher, address):
    response = researcher.get(address)
    for table in response.context["tables"]:
        assert table["counts"] in text(response)
    if address == "/numbers/recon/":
        assert "those with the preset “official” are not" in text(response)


def test_a_match_of_ones_own_competition_counts_where_the_page_says_so(researcher, given_out):
    more = {"game": "prisoners_dilemma", "preset": "magic"}
    running.start(running.make("Mine", "own", Entry(("house",), matches=1, more=more)))
    jobs.work(given_out[0])
    page = text(researcher.get("/numbers/"))
    assert "of competitions of one’s own and of tables. Choose a suite to see it alone. From 1 match." in page
    assert "From 0 matches." in text(researcher.get("/numbers/?suite=magic"))


def test_a_weighted_sum_says_under_its_table_how_far_it_may_reach(researcher):
    page = text(researcher.get("/numbers/"))
    for title, most in (("Deception (M1)", "125%"), ("Self-awareness (M2)", "160%")):
        note = re.search(rf"<li> ?\* <b>{re.escape(title)}</b>: (.*?)</li>", page)
        assert note and f"it may reach {most}." in note[1]
    assert len(re.findall("it may reach", page)) == 2
    assert re.search(r"<li> ?° <b>Deception</b>: .*our reading", page)


def test_a_row_that_lacks_an_ability_takes_no_place_in_the_radar(researcher, given_out):
    more = {"game": "prisoners_dilemma", "preset": "magic"}
    running.start(running.make("Mine", "own", Entry(("house",), matches=1, more=more)))
    jobs.work(given_out[0])
    picture = researcher.get("/numbers/leaderboard.m1/download.svg").content.decode()
    assert "House agent" not in picture
    assert len(re.findall('class="s[1-8]"', picture)) == 5
