"""A judge compares replies, and people check the judge."""
