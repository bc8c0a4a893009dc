"""Pages of numbers: who may see them, what stands on them, and that every number leads to the events behind it."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from xml.etree import ElementTree

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.urls import reverse

from agents.models import AgentProfile
from evaluation.competitions import running
from evaluation.counting import boards
from evaluation.metrics import METRICS, Combined
from evaluation.metrics.magic import ROLES
from evaluation.models import Competition
from evaluation.suites import Entry
from evaluation.tables import papers
from evaluation.tables.statistics import FEWEST
from games.jobs import jobs
from games.models import Detection, Job, Match
from games.registry import RULES
from tests.kept import kept
from tests.markup import tight
from tests.workers import Workers

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played_once(django_db_setup, django_db_blocker):
    """The key of a part of MAgIC's suite, played by house agents."""
    with kept(django_db_blocker), pytest.MonkeyPatch.context() as patch:
        workers = Workers(patch)
        call_command("load_fixtures", verbosity=0)
        competition = running.make("Part", "magic", Entry(("house",), take=26))
        running.start(competition)
        workers.play()
        yield competition.pk


@pytest.fixture
def played(played_once):
    cache.clear()
    return Competition.objects.get(pk=played_once)


@pytest.fixture
def given_out(workers):
    return workers.bouts


def text(response):
    """A page as if its template had no line breaks beside tags."""
    return re.sub(r"(?<=>)\s*\n\s*|\s*\n\s*(?=<)", "", html.unescape(response.content.decode()))


def test_the_leaderboard_shows_value_interval_and_n_beside_the_published_rows(researcher, played):
    page = text(researcher.get("/numbers/"))
    table = boards.board(boards.Choice()).data["tables"]["leaderboard.m1"]
    own = next(row for row in table["rows"] if not row["source"])
    rate = own["cells"]["magic.win_rate"]
    assert own["label"] == "house"
    assert f"n {rate['n']}, {rate['matches']} matches" in page
    part, least = rate["least"]
    assert f"least, {METRICS[part].title}: {least} matchesfew" in re.sub(r"<[^>]+>", "", page)
    assert "GPT-4+PGM" in page and "published, MAgIC" in page
    assert "<svg" in page


def test_no_number_has_an_interval_from_few_matches_and_each_says_from_how_many_it_comes(played):
    board, ours = boards.board(boards.Choice()).data, 0
    for table in board["tables"].values():
        for row in table["rows"]:
            for name, cell in row["cells"].items():
                if row["source"] or not cell["n"]:
                    continue
                ours += 1
                assert cell["n"] >= cell["matches"] > 0
                assert bool(cell["least"]) == isinstance(METRICS[name], Combined)
                least = cell["least"][1] if cell["least"] else cell["matches"]
                assert least <= cell["matches"]
                assert cell["interval"] is None or least >= FEWEST, name
    assert ours


def test_ones_own_row_says_how_it_was_played_and_whether_the_comparison_holds(researcher, played):
    page = tight(researcher.get("/numbers/"))
    assert 'House agent<br><span class="small">against House agent</span>' in page
    told = re.search(r"<li><b>House agent</b>: ?(.*?)</li>", page)[1]
    assert told.startswith("26 matches in ") and "settings, against House agent." in told
    assert "The comparison with the paper does not hold: The paper’s rows play against GPT-4, these rows" in told
    assert "The paper’s rows have 143 matches each, this one 26. Of the paper’s settings the first" in told
    answer = researcher.get("/numbers/leaderboard.m1/download.csv").content.decode()
    rows = {row["who"]: row for row in csv.DictReader(io.StringIO(answer))}
    assert (rows["house"]["against"], rows["house"]["matches left out"]) == ("house", "0")
    assert rows["GPT-4"]["notes"] == "Against GPT-4 as the defender."


def test_every_number_leads_to_the_events_that_it_counts(researcher, played):
    page = text(researcher.get("/numbers/points/"))
    links = re.findall(r'href="(/numbers/[^"]*behind/[^"]*)"', page)
    assert links
    for link in links:
        shown = text(researcher.get(link))
        assert "/m/" in shown
        assert "Nothing is counted here." not in shown


