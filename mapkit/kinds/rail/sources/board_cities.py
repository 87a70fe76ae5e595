"""Cities of a board alone, enough to read a chart for a board without one."""

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
    """Title and cities of a board, and the currency units per unit of its payoff chart."""

    title: str
    cities: tuple[KnownCity, ...]
    payoff_unit: int


def board_cities(space: Workspace, name: str) -> BoardCities:
    """Return the cities of a board, given as for `mapkit.load`, without reading its charts and lines.

    Raises:
        SourceError: `board.toml` or `cities.csv` is wrong.
        UnknownNameError: There is no such board.
        WorkspaceError: A file is missing, or the board file is not a board.
    """
    if name.endswith(".json"):
        return cities_of_board(read_board(space.path(name)))
    folder = space.board_folder(name)
    config = parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE))
    city_rows, _ = load_cities(folder, config)
    known_cities = tuple(
        KnownCity(city_id, city_row.name, city_row.milepost_name, (city_row.lon, city_row.lat))
        for city_id, city_row in city_rows.items()
    )
    return BoardCities(config.title, known_cities, config.units.payoff)


def cities_of_board(board: Board) -> BoardCities:
    """Return the cities of a compiled board."""
    milepost_by_id = {milepost.id: milepost for milepost in board.mileposts}
    known_cities = []
    for city in board.cities:
        city_milepost = milepost_by_id.get(city.milepost)
        known_cities.append(
            KnownCity(
                city.id,
                city.name,
                city_milepost.name if city_milepost else "",
                (city_milepost.lon, city_milepost.lat) if city_milepost else None,
            )
        )
    return BoardCities(board.title, tuple(known_cities), board.units.payoff)
