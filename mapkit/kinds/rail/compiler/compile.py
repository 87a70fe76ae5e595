"""From a document to its board: once for a build or a check, and again after each edit from what the edit changed.

A `Compiled` depends on nothing but its document and frame: what it takes from the one before is what would come out
the same. What a build refuses does not stop it; it is left out, or taken as `problems` says.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from mapkit.core.collecting import uncollected
from mapkit.core.problems import Problem
from mapkit.kinds.rail.compiler.charts import BoardCharts, read_charts
from mapkit.kinds.rail.compiler.frame import Frame, fit_frame, frame_problems
from mapkit.kinds.rail.compiler.layers import FoundLayers, find_layers
from mapkit.kinds.rail.compiler.letters import undrawn_names
from mapkit.kinds.rail.compiler.network import Laid, lay_lines, place_lines
from mapkit.kinds.rail.compiler.places import FoundPlaces, find_places
from mapkit.kinds.rail.compiler.provenance import (
    Parts,
    provenance_of_charts,
    provenance_of_files,
    provenance_of_rows,
)
from mapkit.kinds.rail.compiler.railroads import FoundLine
from mapkit.kinds.rail.compiler.rows import milepost_of
from mapkit.kinds.rail.compiler.settings import ReadSettings, read_settings
from mapkit.kinds.rail.explicit.document import made, made_of_board
from mapkit.kinds.rail.model.board import Board, City, Payoffs, Provenance, Railroad, Region, SourceFile, Style, Units
from mapkit.kinds.rail.network.region_of import Regions
from mapkit.kinds.rail.sources.cities import FILE as CITIES
from mapkit.kinds.rail.sources.package import RAILROADS
from mapkit.kinds.rail.tables import RailDocument
from mapkit.version import __version__


@dataclass(frozen=True)
class Compiled:
    """A document as a board, and what of it cannot be built.

    Args:
        id: The board's id.
        document: What it was derived from.
        frame: The projection and page fit.
        board: The board; its provenance names files and rows if those of the document are known.
        problems: What is left out or corrected, and why, with file and row where the document knows them.
        settings: `board.toml` as read.
        found: The station lists with their places found.
        laid: Mileposts and track.
        charts: The charts as the board has them.
        layers: The author's own layers.
        near: What gives the region of each milepost.
    """

    id: str
    document: RailDocument
    frame: Frame
    board: Board
    problems: tuple[Problem, ...]
    settings: ReadSettings = field(repr=False)
    found: FoundPlaces = field(repr=False)
    laid: Laid = field(repr=False)
    charts: BoardCharts = field(repr=False)
    layers: FoundLayers = field(repr=False)
    near: Regions = field(repr=False)

    @cached_property
    def cities_at(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the cities by milepost."""
        out: dict[str, tuple[str, ...]] = {}
        for city in self.board.cities:
            out[city.milepost] = (*out.get(city.milepost, ()), city.id)
        return out

    @property
    def regions(self) -> Mapping[str, str]:
        """Return the region of each milepost."""
        return self.near.of

    @property
    def lines(self) -> Mapping[str, FoundLine]:
        """Return the station lists with their places found, by line id."""
        return self.found.lines


@uncollected()
def compile_document(
    document: RailDocument,
    *,
    board_id: str,
    before: Compiled | None = None,
    frame: Frame | None = None,
    files: Sequence[SourceFile] | None = None,
    stamped: Iterable[str] = (),
) -> Compiled:
    """Return the board of a document, and all that keeps it from being built.

    Nothing that an author can fix stops it: that is left out or corrected, and reported in `problems`.

    Args:
        document: The document.
        board_id: The board's id, its folder's name.
        before: The board before the edit; it gives the frame, and all that the edit cannot have changed.
        frame: The frame of a session; without one and without `before` it is fitted to the board.
        files: The files that the document was read from, for a board that says where everything comes from; None for
            one that does not. One that was made of a board always does.
        stamped: Of a document made of a board: the tables of which rows come from variants, in the order in which the
            provenance is to name what is new.
    """
    settings = read_settings(document, before.settings if before else None)
    config = settings.config
    found = find_places(document, config.gazetteer.countries, before.found if before else None)
    lines = lay_lines(document, found, before.laid.lines if before is not None else None)
    chosen = frame or settings.frame or (before.frame if before is not None else None)
    chosen = chosen or fit_frame(config, lines.points)
    same_page = before is not None and before.frame.projection == chosen.projection
    laid = place_lines(lines, chosen, before.laid if before is not None and same_page else None)
    bare = _without_charts(document, board_id, settings, laid, chosen, before)
    charts = read_charts(document, config, bare, before.charts if before else None)
    layers = find_layers(document, config, before.layers if before else None)
    update: dict[str, object] = {
        "layers": layers.layers,
        "destinations": charts.destinations,
        "payoffs": charts.payoffs,
        "declared": charts.declared,
    }
    parts = Parts(document, config, found, lines, charts)
    if made_of_board(document):
        then = (before.document, before.board.provenance) if before is not None else None
        update["provenance"] = provenance_of_rows(parts, laid.segments, then, stamped)
    elif files is not None:
        update["provenance"] = provenance_of_files(parts, files)
    else:
        update["provenance"] = provenance_of_charts(parts, bare.provenance)
    board = bare.model_copy(update=update)
    problems = {*settings.problems, *found.problems, *lines.problems, *charts.problems, *layers.problems}
    problems |= {*missing_tables(document), *frame_problems(chosen, config), *undrawn_names(document, config, found)}
    located = [_located(problem, document) for problem in problems]
    return Compiled(
        id=board_id,
        document=document,
        frame=chosen,
        board=board,
        problems=tuple(sorted(located, key=lambda p: (p.table, p.key, p.part or 0, p.message))),
        settings=settings,
        found=found,
        laid=laid,
        charts=charts,
        layers=layers,
        near=Regions(board.cities, laid.by_id, before.near if before is not None else None),
    )


