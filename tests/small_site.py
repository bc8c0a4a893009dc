"""The launcher with a server of one folder in place of the site's parts: `python -m tests.small_site PORT FOLDER`."""

import sys

import django

django.setup()

from magic_site.launch import LaunchError, launch  # noqa: E402
from magic_site.parts import Part  # noqa: E402


def main(port: str, folder: str) -> None:
    server = [sys.executable, "-m", "http.server", port, "--bind", "127.0.0.1", "--directory", folder]
    try:
        launch("127.0.0.1", int(port), lambda env, host, port, logs: [Part("daphne", server, env, logs / "web.log")])
    except LaunchError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
