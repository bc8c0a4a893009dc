"""Whole numbers as addresses and forms hold them."""


def number_in(text: str, digits: int = 9) -> int | None:
    """The number that a text is, of so many digits at most; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
