"""Texts in files that spreadsheets open."""

RISKY = frozenset("=+-@\t\r'")


def safe_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula: one that begins like one has an apostrophe before it. So has one
    that begins with an apostrophe; take one away, and each is as it was."""
    return f"'{text}" if text[:1] in RISKY else text
