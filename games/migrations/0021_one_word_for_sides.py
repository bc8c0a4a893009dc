"""What came of seats in the words that all now share: a side is called as polls and logs call it, and each seat has a
role."""

from django.db import migrations

WORDS = {
    "undercover": {"civilians": ("civilian", None), "undercovers": ("undercover", None)},
    "chameleon": {"chameleon": ("chameleon", "chameleon"), "non-chameleons": ("non-chameleons", "non-chameleon")},
    "spygame": {"spy": ("spy", "spy"), "citizens": ("citizens", "citizen")},
    "cost_sharing": {"airline": ("cost_sharing", "cost_sharing")},
    "prisoners_dilemma": {"prisoner": ("prisoners_dilemma", "prisoners_dilemma")},
    "public_good": {"contributor": ("public_good", "public_good")},
}
"""By game and by the side as it was called: side and role now; None: the role was called so before."""


def rename(apps, schema_editor):
    seats = apps.get_model("games", "MatchSeat").objects
    for game, sides in WORDS.items():
        for before, (side, role) in sides.items():
            words = {"side": side} if role is None else {"side": side, "role": role}
            seats.filter(match__game=game, side=before).update(**words)


class Migration(migrations.Migration):
    dependencies = [("games", "0020_match_seating")]

    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
