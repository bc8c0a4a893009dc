"""An empty database for one run of the real site: a file, or one on the server that TEST_DATABASE_URL names."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql


def new_database(folder: Path) -> FileDatabase | ServerDatabase:
    server = os.environ.get("TEST_DATABASE_URL")
    return ServerDatabase(server, f"magic_{secrets.token_hex(6)}") if server else FileDatabase(folder)


@dataclass
class FileDatabase:
    """SQLite; its file goes with its folder."""

    folder: Path

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder}/magic.sqlite3"

    def make(self) -> None:
        pass

    def drop(self) -> None:
        pass


@dataclass
class ServerDatabase:
    """PostgreSQL: a database of its own beside the one that `server` names."""

    server: str
    name: str

    @property
    def url(self) -> str:
        return urlsplit(self.server)._replace(path=f"/{self.name}").geturl()

    def make(self) -> None:
        self._tell("CREATE DATABASE {}")

    def drop(self) -> None:
        self._tell("DROP DATABASE IF EXISTS {} WITH (FORCE)")

    def _tell(self, order: str) -> None:
        with psycopg.connect(self.server, autocommit=True) as connection:
            connection.execute(sql.SQL(order).format(sql.Identifier(self.name)))
