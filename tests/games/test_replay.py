"""The replay: every moment of a match as one viewer may see it, and what the agents thought."""

import json
import re
from html import unescape

import pytest
from django.test import Client
from django.utils.html import strip_tags
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from games.match import store, writer
from games.models import Match, Room
from games.registry import RULES
from games.rules import kit
from games.rules.values import OMNISCIENT, PUBLIC, Refusal
from games.web import feed
from tests.games.matches import NAMES, dealt, play_on, prompted, stored, thoughts_of, visitor
from tests.kept import kept
from tests.people import researcher

pytestmark = pytest.mark.django_db

GAMES = [("undercover", "wiu", 5), ("avalon", "recon", 6)]


def room(game: str = "undercover", **settings) -> Room:
    return Room.objects.create(game=game, preset="-", host="ann", **settings)


def finished(game: str = "avalon", preset: str = "recon", seats: int = 6, **settings) -> Match:
    return stored(play_on(dealt(game, preset, seats)), room=room(game, **settings))


@pytest.fixture(scope="module")
def key_of_a_match(django_db_setup, django_db_blocker):
    """A finished match of Avalon, played and drawn once."""
    with kept(django_db_blocker):
        yield finished(listed=False).pk


@pytest.fixture
def match(key_of_a_match) -> Match:
    return Match.objects.get(pk=key_of_a_match)


def running(moves: int = 5, **settings) -> Match:
    return stored(play_on(dealt("avalon", "recon", 6), moves), room=room("avalon", **settings))


def page(client: Client, match: Match, query: str = "") -> str:
    response = client.get(f"/m/{match.pk}/{query}")
    assert response.status_code == 200
    return response.content.decode()


