"""Whether an API calls a model otherwise than before: it may be another model then, and its numbers do not mix."""

from collections.abc import Sequence
from uuid import UUID

from agents.models import AgentProfile
from evaluation.models import Bout
from games.match import view
from games.models import Match

RENAMED = (
    "{who}: the API called its model {was} until now, and {now} in match {match}. "
    "Go on if they may be counted together."
)
RECENT = 20
"""So many of the last bouts are looked through for one of the same agent."""


def renamed(bout: Bout) -> str:
    """A sentence if the API gave the model of an agent a name in this bout that it did not have in the agent's last
    bout of the competition, or several names; else nothing."""
    done = Bout.objects.filter(competition=bout.competition, status=Bout.Status.DONE).exclude(pk=bout.pk)
    last = list(done.exclude(match=None).order_by("-match__ended_at").values_list("match", "agents")[:RECENT])
    names = _called(bout.match_id_planned, bout.agents)
    for agent in sorted({agent for agent, _stage in names}):
        before = next((_called(match, agents) for match, agents in last if agent in agents), {})
        for (who, stage), now in names.items():
            known = before.get((who, stage)) or {min(now)}
            if who == agent and now - known:
                title = AgentProfile.objects.filter(name=agent).values_list("title", flat=True).first() or agent
                told = {"was": ", ".join(sorted(known)), "now": ", ".join(sorted(now - known))}
                return RENAMED.format(who=title, match=bout.number, **told)
    return ""


def _called(match: UUID, agents: Sequence[str]) -> dict[tuple[str, str], set[str]]:
    """By agent and stage, the names that the API gave the model in a match; a stage has one model."""
    found: dict[tuple[str, str], set[str]] = {}
    rows = view.whole(Match.objects.get(pk=match)).thought_rows.exclude(model="").order_by()
    for seat, stage, model in rows.values_list("seat", "stage", "model").distinct():
        found.setdefault((agents[seat - 1], stage), set()).add(model)
    return found
