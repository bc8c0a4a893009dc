"""An account is one person, whatever the cookies of its browsers say: who throws a cookie away sits where they sat."""

import secrets

from django.contrib.auth.models import User
from django.db import transaction

from games.match import access, store
from games.models import AccountKey, ApiKey, Room, Seat
from games.room import again, talk


def new_key() -> str:
    """A key that nobody has."""
    return secrets.token_urlsafe(18)


def person_of(user: User, browser: str | None) -> str:
    """The key of the person that an account is. What the browser's own person has becomes the account's, unless that
    person is another account."""
    keys = list(AccountKey.objects.filter(user=user).values_list("key", flat=True))
    if browser in keys or (keys and browser is None):
        return keys[0]
    AccountKey.objects.get_or_create(key=browser or new_key(), defaults={"user": user})
    keys = list(AccountKey.objects.filter(user=user).values_list("key", flat=True))
    if not keys:  # the browser's person is another account
        return person_of(user, None)
    if browser in keys[1:]:
        _move(browser, keys[0])
    return keys[0]


@transaction.atomic
def _move(old: str, new: str) -> None:
    """Give all seats and tables of one person to another; where both sit, each seat stays as it is."""
    rooms = Seat.objects.filter(person=new).values_list("room", flat=True)
    Seat.objects.filter(person=old).exclude(room__in=list(rooms)).update(person=new)
    Room.objects.filter(host=old).update(host=new)
    ApiKey.objects.filter(person=old).update(person=new)
    for room in access.kicked_from(old):
        room.kicked = [new if person == old else person for person in room.kicked]
        room.save(update_fields=["kicked"])
    again.hand_over(old, new)
    store.hand_over(old, new)
    talk.hand_over(old, new)
