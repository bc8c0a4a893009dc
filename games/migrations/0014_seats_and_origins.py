"""There is no way back from here but a backup: the columns that are read here are taken away next."""

from uuid import UUID

from django.db import migrations

BATCH = 500


def seats_of(MatchSeat, key, seats):
    return [
        MatchSeat(
            match_id=key,
            seat=seat["seat"],
            name=seat["name"],
            kind=seat["kind"],
            agent=seat.get("agent") or "",
            person=seat.get("person") or "",
            stand_in=seat.get("stand_in") or "",
        )
        for seat in seats
    ]


def move(apps, schema_editor):
    """Seats into rows, so many matches at a time; and where each match comes from."""
    Room, Match, MatchSeat = (apps.get_model("games", name) for name in ("Room", "Match", "MatchSeat"))
    rest = Match.objects.order_by("pk")
    while batch := list(rest.values_list("pk", "seats")[:BATCH]):
        MatchSeat.objects.bulk_create(seat for key, seats in batch for seat in seats_of(MatchSeat, key, seats))
        rest = rest.filter(pk__gt=batch[-1][0])
    Room.objects.filter(deal__isnull=False).update(study=True)
    Match.objects.filter(origin="imported").update(origin="import")
    Match.objects.filter(origin="played", room__study=True).update(origin="study")
    for fork in Match.objects.filter(origin="played", forked_from__isnull=False).only("forked_from"):
        fork.origin, fork.parent = "fork", parent_of(Match, fork.forked_from)
        fork.save(update_fields=["origin", "parent"])


def parent_of(Match, forked_from):
    try:
        key = UUID(forked_from["match"])
    except (KeyError, TypeError, ValueError):
        return None
    return Match.objects.filter(pk=key).only("pk").first()


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0013_match_seat'),
    ]

    operations = [migrations.RunPython(move)]
