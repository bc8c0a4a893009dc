"""Whose word about a visitor's address is taken."""

import pytest
from django.core.checks import run_checks

from magic_site.proxies import TrustedProxies, networks

PROXY, VISITOR, LIAR = "10.87.0.9", "203.0.113.5", "198.51.100.1"


async def seen(client: str, *headers: tuple[bytes, bytes], trusted=("10.87.0.0/24",), kind: str = "http") -> dict:
    """The scope that reaches the site behind its trusted proxies."""
    scopes = []

    async def site(scope, receive, send):
        scopes.append(scope)

    scope = {"type": kind, "client": (client, 40000), "headers": [(b"host", b"site.example"), *headers]}
    await TrustedProxies(site, trusted)(scope, None, None)
    return scopes[0]


def forwarded(*hosts: str) -> tuple[bytes, bytes]:
    return b"x-forwarded-for", ", ".join(hosts).encode()


@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_a_trusted_proxy_tells_its_visitors_address(kind):
    assert (await seen(PROXY, forwarded(VISITOR), kind=kind))["client"] == (VISITOR, 0)


async def test_what_a_visitor_wrote_in_front_is_not_believed():
    assert (await seen(PROXY, forwarded(LIAR, VISITOR)))["client"] == (VISITOR, 0)
    assert (await seen(PROXY, forwarded(LIAR), forwarded(VISITOR)))["client"] == (VISITOR, 0)


async def test_of_several_trusted_proxies_the_first_one_knows_the_visitor():
    assert (await seen(PROXY, forwarded(VISITOR, "10.87.0.3")))["client"] == (VISITOR, 0)


@pytest.mark.parametrize("trusted", [("10.87.0.0/24",), ()])
async def test_nobody_else_may_say_where_they_come_from_nor_that_they_speak_https(trusted):
    scope = await seen(LIAR, forwarded(VISITOR), (b"x-forwarded-proto", b"https"), trusted=trusted)
    assert scope["client"][0] == LIAR
    assert scope["headers"] == [(b"host", b"site.example")]


async def test_a_proxy_that_says_nothing_stands_for_itself():
    assert (await seen(PROXY))["client"][0] == PROXY
    assert (await seen(PROXY, forwarded("")))["client"][0] == PROXY


def test_what_is_no_address_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="TRUSTED_PROXIES holds no address or network: 'proxy'"):
        networks(["proxy"])


@pytest.mark.slow
def test_https_behind_nobody_is_warned_of(settings):
    settings.HTTPS, settings.TRUSTED_PROXIES = True, []
    assert [message.id for message in run_checks()] == ["magic_site.W001"]
