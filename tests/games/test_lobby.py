"""The ways to a table: one tap, a form of options, an open table, a code."""

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from agents.models import AgentProfile, ModelPrice
from games.models import GameSetting, Match, Room, Seat
from games.registry import RULES
from games.room import chairs, rooms
from games.undercover.rules import Undercover
from games.web.table_form import TableForm
from tests.games.tables import SETTINGS, browser, match_at, play_out, quick_match, room_of

pytestmark = pytest.mark.django_db

LOBBY = "/"
NEW_TABLE = "/tables/new/undercover/"
CHOICES = {
    "name": "Ann",
    "preset": "party",
    "shown": "party",
    "friends": "2",
    "agents": "3",
    "agent": "house",
    "move_seconds": "60",
    "absence": "wait",
    "pace": "0.5",
    "watching": "delayed",
    "afterwards": "table",
    "agents_named": "on",
    "option-polls": "none",
    "option-discussion": "none",
    "option-undercovers": "2",
    "option-blanks": "",
    "option-clue_rounds": "1",
    "option-rounds": "",
    "option-order": "drawn",
    "option-tie": "lot",
    "option-reveal_out": "on",
}


@pytest.fixture(autouse=True)
def site() -> None:
    """One house agent, and settings to deal from."""
    cache.clear()
    AgentProfile.objects.create(name="house", title="House agent")
    GameSetting.objects.create(game="spygame", name="museum", data=SETTINGS["spygame"])
    GameSetting.objects.create(
        game="undercover", name="coffee and tea", data={"civilian_word": "coffee", "undercover_word": "tea"}
    )
    airlines = [{"name": name, "flights": 30, "passengers": 4000} for name in ("Heron", "Swift", "Plover")]
    GameSetting.objects.create(game="cost_sharing", name="three airlines", data={"airlines": airlines})
    GameSetting.objects.create(game="chameleon", name="fig", data={"topic": "Fruits", "word": "fig"})


def text(response) -> str:
    """What a page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


class Inputs(HTMLParser):
    """What a browser sends of a page's form that nobody has touched."""

    def __init__(self, page: str):
        super().__init__()
        self.values: dict[str, str] = {}
        self.select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list) -> None:
        given = dict(attributes)
        if tag == "select":
            self.select = given["name"]
        elif tag == "option" and "selected" in given:
            self.values[self.select] = given["value"]
        elif tag == "input" and given["type"] in ("radio", "checkbox"):
            if "checked" in given:
                self.values[given["name"]] = given.get("value", "on")
        elif tag == "input":
            self.values[given["name"]] = given.get("value", "")


def open_room(name: str = "Ben", person: str = "ben", **settings) -> Room:
    return rooms.open_room(game="undercover", preset="wiu", seats=5, person=person, name=name, **settings)


# Play now -----------------------------------------------------------------------------------------------------------


def test_one_tap_deals_a_match_with_agents_on_all_other_seats(client):
    response = client.post("/play/avalon/", {"name": "Ann"})
    room = Room.objects.get()
    assert response.url == f"/t/{room.code}/"
    assert Match.objects.get(room=room, status="running").events.filter(kind="dealt").count() == 6
    assert sorted(seat.agent for seat in room.seats.all()) == ["", *["house"] * 5]


def test_the_name_is_asked_once(client):
    client.post("/play/undercover/", {"name": "Ann"})
    assert 'value="Ann"' in client.get(LOBBY).content.decode()
    client.post("/play/undercover/")
    assert [room.seats.exclude(person="").get().name for room in Room.objects.all()] == ["Ann", "Ann"]


@pytest.mark.parametrize(
    ("typed", "reason"),
    [("", "Please tell us a name."), ("\u202e  \x00", "Please tell us a name."), ("x" * 30, "That name is too long")],
)
def test_a_name_that_cannot_be_shown_is_refused_next_to_its_field(client, typed, reason):
    response = client.post("/play/undercover/", {"name": typed})
    assert response.status_code == 422
    assert reason in text(response)
    assert not Room.objects.exists()


def test_a_refused_name_stays_in_its_field(client):
    assert f'value="{"x" * 30}"' in client.post("/play/undercover/", {"name": "x" * 30}).content.decode()