def steps(html: str, name: str = "steps") -> list[list]:
    """The steps that the page's player knows, or is told of as news."""
    return json.loads(re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', html).group(1))["steps"]


def shown_lines(html: str) -> list[int]:
    """The seqs of the lines that are not hidden."""
    return [int(seq) for seq, hidden in re.findall(r'id="e(\d+)"\s+data-seq="\d+"( hidden)?', html) if not hidden]


# Moments ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("game", "preset", "seats"), GAMES)
@pytest.mark.parametrize(("name", "viewer"), [("public", PUBLIC), ("2", 2), ("all", OMNISCIENT)])
def test_there_is_a_step_for_every_event_that_the_viewer_sees(game, preset, seats, name, viewer):
    match = finished(game, preset, seats)
    seen = store.load(match).visible(viewer)
    found = steps(page(Client(), match, f"?as={name}"))
    assert [(seq, kind) for seq, kind, *_ in found] == [(event.seq, event.kind) for event in seen]


def turning_points(match: Match) -> list[str]:
    return [kind for _, kind, _, _, turns in steps(page(Client(), match)) if turns]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_lost_quests_the_last_rejection_and_the_dagger_are_turning_points_of_avalon(seed):
    match = stored(play_on(dealt("avalon", "recon", 6, seed=seed)), room=room("avalon"))
    lost = match.events.filter(kind="quested", data__success=False).count()
    ending = {"evil_rejections": ["voted"], "evil_quests": []}.get(match.result, ["assassinate"])
    assert turning_points(match) == ["quested"] * lost + ending + ["finished"]


def test_who_goes_out_is_a_turning_point_of_undercover():
    match = finished("undercover", "wiu", 5)
    out = match.events.filter(kind="out", seat__isnull=False).count()
    assert out and turning_points(match) == ["out"] * out + ["finished"]


def test_a_link_to_a_moment_shows_the_match_up_to_there(match):
    html = page(Client(), match, "?as=all&seq=40")
    shown = shown_lines(html)
    assert max(shown) <= 40
    assert max(shown_lines(page(Client(), match, "?as=all&seq=999999"))) > 40
    assert 'href="?as=all&amp;seq=41#e' in html


@pytest.mark.parametrize("seq", ["-1", "abc", "99999999999999999999", "١", ""])
def test_a_moment_that_makes_no_sense_is_no_error(match, seq):
    assert page(Client(), match, f"?seq={seq}")


def test_without_a_script_there_are_links_back_and_forward():
    match = finished("undercover", "magic", 3)
    html = page(Client(), match, "?as=public&seq=10")
    assert re.search(r'data-go="back"\s+href="\?as=public&amp;seq=9#e\d+"', html)
    assert re.search(r'data-go="forward"\s+href="\?as=public&amp;seq=11#e\d+"', html)


def test_what_was_dealt_is_at_the_seats_from_the_first_moment_only_for_who_sees_everything():
    match = finished("undercover", "wiu", 5)
    assert "coffee" in page(Client(), match, "?as=all&seq=8").split('class="feed"')[0]
    public = page(Client(), match, "?as=public")
    pictures = public.split('class="sitters"')
    assert not any("civilian</span>" in picture for picture in pictures[1:-1])
    assert "civilian</span>" in pictures[-1]


@pytest.mark.slow
@pytest.mark.parametrize("game", RULES)
def test_every_sealed_move_is_told_in_words_to_who_sees_everything(game):
    names = {seat: f"Player {seat}" for seat in range(1, 13)}
    for play in map(kit.play_through, kit.kit_cases(RULES[game])):
        told = {line.seq: line.html for line in feed.lines(game, play.log, names, OMNISCIENT)}
        sealed = [event for event in play.log if event.audience and event.data]
        assert sealed and {event.kind for event in sealed if event.seq not in told} == set()
        for event in sealed:
            words = unescape(strip_tags(told[event.seq]))
            assert names[event.seat] in words and "You" not in words and "_" not in words


@pytest.mark.parametrize(("preset", "polls", "seats"), [("magic", "magic", 3), ("wiu", "wiu", 5)])
def test_beliefs_that_were_asked_for_are_told_in_words_to_who_sees_everything(preset, polls, seats):
    play = play_on(dealt("undercover", preset, seats, polls=polls))
    poll = next(event for event in play.log if event.kind == "poll")
    told = {line.seq: line.html for line in feed.lines("undercover", play.log, dict(enumerate(NAMES, 1)), OMNISCIENT)}
    words = " ".join(strip_tags(told[poll.seq]).split())
    said = f"{NAMES[poll.seat - 1]} is asked what they believe. Own side: {poll.data['side']}"
    assert said in words and "_" not in words


def test_the_story_of_the_prisoners_dilemma_begins_with_its_payoffs():
    payoffs = {"cooperate": 5, "defect": 3, "one_defect": 6, "two_defect": 4}
    match = stored(dealt("prisoners_dilemma", "magic", 3, setting=payoffs), room=room("prisoners_dilemma"))
    told = strip_tags(page(Client(), match))
    assert "All cooperate: 5 points each. All defect: 3 each. One alone defects: 6." in told
    assert "Several defect, but not all: 4 each." in told


def test_sealed_moves_are_told_to_their_own_seat_as_you_and_to_nobody_else(match):
    vote = match.events.filter(kind="team_vote", seat=2).first()
    words = "approved the team" if vote.data["approve"] else "rejected the team"
    own, other, everything = (line_of(page(Client(), match, f"?as={viewer}"), vote.seq) for viewer in (2, 3, "all"))
    assert f"You {words}" in own and other == "" and f"Ben {words}" in strip_tags(everything)


def line_of(html: str, seq: int) -> str:
    found = re.search(rf'<div class="line[^"]*" id="e{seq}".*?</div>', html, re.DOTALL)
    return found.group() if found else ""


def test_markup_in_names_and_words_is_shown_as_text():
    play = dealt("undercover", "magic", 3)
    request = next(iter(play.state.open.values()))
    play.act(request.seat, request.id, {"text": "<script>alert(1)</script>"})
    match = stored(play_on(play), room=room())
    writer.reseat(match, 2, name="<b>Ben</b>")
    html = page(Client(), match, "?as=all")
    assert "<script>alert" not in html
    assert "<b>Ben" not in html
    assert "&lt;b&gt;Ben" in html


# Who may see it -----------------------------------------------------------------------------------------------------


def test_a_viewer_that_is_not_theirs_is_refused():
    match = finished(afterwards="researchers")
    for name in ("all", "2", "7", "x"):
        assert visitor("ann").get(f"/m/{match.pk}/?as={name}").status_code == 403
    assert visitor("ann").get(f"/m/{match.pk}/?as=1").status_code == 200
    assert researcher().get(f"/m/{match.pk}/?as=all").status_code == 200


@pytest.mark.parametrize("path", ["", "thoughts/", "export/"])
def test_a_match_that_may_not_be_watched_is_refused_and_an_unknown_one_not_found(path):
    match = running(watching="nobody")
    assert Client().get(f"/m/{match.pk}/{path}").status_code == 403
    assert Client().get(f"/m/00000000-0000-0000-0000-000000000000/{path}").status_code == 404


def test_while_it_runs_everything_is_for_researchers_who_do_not_sit_in_it():
    match = running()
    assert researcher("eve").get(f"/m/{match.pk}/?as=all").status_code == 200
    sitting = researcher("ann")
    assert sitting.get(f"/m/{match.pk}/?as=all").status_code == 403
    assert sitting.get(f"/m/{match.pk}/thoughts/").status_code == 403
    assert sitting.get(f"/m/{match.pk}/export/?as=all").status_code == 403
    assert 'as=all"' not in page(sitting, match)


def test_delayed_watching_ends_with_the_last_finished_round():
    play = dealt("undercover", "wiu", 5)
    while not any(event.kind == "out" for event in play.log):
        play_on(play, 1)
    match = stored(play_on(play, 2), room=room(watching="delayed"))
    last = next(event.seq for event in play.log if event.kind == "out")
    assert steps(page(Client(), match))[-1][0] == last < len(play.log)
    events = [json.loads(line) for line in Client().get(f"/m/{match.pk}/export/").content.decode().splitlines()]
    assert max(line.get("seq", 0) for line in events) == last


def test_before_the_first_round_is_over_a_delayed_watcher_sees_a_page_with_nothing_on_it():
    match = running(3, watching="delayed")
    assert "Nothing to see yet." in page(Client(), match)
    assert Client().get(f"/m/{match.pk}/export/").status_code == 200


def test_a_running_match_gives_what_is_new_and_nothing_when_nothing_is():
    match = running()
    client = researcher()
    last = steps(page(client, match, "?as=all"))[-1][0]
    assert client.get(f"/m/{match.pk}/?as=all&since={last}").status_code == 204
    request = next(iter(store.load(match).state.open.values()))
    store.expire(match.pk, request.id)
    fresh = client.get(f"/m/{match.pk}/?as=all&since={last}").content.decode()
    assert steps(fresh, "news")[0][0] > last
    assert "<html" not in fresh and len(fresh) < 4000


# Thoughts -----------------------------------------------------------------------------------------------------------


def thoughts(client: Client, match: Match, query: str = "", **headers) -> str:
    response = client.get(f"/m/{match.pk}/thoughts/{query}", headers={"HX-Request": "true"})
    assert response.status_code == 200
    return unescape(response.content.decode())


def test_no_thought_is_in_the_first_page(match):
    html = page(Client(), match, "?as=all")
    for word in ("PROMPT", "REPLY", "WHY"):
        assert word not in html


def test_thoughts_are_those_of_the_move_at_that_moment(match):
    move, following = match.events.filter(by="agent:house", seat=4)[2:4]
    found = thoughts(Client(), match, f"?seat=4&seq={move.seq}")
    assert f"WHY {move.seq}" in found
    assert f"PROMPT {move.seq}" not in found  # it is long, and fetched when it is opened
    assert f"REPLY {move.seq}" in found
    prompts = [Client().get(link).content.decode() for link in re.findall(r'data-load="([^"]+)"', found)]
    assert any(f"PROMPT {move.seq}" in prompt for prompt in prompts)
    later = thoughts(Client(), match, f"?seat=4&seq={following.seq - 1}")
    assert f"WHY {move.seq}" in later


def test_without_a_seat_they_are_of_whoever_moved_last(match):
    move = match.events.filter(by="agent:house", seat=5)[1]
    assert f"WHY {move.seq}" in thoughts(Client(), match, f"?seq={move.seq}")


def test_before_an_agent_has_thought_that_is_said(match):
    assert "has not thought about anything yet" in thoughts(Client(), match, "?seat=4&seq=2")


def test_beliefs_show_the_truth_and_what_changed(match):
    evil = {seat for seat, side in RULES["avalon"].sides(store.load(match).state).items() if side == "evil"}
    moves = match.events.filter(by="agent:house", seat=4)
    first, second = (thoughts(Client(), match, f"?seat=4&seq={move.seq}") for move in moves[:2])
    assert first.count(' truth"') == len(evil - {4})
    assert 'class="delta' not in first
    share = [0.2 + move.seq % 5 / 10 for move in moves[:2]]
    assert (f"{share[1] - share[0]:+.2f}" in second) == (share[0] != share[1])


def test_a_thoughts_markup_is_shown_as_text(match):
    match.thoughts.update(
        pieces=prompted(match, "<script>alert(1)</script>"), reply="<img src=x>", data={"why": "<b>why</b>", "x": "<i>"}
    )
    seq = match.events.filter(by="agent:house").first().seq
    html = Client().get(f"/m/{match.pk}/thoughts/?seq={seq}", headers={"HX-Request": "true"}).content.decode()
    assert not re.search(r"<script|<img|<b>why|<i>", html)


def test_thoughts_have_a_page_of_their_own_without_a_script(match):
    assert "<html" in Client().get(f"/m/{match.pk}/thoughts/?seq=30").content.decode()


@pytest.mark.parametrize("afterwards", ["researchers", "table"])
def test_thoughts_are_for_those_who_may_see_everything(afterwards):
    match = finished(afterwards=afterwards)
    assert Client().get(f"/m/{match.pk}/thoughts/?seq=30").status_code == 403
    assert visitor("ann").get(f"/m/{match.pk}/thoughts/?seq=30").status_code == (
        403 if afterwards == "researchers" else 200
    )
    assert researcher().get(f"/m/{match.pk}/thoughts/?seq=30").status_code == 200


@pytest.mark.slow
def test_a_long_match_takes_no_more_queries_than_a_short_one(django_assert_max_num_queries):
    match = finished()
    for number, row in enumerate(list(match.thoughts.all()) * 12, 1):
        row.pk, row.n = None, row.n + number
        row.save()
    assert match.thoughts.count() > 500
    client = Client()
    with django_assert_max_num_queries(4):
        page(client, match, "?as=all")
    with django_assert_max_num_queries(2):
        page(client, match, "?as=all&seq=9")
    with django_assert_max_num_queries(6):
        thoughts(client, match, "?seat=4&seq=90")


# The list -----------------------------------------------------------------------------------------------------------


def test_the_list_holds_what_may_be_seen_and_filters_it(django_assert_max_num_queries):
    shown = [finished("undercover", "wiu", 5), finished(), running()]
    hidden = [finished(listed=False), running(watching="nobody"), stored(play_on(dealt("undercover", "magic", 3)))]
    client = Client()
    html = client.get("/matches/").content.decode()
    assert all(str(match.pk) in html for match in shown[:2])
    assert f"/t/{shown[2].room.code}/" in html
    assert not any(str(match.pk) in html for match in hidden)
    only = client.get("/matches/?game=undercover").content.decode()
    assert str(shown[0].pk) in only
    assert str(shown[1].pk) not in only
    shown[1].refresh_from_db()
    assert str(shown[1].pk) in client.get(f"/matches/?game=avalon&result={shown[1].result}").content.decode()
    other = next(result for result in RULES["avalon"].results if result != shown[1].result)
    assert str(shown[1].pk) not in client.get(f"/matches/?game=avalon&result={other}").content.decode()


def test_the_list_is_paged_and_takes_the_same_queries_for_many(django_assert_max_num_queries):
    place = room()
    first = stored(play_on(dealt("undercover", "magic", 3)), room=place)
    for _ in range(29):
        first.pk, first.number = None, first.number + 1
        first._state.adding = True
        first.save()
    client = Client()
    with django_assert_max_num_queries(5):
        html = client.get("/matches/").content.decode()
    assert html.count("/m/") == 25 and 'rel="prev"' not in html
    older = client.get("/matches/" + unescape(re.search(r'rel="next" href="([^"]+)"', html).group(1))).content.decode()
    assert older.count("/m/") == 5 and 'rel="next"' not in older
    assert not set(re.findall("/m/[^/]+", older)) & set(re.findall("/m/[^/]+", html))
    back = client.get("/matches/" + unescape(re.search(r'rel="prev" href="([^"]+)"', older).group(1))).content.decode()
    assert re.findall("/m/[^/]+", back) == re.findall("/m/[^/]+", html)
    for odd in ("x", "older~x~y", "older~2026-01-01~1", "older~~", "newer~0001-01-01~" + "9" * 99):
        assert client.get("/matches/", {"at": odd}).content.decode().count("/m/") == 25


# What a viewer may not know -----------------------------------------------------------------------------------------


VIEWERS = st.sampled_from(["ann", "ben", "eve"])
TABLES = st.fixed_dictionaries({"watching": st.sampled_from(["live", "delayed"]), "agents_named": st.booleans()})


def same_but_for_its_address(html: str, match: Match) -> str:
    return re.sub(r'"X-CSRFToken": "\w+"', "", html.replace(str(match.pk), "ID").replace(match.room.code, "CODE"))


def retold(play, setting: dict):
    """The same moves from another deal, as far as they are legal there; quest cards are success in both."""
    header = play.header
    other = dealt(header.game, header.preset, len(header.seats), setting=setting, seed=header.seed)
    for event in play.log:
        if event.request and type(other.act(event.seat, event.request, event.data, event.by)) is Refusal:
            return None
    return other


def without_fails(setting: dict, seed: int, moves: int):
    """An unfinished match of Avalon in which every quest card is success."""
    play = dealt("avalon", "recon", 6, setting=setting, seed=seed)
    for _ in range(moves):
        quests = [request for request in play.state.open.values() if request.kind == "quest"]
        if quests:
            play.act(quests[0].seat, quests[0].id, {"success": True})
        else:
            play_on(play, 1)
    return play


def files(match: Match, person: str) -> list[str]:
    """Everything that this person gets of a running match outside of its table: page, news, file, refusals."""
    client = visitor(person)
    paths = ["", "?seq=12", "?since=0", "export/", "thoughts/", "?as=all"]
    return [same_but_for_its_address(client.get(f"/m/{match.pk}/{path}").content.decode(), match) for path in paths]


@pytest.mark.slow
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), moves=st.integers(0, 30), who=VIEWERS, table=TABLES, data=st.data())
def test_swapped_roles_that_a_viewer_may_not_know_change_nothing_it_gets(seed, moves, who, table, data):
    """Ann and Ben are servants; any two others swap their roles."""
    roles = ["servant", "servant", *data.draw(st.permutations(["merlin", "percival", "morgana", "minion"]))]
    one, other = data.draw(st.sampled_from([(3, 4), (3, 5), (3, 6), (4, 5), (4, 6), (5, 6)]))
    swapped = list(roles)
    swapped[one - 1], swapped[other - 1] = roles[other - 1], roles[one - 1]
    deals = [{"roles": r, "assassin": r.index("minion") + 1, "first_leader": 1} for r in (roles, swapped)]
    play = without_fails(deals[0], seed, moves)
    again = retold(play, deals[1])
    assume(not play.over and again is not None)
    got = [files(stored(match, room=room("avalon", **table)), who) for match in (play, again)]
    assert got[0] == got[1]


