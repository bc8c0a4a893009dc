"""deploy/compose.yaml, written from the list of parts, so that a part can be added in one place."""

from django.template.loader import render_to_string

from magic_site.parts import BASE_DIR, site_parts

FILE = BASE_DIR / "deploy" / "compose.yaml"
WEB_PROCESSES = 2
WEB_PORT = 8000
NETWORK = "10.87.0.0/24"


def text() -> str:
    """The whole file."""
    found = [(name, ", ".join(command), _health(command)) for name, command in services().items()]
    return render_to_string("reference/compose.yaml", {"network": NETWORK, "services": found})


def services() -> dict[str, list[str]]:
    """The command of each service that is a part of the site; of web processes there are several."""
    found: dict[str, list[str]] = {}
    for part in site_parts({}, "0.0.0.0", WEB_PORT, BASE_DIR):  # noqa: S104 (within the network of the containers)
        command = ["python", "manage.py", "part", part.name]
        if part.name == "daphne":
            found |= {f"web-{n}": [*command, "--host", "0.0.0.0"] for n in range(1, WEB_PROCESSES + 1)}  # noqa: S104
        else:
            found[part.name] = command
    return found


def _health(command: list[str]) -> str:
    if "daphne" not in command:
        return ""
    ask = f"import urllib.request as r; r.urlopen('http://127.0.0.1:{WEB_PORT}/healthz', timeout=5)"
    return f'    healthcheck: {{test: [CMD, python, -c, "{ask}"], interval: 10s, retries: 3, start_period: 30s}}\n'
