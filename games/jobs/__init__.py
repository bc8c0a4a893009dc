"""Slow work: kinds of it that apps declare, jobs that workers claim under a lease, and what a page says of them."""
