"""How long a person waits from a fresh clone to the first page: packages, database, processes, answer."""

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from magic_site.launch import answers
from tests.stack import free_port

PROJECT = Path(__file__).resolve().parent.parent
LONGEST_SECONDS = 600


def main() -> None:
    port = free_port()
    settings = ("VAR_DIR", "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "MAKEFLAGS", "MAKELEVEL")
    env = {name: value for name, value in os.environ.items() if name not in settings}
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        subprocess.run(["git", "clone", "--quiet", str(PROJECT), folder], check=True)
        subprocess.run(["make", "install"], cwd=folder, env=env, check=True, capture_output=True)
        installed = time.monotonic()
        site = subprocess.Popen(["make", "run", f"PORT={port}"], cwd=folder, env=env, start_new_session=True)
        try:
            while not answers(f"http://127.0.0.1:{port}/"):
                if site.poll() is not None or time.monotonic() - begun > LONGEST_SECONDS:
                    raise SystemExit("The site did not start.")
                time.sleep(0.05)
            opened = time.monotonic()
        finally:
            os.killpg(site.pid, signal.SIGINT)
            site.wait()
        ended = time.monotonic()
    print(f"clone and packages   {installed - begun:6.1f} s")
    print(f"start to first page  {opened - installed:6.1f} s")
    print(f"fresh clone to page  {opened - begun:6.1f} s   (aim: 120 s)")
    print(f"Ctrl-C to the end    {ended - opened:6.1f} s   (aim: 10 s)")


if __name__ == "__main__":
    main()
