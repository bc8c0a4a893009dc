"""The settings of a site whose workers are killed in the middle of each job (tests/dying.py)."""

from tests.site_settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.dying.Dying"]  # noqa: F405
