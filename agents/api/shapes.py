"""What the API takes and tells of agents."""

from rest_framework import serializers

from games.web.api.shapes import ActShape, ObservationShape, RequestShape


class AskShape(serializers.Serializer):
    """A request to an agent from outside. number: what `known` takes; observation: what the agent's seat sees."""

    number = serializers.IntegerField()
    match = serializers.UUIDField()
    seat = serializers.IntegerField()
    request = RequestShape()
    observation = ObservationShape()


class AsksShape(serializers.Serializer):
    requests = AskShape(many=True)


class AnswerShape(ActShape):
    """An answer to a request, for an agent. why, beliefs: what it declares of its reasoning, kept with the match as
    thoughts."""

    skip = None  # type: ignore[assignment]  # a poll is for people
