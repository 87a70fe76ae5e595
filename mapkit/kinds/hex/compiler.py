"""A document to its board: what fits together becomes elements, and everything else a problem with its cure.

Parts of an earlier board whose ground is the same are taken from it, so that an edit of one table costs no more than
that table.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from mapkit.core.errors import did_you_mean
from mapkit.core.memo import remembered
from mapkit.core.problems import Problem
from mapkit.document.document import Document, Row, ordered
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
from mapkit.kinds.hex.model.terrain import PLAINS, Terrain, built_in, known_terrains
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
E = TypeVar("E")
_SHOWN: Final = 3


@dataclass(frozen=True)
class _Part:
    """Elements, what is wrong with their rows, and what they were made from."""

    ground: tuple[object, ...]
    elements: tuple[Any, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class CompiledHexes:
    """A document, its board, and what of the document is not in it."""

    document: HexDocument
    board: HexBoard
    problems: tuple[Problem, ...]
    config: Config
    parts: Mapping[str, _Part]


class _Wrong:
    """Collects problems of the rows of a table."""

    def __init__(self, document: Document, table: str) -> None:
        self._document, self._table = document, table
        self.found: list[Problem] = []

    def __call__(self, key: str, message: str) -> None:
        origin = self._document.origin(self._table, key)
        file, row = (origin.file, origin.row or None) if origin is not None else (f"{self._table}.csv", None)
        self.found.append(Problem(self._table, key, message, file=file, row=row))


def compile_hexes(document: HexDocument, *, board_id: str, before: CompiledHexes | None = None) -> CompiledHexes:
    """Return the board of a document; it never raises for what an author can fix.

    Args:
        document: The document.
        board_id: The board's id.
        before: What was compiled of any document; parts whose ground is the same are taken from it.
    """
    if before is not None and before.document is document and before.board.id == board_id:
        return before
    same = before is not None and before.document.table("settings") is document.table("settings")
    config, problems = read_config(document)
    if same and before is not None:
        config = before.config
    old = before.parts if before is not None else {}
    made = _Parts(document, config, old)
    parts = made.all()
    problems += tuple(problem for part in parts.values() for problem in part.problems)
    board = HexBoard.model_construct(
        id=board_id,
        title=config.title or board_id,
        description=config.description,
        credits=config.credits,
        license=config.license,
        grid=config.grid,
        earth=config.earth,
        track_is_example=config.example_track,
        options=config.options,
        rules=config.rules,
        **made.elements(parts),
    )
    return CompiledHexes(document, board, problems, config, parts)


class _Parts:
    """The parts of a board, each from a table and what else it needs."""

    def __init__(self, document: HexDocument, config: Config, old: Mapping[str, _Part]) -> None:
        self._document, self._config, self._old = document, config, old

    def all(self) -> dict[str, _Part]:
        """Return all parts by the name of their field of the board."""
        config, grid = self._config, self._config.grid
        terrains = self._part("terrains", (config.rules.track,), self._terrains)
        ids = {terrain.id for terrain in terrains.elements}
        shape = (grid.offset, grid.columns, grid.rows, grid.labels, config.terrain)
        parts = {
            "terrains": terrains,
            "hexes": self._part("hexes", (*shape, *sorted(ids)), lambda wrong: self._hexes(wrong, ids)),
            "edges": self._part("edges", (*shape, config.rules.track.ridge), self._edges),
            "cities": self._part("cities", shape, self._cities),
        }
        cities = {city.id for city in parts["cities"].elements}
        names = tuple(sorted(cities))
        parts |= {
            "links": self._part("links", names, lambda wrong: self._links(wrong, cities)),
            "lines": self._part("lines", names, lambda wrong: self._lines(wrong, cities)),
            "track": self._part("track", (), self._track),
            "components": self._part("components", (), self._components),
            "operations": self._part("operations", names, lambda wrong: self._operations(wrong, cities)),
            "barons": self._part("barons", names, lambda wrong: self._barons(wrong, cities)),
        }
        return parts

    def elements(self, parts: Mapping[str, _Part]) -> Any:  # noqa: ANN401 - fields of a board
        """Return the elements of parts by field."""
        return {name: part.elements for name, part in parts.items()}

    def _part(self, table: str, ground: tuple[object, ...], make: Callable[[_Wrong], Iterable[Any]]) -> _Part:
        old, rows = self._old.get(table), self._document.table(table)
        whole = (rows, *ground)
        if old is not None and old.ground[0] is rows and old.ground[1:] == ground and not old.problems:
            return old
        wrong = _Wrong(self._document, table)
        elements = tuple(make(wrong))
        return _Part(whole, elements, tuple(wrong.found))

    def _rows(self, table: str, kind: type[R]) -> Iterator[tuple[str, R]]:
        return ((key, row) for key, row in ordered(self._document.table(table)) if isinstance(row, kind))

    def _terrains(self, wrong: _Wrong) -> Iterator[Terrain]:
        yield from built_in(self._config.rules.track)
        for key, row in self._rows("terrains", TerrainRow):
            if key in known_terrains():
                wrong(key, f"terrain {key!r} is one that every board has; give yours another id")
            else:
                yield Terrain(id=key, name=row.name, cost=row.cost, colour=row.colour, wet=row.wet)

    def _hexes(self, wrong: _Wrong, terrains: set[str]) -> Iterator[Hex]:
        grid, most = self._config.grid, self._config.terrain
        if most not in terrains:
            wrong(
                "", f"grid.terrain is {most!r}, which is not a terrain{did_you_mean(most, terrains)}; name one that is"
            )
            most = PLAINS
        rows = {}
        for key, row in self._rows("hexes", HexRow):
            if grid.hex_of(key) is None:
                wrong(key, off_grid(grid, key))
            elif row.terrain not in terrains:
                hint = did_you_mean(row.terrain, terrains)
                wrong(key, f"{row.terrain!r} is not a terrain{hint}; correct it, or add it to terrains.csv")
            else:
                rows[key] = row
        for plain in _plain_hexes(grid):
            own = rows.get(plain.id)
            terrain, art = (most, "") if own is None else (own.terrain, own.art)
            yield Hex.model_construct(id=plain.id, terrain=terrain, label=plain.label, art=art)

    def _edges(self, wrong: _Wrong) -> Iterator[HexEdge]:
        grid = self._config.grid
        seen: dict[str, str] = {}
        for key, row in self._rows("edges", EdgeRow):
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
            ridge = self._config.rules.track.ridge if "ridge" in row.kinds else 0
            cost = ridge if row.cost is None else row.cost
            yield HexEdge(id=name, hexes=(one, other), kinds=row.kinds, cost=cost)

    def _cities(self, wrong: _Wrong) -> Iterator[HexCity]:
        grid = self._config.grid
        taken: dict[str, str] = {}
        for key, row in self._rows("cities", CityRow):
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

    def _links(self, wrong: _Wrong, cities: set[str]) -> Iterator[PrintedLink]:
        for key, row in self._rows("links", LinkRow):
            ends = [row.a, *([row.b] if row.b else [])]
            if _known(key, ends, cities, wrong) and _apart(key, ends, wrong):
                values = row.model_dump(exclude={"rank", "b"})
                yield PrintedLink(id=key, b=row.b or None, **values)

    def _lines(self, wrong: _Wrong, cities: set[str]) -> Iterator[MajorLine]:
        for key, row in self._rows("lines", MajorLineRow):
            if _known(key, row.cities, cities, wrong) and _apart(key, row.cities, wrong):
                yield MajorLine(id=key, **row.model_dump(exclude={"rank"}))

    def _track(self, wrong: _Wrong) -> Iterator[TrackSpace]:
        found = []
        for key, row in self._rows("track", SpaceRow):
            try:
                found.append(TrackSpace(points=int(key), income=row.income))
            except ValueError:
                wrong(key, f"{key!r} is not a space of the track; write its points, such as 12 or -3, as the id")
        yield from sorted(found, key=lambda space: space.points)

    def _components(self, _wrong: _Wrong) -> Iterator[Component]:
        for key, row in self._rows("components", ComponentRow):
            yield Component(id=key, **row.model_dump(exclude={"rank"}))

    def _operations(self, wrong: _Wrong, cities: set[str]) -> Iterator[OperationsCard]:
        for key, row in self._rows("operations", OperationsRow):
            if _known(key, row.cities, cities, wrong):
                yield OperationsCard(id=key, **row.model_dump(exclude={"rank"}))

    def _barons(self, wrong: _Wrong, cities: set[str]) -> Iterator[BaronCard]:
        for key, row in self._rows("barons", BaronRow):
            if _known(key, row.cities, cities, wrong):
                yield BaronCard(id=key, **row.model_dump(exclude={"rank"}))


@remembered(4)
def _plain_hexes(grid: HexGrid) -> tuple[Hex, ...]:
    """Return the hexagons of a grid with their labels, as plains."""
    return tuple(Hex(id=grid.hex_id(cube), terrain=PLAINS, label=grid.label(cube)) for cube in grid.cubes)


def _known(key: str, named: Iterable[str], cities: set[str], wrong: _Wrong) -> bool:
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
    """Return what is wrong with the id of a hexagon: it has another form, or lies off the grid."""
    labelled = grid.labelled(key, "A1" if grid.labels == "none" else grid.labels)
    if labelled is not None:
        return f"hexagon {key!r} is a label; write column and row: {grid.hex_id(labelled)}"
    return (
        f"hexagon {key!r} is not on the grid of {grid.columns} columns and {grid.rows} rows, counted from 1; "
        "correct it, or make the grid larger"
    )


def no_edge(grid: HexGrid, key: str) -> str:
    """Return what is wrong with the id of an edge."""
    one, _, other = key.partition("--")
    for name in (one, other):
        if grid.hex_of(name) is None:
            shape = "" if _is_edge(key) else "write an edge as its two hexagons, such as 5-12--5-13; "
            return f"{shape}{off_grid(grid, name)}"
    hexagon = grid.hex_of(one)
    near = [] if hexagon is None else [grid.hex_id(other) for other in grid.neighbours(hexagon)]
    return (
        f"{one} and {other} share no edge on a grid of offset {grid.offset}; "
        f"the neighbours of {one} are {', '.join(near)}"
    )


def _is_edge(key: str) -> bool:
    return re.match(EDGE_ID, key) is not None
