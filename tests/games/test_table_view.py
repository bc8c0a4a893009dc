"""The table's page: waiting room, match and end, moves and refusals, with htmx and without."""

import html
import random
import re
from collections import Counter

import pytest
from django.core.cache import cache
from django.http import QueryDict
from django.template.defaultfilters import floatformat
from hypothesis import given
from hypothesis import strategies as st

from games.match import store
from games.models import GameSetting, Match, Room
from games.public_good import moments as public_good
from games.registry import RULES
from games.room import rooms
from games.rules import discussion, fields, values
from games.rules.discussion import Discussion
from games.rules.random_play import random_action, random_value
from games.rules.sample import sample_of
from games.web import forms
from games.web.limits import ACTING
from games.web.moments import moments
from magic_site import clock
from tests.games.tables import (
    CLUES,
    HTMX,
    WORDS,
    asked,
    browser,
    form_data,
    match_at,
    play_out,
    post_move,
    quick_match,
    room_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits(db, monkeypatch):
    """Moves made in other tests do not count here."""
    cache.clear()
    GameSetting.objects.create(game="undercover", name="coffee and tea", data=WORDS)
    monkeypatch.setattr(rooms, "seatable", lambda game, researcher=False: [("house", "House agent")])


def text(response) -> str:
    return html.unescape(response.content.decode())


def clue_of(match: Match, words: str, **extra):
    request = asked(match)
    return post_move(browser(f"key-{request.seat}"), match, request, {"text": words}, **extra)


# The waiting room ----------------------------------------------------------------------------------------------------


def test_the_waiting_room_shows_seats_link_and_code():
    room = room_of(2)
    page = text(browser("key-9").get(f"/t/{room.code}/"))
    assert "Ann" in page and "Ben" in page and f"/t/{room.code}/" in page
    assert "Waiting for 1 more to sit down." in page


def test_a_code_in_small_letters_leads_to_the_table():
    room = room_of(1)
    response = browser("key-9").get(f"/t/{room.code.lower()}/")
    assert response.status_code == 302 and response.url == f"/t/{room.code}/"


def test_an_unknown_code_is_said_in_words_with_a_way_back(client):
    response = client.get("/t/NOWHERE-1/")
    assert response.status_code == 404
    assert "There is no table with the code NOWHERE-1." in text(response) and 'href="/"' in text(response)


def test_somebody_sits_down_without_scripts_and_keeps_the_seat_in_a_second_tab(client):
    room = room_of(2)
    client.get(f"/t/{room.code}/")
    for name in ("Zoe", "Zoe again"):
        assert client.post(f"/t/{room.code}/sit/", {"name": name}).status_code == 302
    assert [seat.name for seat in room.seats.all()] == ["Ann", "Ben", "Zoe"]
    assert "You have a seat." in text(client.get(f"/t/{room.code}/"))


def test_a_name_that_is_given_without_scripts_is_remembered(client):
    client.post(f"/t/{room_of(2).code}/sit/", {"name": "Zoe"})
    assert 'value="Zoe"' in client.get("/").content.decode()


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "\u202e\u200b"])
def test_a_name_that_cannot_be_shown_is_refused_with_a_sentence(client, name):
    room = room_of(2)
    response = client.post(f"/t/{room.code}/sit/", {"name": name})
    assert response.status_code == 409 and "name" in text(response)
    assert room.seats.get(number=3).free


def test_a_full_table_says_so(client):
    room = room_of(3)
    response = client.post(f"/t/{room.code}/sit/", {"name": "Zoe"})
    assert response.status_code == 409 and "The table is full." in text(response)


def test_markup_in_a_name_is_text(client):
    room = room_of(2)
    client.post(f"/t/{room.code}/sit/", {"name": "<i id=act>Zoe"})
    assert b"&lt;i id=act&gt;Zoe" in browser("key-1").get(f"/t/{room.code}/").content


def test_the_host_fills_the_table_and_starts_with_one_button():
    room = room_of(1)
    response = browser("key-1").post(f"/t/{room.code}/start/", {"fill": "1"}, follow=True)
    match = Match.objects.get()
    assert response.status_code == 200 and "is giving a clue" in text(response)
    assert [sitter.kind for sitter in match.seated] == ["person", "agent", "agent"]


