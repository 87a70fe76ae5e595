"""Rules being changed: a preset, what is set on top, and which operation set it."""

from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.errors import MapkitError, UnknownNameError, did_you_mean
from mapkit.model.network import Origin
from mapkit.model.rules import Rules, preset


class RulesError(MapkitError):
    """Rules cannot be set so: `problems` pairs each text with the setting to blame, a path that an operation set."""

    def __init__(self, problems: str | Sequence[tuple[str, str]]) -> None:
        self.problems: tuple[tuple[str, str], ...] = (
            ((problems, ""),) if isinstance(problems, str) else tuple(problems)
        )
        super().__init__("\n".join(text for text, _ in self.problems))


class RulesWork:
    """The rules of a board: those it has or a preset, then settings in order.

    A preset that is chosen later is laid under the settings, so that the order of variants does not matter.

    Args:
        rules: The board's own rules.
    """

    def __init__(self, rules: Rules) -> None:
        self._start = rules
        self._set: dict[str, object] = {}
        self.origins: dict[str, Origin] = {}

    def choose(self, name: str) -> None:
        """Start from a preset.

        Raises:
            RulesError: There is none of that name.
        """
        try:
            self._start = preset(name)
        except UnknownNameError as error:
            raise RulesError(str(error)) from error

    def value(self, path: str) -> object:
        """Return the value at a dotted path, as plain data.

        Raises:
            RulesError: The path leads nowhere; the nearest is offered.
        """
        if path in self._set:
            return self._set[path]
        at: object = self._start
        for depth, key in enumerate(path.split(".")):
            fields = sorted(type(at).model_fields) if isinstance(at, BaseModel) else []
            if key not in fields:
                known = sorted(rule_paths(Rules))
                hint = did_you_mean(path, known) or (f"; there are {', '.join(fields)}" if depth and fields else "")
                raise RulesError(f"there is no rule {path!r}{hint}")
            at = getattr(at, key)
        return at.model_dump() if isinstance(at, BaseModel) else at

    def set(self, path: str, value: object, origin: Origin) -> None:
        """Set what stands at a dotted path."""
        self.value(path)
        self._set.pop(path, None)
        self._set[path] = value
        self.origins[path] = origin

    def finish(self) -> Rules:
        """Return the rules.

        Raises:
            RulesError: A value is wrong, or settings contradict each other.
        """
        if not self._set:
            return self._start
        data = self._start.model_dump()
        for path, value in self._set.items():
            *groups, leaf = path.split(".")
            at = data
            for key in groups:
                at = at[key]
            below = at[leaf]
            over = isinstance(below, dict) and isinstance(value, Mapping)
            at[leaf] = {**below, **cast("Mapping[str, object]", value)} if over else value
        try:
            return Rules.model_validate(data)
        except ValidationError as error:
            raise RulesError([self._blame(item) for item in error.errors()]) from error

    def _blame(self, item: ErrorDetails) -> tuple[str, str]:
        path = ".".join(str(part) for part in item["loc"])
        ours = next((own for own in reversed(self._set) if _overlap(path, own)), next(reversed(self._set)))
        message = item["msg"].removeprefix("Value error, ")
        return (f"rule {path} is {item['input']!r}: {message}" if "." in path else f"rules: {message}"), ours


def _overlap(one: str, other: str) -> bool:
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def rule_paths(model: type[BaseModel], stem: str = "") -> list[str]:
    """Return the dotted paths of all settings."""
    out: list[str] = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            out.extend(rule_paths(kind, f"{stem}{name}."))
        out.append(f"{stem}{name}")
    return out
