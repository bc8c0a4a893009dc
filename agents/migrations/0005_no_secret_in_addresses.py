"""Names, passwords and questions that stand in addresses go: pages show addresses, and calls refuse such."""

from urllib.parse import urlsplit, urlunsplit

from django.db import migrations


def plain(address):
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def forwards(apps, schema_editor):
    for name in ("AgentProfile", "Endpoint", "Call"):
        rows = apps.get_model("agents", name).objects
        for mark in ("@", "?", "#"):
            for row in rows.filter(base_url__contains=mark).iterator():
                address = plain(row.base_url)
                if name == "Endpoint" and rows.filter(provider=row.provider, base_url=address).exists():
                    row.delete()
                else:
                    rows.filter(pk=row.pk).update(base_url=address)


class Migration(migrations.Migration):
    dependencies = [("agents", "0004_one_clock")]
    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
