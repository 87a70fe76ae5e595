"""Compiler of hexagon boards: rows that fit together become elements, all others problems with a cure.

Each part is a tracked function, so that an edit of one table costs no more than that table.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Final, TypeVar, cast

from mapkit.core.errors import did_you_mean
from mapkit.core.problems import Problem
from mapkit.document.document import Document, Row, sort_rows
from mapkit.evaluate import Evaluator, Reader, tracked
from mapkit.kinds.hex.config import Config, read_config
from mapkit.kinds.hex.grid.grid import EDGE_ID, HexGrid
from mapkit.kinds.hex.model.board import (
    BaronCard,
    Component,
    Hex,
    HexBoard,
    HexCity,
    HexEdge,
    MajorLine,
    OperationsCard,
    PrintedLink,
    TrackSpace,
)
from mapkit.kinds.hex.model.terrain import PLAINS, Terrain, built_in_terrains, known_terrains
from mapkit.kinds.hex.tables import (
    BaronRow,
    CityRow,
    ComponentRow,
    EdgeRow,
    HexDocument,
    HexRow,
    LinkRow,
    MajorLineRow,
    OperationsRow,
    SpaceRow,
    TerrainRow,
)

R = TypeVar("R", bound=Row)
_SHOWN: Final = 3
_BOARD_ID: Final = "board"


@dataclass(frozen=True)
class _Part:
    """Elements, and the problems of their rows."""

    elements: tuple[Any, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class CompiledHexes:
    """Document, its board, and the rows left out.

    Args:
        document: The document.
        board: The board.
        problems: What is left out, and why.
        config: Its settings.
        evaluator: What evaluated it; in a session it does so for one document after the other.
        db: Reads all that follows from the document.
    """

    document: HexDocument
    board: HexBoard
    problems: tuple[Problem, ...]
    config: Config
    evaluator: Evaluator = field(repr=False)
    db: Reader = field(repr=False)

    def recompile(self, document: HexDocument) -> "CompiledHexes":
        """Return the board of another document; a session goes on from this one."""
        return compile_hexes(document, board_id=self.board.id, evaluator=self.evaluator.fork())


class _Wrong:
    """Collects problems of the rows of a table."""

    def __init__(self, document: Document, table: str) -> None:
        self._document, self._table = document, table
        self.found: list[Problem] = []

    def __call__(self, key: str, message: str) -> None:
        origin = self._document.origin(self._table, key)
        file, row = (origin.file, origin.row or None) if origin is not None else (f"{self._table}.csv", None)
        self.found.append(Problem(self._table, key, message, file=file, row=row))


def compile_hexes(document: HexDocument, *, board_id: str, evaluator: Evaluator | None = None) -> CompiledHexes:
    """Return the board of a document; mistakes of the author become problems, not exceptions.

    Args:
        document: The document.
        board_id: The board's id.
        evaluator: That of a session, in which one document follows another.
    """
    evaluator = evaluator or Evaluator()
    db = evaluator.reader(document, **{_BOARD_ID: board_id})
    return CompiledHexes(document, _board(db), _problems(db), _config(db)[0], evaluator, db)


@tracked
def _board(db: Reader) -> HexBoard:
    config, _ = _config(db)
    return HexBoard.model_construct(
        id=db.input(_BOARD_ID),
        title=config.title or db.input(_BOARD_ID),
        description=config.description,
        credits=config.credits,
        license=config.license,
        grid=config.grid,
        earth=config.earth,
        track_is_example=config.example_track,
        options=config.options,
        rules=config.rules,
        **cast("Any", {name: read_part(db, name).elements for name in _MAKERS}),
    )


@tracked
def _problems(db: Reader) -> tuple[Problem, ...]:
    return (*_config(db)[1], *(problem for name in _MAKERS for problem in read_part(db, name).problems))


@tracked
def _config(db: Reader) -> tuple[Config, tuple[Problem, ...]]:
    return read_config(db.document)


@tracked
def read_setting(db: Reader, name: str) -> Any:  # noqa: ANN401 - of any field of `Config`
    """Return a setting of `board.toml`."""
    return getattr(_config(db)[0], name)


@tracked
def read_part(db: Reader, table: str) -> _Part:
    """Return the elements of one field of the board."""
    wrong = _Wrong(db.document, table)
    elements = tuple(_MAKERS[table](db, wrong))
    return _Part(elements, tuple(wrong.found))


@tracked
def _terrain_ids(db: Reader) -> frozenset[str]:
    return frozenset(terrain.id for terrain in read_part(db, "terrains").elements)


@tracked
def _city_ids(db: Reader) -> frozenset[str]:
    return frozenset(city.id for city in read_part(db, "cities").elements)


def _rows(db: Reader, table: str, kind: type[R]) -> Iterator[tuple[str, R]]:
    return ((key, row) for key, row in sort_rows(db.table(table)) if isinstance(row, kind))


def _terrains(db: Reader, wrong: _Wrong) -> Iterator[Terrain]:
    yield from built_in_terrains(read_setting(db, "rules").track)
    for key, row in _rows(db, "terrains", TerrainRow):
        if key in known_terrains():
            wrong(key, f"terrain {key!r} is one that every board has; give yours another id")
        else:
            yield Terrain(id=key, name=row.name, cost=row.cost, colour=row.colour, wet=row.wet)


def _hexes(db: Reader, wrong: _Wrong) -> Iterator[Hex]:
    grid, most, terrains = read_setting(db, "grid"), read_setting(db, "terrain"), _terrain_ids(db)
    if most not in terrains:
        wrong("", f"grid.terrain is {most!r}, which is not a terrain{did_you_mean(most, terrains)}; name one that is")
        most = PLAINS
    hexes = dict(_plain_hexes(grid, most))
    for key, row in _rows(db, "hexes", HexRow):
        if key not in hexes:
            wrong(key, off_grid(grid, key))
        elif row.terrain not in terrains:
            hint = did_you_mean(row.terrain, terrains)
            wrong(key, f"{row.terrain!r} is not a terrain{hint}; correct it, or add it to terrains.csv")
        else:
            hexes[key] = Hex.model_construct(id=key, terrain=row.terrain, label=hexes[key].label, art=row.art)
    yield from hexes.values()


def _edges(db: Reader, wrong: _Wrong) -> Iterator[HexEdge]:
    grid = read_setting(db, "grid")
    seen: dict[str, str] = {}
    for key, row in _rows(db, "edges", EdgeRow):
        edge = grid.edge_named(key)
        if edge is None:
            wrong(key, no_edge(grid, key))
            continue
        name = grid.edge_id(edge)
        if name in seen:
            wrong(key, f"the edge of {key} is there already as {seen[name]}; put all of it in one row")
            continue
        seen[name] = key
        one, _, other = name.partition("--")
        ridge = read_setting(db, "rules").track.ridge if "ridge" in row.kinds else 0
        cost = ridge if row.cost is None else row.cost
        yield HexEdge(id=name, hexes=(one, other), kinds=row.kinds, cost=cost)


def _cities(db: Reader, wrong: _Wrong) -> Iterator[HexCity]:
    grid = read_setting(db, "grid")
    taken: dict[str, str] = {}
    for key, row in _rows(db, "cities", CityRow):
        hexagon = grid.hex_of(row.hex)
        if hexagon is None:
            wrong(key, f"{row.name}: {off_grid(grid, row.hex)}")
            continue
        name = grid.hex_id(hexagon)
        if name in taken:
            wrong(key, f"{row.name} is in {name}, where {taken[name]} is; move one of them to another hexagon")
            continue
        taken[name] = row.name
        by_players = {int(players): int(count) for players, count in (c.split(":") for c in row.cubes_by_players)}
        yield HexCity(
            id=key,
            name=row.name,
            hex=name,
            colours=row.colours or ("gray",),
            cubes=row.cubes,
            cubes_by_players=by_players,
            rotor=row.rotor,
            start=row.start,
            wheel=row.wheel,
            twins=row.twins,
            port=row.port,
        )


def _links(db: Reader, wrong: _Wrong) -> Iterator[PrintedLink]:
    cities = _city_ids(db)
    for key, row in _rows(db, "links", LinkRow):
        ends = [row.a, *([row.b] if row.b else [])]
        if _known(key, ends, cities, wrong) and _apart(key, ends, wrong):
            values = row.model_dump(exclude={"rank", "b"})
            yield PrintedLink(id=key, b=row.b or None, **values)


def _lines(db: Reader, wrong: _Wrong) -> Iterator[MajorLine]:
    cities = _city_ids(db)
    for key, row in _rows(db, "lines", MajorLineRow):
        if _known(key, row.cities, cities, wrong) and _apart(key, row.cities, wrong):
            yield MajorLine(id=key, **row.model_dump(exclude={"rank"}))


def _track(db: Reader, wrong: _Wrong) -> Iterator[TrackSpace]:
    found = []
    for key, row in _rows(db, "track", SpaceRow):
        try:
            found.append(TrackSpace(points=int(key), income=row.income))
        except ValueError:
            wrong(key, f"{key!r} is not a space of the track; write its points, such as 12 or -3, as the id")
    yield from sorted(found, key=lambda space: space.points)


def _components(db: Reader, _wrong: _Wrong) -> Iterator[Component]:
    for key, row in _rows(db, "components", ComponentRow):
        yield Component(id=key, **row.model_dump(exclude={"rank"}))


def _city_cards(
    table: str, row_type: type[OperationsRow | BaronRow], card: Callable[..., Any], db: Reader, wrong: _Wrong
) -> Iterator[Any]:
    """Yield the cards of a table that name cities of the board only."""
    cities = _city_ids(db)
    for key, row in _rows(db, table, row_type):
        if _known(key, row.cities, cities, wrong):
            yield card(id=key, **row.model_dump(exclude={"rank"}))


_MAKERS: Final[Mapping[str, Callable[[Reader, _Wrong], Iterable[Any]]]] = {
    "terrains": _terrains,
    "hexes": _hexes,
    "edges": _edges,
    "cities": _cities,
    "links": _links,
    "lines": _lines,
    "track": _track,
    "components": _components,
    "operations": partial(_city_cards, "operations", OperationsRow, OperationsCard),
    "barons": partial(_city_cards, "barons", BaronRow, BaronCard),
}
"""Fields of a board with tables of the same name."""


@lru_cache(maxsize=4)
def _plain_hexes(grid: HexGrid, terrain: str) -> Mapping[str, Hex]:
    """Return the hexagons of a grid by id with their labels, all of one terrain."""
    labels = {grid.hex_id(cube): grid.label(cube) for cube in grid.cubes}
    return {key: Hex(id=key, terrain=terrain, label=label) for key, label in labels.items()}


def _known(key: str, named: Iterable[str], cities: Collection[str], wrong: _Wrong) -> bool:
    """Whether cities are there."""
    missing = [name for name in named if name not in cities]
    for name in missing[:_SHOWN]:
        wrong(
            key, f"{name!r} is not a city of this board{did_you_mean(name, cities)}; write the id of one in cities.csv"
        )
    return not missing


def _apart(key: str, named: Iterable[str], wrong: _Wrong) -> bool:
    names = list(named)
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        wrong(key, f"{twice[0]!r} is there twice; name each city once")
    return not twice


def off_grid(grid: HexGrid, key: str) -> str:
    """Return why an id of a hexagon is invalid: its form, or a place off the grid."""
    labelled = grid.labelled(key, "A1" if grid.labels == "none" else grid.labels)
    if labelled is not None:
        return f"hexagon {key!r} is a label; write column and row: {grid.hex_id(labelled)}"
    return (
        f"hexagon {key!r} is not on the grid of {grid.columns} columns and {grid.rows} rows, counted from 1; "
        "correct it, or make the grid larger"
    )


def no_edge(grid: HexGrid, key: str) -> str:
    """Return why an id of an edge is invalid."""
    one, _, other = key.partition("--")
    for name in (one, other):
        if grid.hex_of(name) is None:
            shape = (
                ""
                if (re.match(EDGE_ID, key) is not None)
                else "write an edge as its two hexagons, such as 5-12--5-13; "
            )
            return f"{shape}{off_grid(grid, name)}"
    hexagon = grid.hex_of(one)
    near = [] if hexagon is None else [grid.hex_id(other) for other in grid.neighbours(hexagon)]
    return (
        f"{one} and {other} share no edge on a grid of offset {grid.offset}; "
        f"the neighbours of {one} are {', '.join(near)}"
    )
