"""Files: logs, settings, and what they hold."""