def test_without_agents_one_tap_leaves_no_half_open_table(client):
    AgentProfile.objects.all().delete()
    response = client.post("/play/undercover/", {"name": "Ann"})
    assert "No agents are set up here." in text(response)
    assert not Room.objects.exists()


def test_a_game_of_the_registry_is_in_the_lobby_without_an_edit(client, monkeypatch):
    class Whispers(Undercover):
        name, title, about = "whispers", "Whispers", "A game that nobody has heard of."

    monkeypatch.setitem(RULES, "whispers", Whispers())
    page = client.get(LOBBY)
    assert "A game that nobody has heard of." in text(page)
    assert "/play/whispers/" in page.content.decode()
    assert client.get("/tables/new/whispers/").status_code == 200


def test_markup_in_a_name_is_shown_as_text(client):
    open_room(name="<b>Ben</b>")
    page = client.get(LOBBY).content.decode()
    assert "&lt;b&gt;Ben&lt;/b&gt;" in page
    assert "<b>Ben" not in page


# Tables that are there ----------------------------------------------------------------------------------------------


def test_open_tables_show_their_free_seats_and_the_way_in(client):
    room = open_room()
    page = client.get(LOBBY)
    assert "4 seats are free" in text(page)
    assert f'formaction="/t/{room.code}/sit/"' in page.content.decode()


def test_the_number_of_tables_does_not_change_the_number_of_queries(client, django_assert_num_queries):
    open_room(person="p0")
    client.get(LOBBY)
    with django_assert_num_queries(5):
        client.get(LOBBY)
    for n in range(1, 12):
        open_room(person=f"p{n}")
    with django_assert_num_queries(5):
        client.get(LOBBY)


def test_any_number_of_friends_may_be_typed_before_another_way_of_playing_is_looked_at(client):
    for friends in ("9" * 5000, "-1", "x", "\u0663", ""):
        asked = {"shown": "wiu", "preset": "classic", "friends": friends}
        assert client.post("/tables/new/undercover/", asked).status_code == 200


def test_a_table_that_all_have_left_is_the_next_ones_who_sits_down():
    room = open_room(listed=True)
    chairs.leave(room, "ben")
    assert room.closed_at is not None
    chairs.sit(room, "ann", "Ann")
    chairs.fill(Room.objects.get(), "ann", "house")
    assert rooms.start(Room.objects.get(), "ann").status == "running"
    assert Room.objects.get().closed_at is None


@pytest.mark.parametrize("hide", [{"listed": False}, {"closed_at": "2020-01-01T00:00Z"}])
def test_tables_that_are_private_or_closed_are_not_shown(client, hide):
    room = open_room(**hide)
    assert room.code not in client.get(LOBBY).content.decode()


def test_full_tables_are_not_shown_as_open(client):
    room = open_room()
    chairs.fill(room, "ben", "house")
    assert room.code not in client.get(LOBBY).content.decode()


def test_a_running_match_is_offered_to_watchers_only_where_the_table_allows(client):
    codes = {}
    for watching in Room.Watching.values:
        room = open_room(person=watching, watching=watching)
        chairs.fill(room, watching, "house")
        rooms.start(room, watching)
        codes[watching] = room.code
    page = client.get(LOBBY).content.decode()
    assert {watching: code in page for watching, code in codes.items()} == {
        "nobody": False,
        "delayed": True,
        "live": True,
    }


def test_the_host_of_a_table_with_pseudonyms_is_not_named(client):
    open_room(name="Benedetta", pseudonyms=True)
    assert "Benedetta" not in client.get(LOBBY).content.decode()


def test_who_sits_at_a_table_finds_the_way_back(client):
    client.post(NEW_TABLE, CHOICES)
    assert "Your tables" in text(client.get(LOBBY))
    assert "Your tables" not in text(Client().get(LOBBY))


def test_own_tables_say_whether_they_wait_or_are_played_or_are_over():
    waiting, match = room_of(1, seats=3), match_at(room_of(3))

    def told() -> dict[str, str]:
        page = " ".join(text(browser("key-1").get(LOBBY)).split("Your tables")[1].split("Play now")[0].split())
        return dict(re.findall(r"([A-Z]+-\d+) · (.*?) Go back", page))

    assert told() == {waiting.code: "waiting", match.room.code: "being played"}
    play_out(match)
    assert told()[match.room.code] == "the match is over"


