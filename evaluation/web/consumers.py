"""The live side of the pages of competitions, exports, trials, labs and judgings. Frames: {"kind": "moved"} when there
is something new to fetch, "leave" when the page is not this person's any more, {"kind": "pong"}."""

from typing import Any

from django.db.models import Model

from evaluation.labelling.models import Task
from evaluation.models import Competition, Export, Import, Judging, Lab, Trial
from evaluation.web.access import RUNS
from games.jobs import news
from games.match.access import RESEARCHER
from games.models import Match
from games.web.reading import in_thread
from games.web.sockets import NOT_FOUND, PageConsumer


class NewsConsumer(PageConsumer):
    """The socket of a page that fetches what is new when it is told that something has moved on."""

    model: type[Model]
    right = RESEARCHER

    async def begin(self) -> None:
        self.key = self.scope["url_route"]["kwargs"]["key"]
        if not await in_thread(self.model._default_manager.filter(pk=self.key).exists):
            await self.close(NOT_FOUND)
            return
        await self.join_group(news.group(self.key))
        await self.renew()

    async def pinged(self) -> None:
        await self.renew()
        await self.tell("pong")

    async def hinted(self, message: dict[str, Any]) -> None:
        await self.tell("moved")

    async def renew(self) -> None:
        """Ask anew whether this person may look; a page that missed hints fetches what is new."""
        if await in_thread(self.scope["user"].has_perm, self.right):
            await self.tell("moved")
        else:
            await self.dismiss()


class BoardConsumer(NewsConsumer):
    """A page of numbers that are being counted; what it waits for is no row."""

    async def begin(self) -> None:
        self.key = self.scope["url_route"]["kwargs"]["key"]
        await self.join_group(news.group(self.key))
        await self.renew()


class CompetitionConsumer(NewsConsumer):
    model = Competition


class ExportConsumer(NewsConsumer):
    model = Export


class TrialConsumer(NewsConsumer):
    model = Trial


class ImportConsumer(NewsConsumer):
    model = Import


class JudgingConsumer(NewsConsumer):
    model = Judging


class LabConsumer(NewsConsumer):
    model = Lab


class ErasureConsumer(NewsConsumer):
    """An admin's page of somebody who is being erased, known by one of their matches."""

    model = Match
    right = "games.erase_people"


class LabellingConsumer(NewsConsumer):
    """A task's owner; raters are told nothing of one another."""

    model = Task
    right = RUNS
