"""OpenAPI: what every route of version 1 has in common, its refusals, written once."""

import threading
from typing import Any

from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerExtension,
)
from drf_spectacular.generators import SchemaGenerator

MAKING = threading.Lock()

REFUSALS = {
    "400": "The request is not acceptable; `field` names the part that is not.",
    "401": "No valid credential.",
    "403": "The credential may not do this.",
    "404": "There is no such object here.",
    "409": "This clashes with what is stored, or with another request.",
    "413": "The body is too large.",
    "415": "The body is not JSON.",
    "422": "The tenant's policy refuses this; `rule` names the rule.",
    "429": "Too many requests.",
    "503": "A part of the service is away; try again.",
}
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "request_id"],
            "properties": {
                "code": {"type": "string", "description": "Stable; written for programs."},
                "message": {"type": "string", "description": "Says what to do; for people."},
                "field": {"type": "string"},
                "rule": {"type": "string", "description": "The rule of the policy that refused."},
                "request_id": {"type": "string"},
            },
        }
    },
}


class CredentialScheme(OpenApiAuthenticationExtension):
    """The ways to send a credential (tenants.authentication)."""

    target_class = "tenants.authentication.CredentialAuthentication"
    name = ["bearer", "apiKey"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        return [
            {"type": "http", "scheme": "bearer"},
            {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        ]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[Any]]]:
        """Either of them; one object with both would mean both at once."""
        return [{name: []} for name in self.name]


class StrictScheme(OpenApiSerializerExtension):
    """Requests take no names but their own (tenants.api.fields)."""

    target_class = "tenants.api.fields.StrictSerializer"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": False}


class OneAtATime(SchemaGenerator):
    """Makes one schema after the other: the library fills its registries as it goes.

    Two first requests at once would find them half filled and fail.
    """

    def get_schema(self, *args: Any, **options: Any) -> Any:
        with MAKING:
            return super().get_schema(*args, **options)


def describe_errors(result: dict[str, Any], generator: Any, **_: Any) -> dict[str, Any]:
    """drf-spectacular's hook: add the refusals to every operation of version 1."""
    result["components"]["schemas"]["Error"] = ERROR
    for path, operations in result.get("paths", {}).items():
        if not path.startswith("/api/v1/"):
            continue
        for operation in operations.values():
            # By the web server itself, before anything of ours: no JSON.
            operation["responses"].setdefault("414", {"description": "The address is too long."})
            for status, text in REFUSALS.items():
                operation["responses"].setdefault(
                    status,
                    {
                        "description": text,
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                        },
                    },
                )
    return result
