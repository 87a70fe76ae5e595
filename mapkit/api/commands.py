"""Commands that change boards of a kind, with their schemas."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError, UnknownNameError, did_you_mean
from mapkit.kinds.registry import DEFAULT, get_kind, kind_names
from mapkit.operations.options import Argument, Flag


class CommandAbout(Frozen):
    """A command: its name, its topic, its description, and the JSON Schema of its keys."""

    kind: str
    topic: str
    description: str
    schema_: Mapping[str, Any]

    @property
    def summary(self) -> str:
        """Return the first sentence of the description."""
        return " ".join(self.description.partition("\n\n")[0].split())

    def text(self) -> str:
        """Return the command with its keys for people."""
        keys = self.schema_.get("properties", {}).keys() - {"kind"}
        needed = [key for key in self.schema_.get("required", ()) if key in keys]
        others = sorted(keys - {*needed})
        return f"{self.kind}: {self.description}\nkeys: {', '.join(needed) or 'none'}; optional: {', '.join(others)}"

    def as_json(self) -> dict[str, Any]:
        """Return it as `--json` prints it."""
        return {"kind": self.kind, "topic": self.topic, "description": self.description, "schema": dict(self.schema_)}


def list_commands(
    names: Annotated[
        Sequence[str],
        Argument("", "[COMMAND]...", "Those to show, with their keys; all by default.", reading="name"),
    ] = (),
    *,
    kind: Annotated[str, Flag("", "KIND", "The kind of board: rail, hex or cards.")] = DEFAULT,
) -> tuple[CommandAbout, ...]:
    """List the commands of mapkit do, the editor, variants and imports; --json prints their JSON Schemas.

    Raises:
        ChoiceError: There is no such kind.
        UnknownNameError: There is no such command; the nearest is offered.
    """
    if kind not in kind_names():
        raise ChoiceError(f"there is no kind of board {kind!r}; the kinds are {', '.join(kind_names())}")
    known = get_kind(kind).commands
    for name in names:
        if name not in known:
            raise UnknownNameError(f"there is no command {name!r}{did_you_mean(name, known)}")
    chosen = sorted(names or known, key=lambda name: (known[name].topic, name))
    return tuple(
        CommandAbout(
            kind=name,
            topic=known[name].topic,
            description=inspect.cleandoc(known[name].__doc__ or ""),
            schema_=known[name].model_json_schema(),
        )
        for name in chosen
    )