def test_what_is_counted_adds_up_to_the_number(played):
    table = boards.board(boards.Choice()).data["tables"]["game_theory"]
    own = next(row for row in table["rows"] if not row["source"])
    for column in ("magic.cooperation", "magic.score"):
        seen = list(boards.behind(boards.Choice(), "game_theory", own["key"], column))
        assert len(seen) >= own["cells"][column]["n"] > 0
        total, weight = sum(s.item.value for s in seen), sum(s.item.weight for s in seen)
        assert total / weight == pytest.approx(own["cells"][column]["value"])


def test_matches_are_chosen_by_the_address(researcher, played):
    def records(query):
        return researcher.get(f"/numbers/?{query}").context["tables"][0]["records"]

    assert records("") == records(f"competition={played.pk}") == records("suite=magic") == 26
    assert records("suite=wiu") == records("until=2020-01-01") == records("since=2999-01-01") == 0
    assert 0 < records("game=chameleon") < 26
    assert 0 < records("game=chameleon&role=chameleon") < records("game=chameleon")
    assert records("competition=nonsense&since=yesterday") == 26


def test_a_table_is_downloaded_as_csv_and_its_picture_as_svg(researcher, played):
    answer = researcher.get("/numbers/leaderboard.m1/download.csv")
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[0][:3] == ["who", "source", "magic.win_rate"]
    assert any(row[0] == "house" and row[1] == "" for row in rows)
    assert "attachment" in answer["Content-Disposition"]
    picture = researcher.get("/numbers/leaderboard.m1/download.svg")
    assert ElementTree.fromstring(picture.content.decode()).tag.endswith("svg")  # noqa: S314 (our own)
    assert researcher.get("/numbers/nothing/download.csv").status_code == 404
    assert researcher.get("/numbers/leaderboard.m1/download.exe").status_code == 404


def test_the_numbers_are_counted_once_and_again_when_a_match_is_stored(played, given_out, monkeypatch):
    counted = []
    original = boards.counted
    monkeypatch.setattr(boards, "counted", lambda *given: counted.append(1) or original(*given))
    first = boards.board(boards.Choice())
    boards.board(boards.Choice())
    assert len(counted) == 1
    more = {"game": "public_good", "preset": "magic"}
    given_out.clear()
    running.start(running.make("More", "own", Entry(("house",), matches=1, more=more)))
    jobs.work(given_out[0])
    second = boards.board(boards.Choice())
    assert len(counted) == 2
    assert second.data["tables"]["game_theory"]["records"] == first.data["tables"]["game_theory"]["records"] + 1


def test_a_guess_at_who_was_an_agent_is_counted_though_its_match_ended_before(played, monkeypatch):
    counted = []
    original = boards.counted
    monkeypatch.setattr(boards, "counted", lambda *given: counted.append(1) or original(*given))
    boards.board(boards.Choice())
    Detection.objects.create(match=Match.objects.first(), seat=1, agents=[2])
    boards.board(boards.Choice())
    assert len(counted) == 2


def test_many_matches_are_counted_by_a_worker_while_the_page_waits(researcher, played, monkeypatch, workers):
    monkeypatch.setattr(boards, "AT_ONCE", 5)
    page = text(researcher.get("/numbers/"))
    assert "Matches are being counted" in page
    assert "/ws/numbers/" in page
    researcher.get("/numbers/")
    answer = researcher.get("/numbers/wiu.civilian/download.csv", follow=True)
    assert answer.redirect_chain[0][0] == "/numbers/wiu/#t-wiu.civilian"
    assert "still being counted" in text(answer)
    assert len(workers.counts) == 1
    workers.work("count")
    assert "Matches are being counted" not in text(researcher.get("/numbers/"))


