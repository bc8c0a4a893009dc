"""Telling pages that what they wait for has moved on; a hint without content, which may be lost."""

from uuid import UUID

from games.match import changes


def group(key: UUID) -> str:
    """The channel group of the pages about it."""
    return f"news-{key}"


def tell(key: UUID | None) -> None:
    """Tell the pages about it; those that are not told look by themselves, a little later."""
    if key is not None:
        changes.send(group(key), {"type": "hint"})
