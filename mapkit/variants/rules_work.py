"""Rules being changed: a preset, what is set on top, and which operation set it."""

from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.errors import RulesError, UnknownNameError
from mapkit.model.network import Origin
from mapkit.model.rules import Rules, preset
from mapkit.model.rules_paths import get_setting


class SettingsError(RulesError):
    """Settings do not go together: `blamed` pairs each text with a path that an operation set."""

    def __init__(self, blamed: Sequence[tuple[str, str]]) -> None:
        self.blamed = tuple(blamed)
        super().__init__([text for text, _ in blamed])


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
            RulesError: There is no such setting; the nearest is offered.
        """
        if path in self._set:
            return self._set[path]
        found = get_setting(self._start, path)
        return found.model_dump() if isinstance(found, BaseModel) else found

    def set(self, path: str, value: object, origin: Origin) -> None:
        """Set what stands at a dotted path."""
        self.value(path)
        self._set.pop(path, None)
        self._set[path] = value
        self.origins[path] = origin

    def finish(self) -> Rules:
        """Return the rules.

        Raises:
            SettingsError: A value is wrong, or settings contradict each other.
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
            raise SettingsError([self._blame(item) for item in error.errors()]) from error

    def _blame(self, item: ErrorDetails) -> tuple[str, str]:
        path = ".".join(str(part) for part in item["loc"])
        message = item["msg"].removeprefix("Value error, ")
        if not path:
            ours = next((own for own in reversed(self._set) if own in message), next(reversed(self._set)))
            return f"rules: {message}", ours
        ours = next((own for own in reversed(self._set) if _overlap(path, own)), next(reversed(self._set)))
        return f"rules: {path} is {item['input']!r}: {message[:1].lower()}{message[1:]}", ours


def _overlap(one: str, other: str) -> bool:
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")