@pytest.mark.slow
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10_000),
    moves=st.integers(0, 18),
    who=VIEWERS,
    table=TABLES,
    other=st.sampled_from([[3, 5], [4, 5]]),
)
def test_the_other_word_and_who_holds_it_change_nothing_a_viewer_gets(seed, moves, who, table, other):
    """Ann and Ben are civilians; the undercovers have another word, and are others."""
    words = [("tea", [3, 4]), ("milk", other)]
    deals = [{"civilian_word": "coffee", "undercover_word": word, "undercovers": seats} for word, seats in words]
    play = play_on(dealt("undercover", "wiu", 5, setting=deals[0], seed=seed), moves)
    again = retold(play, deals[1])
    assume(not play.over and again is not None and len(again.log) == len(play.log))
    got = [files(stored(match, room=room(**table)), who) for match in (play, again)]
    assert got[0] == got[1]


def test_the_substitution_would_find_a_leak():
    """A viewer who may see everything does get other pages: the comparison is not of empty ones."""
    deals = [{"civilian_word": "coffee", "undercover_word": word, "undercovers": [3, 4]} for word in ("tea", "milk")]
    pages = []
    for number, deal in enumerate(deals):
        match = stored(play_on(dealt("undercover", "wiu", 5, setting=deal), 4), room=room())
        pages.append(same_but_for_its_address(page(researcher(f"eve{number}"), match, "?as=all"), match))
    assert pages[0] != pages[1]
    assert len(thoughts_of(play_on(dealt("undercover", "wiu", 5)))) > 0


def test_a_way_of_playing_is_called_as_its_players_know_it():
    called = RULES["undercover"].called
    assert [called("party"), called("wiu"), called("of_long_ago")] == ["Classic", "wiu", "of_long_ago"]
