"""The formats of exports."""

from evaluation.exports.formats.base import File, Format
from evaluation.exports.formats.flat import Csv
from evaluation.exports.formats.inspect import Inspect
from evaluation.exports.formats.lines import Lines
from evaluation.exports.formats.parquet import Parquet

__all__ = ["FORMATS", "USUAL", "File", "Format"]

FORMATS: dict[str, type[Format]] = {kind.name: kind for kind in (Lines, Csv, Parquet, Inspect)}
"""All formats by name."""

USUAL = ("jsonl", "csv")
"""The formats of an export that names none."""