def test_in_the_list_of_matches_a_seat_has_a_role_where_the_game_has_roles():
    for game, role in (("undercover", "civilian"), ("prisoners_dilemma", "dilemma")):
        match = quick_match(game)
        play_out(match)
        roles = re.findall(r'class="as">([^<]+)<', browser("key-1").get("/matches/").content.decode())
        assert any(role in one for one in roles) == bool(RULES[game].sought), roles


def test_no_page_of_the_lobby_holds_the_key_of_a_person(client):
    open_room(person="a-secret-key")
    assert "a-secret-key" not in client.get(LOBBY).content.decode()


# A table with options -----------------------------------------------------------------------------------------------


def test_a_table_keeps_what_its_host_chose(client):
    response = client.post(NEW_TABLE, CHOICES)
    room = Room.objects.get()
    assert response.url == f"/t/{room.code}/"
    assert (room.preset, room.move_seconds, room.absence, room.pace) == ("party", 60, "wait", 0.5)
    assert (room.watching, room.afterwards) == ("delayed", "table")
    assert (room.agents_named, room.pseudonyms, room.listed) == (True, False, False)
    assert room.options == {"undercovers": 2, "tie": "lot"}, "only what differs from the preset is kept"


@pytest.mark.parametrize("game", RULES)
def test_the_form_as_it_stands_needs_only_a_name(client, game):
    for preset, about in RULES[game].presets.items():
        page = client.post(f"/tables/new/{game}/", {"preset": preset}).content.decode()
        response = client.post(f"/tables/new/{game}/", Inputs(page).values | {"name": "Ann"})
        assert response.status_code == 302, text(response)
        talk = {"table_talk": True} if about.title else {}
        assert (Room.objects.latest("pk").preset, Room.objects.latest("pk").options) == (preset, talk)


def test_from_the_lobby_the_form_is_the_usual_one_with_the_name_that_was_typed_there(client):
    of_the_lobby, usual = client.post(NEW_TABLE, {"name": "Ann"}), client.get(NEW_TABLE)
    shown, otherwise = (Inputs(page.content.decode()).values for page in (of_the_lobby, usual))
    assert {"agents_named", "listed"} <= otherwise.keys()
    token = "csrfmiddlewaretoken"
    assert shown | {token: ""} == otherwise | {token: "", "name": "Ann"}


def test_without_agents_a_table_for_friends_can_be_opened(client):
    AgentProfile.objects.all().delete()
    page = client.get(NEW_TABLE).content.decode()
    client.post(NEW_TABLE, Inputs(page).values | {"name": "Ann", "friends": "4", "agents": "0"})
    assert Room.objects.get().seats.filter(person="", agent="").count() == 4


def test_seats_for_friends_stay_free_and_the_match_waits(client):
    client.post(NEW_TABLE, CHOICES)
    seats = Room.objects.get().seats.all()
    assert (len(seats), sum(seat.free for seat in seats), sum(bool(seat.agent) for seat in seats)) == (6, 2, 3)
    assert not Match.objects.exists()


def test_a_table_without_friends_is_dealt_at_once(client):
    client.post(NEW_TABLE, CHOICES | {"friends": "0"})
    assert Match.objects.get().status == "running"


def test_roles_are_chosen_as_roles_and_the_rest_fills_up(client):
    game = {"preset": "official", "shown": "official", "friends": "4", "agents": "0", "option-all_vote": "on"}
    game |= {"option-dagger": "evil", "option-discussion": "once", "option-polls": "none"}
    client.post("/tables/new/avalon/", CHOICES | game | {"option-roles": ["merlin", "mordred"]})
    assert Room.objects.get().options == {
        "roles": ["merlin", "mordred", "servant", "servant", "minion"],
        "discussion": "once",
    }


def test_roles_that_do_not_go_together_are_refused(client):
    game = {"preset": "classic", "shown": "classic", "option-all_vote": "on", "option-dagger": "evil"}
    evil = {"option-roles": ["morgana", "mordred", "oberon"], "option-discussion": "free"}
    response = client.post("/tables/new/avalon/", CHOICES | game | evil)
    assert response.status_code == 422 and "6 seats need 2 evil roles; there are 3." in text(response)


