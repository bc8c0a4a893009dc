"""The REST doors of the site, under /api/v1/: DRF views over the same functions as the pages (docs/api.md)."""
