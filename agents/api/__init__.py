"""What programs do with agents under /api/v1/: profiles, and the answers of those that play from outside."""
