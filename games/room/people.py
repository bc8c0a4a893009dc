"""Who somebody is: without an account a random key and a name, in one signed cookie of their browser.

The key keeps a person's seat and never reaches a page. Whoever has the cookie is the person; whoever is signed in is
the account's person, in any browser (`games.room.accounts`).
"""

from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from games.room import accounts

COOKIE = "magic_person"
SALT = "games.people"
A_YEAR = 365 * 24 * 3600


def person_of(request: HttpRequest) -> str:
    """The key of who asks. A new visitor gets one, which lasts only if the answer is given to `remember`."""
    return _read(request)["key"]


def name_of(request: HttpRequest) -> str:
    """The name that this person last gave, or ''."""
    return _read(request)["name"]


def remember(request: HttpRequest, response: HttpResponse, name: str | None = None) -> HttpResponse:
    """Keep the person, and the name if one is given, in their browser; returns the answer."""
    person = _read(request)
    if name is not None:
        person["name"] = name
    response.set_cookie(
        COOKIE,
        signing.dumps(person, salt=SALT),
        max_age=A_YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


def person_from_cookies(cookies: Mapping[str, str]) -> str | None:
    """The key in these cookies; None where there is none or it is not signed by us."""
    person = _signed(cookies.get(COOKIE))
    return person["key"] if person else None


def person_of_scope(scope: Mapping[str, Any]) -> str | None:
    """The key of who opened a socket. Of who is signed in, it is read from the database."""
    browser, user = _browser_of_scope(scope), scope.get("user")
    return accounts.person_of(user, browser) if user is not None and user.is_authenticated else browser


def _browser_of_scope(scope: Mapping[str, Any]) -> str | None:
    header = next((value for name, value in scope["headers"] if name == b"cookie"), b"")
    try:
        cookies = SimpleCookie(header.decode("latin1"))
    except CookieError:
        return None
    return person_from_cookies({name: morsel.value for name, morsel in cookies.items()})


def _read(request: HttpRequest) -> dict[str, str]:
    found = vars(request).get("_person")
    if found is None:
        known = _signed(request.COOKIES.get(COOKIE))
        found = vars(request)["_person"] = known or {"key": accounts.new_key(), "name": ""}
        user = getattr(request, "user", None)
        if user is not None and user.is_authenticated:
            found["key"] = accounts.person_of(user, known["key"] if known else None)
    return found


def _signed(cookie: str | None) -> dict[str, str] | None:
    try:
        return signing.loads(cookie, salt=SALT, max_age=A_YEAR) if cookie else None
    except signing.BadSignature:
        return None