@pytest.mark.parametrize("what", ["start", "fill", "pause", "end", "kick"])
def test_only_the_host_runs_the_table(what):
    room = room_of(3)
    match = match_at(room) if what in ("pause", "end") else None
    response = browser("key-2").post(f"/t/{room.code}/{what}/", {"seat": "1"})
    assert response.status_code == 409 and "Only the host of the table can do that." in text(response)
    assert Match.objects.count() == bool(match)


def test_who_was_sent_away_meets_a_plain_sentence_and_cannot_come_back():
    room = room_of(3)
    browser("key-1").post(f"/t/{room.code}/kick/", {"seat": "2"})
    for response in (
        browser("key-2").get(f"/t/{room.code}/"),
        browser("key-2").post(f"/t/{room.code}/sit/", {"name": "B"}),
    ):
        assert response.status_code == 403 and "The host has asked you to leave this table." in text(response)
    assert room.seats.get(number=2).free


def test_an_agent_that_is_not_set_up_cannot_be_seated():
    room = room_of(1)
    response = browser("key-1").post(f"/t/{room.code}/fill/", {"agent": "nobody"})
    assert response.status_code == 409 and "That agent cannot sit down here" in text(response)


# Moves ---------------------------------------------------------------------------------------------------------------


def test_a_move_is_a_plain_form_post():
    match = match_at(room_of())
    assert clue_of(match, "bitter").status_code == 302
    assert "bitter" in text(browser("key-9").get(f"/t/{match.room.code}/"))


def test_with_htmx_the_answer_is_the_parts_of_the_page():
    match = match_at(room_of())
    answer = clue_of(match, "bitter", **HTMX)
    assert answer.status_code == 200 and "<html" not in text(answer)
    assert all(f'id="{part}"' in text(answer) for part in ("status", "seats", "board", "act", "card"))
    assert "bitter" in text(answer)


def test_a_move_asks_the_database_no_more_than_it_must(django_assert_max_num_queries):
    match = quick_match("avalon")
    request = asked(match)
    action = random_action(store.load(match), request, random.Random(1), CLUES)
    client = browser(f"key-{request.seat}")
    with django_assert_max_num_queries(13):
        assert post_move(client, match, request, action, **HTMX).status_code == 200


def test_a_double_click_is_one_move_and_no_error():
    match = match_at(room_of())
    request = asked(match)
    client = browser(f"key-{request.seat}")
    answers = [post_move(client, match, request, {"text": "bitter"}, **HTMX).status_code for _ in range(2)]
    assert answers == [200, 200]
    assert match.events.filter(kind="clue").count() == 1


def test_a_page_whose_socket_is_open_is_told_by_it_and_the_answer_says_no_more(django_assert_max_num_queries):
    match = match_at(room_of())
    request = asked(match)
    mover, act = browser(f"key-{request.seat}"), f"/t/{match.room.code}/act/"

    def form(words: str) -> dict:
        return {"match": match.pk, "request": request.id, "live": "1"} | form_data({"text": words}, request)

    assert mover.post(act, form("coffee"), **HTMX).status_code == 422
    with django_assert_max_num_queries(11):
        answer = mover.post(act, form("bitter"), **HTMX)
    assert (answer.status_code, answer.content) == (204, b"")
    again = mover.post(act, form("bitter"), **HTMX)
    assert again.status_code == 200 and "data-part" in text(again), "no frame comes of it"
    request = asked(match)
    assert browser(f"key-{request.seat}").post(act, form("hot")).status_code == 302


@pytest.mark.parametrize("extra", [{}, HTMX], ids=["plain", "htmx"])
def test_a_refused_move_says_why_and_keeps_what_was_typed(extra):
    match = match_at(room_of())
    answer = clue_of(match, "black coffee", **extra)
    assert answer.status_code == 422
    assert "Your clue holds your word. Try another." in text(answer) and ">black coffee<" in text(answer)
    assert not match.events.filter(kind="clue").exists()