@pytest.mark.parametrize("game", RULES)
def test_players_are_offered_ways_of_their_own_and_papers_lie_in_a_fold(client, game):
    """A preset for players has a title, and it is what both buttons of the lobby begin with."""
    rules = RULES[game]
    preset, seats = rules.players
    assert rules.presets[preset].title and rules.presets[preset].low <= seats <= rules.presets[preset].high
    page = client.get(f"/tables/new/{game}/").content.decode()
    outside, fold = page.split('<details class="fold">', 1)
    for name, about in rules.presets.items():
        assert (f'name="preset" value="{name}"' in outside) == bool(about.title)
        assert (f'name="preset" value="{name}"' in fold) == (not about.title)
    assert Inputs(page).values["preset"] == preset and "option-polls" not in page
    assert (Inputs(page).values["friends"], Inputs(page).values["agents"]) == ("1", str(seats - 2))
    client.post(f"/play/{game}/", {"name": "Ann"})
    assert (Match.objects.get().preset, len(Match.objects.get().seated)) == (preset, seats)


@pytest.mark.parametrize("game", RULES)
def test_every_option_and_every_choice_has_words_of_its_own(game):
    for preset in RULES[game].presets:
        for item in TableForm(RULES[game], preset).offered:
            words = [item.metadata["about"], *(item.metadata["choices"] or {"": "x"}).values()]
            assert item.metadata["about"].endswith(".")
            assert isinstance(item.default, bool) or item.metadata["label"], item.name
            assert not any("_" in word for word in words)


def test_a_name_typed_in_the_lobby_is_there_in_the_form_of_a_table(client):
    page = client.post(NEW_TABLE, {"name": "Annabel"}).content.decode()
    assert Inputs(page).values["name"] == "Annabel"
    lobby = client.get(LOBBY).content.decode()
    assert f'formaction="{NEW_TABLE}" formnovalidate' in lobby


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": ""}, "Please tell us a name."),
        ({"agents": "0", "friends": "0"}, "This way of playing is for 4 to 12 seats; you, friends and agents are 1."),
        ({"option-undercovers": "6"}, "At most 5."),
        ({"agents": "-1"}, "At least 0."),
        ({"option-undercovers": "5"}, "Undercover needs at least two civilians."),
        ({"option-tie": "duel"}, "Select a valid choice."),
        ({"agents": "many"}, "Enter a whole number."),
        ({"watching": "everything"}, "Select a valid choice."),
    ],
)
def test_what_cannot_be_played_is_refused_with_its_reason_and_stays_typed(client, change, reason):
    response = client.post(NEW_TABLE, CHOICES | change)
    assert response.status_code == 422
    assert reason in text(response)
    assert not Room.objects.exists()
    kept = {"option-rounds": "8", "name": "Annabel"}
    page = client.post(NEW_TABLE, CHOICES | kept | {"option-undercovers": "6"}).content.decode()
    assert 'value="8"' in page
    assert 'value="Annabel"' in page
    assert 'value="6"' in page


def test_another_way_of_playing_first_shows_its_options_and_keeps_the_rest(client):
    response = client.post(
        NEW_TABLE, CHOICES | {"preset": "magic", "friends": "1", "pseudonyms": "on", "name": "Annabel"}
    )
    page = response.content.decode()
    assert not Room.objects.exists()
    assert 'name="shown" value="magic"' in page
    shown = Inputs(page).values
    assert (shown["friends"], shown["agents"]) == ("1", "1"), "agents fill up the usual number of seats"
    assert (shown["option-tie"], shown["option-undercovers"]) == ("none", "1"), "as the paper plays it"
    assert re.search(r'name="pseudonyms"[^>]* checked', page)
    assert 'value="Annabel"' in page


def test_profiles_whose_key_is_missing_are_not_offered(client, monkeypatch):
    everyone = AgentProfile.SeatedBy.EVERYONE
    ModelPrice.objects.create(model="clever-1", tokens_in=1, tokens_out=2)
    AgentProfile.objects.create(
        name="clever", title="Clever", provider="openai", model="clever-1", key_env="OPENAI_API_KEY", seated_by=everyone
    )
    assert "Clever" not in client.get(NEW_TABLE).content.decode()
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert "Clever" in client.get(NEW_TABLE).content.decode()


