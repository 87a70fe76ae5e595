"""The cities of a board alone: enough to read a chart for a board that has none yet."""

from dataclasses import dataclass

from mapkit.document.workspace import Workspace
from mapkit.formats.files import read_text
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.sources.board_file import read_board
from mapkit.kinds.rail.sources.cities import load_cities
from mapkit.kinds.rail.sources.city_names import KnownCity
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.config import parse_config


@dataclass(frozen=True)
class BoardCities:
    """A board's title, its cities, and the currency units that one unit of its payoff chart is worth."""

    title: str
    cities: tuple[KnownCity, ...]
    payoff_unit: int


def board_cities(space: Workspace, name: str) -> BoardCities:
    """Return the cities of a board, given as for `mapkit.load`; its charts and lines are not looked at.

    Raises:
        SourceError: `board.toml` or `cities.csv` is wrong.
        UnknownNameError: There is no such board.
        WorkspaceError: A file is missing, or the board file is not a board.
    """
    if name.endswith(".json"):
        return of_board(read_board(space.root / name))
    folder = space.board_folder(name)
    config = parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE))
    rows, _ = load_cities(folder, config)
    cities = tuple(KnownCity(key, row.name, row.milepost_name, (row.lon, row.lat)) for key, row in rows.items())
    return BoardCities(config.title, cities, config.units.payoff)


def of_board(board: Board) -> BoardCities:
    """Return the cities of a compiled board."""
    mileposts = {milepost.id: milepost for milepost in board.mileposts}
    cities = []
    for city in board.cities:
        at = mileposts.get(city.milepost)
        cities.append(KnownCity(city.id, city.name, at.name if at else "", (at.lon, at.lat) if at else None))
    return BoardCities(board.title, tuple(cities), board.units.payoff)