@pytest.mark.parametrize("moves", [True, False])
def test_a_choice_is_counted_by_one_at_a_time_and_once_more_if_asked_for_meanwhile(played, monkeypatch, workers, moves):
    """Twenty pages ask while a count runs, and the matches may move on: nothing is queued, and it ends up to date."""
    counts, choice = [], boards.Choice()
    original = boards.counted
    monkeypatch.setattr(boards, "AT_ONCE", 5)

    def counted(*given):
        counts.append(1)
        found = original(*given)
        if len(counts) == 1:
            if moves:
                Detection.objects.create(match=Match.objects.first(), seat=1, agents=[2])
            for _ in range(20):
                assert boards.board(choice) is None
        return found

    monkeypatch.setattr(boards, "counted", counted)
    assert boards.board(choice) is None
    (message,) = workers.counts
    workers.work("count")
    assert len(counts) == (2 if moves else 1)
    assert boards.board(choice).fresh
    jobs.work(message)
    assert len(counts) == (2 if moves else 1), "a message that comes twice counts nothing"


def test_few_matches_too_are_counted_by_one_page_at_a_time(played, monkeypatch):
    choice, seen = boards.Choice(), []
    original = boards.counted
    monkeypatch.setattr(boards, "counted", lambda *given: seen.append(boards.board(choice)) or original(*given))
    assert boards.board(choice).fresh
    assert seen == [None], "the other page waits, and is told"


def test_a_count_that_fails_lets_the_next_one_begin(played, monkeypatch):
    monkeypatch.setattr(boards, "counted", lambda *given: 1 / 0)
    assert boards.board(boards.Choice()) is None
    job = Job.objects.get(kind="count", state="waiting")
    assert (job.state, job.tries) == ("waiting", 1)
    monkeypatch.undo()
    jobs.work(job.pk)
    assert boards.board(boards.Choice()).fresh


def test_what_is_kept_can_be_written_as_json(played):
    json.dumps(boards.board(boards.Choice()).data)
    assert set(boards.board(boards.Choice()).data["tables"]) == set(papers.SPECS)


def test_a_page_from_the_kept_numbers_asks_little_of_the_database(researcher, played, django_assert_max_num_queries):
    researcher.get(reverse("evaluation:leaderboard"))
    with django_assert_max_num_queries(10):
        researcher.get(reverse("evaluation:leaderboard"))


def test_from_what_is_counted_a_link_leads_back_to_its_table_and_choice(researcher, played):
    page = text(researcher.get(f"/numbers/points/?competition={played.pk}"))
    link = re.search(r'href="(/numbers/game_theory/behind/[^"]*)"', page)[1]
    back = re.search(r'href="([^"]*)">Back to the table', text(researcher.get(link)))[1]
    assert back == f"/numbers/points/?competition={played.pk}#t-game_theory"
    assert 'id="t-game_theory"' in text(researcher.get(back))


def test_who_plays_is_called_by_title_on_pages_and_by_name_in_the_csv(researcher, played):
    page = text(researcher.get("/numbers/"))
    assert '<th scope="row" title="house">House agent<br>' in page
    assert '<option value="prisoners_dilemma">Prisoner’s Dilemma</option>' in page
    link = re.search(r'href="(/numbers/leaderboard.m1/behind/[^"]*)"', page)[1]
    assert "<h1>Win rate: House agent</h1>" in text(researcher.get(link))
    assert "House agent" in researcher.get("/numbers/leaderboard.m1/download.svg").content.decode()
    assert "\nhouse," in researcher.get("/numbers/leaderboard.m1/download.csv").content.decode()


def test_profiles_of_one_title_are_told_apart_by_name(researcher, played):
    AgentProfile.objects.filter(name="house-pavlov").update(title="House agent")
    assert ">House agent (house)<br>" in tight(researcher.get("/numbers/"))


