"""Registry of commands, and helpers for all of them."""

from typing import Final

from mapkit.core.names import slug
from mapkit.document.changes import Patch
from mapkit.document.command import CommandError, Draft
from mapkit.document.frame_commands import commands_of_kind
from mapkit.document.preconditions import refuse_new_problems
from mapkit.kinds.hex.compiler import compile_hexes, no_edge, off_grid
from mapkit.kinds.hex.config import Config, read_config
from mapkit.kinds.hex.grid.cubes import Cube, Edge
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.terrain import known_terrains
from mapkit.kinds.hex.tables import HexDocument

COMMANDS: Final = commands_of_kind()
HexDraft = Draft[HexDocument]


@COMMANDS.checks_settings()
def _check_settings(draft: HexDraft) -> None:
    """Refuse settings that `board.toml` may not have."""
    refuse_new_problems(read_config(draft.base)[1], read_config(draft.document)[1])


@COMMANDS.checks_steps
def _refuse_new_errors(draft: HexDraft, patch: Patch) -> None:
    """Refuse rows that make less of the board usable than before."""
    if all(change.table == "accepted" for change in patch):
        return
    compiled_base = compile_hexes(draft.base, board_id="board")
    refuse_new_problems(compiled_base.problems, compiled_base.recompile(draft.document).problems)


def config_of(draft: HexDraft) -> Config:
    """Return the current settings of `board.toml`."""
    return read_config(draft.document)[0]


def need_hex(grid: HexGrid, name: str) -> Cube:
    """Return a hexagon of the grid.

    Raises:
        CommandError: It is not on the grid.
    """
    hexagon = grid.hex_of(name)
    if hexagon is None:
        raise CommandError(off_grid(grid, name))
    return hexagon


def need_edge(grid: HexGrid, name: str) -> Edge:
    """Return an edge of the grid.

    Raises:
        CommandError: There is no such edge.
    """
    named_edge = grid.edge_named(name)
    if named_edge is None:
        raise CommandError(no_edge(grid, name))
    return named_edge


def need_terrain(draft: HexDraft, terrain: str) -> None:
    """Raise if a terrain does not exist.

    Raises:
        CommandError: There is not.
    """
    if terrain not in known_terrains():
        draft.need("terrains", terrain, "terrain")


def new_id(draft: HexDraft, table: str, name: str) -> str:
    """Return an id for a new row: the name as a slug, with a number if it is taken."""
    base_id = slug(name) or table
    existing_rows, number, free_id = draft.table(table), 1, base_id
    while free_id in existing_rows:
        number += 1
        free_id = f"{base_id}-{number}"
    return free_id