# A code -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["KITE-4271", "kite-4271", " kite 4271 ", "Kite4271", "kite–4271"])
def test_a_code_is_understood_however_it_is_typed(client, typed):
    room = open_room(code="KITE-4271")
    assert client.post("/join/", {"code": typed}).url == f"/t/KITE-4271/?key={room.key}"


def test_an_unknown_code_is_said_and_stays_typed(client):
    response = client.post("/join/", {"code": "kite <9>"})
    assert response.status_code == 404
    assert "No table has the code “kite <9>”." in text(response)
    assert 'value="kite &lt;9&gt;"' in response.content.decode()


# Pages that say what went wrong -------------------------------------------------------------------------------------


def way_back(response) -> bool:
    return f'href="{reverse("games:lobby")}"' in response.content.decode()


def test_an_address_that_leads_nowhere_says_so(client):
    for address in ("/nothing/", "/play/chess/", "/rules/chess/", "/tables/new/chess/"):
        response = client.get(address) if "play" not in address else client.post(address)
        assert response.status_code == 404
        assert "There is nothing here" in text(response)
        assert way_back(response)


def test_an_expired_form_says_what_to_do():
    response = Client(enforce_csrf_checks=True).post("/play/undercover/", {"name": "Ann"})
    assert response.status_code == 403
    assert "The page was open for too long" in text(response)
    assert way_back(response)


def test_a_fault_of_ours_is_admitted_without_details(client, monkeypatch):
    client.raise_request_exception = False
    monkeypatch.setattr(rooms, "open_room", lambda **settings: 1 / 0)
    response = client.post("/play/undercover/", {"name": "Ann"})
    assert response.status_code == 500
    assert "Something broke on our side" in text(response)
    assert "ZeroDivisionError" not in text(response)
    assert way_back(response)


def test_each_game_explains_itself_in_three_cards(client):
    for game in RULES:
        page = client.get(f"/rules/{game}/").content.decode()
        assert page.count('<li class="panel">') == 3


def test_a_first_visit_stays_light(client):
    """All that the first page loads is under 200 KB, even if nothing is compressed."""
    page = client.get(LOBBY).content
    parts = re.findall(r'(?:src|href)="/static/([^"]+)"', page.decode())
    assert len(page) + sum(Path(finders.find(part)).stat().st_size for part in parts) < 200_000


def test_pages_ask_nothing_of_other_hosts_and_hold_no_inline_code(client):
    for address in (LOBBY, NEW_TABLE, "/join/", "/rules/avalon/", "/sign-in/"):
        page = client.get(address).content.decode()
        assert not re.search(r'(?:src|href|action)="(?:https?:)?//', page)
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)


def test_where_no_way_of_playing_is_a_papers_no_fold_stands_for_them(client, monkeypatch):
    fold, rules = "As in the papers, for researchers", RULES["undercover"]
    assert fold in text(client.get(NEW_TABLE))
    monkeypatch.setattr(rules, "presets", {name: one for name, one in rules.presets.items() if one.title})
    assert fold not in text(client.get(NEW_TABLE))


def test_one_tap_deals_agents_of_the_chosen_strength(client, db):
    call_command("load_fixtures", verbosity=0)
    page = client.get(reverse("games:lobby")).content.decode()
    assert re.findall(r'name="agent" value="([a-z-]+)"( checked)?', page) == [
        ("house-easy", ""),
        ("house", " checked"),
        ("house-hard", ""),
    ]
    client.post(reverse("games:play", args=["undercover"]), {"name": "Ann", "agent": "house-hard"})
    assert set(Seat.objects.exclude(agent="").values_list("agent", flat=True)) == {"house-hard"}


def test_one_tap_takes_the_usual_agents_where_the_chosen_one_is_none_of_the_strengths(client, db):
    call_command("load_fixtures", verbosity=0)
    client.post(reverse("games:play", args=["undercover"]), {"name": "Ann", "agent": "openai-direct"})
    assert set(Seat.objects.exclude(agent="").values_list("agent", flat=True)) == {"house"}
