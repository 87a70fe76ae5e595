"""Assembly of a board from the parts of its document, and the problems of the document."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, cast

from mapkit.core.causes import MISSING, unknown_name
from mapkit.core.plurals import MOST_LISTED
from mapkit.core.problems import Problem, texts_of
from mapkit.document.document import RowOrigin, RowOrigins
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.compiler.base_board import BASE, BaseBoard
from mapkit.kinds.rail.compiler.boxes import find_boxes
from mapkit.kinds.rail.compiler.charts import BoardCharts, read_charts
from mapkit.kinds.rail.compiler.cities import board_cities
from mapkit.kinds.rail.compiler.layers import find_layers
from mapkit.kinds.rail.compiler.letters import undrawn_names
from mapkit.kinds.rail.compiler.origins import (
    KIND_OF,
    MADE,
    Origins,
    by_id,
    element_of,
    made,
    network_origin,
    row_origin,
    table_origins,
)
from mapkit.kinds.rail.compiler.settings import read_settings, setting
from mapkit.kinds.rail.compiler.track import track_origins, track_part
from mapkit.kinds.rail.model.board import SUMS, Board, Provenance, Railroad, Region, Segment, SourceFile, Style, Units
from mapkit.kinds.rail.model.network import Origin
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.table_files import CITIES, DECLARED, DESTINATIONS, PAYOFFS, PLACES, RAILROADS, WANTED
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.rail.tables import Railroad as RailroadRow
from mapkit.version import __version__

# Where everything on a board comes from: files with their hashes, and file and row of each element.

FILES: Final = "files"
"""The input that holds the files that a document was read from, for a board that says where everything comes from."""
STAMPED: Final = "stamped"
"""The input that holds the tables of which rows come from variants, in the order in which new kinds are named."""


@tracked
def board_provenance(db: Reader) -> Provenance:
    """Return where everything on a board comes from, as far as its document says."""
    if db.document.is_of_board:
        return _provenance_of_rows(db)
    files: Sequence[SourceFile] | None = db.input(FILES)
    said = plain_provenance(db)
    if files is not None:
        sources = tuple(sorted(files, key=lambda file: file.path))
        return said.model_copy(update={"elements": _of_files(db), "sources": sources})
    computed = {} if db.document.payoff_cities else _computed_payoffs(db)
    return said.model_copy(update={"elements": {"payoffs": computed}}) if computed else said


@tracked
def plain_provenance(db: Reader) -> Provenance:
    """Return the provenance of a board without that of its elements."""
    return Provenance(
        tool="mapkit",
        version=__version__,
        credits=setting(db, "credits"),
        licence=setting(db, "licence"),
        sources=(),
        elements={},
        accepted=dict(sorted(setting(db, "accepted").items())),
        notes=track_part(db, "notes"),
    )


def _of_files(db: Reader) -> dict[str, Origins]:
    """Return where the elements of a board come from that was read from files."""
    document: RailDocument = db.document
    network = track_origins(db)
    declared = {key.replace("/", ":"): origin for key, origin in table_origins(document, "declared", DECLARED).items()}
    payoffs = table_origins(document, "payoff_cities", PAYOFFS)
    return {
        "regions": table_origins(document, "regions", CONFIG_FILE),
        "mileposts": network["mileposts"],
        "cities": table_origins(document, "cities", CITIES),
        "railroads": table_origins(document, "railroads", RAILROADS),
        "junctions": network["junctions"],
        "pieces": network["pieces"],
        "segments": network["segments"],
        "destinations": _destinations(read_charts(db), document, db.input(FILES)),
        **({"declared": declared} if declared else {}),
        "payoffs": payoffs or _computed_payoffs(db),
    }


def _computed_payoffs(db: Reader) -> dict[str, Origin]:
    """Return the origin of a computed chart by city: the model in `board.toml`, or the default."""
    origin = Origin(how="computed", file=CONFIG_FILE if setting(db, "payoffs") is not None else None)
    return dict.fromkeys(sorted(read_charts(db).payoffs.cities), origin)


def _provenance_of_rows(db: Reader) -> Provenance:
    """Return where everything comes from on a board that was made of another: as its document says, row by row."""
    document: RailDocument = db.document
    base: BaseBoard | None = db.input(BASE)
    old = base.board.provenance if base is not None else None
    elements = _elements(db.origins, base)
    elements["segments"] = _segments(db.origins, track_part(db, "segments"), old)
    if document.lines:
        for kind, listed in track_origins(db).items():
            elements[kind] = {**elements.get(kind, {}), **listed}
    first = old.elements if old is not None else [kind for kind in _KINDS if kind in elements]
    new = [KIND_OF[table] for table in db.input(STAMPED) or () if table in KIND_OF]
    kinds = dict.fromkeys((*first, *new, *(kind for kind in elements if kind != "rules"), *elements))
    update = {
        "elements": {kind: by_id(elements.get(kind, {})) for kind in kinds},
        "accepted": dict(sorted(setting(db, "accepted").items())),
    }
    if old is not None:
        return old.model_copy(update=update)
    said = {key: made(document, key, None) for key in MADE}
    head = {"tool": "mapkit", "version": "0", "sources": [], **{k: v for k, v in said.items() if v is not None}}
    return Provenance.model_validate(
        {**head, **update, "credits": setting(db, "credits"), "licence": setting(db, "licence")}
    )


_KINDS: Final = (
    "regions", "mileposts", "cities", "railroads", "junctions", "pieces", "segments", "destinations", "declared",
    "payoffs", "rules",
)  # fmt: skip


def _elements(now: RowOrigins, base: BaseBoard | None) -> dict[str, Origins]:
    """Return kind -> id -> origin of the board, updated for rows with another origin or without a row."""
    out = {kind: dict(found) for kind, found in base.board.provenance.elements.items()} if base is not None else {}
    was = base.document.origins if base is not None else {}
    if now is was:
        return out
    if len(was.keys() - now.keys()):
        for at in was:
            if at not in now and (element := element_of(*at)) is not None:
                out.get(element[0], {}).pop(element[1], None)
    said: dict[RowOrigin, Origin] = {}
    for at, origin in now.items():
        if was.get(at) is origin or (element := element_of(*at)) is None:
            continue
        kind, ident = element
        if kind == "rules" and origin.how != "variant":
            continue
        found = said.get(origin)
        if found is None:
            found = said[origin] = network_origin(origin)
        out.setdefault(kind, {})[ident] = found
    return out


def _segments(origins: RowOrigins, segments: Iterable[Segment], old: Provenance | None) -> Origins:
    """Return the origins of segments: that of a piece that a variant made, else the one said before, else the first."""
    known = old.elements.get("segments", {}) if old is not None else {}
    out: Origins = {}
    for segment in segments:
        found = [origin for p in segment.pieces if (origin := origins.get(("track", p))) is not None]
        changed = next((origin for origin in found if origin.how == "variant"), None)
        if changed is None and segment.id in known:
            out[segment.id] = known[segment.id]
        else:
            first = changed or next(iter(found), None)
            out[segment.id] = network_origin(first) if first is not None else Origin(how="variant")
    return out


def _destinations(charts: BoardCharts, document: RailDocument, files: Sequence[SourceFile]) -> Origins:
    if charts.wanted:
        file = WANTED if any(file.path == WANTED for file in files) else CITIES
        names = sorted({row.chart for row in charts.wanted})
        return {f"{chart}:{total}": Origin(how="solved", file=file) for chart in names for total in SUMS}
    out: Origins = {}
    for key in document.destinations:
        chart, parity, total = key.split("/")
        if parity == "odd" and document.origin("destinations", key) is not None:
            out[f"{chart}:{total}"] = row_origin(document, "destinations", key, file=DESTINATIONS)
    return by_id(out)


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
        boxes=find_boxes(db).boxes,
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
        *find_boxes(db).problems,
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
