"""Logs that come in from files: received in pieces, read and replayed by a worker, published all or nothing."""
