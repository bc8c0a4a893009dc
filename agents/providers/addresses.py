"""Where a call may go, and which key may go with it.

Who may edit a profile may name any address and the name of any key. So the environment alone says to which hosts a key
is sent: `API_KEY_HOSTS`, as in "MINE_API_KEY=models.example,MINE_API_KEY=other.example:8443". The keys of the known
providers go to their own hosts.
"""

import ipaddress
import os
import re

VARIABLE = "API_KEY_HOSTS"
USUAL = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
"""The address of each provider where a profile names none."""

KNOWN = {"OPENAI_API_KEY": "api.openai.com", "ANTHROPIC_API_KEY": "api.anthropic.com"}
KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")
ADDRESS = re.compile(r"(?ai)(https?)://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?(?:/[\w.~%/-]*)?")
"""Scheme, host, port and path, of characters that everybody reads alike. A name with a password, a question or a
fragment is no part of it: secrets would stand there."""


def trouble(address: str, key_env: str) -> tuple[str, str] | None:
    """What forbids a call at this address with this key ("" for none): the name of the profile's field, and a sentence
    that repeats nothing of the address but its host. None if nothing does."""
    found = ADDRESS.fullmatch(address)
    if found is None:
        return "base_url", (
            "The base URL must be a full address, such as https://models.example/v1, without a name, a password or a "
            "question in it."
        )
    scheme, host, port = found[1].lower(), found[2].lower(), found[3]
    if scheme == "http" and not _is_loopback(host):
        return "base_url", "The base URL of another machine must begin with https, or others can read along."
    if not key_env:
        return None
    if not KEY_NAME.fullmatch(key_env):
        return "key_env", "The name of a key's environment variable must end in _API_KEY."
    allowed = _hosts(key_env)
    if host in allowed or f"{host}:{port or {'http': 80, 'https': 443}[scheme]}" in allowed:
        return None
    return "key_env", (
        f"The key {key_env} may not be sent to {host}. If it should be, set {VARIABLE}={key_env}={host} in the "
        "environment of the site, and start it anew."
    )


def _hosts(key_env: str) -> set[str]:
    """The hosts, with or without a port, that a key may be sent to."""
    pairs = (entry.strip().partition("=") for entry in os.environ.get(VARIABLE, "").split(","))
    named = {host.strip().lower() for name, _equals, host in pairs if name.strip() == key_env and host.strip()}
    return named | ({KNOWN[key_env]} if key_env in KNOWN else set())


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
