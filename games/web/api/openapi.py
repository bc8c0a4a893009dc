"""How the API describes itself: keys in a header, and a problem for whatever goes wrong."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import force_instance


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "games.web.api.callers.Bearer"
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer"}


class Schema(AutoSchema):
    """Every way to call may be answered by a problem, and says by which scopes it is open (`x-scopes`)."""

    def get_operation(self, *args: Any, **options: Any) -> dict[str, Any] | None:
        told = super().get_operation(*args, **options)
        scopes = getattr(self.view, "scopes", {}).get(self.method)
        return told | {"x-scopes": list(scopes)} if told and scopes else told

    def _get_response_bodies(self, *args: Any, **options: Any) -> dict[str, Any]:
        from games.web.api.shapes import ProblemShape

        bodies = super()._get_response_bodies(*args, **options)
        problem = self.resolve_serializer(ProblemShape(), "response")
        bodies["default"] = {
            "description": "What cannot be done, and why.",
            "content": {"application/problem+json": {"schema": problem.ref}},
        }
        return bodies

    def get_override_parameters(self) -> list[Any]:
        from games.web.api.once import KEY
        from games.web.api.query import taken

        told = [*taken(self.view, self.method), *super().get_override_parameters()]
        return [*told, KEY] if getattr(getattr(self.view, self.method.lower()), "once", False) else told

    def _map_basic_serializer(self, serializer: Any, direction: str) -> dict[str, Any]:
        from games.web.api.shapes import Sent

        told = super()._map_basic_serializer(serializer, direction)
        return told | {"additionalProperties": False} if isinstance(force_instance(serializer), Sent) else told

    def get_operation_id(self) -> str:
        return f"{self.method.lower()}_{self.view.__class__.__name__.lower()}"
