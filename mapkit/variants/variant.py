"""Variants: named lists of commands, each with a reason.

A command may state in `was` the value that it expects; if the base has another value, the whole variant is refused. The
reader (`mapkit.variants.reading`) records the line of each operation in the file.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from pydantic import Field, SerializeAsAny, ValidationError, field_serializer, field_validator, model_validator
from pydantic.json_schema import models_json_schema

from mapkit.core.base import Frozen, Slug
from mapkit.core.errors import did_you_mean
from mapkit.document.command import Command, Commands

MAX_OPERATIONS = 100_000
"""Limit on the operations of a variant."""


class Variant(Frozen):
    """File `variants/<name>.toml`: the bases of a variant, and its changes in order.

    Each kind of board has a subclass with its commands and further keys of the head.
    """

    commands: ClassVar[Commands] = Commands()
    shelf: ClassVar[str] = ""
    """Subfolder of `variants/` with the shipped variants of this kind of board; authors may add their own there."""

    name: Slug
    title: str = Field(default="", max_length=200)
    description: str = Field(default="", max_length=5000)
    board: Slug | None = Field(default=None, description="The board that it changes; none: it changes rules alone")
    variants: tuple[Slug, ...] = Field(default=(), max_length=100, description="Variants that are applied before it")
    after: tuple[Slug, ...] = Field(
        default=(),
        max_length=1000,
        description="Variants that it knows of: they come first if used too, and it may touch what they touch",
    )
    operations: tuple[SerializeAsAny[Command], ...] = Field(default=(), max_length=MAX_OPERATIONS)

    @field_validator("operations", mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        if not isinstance(value, Sequence) or isinstance(value, str):
            return value
        return [operation_of(cls.commands, n, one) for n, one in enumerate(value, start=1)]

    @model_validator(mode="after")
    def _require_reasons(self) -> Self:
        for number, one in enumerate(self.operations, start=1):
            if not one.reason:
                raise ValueError(f"operation {number} ({one.kind}): key 'reason' is missing; add it")
        return self

    @field_serializer("operations", when_used="always")
    def _write(self, operations: tuple[Command, ...]) -> list[dict[str, Any]]:
        return [{"op": one.kind, **one.model_dump(mode="json", exclude={"kind"})} for one in operations]

    @classmethod
    def model_json_schema(cls, *args: Any, **named: Any) -> dict[str, Any]:  # noqa: ANN401 - as in pydantic
        """Return the JSON Schema, with an alternative for each value of `op`."""
        schema = super().model_json_schema(*args, **named)
        models = {word: cls.commands[word] for word in sorted(cls.commands)}
        model_refs, schema_parts = models_json_schema([(model, "validation") for model in models.values()])
        defs: dict[str, Any] = schema_parts.get("$defs", {})
        for word, model in models.items():
            model_schema = defs[model_refs[model, "validation"]["$ref"].rpartition("/")[2]]
            model_schema["properties"] = {
                "op": {"const": word},
                **{k: v for k, v in model_schema["properties"].items() if k != "kind"},
            }
            model_schema["required"] = list(dict.fromkeys(["op", *model_schema.get("required", []), "reason"]))
        items = {"oneOf": [model_refs[model, "validation"] for model in models.values()]}
        schema["properties"]["operations"] |= {"type": "array", "items": items}
        return schema | {"$defs": schema.get("$defs", {}) | defs}

    @property
    def label(self) -> str:
        """Title, or the name if there is none."""
        return self.title or self.name

    def head(self) -> tuple[Command, ...]:
        """Return the commands that the head of the file implies; they run before the operations."""
        return ()


def operation_of(commands: Commands, number: int, given: object) -> Command:
    """Return the validated command for an operation.

    Raises:
        ValueError: The operation is not valid.
    """
    if isinstance(given, Command):
        return given
    if not isinstance(given, Mapping) or "op" not in given:
        raise ValueError(f"operation {number} has no `op`")
    command_json = command_data(commands, given)
    model = commands.get(command_json["kind"])
    if model is None:
        raise ValueError(f"operation {number}: unknown operation {given['op']!r}{did_you_mean(given['op'], commands)}")
    try:
        return model.model_validate(command_json)
    except ValidationError as error:
        error_texts = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
        raise ValueError(f"operation {number} ({given['op']}): {error_texts}") from error


def command_data(commands: Commands, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Convert an operation of a file to the JSON of a command; former names and keys become current ones."""
    return commands.current({"kind": str(given["op"]), **{key: v for key, v in given.items() if key != "op"}})
