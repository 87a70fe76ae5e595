"""Completion of boards, variants, themes, cities and railroads in shells."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.document.workspace import open_workspace


def _filter_by_prefix(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted(name for name in names if name.casefold().startswith(incomplete.casefold()))


def _open_workspace(context: Any) -> Any:  # noqa: ANN401 - of Typer, which exports no type of it
    root = context.params.get("workspace")
    return open_workspace(root if isinstance(root, Path) else None)


def complete_board(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - as above
    """Return boards of the workspace and shipped ones."""
    return _filter_by_prefix(_open_workspace(ctx).boards(), incomplete)


def complete_variant(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - as above
    """Return variants of the workspace and shipped ones."""
    return _filter_by_prefix(
        (found.name for found in mapkit.list_variants(workspace=_open_workspace(ctx).root).variants), incomplete
    )


def complete_theme(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - as above
    """Return themes."""
    del ctx
    return _filter_by_prefix((theme.name for theme in mapkit.list_themes()), incomplete)


def complete_place(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - as above
    """Return cities of the board that the line names, or of the only one."""
    return _filter_by_prefix(_read_column(ctx, "cities.csv", "name"), incomplete)


def complete_railroad(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - as above
    """Return lists of short names of railroads, of the board that the line names or of the only one."""
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in _filter_by_prefix(_read_column(ctx, "railroads.csv", "short"), last)]


def _read_column(context: Any, file: str, column: str) -> list[str]:  # noqa: ANN401 - as above
    space = _open_workspace(context)
    board = context.params.get("board") or context.params.get("board_option") or space.only_board()
    try:
        with (space.board_folder(board or "") / file).open(encoding="utf-8-sig", newline="") as table:
            return [row.get(column) or "" for row in csv.DictReader(table)]
    except (MapkitError, OSError, ValueError):  # a shell is told nothing
        return []