def test_another_seats_move_is_refused():
    match = match_at(room_of())
    request = asked(match)
    other = request.seat % 3 + 1
    answer = post_move(browser(f"key-{other}"), match, request, {"text": "bitter"})
    assert answer.status_code == 403 and "That move belongs to another player." in text(answer)


def test_a_visitor_cannot_move():
    match = match_at(room_of())
    answer = post_move(browser("key-9"), match, asked(match), {"text": "bitter"})
    assert answer.status_code == 403 and "You do not sit at this match" in text(answer)


@pytest.mark.parametrize("forged", ["999:{seat}:clue", "{at}:{seat}:vote", "nonsense", "", "1:{seat}:clue" + "x" * 200])
def test_a_forged_request_is_refused_and_changes_nothing(forged):
    match = match_at(room_of())
    request = asked(match)
    known = match.events.count()
    name = forged.format(seat=request.seat, at=request.opened_at)
    data = {"match": match.pk, "request": name, "text.text": "bitter"}
    answer = browser(f"key-{request.seat}").post(f"/t/{match.room.code}/act/", data)
    assert answer.status_code == 409 and "That move is not asked of you any more." in text(answer)
    assert match.events.count() == known


def test_a_late_move_is_refused():
    match = match_at(room_of())
    request = asked(match)
    store.expire(match.pk, request.id)
    answer = post_move(browser(f"key-{request.seat}"), match, request, {"text": "bitter"})
    assert answer.status_code == 409 and "This move is already made." in text(answer)


def test_a_second_press_on_the_last_move_leaves_no_refusal_beside_the_end():
    match = match_at(room_of(6, "avalon", "recon", 6))
    moves: dict[str, dict] = {
        "speech": {"text": "So be it."},
        "team_vote": {"approve": True},
        "quest": {"success": True},
    }
    while (request := next(one for one in store.load(match).state.open.values() if one.waits)).kind != "assassinate":
        moves["team"] = {"seats": [1, 2, 3, 4][: store.load(match).state.team_size]}
        assert store.act(match.pk, request.seat, request.id, moves[request.kind])
    chosen, other = request.candidates[:2]
    client = browser(f"key-{request.seat}")
    assert post_move(client, match, request, {"seat": chosen}).status_code == 302
    answer = post_move(client, match, request, {"seat": other}, **HTMX)
    assert answer.status_code == 409 and "This move is already made." not in text(answer)
    assert "Play again" in text(answer)


def test_a_form_of_the_last_match_makes_no_move_in_the_next():
    room = room_of()
    first = match_at(room)
    request = asked(first)
    store.end(first.pk, "abandoned", "over")
    second = match_at(room)
    answer = post_move(browser(f"key-{request.seat}"), first, request, {"text": "bitter"})
    assert answer.status_code == 409 and "That match is over" in text(answer)
    assert not second.events.filter(kind="clue").exists()


def test_a_very_long_clue_is_refused_with_its_limit():
    match = match_at(room_of())
    answer = clue_of(match, "x" * 5_000)
    assert answer.status_code == 422 and "at most 4000 go through" in text(answer)


def test_markup_and_invisible_characters_in_a_clue_do_no_harm():
    match = match_at(room_of())
    assert clue_of(match, "<script>alert(1)</script><div id='act'>\u202e\x00hot").status_code == 302
    page = browser("key-9").get(f"/t/{match.room.code}/").content.decode()
    assert "<script>alert" not in page and "&lt;div id=&#x27;act&#x27;&gt;hot" in page


def test_nothing_chosen_is_said_in_plain_words():
    match = match_at(room_of())
    play_out(match, stop=7)
    request = asked(match)
    assert request.kind == "vote"
    data = {"match": match.pk, "request": request.id}
    answer = browser(f"key-{request.seat}").post(f"/t/{match.room.code}/act/", data)
    assert answer.status_code == 422 and "Choose first, then send." in text(answer)


def test_a_move_at_a_paused_table_is_not_lost():
    match = match_at(room_of())
    browser("key-1").post(f"/t/{match.room.code}/pause/")
    answer = clue_of(match, "bitter")
    assert answer.status_code == 409 and "The table is paused." in text(answer) and ">bitter<" in text(answer)
    browser("key-1").post(f"/t/{match.room.code}/resume/")
    assert clue_of(match, "bitter").status_code == 302


