"""Sessions in the database; a key that cannot be one of ours is not looked up."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Django's keys are letters and digits. Others come from forged cookies, and PostgreSQL refuses a NUL in one."""

    def __init__(self, session_key: str | None = None) -> None:
        super().__init__(session_key if session_key and session_key.isalnum() else None)
