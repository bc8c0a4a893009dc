"""What all commands of this site have in common: whatever goes wrong outside of them is a sentence and an exit code."""

from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError
from redis.exceptions import RedisError

PREPARE = "`manage.py migrate` and then `manage.py load_fixtures` prepare it."
LARGEST_SEED = 2**63 - 1


class SiteCommand(BaseCommand):
    """A command that ends with a sentence and a code other than 0 where files, the database or Redis fail it."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except (RedisError, DatabaseError, InterfaceError) as error:
            if isinstance(error, RedisError):
                raise CommandError(f"Redis cannot be used ({error}). Is it there?") from error
            raise CommandError(f"The database cannot be used ({error}). Is it there? {PREPARE}") from error
        except OSError as error:
            if error.filename is None:
                raise
            raise CommandError(f"{error.filename} cannot be used: {error.strerror}.") from error


def whole(low: int, high: int = 10**6) -> Callable[[str], int]:
    """The type of an argument that is a whole number from `low` to `high`."""

    def number(text: str) -> int:
        wrong = ArgumentTypeError(f"a whole number from {low} to {high}")
        try:
            value = int(text) if len(text) <= 20 else None
        except ValueError:
            raise wrong from None
        if value is None or not low <= value <= high:
            raise wrong
        return value

    return number


seed = whole(0, LARGEST_SEED)
"""The type of an argument that is a seed."""