def test_moves_only_come_by_post(client):
    room = room_of()
    assert client.get(f"/t/{room.code}/act/").status_code == 405


def test_who_sends_too_much_is_asked_to_wait(monkeypatch):
    still = clock.now()
    monkeypatch.setattr(clock, "carried_on", lambda: still)  # one window of counting, however long this takes
    match = match_at(room_of())
    client = browser("key-1")
    answers = [client.post(f"/t/{match.room.code}/act/", {"request": "1:1:clue"}).status_code for _ in range(ACTING[1])]
    assert set(answers) == {409}
    answer = client.post(f"/t/{match.room.code}/act/", {"request": "1:1:clue"})
    assert answer.status_code == 429 and answer["Retry-After"]


FIELDS = [
    fields.Text("one"),
    fields.Text("two", optional=True),
    fields.Choice("three", options=("a", "b")),
    fields.Flag("four"),
    fields.OneSeat("five", seats=(1, 2, 3)),
    fields.OneSeat("six", seats=(1, 2), optional=True),
    fields.SomeSeats("seven", seats=(1, 2, 3, 4), count=2),
    fields.SomeSeats("eight", seats=(1, 2, 3)),
    fields.Number("nine", low=0, high=20),
    fields.Split("ten", parts=3, total=100),
]


@given(st.randoms(use_true_random=False))
def test_every_kind_of_field_comes_back_from_its_form_as_it_was_chosen(rng):
    request = values.Request("1:1:x", "x", 1, tuple(FIELDS), 1)
    action = {
        item.name: None if item.optional and rng.random() < 0.5 else random_value(item, rng, CLUES) for item in FIELDS
    }
    post = QueryDict(mutable=True)
    for item in forms.inputs(request):
        value = action[item.name]
        if isinstance(value, bool):
            value = forms.YES if value else forms.NO
        post.setlist(item.html_name, [str(v) for v in value] if isinstance(value, list) else [str(value or "")])
        if value == 0 and not isinstance(value, bool):
            post.setlist(item.html_name, ["0"])
    assert request.read(forms.read(post)) == action


@pytest.mark.slow
@pytest.mark.parametrize("game", RULES)
def test_the_form_of_every_move_offers_all_that_is_legal(game):
    """In a whole match, three requests of each kind are answered through the form that the page of their seat shows."""
    match = quick_match(game)
    play, rng, answered = store.load(match), random.Random(3), Counter()
    while not play.over:
        cache.clear()
        request = rng.choice(list(play.state.open.values()))
        action = random_action(play, request, rng, CLUES)
        answered[request.kind] += 1
        if answered[request.kind] <= 3:
            client = browser(f"key-{request.seat}")
            page = text(client.get(f"/t/{match.room.code}/"))
            assert f'data-request="{request.id}"' in page
            for item in forms.inputs(request):
                assert f'name="{item.html_name}"' in page
                for option in item.options if item.kind != "split" else ():
                    assert f'value="{option.value}"' in page
            assert post_move(client, match, request, action).status_code == 302
        else:
            store.act(match.pk, request.seat, request.id, action)
        play.act(request.seat, request.id, action)


def test_more_points_than_one_has_are_refused_in_words_and_the_attempt_is_kept():
    match = match_at(room_of(3, "public_good", "party", 3, options={"discussion": "none"}), {})
    request = asked(match)
    client = browser(f"key-{request.seat}")
    response = post_move(client, match, request, {"points": 21}, **HTMX)
    assert response.status_code == 422
    assert "You have 20 points left, so you cannot put in 21." in text(response) and 'value="21"' in text(response)
    attempt = match.attempts.get()
    assert (attempt.code, attempt.action, attempt.seat) == ("over_budget", {"points": 21}, request.seat)
    assert post_move(client, match, request, {"points": 20}).status_code == 302


