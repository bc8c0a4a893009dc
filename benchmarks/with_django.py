"""Imported before anything that is stored: Django, set up with the site's settings."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "magic_site.settings")
django.setup()
