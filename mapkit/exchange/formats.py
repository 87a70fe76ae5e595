"""Formats of exports by name: those of a kind of board, and those of all kinds, a module each in `every_board`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from mapkit.core.addons import MissingAddOnError, explain_missing, select_present
from mapkit.core.addons.plugins import list_plugins
from mapkit.core.errors import ChoiceError, ExportError, MapkitError, did_you_mean
from mapkit.core.plurals import join_some
from mapkit.exchange import every_board
from mapkit.exchange.plan import ExportedBoard

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
    write: Callable[[Any, str], ExportedBoard]
    read: None = None


def formats_of_all() -> dict[str, str]:
    """Return where the formats of all kinds are, by name."""
    found = sorted(one.name for one in iter_modules(every_board.__path__))
    return {name.replace("_", "-"): f"{every_board.__name__}.{name}:FORMAT" for name in found}


class FormatTable:
    """Formats of a kind of board by name: its own, those that packages add, those of every kind."""

    def __init__(self, what: str, own: Mapping[str, str], *, group: str = "", form: Any = object) -> None:  # noqa: ANN401 - a protocol
        """Make a table.

        Args:
            what: The boards, `boards of hexagons`, for messages.
            own: Name -> module and name of each format of the kind.
            group: Entry points with which packages add formats; the kind's own stand before others of that name.
            form: Protocol of the formats.
        """
        self.what, self._own, self._group, self._form = what, select_present(own), group, form

    @cached_property
    def _places(self) -> dict[str, str]:
        """Name -> module and name of each format, in the order of lists."""
        more = (list_plugins(self._group) if self._group else {}) | formats_of_all()
        return self._own | {name: more[name] for name in sorted(more) if name not in self._own}

    def names(self) -> tuple[str, ...]:
        """Return the names of all formats, those of the kind first."""
        return tuple(self._places)

    def list_all(self) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        """Return all formats, and the errors of those that cannot be loaded; without those of deleted add-ons."""
        found, wrong = [], []
        for name in self.names():
            try:
                found.append(self.get(name))
            except MissingAddOnError:
                continue
            except ExportError as error:
                wrong.append(str(error))
        return tuple(found), tuple(wrong)

    def get(self, name: str) -> Any:  # noqa: ANN401 - of its kind
        """Return a format.

        Raises:
            ChoiceError: There is no such format; the nearest is offered.
            MissingAddOnError: It needs an add-on that was deleted.
            ExportError: A package that adds it cannot be loaded, or what it adds is not a format.
        """
        if name not in self._places:
            hint = did_you_mean(name, self.names()) or f"; formats are {join_some(self.names())}"
            raise ChoiceError(f"format {name!r} is unknown for {self.what}{hint}")
        where = self._places[name]
        module, _, attribute = where.partition(":")
        try:
            found = import_module(module)
            for part in filter(None, attribute.split(".")):
                found = getattr(found, part)
        except MapkitError:
            raise
        except Exception as error:  # a foreign package may fail in any way
            if isinstance(error, ModuleNotFoundError) and (missing := explain_missing(error)):
                raise missing from error
            raise ExportError(
                f"format {name!r}: {where} cannot be loaded ({type(error).__name__}: {error}); "
                "update or remove the package that adds it"
            ) from error
        if not isinstance(found, (self._form, AnyFormat)):
            raise ExportError(f"format {name!r}: {where} is not a format; see {self._form.__module__}")
        return found

    def named(self, names: str) -> tuple[Any, ...]:
        """Return the formats of a list with commas, or of `all`; each once, in the order of `names`.

        Raises:
            ChoiceError: One is unknown, or none is named.
            ExportError: As for `get`.
        """
        wanted = {name.strip() for name in names.split(",") if name.strip()}
        if not wanted:
            raise ChoiceError(f"no format is given; formats are {join_some(self.names())}, or {ALL}")
        if ALL in wanted:
            every, wrong = self.list_all()
            if wrong:
                raise ExportError(wrong[0])
            return every
        found = {name: self.get(name) for name in sorted(wanted)}
        return tuple(found[name] for name in self.names() if name in found)
