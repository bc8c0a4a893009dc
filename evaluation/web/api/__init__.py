"""The API of what is evaluated, under /api/v1/: numbers, labels, exports, imports and the audit, as their pages have
them (docs/api.md)."""
