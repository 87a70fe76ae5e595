"""JSON Schemas of the files that mapkit writes, and of those that it accepts."""

from typing import Any, Final, Literal

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from mapkit.version import __version__

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"


class _WrittenSchema(GenerateJsonSchema):
    """Generator of schemas in which every field is required that is always written, with a default or not."""

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,  # noqa: FBT001 - as in pydantic
    ) -> bool:
        """Return whether a field is in every file."""
        if self.mode == "serialization":
            return field.get("serialization_exclude_if") is None
        return super().field_is_required(field, total)


def model_schema(
    model: type[BaseModel], name: str, mode: Literal["serialization", "validation"] = "serialization"
) -> dict[str, Any]:
    """Return the JSON Schema of a model.

    Args:
        model: The model.
        name: Name of the schema, for its `$id`.
        mode: `serialization` for what mapkit writes, with all settings; `validation` for what it accepts.
    """
    return {
        "$schema": DRAFT,
        "$id": f"urn:mapkit:schema:{name}",
        **model.model_json_schema(mode=mode, schema_generator=_WrittenSchema),
        "x-mapkit-version": __version__,
    }
