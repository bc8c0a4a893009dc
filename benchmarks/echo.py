"""The least that Channels can do: a consumer that passes on what is sent to its group. A yardstick for `live`."""

import django

django.setup()

from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402
from channels.routing import ProtocolTypeRouter  # noqa: E402


class Echo(AsyncWebsocketConsumer):
    async def connect(self) -> None:
        self.group = f"echo-{self.scope['path'].strip('/')}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def shout(self, message: dict) -> None:
        await self.send(message["text"])


application = ProtocolTypeRouter({"websocket": Echo.as_asgi()})
