"""What the API takes and tells of agents."""

from typing import Any

from rest_framework import serializers

from agents.models import AgentProfile
from games.web.api.shapes import ActShape, ObservationShape, PageShape, RequestShape, Sent


class NewProfileShape(Sent):
    """An agent to be made (docs/models.md). provider: house, openai, anthropic or remote; method: of house and remote
    the same word; second: the name of the profile whose model answers the method's later half."""

    name = serializers.CharField(max_length=80)
    title = serializers.CharField(max_length=120)
    about = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)
    active = serializers.BooleanField(required=False, default=True)
    seated_by = serializers.ChoiceField(AgentProfile.SeatedBy.values, required=False)
    provider = serializers.CharField(max_length=40)
    base_url = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    key_env = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    model = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    settings = serializers.DictField(required=False, default=dict)
    method = serializers.CharField(max_length=40)
    second = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    switches = serializers.DictField(required=False, default=dict)


class ChangedProfileShape(NewProfileShape):
    """What is to be another of an agent; what is left out stays."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for one in self.fields.values():
            one.required, one.default = False, serializers.empty


class ProfileShape(serializers.Serializer):
    """An agent. settings: null for who may not change it; key_env: which variable holds its key, has_key: whether that
    is set, null where it needs none; trouble: why it cannot be asked at its address; changes: whether you may change
    it."""

    name = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField(allow_blank=True)
    active = serializers.BooleanField()
    seated_by = serializers.ChoiceField(AgentProfile.SeatedBy.values)
    provider = serializers.CharField()
    base_url = serializers.CharField(allow_blank=True)
    key_env = serializers.CharField(allow_blank=True)
    has_key = serializers.BooleanField(allow_null=True)
    trouble = serializers.CharField(allow_blank=True)
    model = serializers.CharField(allow_blank=True)
    settings = serializers.DictField(allow_null=True)
    method = serializers.CharField()
    second = serializers.CharField(allow_blank=True)
    switches = serializers.DictField()
    owner = serializers.CharField(allow_blank=True)
    changes = serializers.BooleanField()


class ProfilesShape(PageShape):
    results = ProfileShape(many=True)


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
