"""Tables of the human study of "Who is Undercover?" (section 5.3): a deal that a team of agents lost, with a person."""

import random

from django.db import transaction

from evaluation.competitions import running
from evaluation.models import Bout, StudyTable
from evaluation.suites.base import sides_of
from games.models import Room
from games.room import rooms


def open_table(bout: Bout) -> Room:
    """A table at which the deal of this match of the agents-only arm is played with a person in the team that lost it.

    Agents of the same profiles sit everywhere else and none is named; the person's seat is drawn from the deal's seed,
    anew for each table of it. Nobody can change who sits there, it is played once, and it waits for the person. Raises
    `SuiteError` where these agents cannot play as they did there.
    """
    running.as_planned(bout)
    sides = sides_of(bout.game, bout.preset, len(bout.agents), bout.seed, bout.options, bout.setting)
    team = [seat for seat, side in sides.items() if side == bout.labels["team"]]
    with transaction.atomic():
        earlier = StudyTable.objects.select_for_update().filter(bout=bout).count()
        free = random.Random(f"{bout.seed}:person:{earlier}").choice(team)
        room = rooms.open_room(
            game=bout.game,
            preset=bout.preset,
            options=bout.options,
            seats=len(bout.agents),
            agents={seat: agent for seat, agent in enumerate(bout.agents, 1) if seat != free},
            study=True,
            listed=False,
            move_seconds=0,
            absence=Room.Absence.WAIT,
            agents_named=False,
            pseudonyms=True,
            watching=Room.Watching.NOBODY,
            afterwards=Room.Afterwards.RESEARCHERS,
            deal={"setting": bout.setting, "seed": bout.seed},
        )
        StudyTable.objects.create(bout=bout, room=room)
    return room
