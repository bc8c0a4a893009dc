"""Where a visitor comes from: the one place that reads it off a request or a socket."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

UNKNOWN = "unknown"
IPV6_PREFIX = 64
"""Bits of an IPv6 address that make one visitor: a household or a server has all addresses behind them."""


def of_request(request: HttpRequest) -> str:
    """The network address that a request counts for."""
    return _counted(request.META.get("REMOTE_ADDR") or "")


def of_scope(scope: Mapping[str, Any]) -> str:
    """The network address that a socket, or any ASGI connection, counts for."""
    return _counted((scope.get("client") or [""])[0])


def mark(address: str) -> str:
    """What is stored in place of an address: the same for the same one. Only the site's key could lead back to it."""
    return salted_hmac("magic_site.addresses", address, algorithm="sha256").hexdigest()[:16]


def _counted(peer: str) -> str:
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return UNKNOWN
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))
