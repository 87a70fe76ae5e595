"""What shells complete: boards, variants, themes, formats, cities and railroads."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted(name for name in names if name.casefold().startswith(incomplete.casefold()))


def _workspace(context: Any) -> Any:  # noqa: ANN401 - of Typer, which exports no type of it
    from mapkit.document.workspace import open_workspace  # noqa: PLC0415 - shells ask often, and seldom for this

    root = context.params.get("workspace")
    return open_workspace(root if isinstance(root, Path) else None)


def complete_board(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - as above
    """Return boards of the workspace and shipped ones."""
    return _beginning(_workspace(ctx).boards(), incomplete)


def complete_variant(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - as above
    """Return variants of the workspace and shipped ones."""
    import mapkit  # noqa: PLC0415 - as above

    return _beginning(
        (found.name for found in mapkit.list_variants(workspace=_workspace(ctx).root).variants), incomplete
    )


def complete_theme(incomplete: str) -> list[str]:
    """Return themes."""
    import mapkit  # noqa: PLC0415 - as above

    return _beginning((theme.name for theme in mapkit.list_themes()), incomplete)


def complete_place(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - as above
    """Return cities of the board that the line names, or of the only one."""
    return _beginning(_column(ctx, "cities.csv", "name"), incomplete)


def complete_railroad(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - as above
    """Return short names of railroads of the board that the line names, or of the only one."""
    return _beginning(_column(ctx, "railroads.csv", "short"), incomplete)


def _column(context: Any, file: str, column: str) -> list[str]:  # noqa: ANN401 - as above
    import csv  # noqa: PLC0415 - as above

    from mapkit.core.errors import MapkitError  # noqa: PLC0415 - as above

    space = _workspace(context)
    board = context.params.get("board") or context.params.get("board_option") or space.only_board()
    try:
        with (space.board_folder(board or "") / file).open(encoding="utf-8-sig", newline="") as table:
            return [row.get(column) or "" for row in csv.DictReader(table)]
    except (MapkitError, OSError, ValueError):  # a shell is told nothing
        return []