def test_shares_that_do_not_add_up_are_refused_in_words_and_stay_typed():
    match = quick_match("cost_sharing")
    response = post_move(browser("key-1"), match, asked(match), {"split": [50, 40, 30]}, **HTMX)
    assert response.status_code == 422
    assert "The shares must sum to 100; yours sum to 120." in text(response)
    assert all(f'value="{share}"' in text(response) for share in (50, 40, 30))


# Watching, absence and the end ---------------------------------------------------------------------------------------


def test_nobody_watches_where_the_table_says_so():
    match = match_at(room_of(watching=Room.Watching.NOBODY))
    response = browser("key-9").get(f"/t/{match.room.code}/")
    assert response.status_code == 403 and "Only those who sit at this table may see it." in text(response)
    assert "coffee" not in text(response)


@pytest.mark.parametrize("game", RULES)
def test_before_the_first_round_is_over_delayed_watchers_have_a_page(game):
    match = quick_match(game)
    Room.objects.update(watching=Room.Watching.DELAYED)
    assert browser("nobody").get(f"/t/{match.room.code}/").status_code == 200


def test_delayed_watchers_see_whole_rounds_only():
    room = room_of(5, "undercover", "wiu", 5, watching=Room.Watching.DELAYED)
    match = match_at(room, {"civilian_word": "coffee", "undercover_word": "tea"})
    clue_of(match, "first words")
    page = text(browser("key-9").get(f"/t/{room.code}/"))
    assert "one round behind" in page and "first words" not in page
    for _ in range(4):
        request = asked(match)
        store.act(match.pk, request.seat, request.id, {"text": f"clue {request.seat}"})
    while match.events.filter(kind="out").count() == 0:
        request = asked(match)
        store.expire(match.pk, request.id)
    assert "first words" in text(browser("key-9").get(f"/t/{room.code}/"))


def test_a_seat_sees_its_own_word_and_no_other_word():
    match = match_at(room_of())
    pages = {n: text(browser(f"key-{n}").get(f"/t/{match.room.code}/")) for n in (1, 3, 9)}
    assert "coffee" in pages[1] and "tea" not in pages[1].replace("team", "")
    assert '<span class="word">tea</span>' in pages[3] and "coffee" not in pages[3]
    assert "coffee" not in pages[9] and '<span class="word">' not in pages[9]


def test_no_page_holds_anybodys_key():
    match = match_at(room_of())
    assert "key-" not in text(browser("key-1").get(f"/t/{match.room.code}/"))


def test_loading_the_page_gives_a_seat_back_to_its_player():
    match = match_at(room_of())
    store.take_over(match.pk, 2)
    assert "An agent plays on for them." in text(browser("key-1").get(f"/t/{match.room.code}/"))
    browser("key-2").get(f"/t/{match.room.code}/")
    assert store.load(match).state.stand_ins == {}


def test_a_seat_is_taken_back_by_its_button():
    match = match_at(room_of())
    store.take_over(match.pk, 2)
    assert browser("key-2").post(f"/t/{match.room.code}/return/", **HTMX).status_code == 200
    assert store.load(match).state.stand_ins == {}


def test_who_left_the_table_plays_no_more():
    match = match_at(room_of())
    request = asked(match)
    client = browser(f"key-{request.seat}")
    client.post(f"/t/{match.room.code}/leave/")
    assert post_move(client, match, request, {"text": "bitter"}).status_code == 403
    assert store.load(match).state.stand_ins


@pytest.mark.slow
@pytest.mark.parametrize("game", RULES)
def test_the_end_tells_everybody_everything(game):
    """Every role that has a name and what was dealt; in games of points, what each has."""
    match = quick_match(game)
    play_out(match)
    play = store.load(match)
    page = text(browser("key-9").get(f"/t/{match.room.code}/"))
    rules, dealt = RULES[game], play.header.setting
    words = {"undercover": ["violin", "cello"], "chameleon": [dealt.get("word")], "spygame": ["harbour", "role "]}
    words["cost_sharing"] = [airline["name"] for airline in dealt.get("airlines", ())]
    roles = {member.role for member in rules.cast(play.state).values()} & set(rules.role_names)
    points = [f"{floatformat(points, -2)} point" for points in play.state.outcome.returns.values()]
    wanted = [*words.get(game, [] if rules.sought else points), *roles]
    missing = [word for word in wanted if word.lower() not in page.lower()]
    assert not missing, f"The end of {game} (page/end.html and page/hand.html) does not tell: {missing}"
    assert f"/m/{match.pk}/" in page and "The match is over." in page


