"""Assembly of a board from the parts of its document, and the problems of the document."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, cast

from mapkit.core.causes import MISSING, unknown_name
from mapkit.core.plurals import MOST_LISTED
from mapkit.core.problems import Problem, texts_of
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.compiler.base_board import BASE, BaseBoard
from mapkit.kinds.rail.compiler.charts import read_charts
from mapkit.kinds.rail.compiler.cities import board_cities
from mapkit.kinds.rail.compiler.layers import find_layers
from mapkit.kinds.rail.compiler.letters import undrawn_names
from mapkit.kinds.rail.compiler.origins import made
from mapkit.kinds.rail.compiler.provenance import board_provenance
from mapkit.kinds.rail.compiler.settings import read_settings, setting
from mapkit.kinds.rail.compiler.track import track_part
from mapkit.kinds.rail.model.board import Board, Railroad, Region, Style, Units
from mapkit.kinds.rail.sources.table_files import CITIES, PLACES, RAILROADS
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.rail.tables import Railroad as RailroadRow

BOARD_ID: Final = "board"
"""The input of the evaluator that holds the board's id."""


def _missing_tables(document: RailDocument) -> Iterator[Problem]:
    """Yield the problems of required tables that are empty; a board without sources has none."""
    if document.is_of_board:
        return
    for table, file in (("railroads", RAILROADS), ("cities", CITIES)):
        if not document.table(table):
            yield Problem(table, "", f"the board has no {table} yet; add one", file=file)
    if not document.lines and not document.track:
        yield Problem("lines", "", "the board has no lines yet; draw one")


def _missing_places(document: RailDocument, problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problem of a missing table of places, where lines name many that only it could hold."""
    unknown = {name for problem in problems if problem.table == "lines" and (name := unknown_name(problem.message))}
    if not document.table("places") and len(unknown) > MOST_LISTED:
        yield Problem(
            "places",
            MISSING,
            f"there is no such file or it has no rows, and the gazetteer lacks {len(unknown)} places of the lines; "
            "mapkit match finds them and writes it",
            file=PLACES,
        )


def _located(problem: Problem, document: RailDocument) -> Problem:
    """Return a problem with the file and row of its subject, where known."""
    if (row := document.get(problem.table, problem.key)) is not None:
        problem = replace(problem, names=tuple(texts_of(row.model_dump())))
    origin = document.origin(problem.table, problem.key) if problem.row is None else None
    if origin is None or problem.file not in (None, origin.file):
        return problem
    rows = origin.rows
    number = rows[problem.part] if problem.part is not None and problem.part < len(rows) else origin.row
    return replace(problem, file=origin.file, row=number or None)


@tracked
def compile_board(db: Reader) -> Board:
    """Return the board."""
    base: BaseBoard | None = db.input(BASE)
    charts, units, regions = read_charts(db), setting(db, "units"), setting(db, "regions")
    same_units = base is not None and base.settings["units"] is units
    return Board.model_construct(
        id=db.input(BOARD_ID),
        title=setting(db, "title"),
        variants=tuple(cast("list[str]", made(db.document, "variants", []))),
        units=base.board.units if base is not None and same_units else Units(**units.model_dump()),
        projection=track_part(db, "projection"),
        page=track_part(db, "page"),
        regions=tuple(Region(**region.model_dump()) for region in regions),
        mileposts=track_part(db, "mileposts"),
        cities=board_cities(db),
        railroads=_railroads(db),
        junctions=track_part(db, "junctions"),
        pieces=track_part(db, "pieces"),
        segments=track_part(db, "segments"),
        destinations=charts.destinations,
        payoffs=charts.payoffs,
        declared=charts.declared,
        drawing=setting(db, "drawing"),
        layers=find_layers(db).layers,
        rules=setting(db, "rules"),
        extensions=setting(db, "extensions"),
        provenance=board_provenance(db),
    )


@tracked
def find_problems(db: Reader) -> tuple[Problem, ...]:
    """Return the problems of a document in order, with file and row where known."""
    track = track_part(db, "problems")
    problems = {
        *read_settings(db).problems,
        *track,
        *_missing_places(db.document, track),
        *read_charts(db).problems,
        *find_layers(db).problems,
        *_missing_tables(db.document),
        *_undrawn_names(db),
    }
    located = [_located(problem, db.document) for problem in problems]
    return tuple(sorted(located, key=lambda p: (p.table, p.key, p.part or 0, p.message)))


@tracked
def _undrawn_names(db: Reader) -> tuple[Problem, ...]:
    """Return a problem for each name in settings and tables that cannot be drawn."""
    return tuple(undrawn_names(db.document, setting(db, "title"), setting(db, "regions")))


@tracked
def _railroads(db: Reader) -> tuple[Railroad, ...]:
    return tuple(railroad for _, railroad in sorted(db.each(_railroad, db.table("railroads")).items()))


def _railroad(ident: str, row: RailroadRow) -> Railroad:
    return Railroad.model_construct(
        id=ident,
        name=row.name,
        short=row.short,
        price=row.price,
        public=row.public,
        style=Style.model_construct(colour=row.colour, pattern=row.pattern),
    )
