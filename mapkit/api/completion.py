"""Shell completion of values, chosen by their metavar in the help: BOARD, FORMAT, CITY, svg|png|pdf."""

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from mapkit.api.outputs import list_board_formats, list_themes
from mapkit.api.variants import list_variants
from mapkit.core.errors import MapkitError
from mapkit.document.workspace import Workspace, open_workspace
from mapkit.drawing.words.languages import LANGUAGES
from mapkit.formats.files import read_text

_WORD: Final = re.compile(r"[a-z][a-z0-9-]*")


class _Line:
    """Command line typed so far, with its workspace and board."""

    def __init__(self, context: Any) -> None:  # noqa: ANN401 - Typer exports no type of it
        root = context.params.get("workspace")
        self.space: Workspace = open_workspace(root if isinstance(root, Path) else None)
        names = [str(context.params.get(name) or "") for name in ("board", "board_option", "into")]
        names += [word for word in context.args if word in self.space.boards()]  # if the last option lacks a value
        self.board = next(filter(None, names), None) or self.space.only_board() or ""

    def list_boards(self) -> Iterable[str]:
        """Return boards of the workspace and shipped ones."""
        return self.space.boards()

    def list_variants(self) -> Iterable[str]:
        """Return variants of the workspace and shipped ones."""
        return (found.name for found in list_variants(workspace=self.space.root).variants)

    def list_themes(self) -> Iterable[str]:
        """Return themes."""
        return (theme.name for theme in list_themes())

    def list_formats(self) -> Iterable[str]:
        """Return formats of the board, else of railroad boards."""
        listed = list_board_formats(self.board or None, workspace=self.space.root)
        return (form.name for form in listed.formats)

    def list_cities(self) -> Iterable[str]:
        """Return cities of the board."""
        return self._read_column("cities.csv", "name")

    def list_railroads(self) -> Iterable[str]:
        """Return short names of railroads of the board."""
        return self._read_column("railroads.csv", "short")

    def _read_column(self, file: str, column: str) -> list[str]:
        text = read_text(self.space.board_folder(self.board) / file, name=file)
        return [row.get(column) or "" for row in csv.DictReader(text.splitlines())]


_VALUES: Final[Mapping[str, Callable[[_Line], Iterable[str]]]] = {
    "BOARD": _Line.list_boards,
    **dict.fromkeys(("VARIANT", "A", "B"), _Line.list_variants),
    "THEME": _Line.list_themes,
    "FORMAT": _Line.list_formats,
    **dict.fromkeys(("FROM", "TO", "CITY", "PLACE"), _Line.list_cities),
    **dict.fromkeys(("PA", "RAILROAD"), _Line.list_railroads),
    "TAG": lambda _: LANGUAGES,
}


def complete_value(context: Any, metavar: str, incomplete: str) -> list[str]:  # noqa: ANN401 - as above
    """Return the values that begin as typed; nothing where they are not known, as for files.

    Args:
        context: The line so far.
        metavar: The name of the value in the help; `A,...` is a list, `A=B` a pair, `a|B` a choice.
        incomplete: What is typed of the value.
    """
    names = metavar.strip("[]").removesuffix("...")
    before, separator, last = "", "", incomplete
    if "," in metavar:
        before, separator, last = incomplete.rpartition(",")
    elif "=" in names:
        if "=" in incomplete:
            before, separator, last = incomplete.partition("=")
        names = names.partition("=")[2 if separator else 0]
    parts = re.split(r"[|,\[\]]+", names)
    values = [part for part in parts if _WORD.fullmatch(part)]
    try:
        line = _Line(context)
        for part in parts:
            for find in (_VALUES.get(part), _Line.list_boards if part in ("A", "B") else None):
                values += [] if find is None else find(line)
    except (MapkitError, OSError, ValueError):  # an error message would disturb the command line
        return []
    typed = last.casefold()
    return [f"{before}{separator}{value}" for value in sorted({*values}) if value.casefold().startswith(typed)]
