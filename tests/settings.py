"""The project's settings in a folder of their own, so that no test meets a person's tables."""

import os
import tempfile
from pathlib import Path

folder = Path(tempfile.mkdtemp(prefix="magic-test-"))
os.environ |= {
    "VAR_DIR": str(folder),
    "DATABASE_URL": f"sqlite:///{folder}/magic.sqlite3",
    "REDIS_URL": f"unix://{folder}/redis.sock",
    "SECRET_KEY": "only for tests",
    "ALLOWED_HOSTS": "localhost,127.0.0.1,testserver",
    "DEBUG": "0",
    "HTTPS": "0",
    "OPENAI_API_KEY": "",
    "ANTHROPIC_API_KEY": "",
}

from magic_site.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
