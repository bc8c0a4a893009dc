"""Who calls the API, what their key is good for, and how often they may call."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.models import ApiKey, Room
from games.room import api_keys
from games.web.limits import ACTING, READING, Limit, allow_visitor
from magic_site import addresses

if TYPE_CHECKING:  # it reads the settings, which name this module
    from rest_framework.views import APIView


@dataclass(frozen=True)
class Caller:
    """Whose place a program takes: a person's with this key, and the account's rights if the key may read what is
    hidden. Who shows no key is a stranger."""

    person: str
    user: User | AnonymousUser
    key: ApiKey | None

    @classmethod
    def of(cls, key: ApiKey | None) -> Caller:
        """Who shows this key, or none."""
        if key is None:
            return cls("", AnonymousUser(), None)
        return cls(key.person, key.user or AnonymousUser(), key)

    def may(self, scope: str) -> bool:
        return self.key is not None and scope in self.key.scopes

    @property
    def sees(self) -> User | AnonymousUser:
        """The account by whose rights this program may see more than its seat."""
        return self.user if self.may(api_keys.HIDDEN) or self.may(api_keys.EXPORT) else AnonymousUser()

    @property
    def runs(self) -> User | AnonymousUser:
        """The account by whose rights this program makes and runs what its person may."""
        return self.user if self.may(api_keys.RUN) else AnonymousUser()

    def stays_out(self, room: Room) -> bool:
        """Whether the key is another table's."""
        return self.key is not None and self.key.room_id not in (None, room.pk)


def caller_of(request: Request) -> Caller:
    return Caller.of(request.auth if isinstance(request.auth, ApiKey) else None)


def key_in(authorization: str) -> ApiKey | None:
    """The key that a header `Authorization: Bearer <key>` shows; None where it is empty. Raises
    `AuthenticationFailed`."""
    word, _space, secret = authorization.partition(" ")
    if not word:
        return None
    key = api_keys.find(secret.strip()) if word.lower() == "bearer" else None
    if key is None:
        raise AuthenticationFailed(_("This key is not good, or not any more. Make another one on the page API keys."))
    return key


def refuse_without(caller: Caller, scopes: Collection[str]) -> None:
    """Raises where the caller's key has none of these scopes. Without a key a stranger reads what strangers may."""
    if not scopes or any(map(caller.may, scopes)):
        return
    if caller.key is not None:
        title = api_keys.SCOPES[next(iter(scopes))].title
        raise PermissionDenied(_("This needs a key with the scope “%(scope)s”.") % {"scope": title})
    if api_keys.READ not in scopes:
        raise NotAuthenticated(_("This needs a key. Make one on the page API keys."))


class Bearer(BaseAuthentication):
    """`Authorization: Bearer <key>`. No cookie counts here, so no other site can call in its visitor's name."""

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, ApiKey] | None:
        key = key_in(get_authorization_header(request).decode("latin1"))
        return None if key is None else (key.user or AnonymousUser(), key)

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class Scoped(BasePermission):
    """Lets in whose key has one of the scopes that the view names for this method, and whose account has one of the
    rights that it names, if any."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        scopes = getattr(view, "scopes", {}).get("GET" if request.method == "HEAD" else request.method, ())
        caller, rights = caller_of(request), getattr(view, "rights", ())
        refuse_without(caller, scopes)
        if rights and not any(map(caller.user.has_perm, rights)):
            raise PermissionDenied(_("You may not do this."))
        return True


class Understood(BasePermission):
    """Lets nobody in whose address says something behind the `?` that the view does not take."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        from games.web.api.query import query

        if request.query_params and hasattr(view, str(request.method).lower()):
            query(request)
        return True


class Knocks(BaseThrottle):
    """As often as a person may call, and more often all from one address (`games.web.limits`)."""

    limits: ClassVar[dict[bool, Limit]] = {True: READING, False: ACTING}
    limit = READING

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.limit = self.limits[request.method in ("GET", "HEAD", "OPTIONS")]
        return allow_visitor(self.limit, caller_of(request).person, addresses.of_request(request))

    def wait(self) -> float:
        return self.limit.seconds
