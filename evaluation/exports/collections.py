"""The collections of flat files (`COLLECTIONS`): each format, the dictionary and the card are written from them."""

from evaluation.exports import played, said  # noqa: F401 (they declare them)
from evaluation.exports.declared import COLLECTIONS, Collection, Column

__all__ = ["COLLECTIONS", "Collection", "Column"]
