"""Visitors behind a proxy: whose word about their address and protocol is taken, and whose is not."""

from collections.abc import Iterable
from ipaddress import ip_address, ip_network

FORWARDED = (b"x-forwarded-for", b"x-forwarded-proto")


def networks(names: Iterable[str]) -> tuple:
    """The networks of TRUSTED_PROXIES, such as 10.0.0.0/8 or 127.0.0.1. Raises ValueError with a sentence."""
    try:
        return tuple(ip_network(name.strip()) for name in names)
    except ValueError as error:
        raise ValueError(f"TRUSTED_PROXIES holds no address or network: {error}.") from None


class TrustedProxies:
    """An ASGI application in front of another one, which gives each request the address of its visitor.

    A request from a trusted proxy comes from the last address in X-Forwarded-For that is no trusted proxy itself. From
    anybody else both headers are dropped: they are the visitor's own words.
    """

    def __init__(self, application, trusted: Iterable[str]) -> None:
        self.application = application
        self.trusted = networks(trusted)

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] in ("http", "websocket"):
            scope = self.believed(scope) if self.trusts(_host(scope)) else self.unbelieved(scope)
        await self.application(scope, receive, send)

    def trusts(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.trusted)

    def believed(self, scope: dict) -> dict:
        words = b",".join(value for name, value in scope["headers"] if name == FORWARDED[0]).decode("latin-1")
        visitors = [word.strip() for word in words.split(",") if word.strip()]
        strangers = [host for host in visitors if not self.trusts(host)]
        return scope | {"client": (strangers[-1], 0)} if strangers else scope

    @staticmethod
    def unbelieved(scope: dict) -> dict:
        return scope | {"headers": [(name, value) for name, value in scope["headers"] if name not in FORWARDED]}


def _host(scope: dict) -> str:
    return (scope.get("client") or ("", 0))[0]
