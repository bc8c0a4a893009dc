"""The list of matches as researchers choose from it: by a form, in an address that is kept, with who played as what."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils.html import strip_tags

from games.match import lookup, store
from games.match.rows import MatchSeat
from games.models import AccountKey, Match, Room
from magic_site.rights import ADMIN, RESEARCHER
from tests.games.matches import dealt, play_on, stored, visitor
from tests.games.test_leaks import plain
from tests.kept import kept

pytestmark = pytest.mark.django_db
LIST = "/matches/"


@pytest.fixture(scope="module", autouse=True)
def matches(django_db_setup, django_db_blocker):
    """A match that everybody may see all of, one that shows nobody more than its table did, one that runs."""
    with kept(django_db_blocker):
        for game, preset, seats, moves, settings in (
            ("avalon", "recon", 6, None, {"afterwards": "anyone"}),
            ("undercover", "wiu", 5, None, {"afterwards": "nobody"}),
            ("undercover", "party", 5, 4, {}),
        ):
            place = Room.objects.create(game=game, preset=preset, host="ann", **settings)
            stored(play_on(dealt(game, preset, seats), moves), room=place)
        yield


def of(game: str, status: str = "finished") -> Match:
    return Match.objects.get(game=game, status=status)


def client_of(group: str = RESEARCHER, key: str = "rita") -> Client:
    user, _new = User.objects.get_or_create(username=f"{group} {key}")
    user.groups.add(Group.objects.get(name=group))
    AccountKey.objects.get_or_create(key=key, user=user)
    client = visitor(key)
    client.force_login(user)
    return client


def html(client: Client, query: str = "", status: int = 200) -> str:
    answer = client.get(LIST + query)
    assert answer.status_code == status, answer.get("Location")
    return answer.content.decode()


def shown(page: str) -> set[str]:
    return set(re.findall(r"/m/([0-9a-f-]{36})/\"", page))


def text(page: str) -> str:
    return " ".join(unescape(strip_tags(page)).split())


def test_a_researcher_sees_who_played_as_what_and_who_won():
    page = html(client_of())
    match = of("avalon")
    entry = text(page.split(str(match.pk))[0].rsplit('class="entry"', 1)[1])
    for one in MatchSeat.objects.filter(match=match):
        assert one.name in entry and one.role.replace("_", " ") in entry
    assert entry.count("won") == MatchSeat.objects.filter(match=match, won=True).count() > 0
    assert "house" in entry


def test_the_form_finds_and_says_what_is_chosen():
    client, match = client_of(), of("avalon")
    seat = MatchSeat.objects.filter(match=match, won=False).exclude(agent="").first()
    page = html(client, f"?agent=house&role={seat.role}&won=no")
    assert str(match.pk) in shown(page)
    assert "1 match" in text(page) and "Agent: house" in text(page) and "Won or lost: Lost" in text(page)
    other = html(client, f"?agent=house&role={seat.role}&won=yes")
    assert str(match.pk) not in shown(other) or MatchSeat.objects.filter(match=match, role=seat.role, won=True).exists()
    assert shown(html(client, "?game=undercover&status=running")) == {str(of("undercover", "running").pk)}


def test_empty_fields_leave_the_address():
    answer = client_of().get(LIST + "?words=&game=avalon&agent=&won=")
    assert (answer.status_code, answer.url) == (302, f"{LIST}?game=avalon")


def test_a_choice_is_kept_for_who_comes_back_until_all_are_asked_for():
    client = client_of()
    html(client, "?game=avalon&won=yes&role=merlin")
    answer = client.get(LIST)
    assert (answer.status_code, answer.url) == (302, f"{LIST}?game=avalon&role=merlin&won=yes")
    assert len(shown(html(client, "?all=1"))) == 3
    html(client)
    assert client_of(key="other").get(LIST).status_code == 200


def test_words_that_were_looked_for_are_kept_nowhere():
    client = client_of()
    html(client, "?game=avalon&words=penguin")
    answer = client.get(LIST)
    assert (answer.status_code, answer.url) == (302, f"{LIST}?game=avalon")
    assert "penguin" not in str(dict(client.session))


def test_a_choice_that_makes_no_sense_is_said_at_its_field_and_nothing_typed_is_lost():
    page = html(client_of(), "?since=yesterday&agent=house", 422)
    assert "Enter a valid date" in page and 'value="yesterday"' in page and 'value="house"' in page
    assert shown(page) == set()
    assert client_of().get(LIST).status_code == 200  # it is not kept


def test_words_are_shown_where_they_stand_with_a_link_to_the_moment():
    match = of("undercover")
    event = match.events.filter(kind="clue").first()
    page = html(client_of(), f'?words="{event.data["text"]}"&status=finished')
    assert f"<mark>{event.data['text']}</mark>" in page
    assert f"/m/{match.pk}/?as=all&amp;seq={event.seq}" in page
    thought = match.thoughts.first()
    seq = match.events.get(request=thought.request).seq
    page = html(client_of(), f'?words="{thought.reply}"&game=undercover&status=finished')
    assert f"<mark>{thought.reply}</mark>" in page and f"/m/{match.pk}/?as=all&amp;seq={seq}" in page


def test_without_full_text_the_page_says_how_words_are_found(monkeypatch):
    assert "no full text" not in html(client_of(), "?words=warm")
    monkeypatch.setattr(lookup, "has_full_text", lambda: False)
    assert "no full text" in html(client_of(), "?words=warm")


def test_words_that_look_like_markup_stay_words():
    page = html(client_of(), "?words=<script>alert(1)</script>")
    assert "<script>alert" not in page


# Who is told what ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["visitor", "ann", "account"])
def test_who_is_no_researcher_finds_nothing_by_what_is_hidden(who):
    client = Client() if who == "visitor" else visitor(who)
    if who == "account":
        client.force_login(User.objects.create_user("bob"))
    every = html(client)
    assert "Export" not in every and 'name="words"' not in every
    for query in ("?words=REPLY", "?role=merlin&won=yes", "?agent=house", "?method=house", "?label=a:b", "?since=x"):
        assert shown(html(client, query)) == shown(every)


def test_roles_are_told_only_where_everything_may_be_seen():
    open_one, closed = of("avalon"), of("undercover")
    for client in (Client(), visitor("ann")):
        page = html(client)
        entries = {key: text(page.split(str(key))[0].rsplit('class="entry"', 1)[1]) for key in (open_one.pk, closed.pk)}
        assert "merlin" in entries[open_one.pk] and "won" in entries[open_one.pk]
        assert not re.search("civilian|undercover\\b|won|house", entries[closed.pk])


def exchange(match: Match) -> None:
    """Other hidden facts: roles, sides, agents and who won."""
    for sitter in match.sitters.all():
        sitter.side, sitter.role = f"{sitter.side}!", f"{sitter.role}!"
        sitter.won = not sitter.won
        sitter.agent = sitter.agent and "other"
        sitter.save()
    match.texts.update(text="something else")
    match.methods.update(method="other", model="other")


@pytest.mark.parametrize("who", ["visitor", "ann"])
@pytest.mark.parametrize("query", ["", "?game=undercover", "?words=REPLY&agent=house&role=civilian"])
def test_a_players_list_stays_the_same_when_hidden_facts_are_exchanged(who, query):
    client = Client() if who == "visitor" else visitor(who)
    before = plain(client.get(LIST + query))
    for match in (of("undercover"), of("undercover", "running")):
        exchange(match)
    assert plain(client.get(LIST + query)) == before
    if "game" not in query:  # what everybody may see would be missed
        exchange(of("avalon"))
        assert plain(client.get(LIST + query)) != before


def test_a_researcher_who_plays_is_shown_their_match_and_finds_it_by_nothing():
    client, match = client_of(key="ann"), of("undercover", "running")
    assert match.room.code in html(client)  # to go back to the table
    thought = match.thoughts.first()
    for query in ("?status=running", f"?words={thought.reply}", "?agent=house", "?game=undercover"):
        page = html(client, query)
        assert str(match.pk) not in page and match.room.code not in page
    store.end(match.pk, "abandoned", "Enough.")
    assert str(match.pk) in html(client, f"?words={thought.reply}")


@pytest.mark.parametrize(("group", "cards"), [(RESEARCHER, {"/matches/"}), (ADMIN, {"/matches/"}), (None, set())])
def test_the_desk_has_cards_by_right(group, cards):
    client = client_of(group) if group else visitor("bob")
    if not group:
        client.force_login(User.objects.create_user("bob"))
        assert client.get("/desk/").status_code == 403
        assert 'href="/desk/"' not in client.get("/").content.decode()
        return
    page = client.get("/desk/").content.decode()
    assert cards <= set(re.findall(r'<h2><a href="([^"]+)"', page))
    assert 'href="/desk/"' in client.get("/").content.decode()
