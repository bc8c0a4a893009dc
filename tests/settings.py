"""The project's settings in a folder of their own, so that no test meets a person's tables.

TEST_DATABASE_URL names another database server than SQLite to test on, such as postgres://postgres@127.0.0.1/postgres;
the tests make databases of their own on it and drop them.
"""

import os
import tempfile
from pathlib import Path

folder = Path(tempfile.mkdtemp(prefix="magic-test-"))
os.environ |= {
    "VAR_DIR": str(folder),
    "DATABASE_URL": os.environ.get("TEST_DATABASE_URL") or f"sqlite:///{folder}/magic.sqlite3",
    "REDIS_URL": f"unix://{folder}/redis.sock",
    "SECRET_KEY": "only for tests",
    "ALLOWED_HOSTS": "localhost,127.0.0.1,testserver",
    "DEBUG": "0",
    "HTTPS": "0",
    "SEALED_SECONDS": "",
    "OPENAI_API_KEY": "",
    "ANTHROPIC_API_KEY": "",
    "API_KEY_HOSTS": ",".join(f"{name}_API_KEY=127.0.0.1" for name in ("TEST", "NOBODYS", "BROKEN"))
    + ",MINE_API_KEY=api.openai.com",
    # All visitors of the tests come from one address.
    **dict.fromkeys(("MOST_TABLES_OF_A_PERSON", "MOST_TABLES_OF_AN_ADDRESS", "MOST_TABLES"), "0"),
    **dict.fromkeys(("MOST_SOCKETS_OF_AN_ADDRESS", "MOST_SOCKETS"), "0"),
}

from magic_site.settings import *  # noqa: E402, F403
from tests.missing import MissingVariable  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_AUTOREFRESH = True  # else each new client of a test would read all static files first
DATABASES["default"]["CONN_MAX_AGE"] = 0  # noqa: F405  (a kept one would hold the database that is to be dropped)
TEMPLATES[0]["OPTIONS"]["string_if_invalid"] = MissingVariable("%s")  # noqa: F405