def refit(live: Compiled) -> Compiled:
    """Return the board with the projection and page fit that a build would choose now."""
    if live.settings.frame is not None:
        return live
    frame = fit_frame(live.settings.config, live.laid.lines.points)
    return compile_document(live.document, board_id=live.id, before=live, frame=frame)


def missing_tables(document: RailDocument) -> Iterator[Problem]:
    """Yield what a board cannot be without and this one does not have; one that was made of a board is as it is."""
    if made_of_board(document):
        return
    for table, file in (("railroads", RAILROADS), ("cities", CITIES)):
        if not document.table(table):
            yield Problem(table, "", f"the board has no {table} yet; add one", file=file)
    if not document.lines and not document.track:
        yield Problem("lines", "", "the board has no lines yet; draw one")


def _located(problem: Problem, document: RailDocument) -> Problem:
    """Return a problem with the file and row of what it is about, where they are known."""
    origin = document.origin(problem.table, problem.key) if problem.row is None else None
    if origin is None or problem.file not in (None, origin.file):
        return problem
    rows = origin.rows
    row = rows[problem.part] if problem.part is not None and problem.part < len(rows) else origin.row
    return replace(problem, file=origin.file, row=row or None)


def _without_charts(
    document: RailDocument, board_id: str, settings: ReadSettings, laid: Laid, frame: Frame, before: Compiled | None
) -> Board:
    """Return the board without its charts; parts whose tables are as they were are the same objects."""
    old = before.board if before is not None else None
    was = before.document if before is not None else RailDocument()
    config = settings.config
    then = before.settings.config if before is not None else config
    same_settings = before is not None and before.settings is settings
    return Board.model_construct(
        id=board_id,
        title=config.title,
        variants=tuple(cast("list[str]", made(document, "variants", []))),
        units=old.units if old is not None and then.units is config.units else Units(**config.units.model_dump()),
        projection=frame.projection,
        page=frame.page,
        regions=old.regions
        if old is not None and then.regions is config.regions
        else tuple(Region(**region.model_dump()) for region in config.regions),
        mileposts=laid.mileposts,
        cities=_cities(document, laid.lines.ids, old, was),
        railroads=_railroads(document, old, was),
        junctions=laid.junctions,
        pieces=laid.pieces,
        segments=laid.segments,
        destinations={},
        payoffs=Payoffs(cities=(), thousands=()),
        drawing=config.drawing,
        layers=None,
        rules=config.rules,
        extensions=config.extensions,
        provenance=old.provenance
        if old is not None and before is not None and same_settings and before.laid.lines.notes is laid.lines.notes
        else Provenance(
            tool="mapkit",
            version=__version__,
            credits=config.credits,
            licence=config.licence,
            sources=(),
            elements={},
            accepted=dict(sorted(config.accepted.items())),
            notes=laid.lines.notes,
        ),
    )


def _cities(document: RailDocument, ids: Mapping[str, str], old: Board | None, was: RailDocument) -> tuple[City, ...]:
    """Return the cities; the same object where no more than positions and weights changed."""
    if not ids and old is not None and was.cities is document.cities and was.mileposts is document.mileposts:
        return old.cities
    known = {city.id: city for city in old.cities} if old is not None else {}
    cities = tuple(
        known[ident]
        if not ids and ident in known and was.cities.get(ident) is row
        else City.model_construct(
            id=ident, name=row.name, region=row.region, milepost=milepost_of(document, row) or ids[row.milepost_name]
        )
        for ident, row in sorted(document.cities.items())
    )
    return old.cities if old is not None and cities == old.cities else cities


def _railroads(document: RailDocument, old: Board | None, was: RailDocument) -> tuple[Railroad, ...]:
    if old is not None and was.railroads is document.railroads:
        return old.railroads
    known = {railroad.id: railroad for railroad in old.railroads} if old is not None else {}
    return tuple(
        known[ident]
        if ident in known and was.railroads.get(ident) is row
        else Railroad.model_construct(
            id=ident,
            name=row.name,
            short=row.short,
            price=row.price,
            public=row.public,
            style=Style.model_construct(colour=row.colour, pattern=row.pattern),
        )
        for ident, row in sorted(document.railroads.items())
    )
