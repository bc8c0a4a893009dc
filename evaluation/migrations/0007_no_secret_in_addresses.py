"""Names and passwords that stand in the addresses of what was run go: pages show them."""

from urllib.parse import urlsplit, urlunsplit

from django.db import migrations


def plain(address):
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def forwards(apps, schema_editor):
    for competition in apps.get_model("evaluation", "Competition").objects.all().iterator():
        profiles = competition.manifest.get("profiles", {})
        every = [*profiles.values(), *(profile["second"] for profile in profiles.values() if profile.get("second"))]
        secret = [one for one in every if any(mark in one.get("base_url", "") for mark in "@?#")]
        for one in secret:
            one["base_url"] = plain(one["base_url"])
        if secret:
            competition.save(update_fields=["manifest"])


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0006_paused_because")]
    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
