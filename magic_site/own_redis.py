"""Where the Redis of a site is that runs on the same data: `make run` starts one of its own, and says where, so that
commands find it."""

from pathlib import Path

FILE = "run.lock"
SCHEME = "unix://"


def keep_address(folder: Path, socket: Path) -> None:
    """Say where the server is, in the file that the launcher holds."""
    (folder / FILE).write_text(f"{SCHEME}{socket}")


def kept_address(folder: Path) -> str | None:
    """The address of the server, if its site runs: its socket goes with it."""
    try:
        address = (folder / FILE).read_text().strip()
    except OSError:
        return None
    return address if address.startswith(SCHEME) and Path(address.removeprefix(SCHEME)).is_socket() else None
