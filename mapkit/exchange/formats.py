"""Formats of exports by name: those of a kind of board, and those of all kinds, a module each in `every_board`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.exchange import every_board
from mapkit.exchange.plan import Exported

ALL: Final = "all"
"""Name that stands for every format."""


@dataclass(frozen=True)
class AnyFormat:
    """Format for boards of every kind.

    Attributes:
        name: Name in `--to`, and of its module.
        title: Title, in a few words.
        suffixes: How names of its files end.
        carries: What it can hold, in a phrase.
        loses: What it cannot hold, in a phrase.
        write: Returns the files of a board; `stem` begins their names.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    carries: str
    loses: str
    write: Callable[[Any, str], Exported]
    read: None = None


def formats_of_all() -> dict[str, str]:
    """Return where the formats of all kinds are, by name."""
    found = sorted(one.name for one in iter_modules(every_board.__path__))
    return {name.replace("_", "-"): f"{every_board.__name__}.{name}:FORMAT" for name in found}


class FormatTable:
    """Formats of a kind of board by name."""

    def __init__(self, what: str, own: Mapping[str, str]) -> None:
        """Make a table.

        Args:
            what: The boards, `boards of hexagons`, for messages.
            own: Name -> module and name of each format of the kind.
        """
        self.what, self._own = what, own

    def names(self) -> tuple[str, ...]:
        """Return the names of all formats, those of the kind first."""
        return tuple({**self._own, **formats_of_all()})

    def list_all(self) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        """Return all formats, and the errors of those that cannot be loaded."""
        return tuple(self.get(name) for name in self.names()), ()

    def get(self, name: str) -> Any:  # noqa: ANN401 - of its kind
        """Return a format.

        Raises:
            ChoiceError: There is no such format; the nearest is offered.
        """
        where = {**formats_of_all(), **self._own}.get(name)
        if where is None:
            hint = did_you_mean(name, self.names()) or f"; formats are {', '.join(self.names())}"
            raise ChoiceError(f"format {name!r} is unknown for {self.what}{hint}")
        module, _, attribute = where.partition(":")
        return getattr(import_module(module), attribute)

    def named(self, names: str) -> tuple[Any, ...]:
        """Return the formats of a list with commas, or of `all`; each once, in the order of `names`.

        Raises:
            ChoiceError: One is unknown, or none is named.
        """
        wanted = {name.strip() for name in names.split(",") if name.strip()}
        if not wanted:
            raise ChoiceError(f"no format is given; formats are {', '.join(self.names())}, or {ALL}")
        found = {name: self.get(name) for name in sorted(wanted - {ALL})}
        return tuple(found.get(name) or self.get(name) for name in self.names() if name in found or ALL in wanted)