def test_radar_areas_have_the_win_rate_over_them_and_say_how_far_both_rise_together(researcher, played):
    board = boards.board(boards.Choice()).data["tables"]
    for table, printed in zip(researcher.get("/numbers/").context["tables"], (10, 14), strict=False):
        picture = ElementTree.fromstring(str(table["areas"]["chart"]))  # noqa: S314 (our own)
        drawn = list(picture.iter("{http://www.w3.org/2000/svg}circle"))
        edition = table["name"].removeprefix("leaderboard.")
        columns = ("magic.win_rate", f"magic.radar_area.{edition}")
        rows = [row["cells"] for row in board[table["name"]]["rows"]]
        assert len(drawn) == sum(None not in [cells[name]["value"] for name in columns] for cells in rows) >= printed
        who, found = table["areas"]["correlations"][0]
        assert (who, found.n) == ("published rows", printed)
        assert 0.5 < found.interval[0] < found.r < found.interval[1] <= 1
    assert f"published rows {found.r:.2f}, n 14" in text(researcher.get("/numbers/"))


def test_any_two_rows_of_a_table_are_compared_on_a_page(researcher, played, workers, django_assert_max_num_queries):
    more = {"game": "prisoners_dilemma", "preset": "magic", "mode": "seat", "seats": 0}
    who = ("house-always-defect", "house-always-cooperate")
    made = running.make("Two", "own", Entry(who, matches=3, more=more))
    running.start(made)
    workers.play()
    page = researcher.get(f"/numbers/points/?competition={made.pk}")
    form = next(table for table in page.context["tables"] if table["name"] == "game_theory")["measured"]
    assert {title for _key, title in form} == {"House agent: always defect", "House agent: always cooperate"}
    assert 'action="/numbers/game_theory/compare/"' in text(page)
    query = {"one": '"house-always-defect"', "other": '"house-always-cooperate"', "competition": made.pk}
    shown = researcher.get("/numbers/game_theory/compare/", query)
    assert "House agent: always defect – House agent: always cooperate" in text(shown)
    assert "+100.0 points" in text(shown)
    with django_assert_max_num_queries(10):
        researcher.get("/numbers/game_theory/compare/", query)
    assert "has no matches in this choice" in text(
        researcher.get("/numbers/game_theory/compare/", query | {"one": '[["x"], {}]'})
    )
    for wrong in ({"one": "x"}, {"one": ""}):
        assert researcher.get("/numbers/game_theory/compare/", query | wrong).status_code == 404
    assert researcher.get("/numbers/nothing/compare/", query).status_code == 404


def test_rows_of_many_matches_are_compared_by_a_worker(researcher, played, monkeypatch, workers):
    monkeypatch.setattr(boards, "AT_ONCE", 5)
    query = {"one": '"house"', "other": '"house"'}
    assert "Matches are being counted" in text(researcher.get("/numbers/game_theory/compare/", query))
    assert len(workers.counts) == 1
    workers.work("count")
    shown = text(researcher.get("/numbers/game_theory/compare/", query))
    assert "Matches are being counted" not in shown and "+0.0 points" in shown


def test_a_chosen_game_has_its_row_in_the_table_of_every_game_and_no_empty_table_without_a_word(researcher, played):
    for game, rules in RULES.items():
        answer = researcher.get(f"/numbers/?game={game}")
        shown, page = answer.context["tables"], text(answer)
        assert all(table["records"] for table in shown)
        assert ("No match of this choice is counted in: " in page) == (len(shown) < 4)
        for table in shown[3:]:
            titles = [row["title"] for row in table["rows"]]
            assert titles and all(title.startswith(f"{rules.title} · ") for title in titles)
    shown = {row["title"]: row["cells"][0] for row in researcher.get("/numbers/").context["tables"][-1]["rows"]}
    assert "Undercover · civilian · House agent" in shown and shown["Cost Sharing · House agent"]["n"]


def test_a_challenger_is_chosen_by_every_side_that_a_game_has(researcher):
    offered = {side for side, _title in researcher.get("/numbers/").context["roles"]}
    assert offered >= {rules.one_of(side) for rules in RULES.values() for side in rules.teams} | ROLES.keys()
    assert offered >= {rules.family for rules in RULES.values() if rules.solo}
