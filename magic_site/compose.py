"""deploy/compose.yaml, written from the list of parts, so that a part can be added in one place."""

from __future__ import annotations

from magic_site.parts import BASE_DIR, site_parts

FILE = BASE_DIR / "deploy" / "compose.yaml"
WEB_PROCESSES = 2
WEB_PORT = 8000
NETWORK = "10.87.0.0/24"

HEAD = f"""\
# Made by `manage.py compose_file` from magic_site/parts.py; docs/deployment.md says how to use it.
x-site: &site
  image: magic-table
  build: {{context: .., dockerfile: deploy/Dockerfile}}
  restart: unless-stopped
  environment:
    DATABASE_URL: postgres://magic:${{POSTGRES_PASSWORD:?}}@database/magic
    REDIS_URL: redis://redis:6379
    SECRET_KEY: ${{SECRET_KEY:?}}
    ALLOWED_HOSTS: ${{SITE_HOST:?}}
    HTTPS: "1"
    TRUSTED_PROXIES: {NETWORK}
    OPENAI_API_KEY: ${{OPENAI_API_KEY:-}}
    ANTHROPIC_API_KEY: ${{ANTHROPIC_API_KEY:-}}
  depends_on:
    prepare: {{condition: service_completed_successfully}}
    redis: {{condition: service_healthy}}

networks:
  default:
    ipam: {{config: [{{subnet: {NETWORK}}}]}}

volumes: {{database: , certificates: }}

services:
  database:
    image: postgres:17
    restart: unless-stopped
    command: [postgres, -c, max_connections=300]
    environment: {{POSTGRES_USER: magic, POSTGRES_DB: magic, POSTGRES_PASSWORD: "${{POSTGRES_PASSWORD:?}}"}}
    volumes: [database:/var/lib/postgresql/data]
    healthcheck: {{test: [CMD, pg_isready, -U, magic], interval: 2s, retries: 30}}

  redis:
    image: valkey/valkey:9
    restart: unless-stopped
    command: [valkey-server, --save, "", --appendonly, "no"]
    healthcheck: {{test: [CMD, valkey-cli, ping], interval: 2s, retries: 30}}

  proxy:
    image: caddy:2
    restart: unless-stopped
    environment: {{SITE_HOST: "${{SITE_HOST:?}}"}}
    ports: ["80:80", "443:443"]
    volumes: [./Caddyfile:/etc/caddy/Caddyfile:ro, certificates:/data]

  prepare:
    <<: *site
    restart: "no"
    command: [python, manage.py, prepare]
    depends_on:
      database: {{condition: service_healthy}}
"""


def text() -> str:
    """The whole file."""
    return HEAD + "".join(
        f"\n  {name}:\n    <<: *site\n    command: [{', '.join(command)}]\n{_health(command)}"
        for name, command in services().items()
    )


def services() -> dict[str, list[str]]:
    """The command of each service that is a part of the site; of web processes there are several."""
    found = {}
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
