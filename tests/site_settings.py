"""The settings of the processes that browser and crash tests start: a missing template variable fails there."""

from magic_site.settings import *  # noqa: F403
from tests.missing import MissingVariable

REVIEW_MS = 1000
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
TEMPLATES[0]["OPTIONS"]["string_if_invalid"] = MissingVariable("%s")  # noqa: F405
