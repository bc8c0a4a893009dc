"""Who may see what: by the seat they hold, the table's settings, their rights, and whether the match still runs."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group, Permission, User

from games.match.access import access_of, sat_at_while_running, watchable
from games.models import Match, Room
from games.rules.values import OMNISCIENT, PUBLIC
from magic_site.rights import ADMIN, RESEARCHER
from tests.games.matches import dealt, play_on, stored

pytestmark = pytest.mark.django_db

NOBODY = AnonymousUser()


@pytest.fixture
def researcher() -> User:
    user = User.objects.create_user("researcher")
    user.groups.add(Group.objects.get(name=RESEARCHER))
    return user


def match_at(moves: int | None = 2, **settings) -> Match:
    """A match of three at a table: running after two moves, or over with moves=None."""
    room = Room.objects.create(game="undercover", preset="magic", host="ann", **settings)
    return stored(play_on(dealt("undercover", "magic", 3), moves), room=room)


def test_who_sits_sees_the_own_seat_alone_while_it_runs_whatever_their_rights(researcher):
    found = access_of(match_at(), researcher, "ann")
    assert found.choices == (1,)
    assert not found.everything


def test_a_researcher_who_does_not_sit_sees_everything_while_it_runs(researcher):
    assert access_of(match_at(watching="nobody"), researcher, "eve").choices == (PUBLIC, 1, 2, 3, OMNISCIENT)


@pytest.mark.parametrize(
    ("watching", "choices", "delayed"),
    [("live", (PUBLIC,), False), ("delayed", (PUBLIC,), True), ("nobody", None, None)],
)
def test_the_table_decides_who_watches_it(watching, choices, delayed):
    found = access_of(match_at(watching=watching), NOBODY, "eve")
    assert (found.choices if found else None) == choices
    assert (found.delayed if found else None) == delayed


def test_who_was_sent_away_does_not_watch():
    assert access_of(match_at(kicked=["eve"]), NOBODY, "eve") is None


@pytest.mark.parametrize(
    ("afterwards", "of_ann", "of_eve"),
    [("anyone", True, True), ("table", True, False), ("researchers", False, False)],
)
def test_after_the_end_the_table_decides_who_sees_everything(afterwards, of_ann, of_eve, researcher):
    match = match_at(None, afterwards=afterwards)
    assert access_of(match, NOBODY, "ann").everything == of_ann
    assert access_of(match, NOBODY, "eve").everything == of_eve
    assert access_of(match, researcher, "eve").everything


def test_a_match_without_a_table_is_for_researchers_and_those_who_played_it(researcher):
    match = stored(play_on(dealt("undercover", "magic", 3)))
    assert access_of(match, NOBODY, "eve") is None
    assert access_of(match, NOBODY, "ann").choices == (PUBLIC, 1)
    assert access_of(match, researcher, "").everything


def test_the_right_is_needed_and_being_signed_in_is_not_enough():
    assert not access_of(match_at(), User.objects.create_user("somebody"), "eve").everything


# Lists --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [2, None])
@pytest.mark.parametrize("watching", Room.Watching.values)
@pytest.mark.parametrize("afterwards", Room.Afterwards.values)
def test_a_list_holds_no_match_that_may_not_be_seen(moves, watching, afterwards, researcher):
    match = match_at(moves, watching=watching, afterwards=afterwards, kicked=["fay"])
    for user, person in [(NOBODY, "ann"), (NOBODY, "eve"), (NOBODY, "fay"), (NOBODY, ""), (researcher, "eve")]:
        listed = watchable(user, person).filter(pk=match.pk).exists()
        assert listed == (access_of(match, user, person) is not None), (person, listed)


def test_a_table_that_is_not_listed_is_in_the_lists_of_its_own_people_only(researcher):
    match = match_at(None, listed=False)
    assert match not in watchable(NOBODY, "eve")
    assert match in watchable(NOBODY, "ann")
    assert match in watchable(researcher, "eve")


def test_a_part_of_a_persons_key_is_not_that_person():
    assert match_at(None, listed=False) not in watchable(NOBODY, "an")


def test_running_matches_that_somebody_sits_in_are_found():
    match = match_at()
    assert list(sat_at_while_running("ann")) == [match]
    assert not sat_at_while_running("eve").exists()
    assert not sat_at_while_running("").exists()


# Rights -------------------------------------------------------------------------------------------------------------


def test_the_groups_have_their_rights_after_a_migration():
    of = {
        name: set(Permission.objects.filter(group__name=name).values_list("codename", flat=True))
        for name in (RESEARCHER, ADMIN)
    }
    assert of[RESEARCHER] == {
        "see_thoughts", "run_competitions", "rate_replies", "import_logs", "make_own_profiles"
    }  # fmt: skip
    assert {"see_thoughts", "change_agentprofile", "add_gamesetting", "view_event", "view_match"} <= of[ADMIN]
    assert not {"change_event", "delete_match", "change_thought"} & of[ADMIN]