@pytest.mark.slow
@pytest.mark.parametrize("game", RULES)
def test_everybody_has_a_best_moment(game):
    match = quick_match(game)
    play_out(match)
    told = moments(game, store.load(match).visible(0), match.names())
    assert set(told) == set(match.names()) and all(told.values())
    assert not any(re.search(r"\b1 points|”\.$", sentence) for sentence in told.values())


def test_one_point_is_told_as_one():
    told = public_good.moments([], {"deal": {"spent": {"1": 1, "2": 3, "3": 1}}, "winners": [1]}, {})
    assert told[1] == "Gave 1 point and came out ahead." and told[3] == "Gave 1 point to the pool."
    assert told[2] == "Gave most to the pool: 3 points."


def test_a_match_that_ended_early_has_no_best_moments():
    match = match_at(room_of())
    store.end(match.pk, "abandoned", "over")
    assert moments("undercover", store.load(match).visible(0), match.names()) == {}


READY = re.compile("Ready (?:to vote|for the round)")


@pytest.mark.parametrize("game", [name for name, rules in RULES.items() if isinstance(rules, Discussion)])
def test_who_has_no_more_messages_in_a_talk_may_still_be_ready(game, monkeypatch):
    monkeypatch.setattr(discussion, "MESSAGES", 1)
    preset, seats = RULES[game].players
    options = {"discussion": "free"}
    room = room_of(seats, game, preset, seats, options=options)
    setting = sample_of(RULES[game]).setting(RULES[game].options(preset, options, seats), random.Random(1))
    match, say = match_at(room, setting), None
    while say is None:
        play = store.load(match)
        say = next((request for request in play.state.open.values() if request.kind == "say"), None)
        if say is None:
            store.expire(match.pk, asked(match).id)
    client, address = browser(f"key-{say.seat}"), f"/t/{room.code}/"
    assert len(READY.findall(text(client.get(address)))) == 1
    post_move(client, match, say, {"text": "hm"})
    page = text(client.get(address))
    assert "Say it" not in page and len(READY.findall(page)) == 1
    ready = next(r for r in store.load(match).state.open.values() if (r.kind, r.seat) == ("ready", say.seat))
    assert ready.id in page
    assert post_move(client, match, ready, {"text": None}).status_code == 302
    assert ready.id not in store.load(match).state.open


def test_the_host_starts_a_rematch_at_the_same_address():
    room = room_of()
    match = match_at(room)
    browser("key-1").post(f"/t/{room.code}/end/")
    response = browser("key-1").post(f"/t/{room.code}/rematch/", follow=True)
    assert response.status_code == 200 and Match.objects.exclude(pk=match.pk).get().status == "running"


def test_where_agents_are_not_named_no_page_tells_them_apart():
    room = room_of(1, agents_named=False)
    room.seats.filter(person="").update(agent="house")
    waiting = text(browser("key-9").get(f"/t/{room.code}/"))
    match = match_at(room)
    Match.objects.filter(pk=match.pk).update(kinds_named=False)
    page = text(browser("key-9").get(f"/t/{room.code}/"))
    for shown in (waiting, page):
        assert ">agent<" not in shown and ">Agent<" not in shown


@pytest.mark.slow
@pytest.mark.parametrize("game", RULES)
def test_a_match_that_its_host_ends_early_is_shown_in_every_game(game):
    match = quick_match(game)
    for person in ("key-1", "key-2", "key-99"):
        ended = browser(person).post(f"/t/{match.room.code}/end/", **HTMX)
        assert ended.status_code == (200 if person == "key-1" else 409)
        replay = f"/m/{match.pk}/"
        for address in (f"/t/{match.room.code}/", replay, f"{replay}?as=all", f"/matches/?game={game}"):
            assert browser(person).get(address).status_code == 200
