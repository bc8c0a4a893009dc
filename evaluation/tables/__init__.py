"""The papers’ tables, filled from records: rows, columns, differences."""
