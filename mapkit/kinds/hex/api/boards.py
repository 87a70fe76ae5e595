"""Boards of hexagons: loaded, reported on, drawn."""

from collections.abc import Sequence
from pathlib import Path

from mapkit.core.errors import BoardError, ChoiceError, UnknownNameError, did_you_mean
from mapkit.core.names import fold
from mapkit.core.problems import problem_lines
from mapkit.document.workspace import open_workspace
from mapkit.kinds.hex.compiler import CompiledHexes
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.model.board import HexBoard, HexCity
from mapkit.kinds.hex.network.report import HexReport, report_on
from mapkit.kinds.hex.network.ways import Way, Ways


def load_hexes(name: str, *, variants: Sequence[str] = (), workspace: str | Path | None = None) -> CompiledHexes:
    """Return a board of hexagons.

    Args:
        name: A board of the workspace, a shipped one, or the folder of a source package.
        variants: Variants to apply, in order.
        workspace: The folder that holds `sources/`; the current folder by default.

    Raises:
        BoardError: Its files hold mistakes, which are listed.
        MapkitError: There is no such board or variant.
    """
    compiled, unread = HEX.load(open_workspace(workspace), name, variants)
    problems = (*unread, *compiled.problems)
    if problems:
        raise BoardError("\n".join([f"{name} cannot be used as it is:", *problem_lines(problems)]))
    return compiled


def hex_report(name: str, *, variants: Sequence[str] = (), workspace: str | Path | None = None) -> HexReport:
    """Return the figures of a board: links, deliveries, engines, the length of a game; arguments as for `load_hexes`.

    Raises:
        MapkitError: As for `load_hexes`.
    """
    return report_on(load_hexes(name, variants=variants, workspace=workspace).board)


def cheapest_link(
    a: str, b: str, name: str | None = None, *, variants: Sequence[str] = (), workspace: str | Path | None = None
) -> Way:
    """Return the cheapest link between two cities, by name or id.

    Args:
        a: A city.
        b: Another.
        name: As for `load_hexes`; the only board of the workspace by default.
        variants: As for `load_hexes`.
        workspace: As for `load_hexes`.

    Raises:
        ChoiceError: No board is named, and the workspace has none of its own or several.
        UnknownNameError: There is no such city.
        BoardError: No track can link them.
        MapkitError: As for `load_hexes`.
    """
    chosen = name or open_workspace(workspace).only_board()
    if chosen is None:
        raise ChoiceError("say which board is meant, such as --board portugal-hex")
    board = load_hexes(chosen, variants=variants, workspace=workspace).board
    one, other = city_named(board, a), city_named(board, b)
    if one.id == other.id:
        raise UnknownNameError(f"{one.name} is named twice; name two cities")
    way = Ways(board).way(one.id, other.id)
    if way is None:
        raise BoardError(f"no track can link {one.name} and {other.name}: sea, blocked ground or cities lie between")
    return way


def city_named(board: HexBoard, name: str) -> HexCity:
    """Return a city by its id or name; capitals and accents do not matter.

    Raises:
        UnknownNameError: There is none; the nearest is offered.
    """
    for city in board.cities:
        if name == city.id or fold(name) == fold(city.name):
            return city
    names = [city.name for city in board.cities]
    raise UnknownNameError(f"{name!r} is not a city of {board.title}{did_you_mean(name, names)}")
