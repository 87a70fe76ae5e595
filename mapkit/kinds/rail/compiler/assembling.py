"""What a board has beside its track and charts, and its problems in one order: alike for a build and for an edit."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, cast

from mapkit.core.problems import Problem
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.compiler.provenance import made
from mapkit.kinds.rail.compiler.settings import ReadSettings
from mapkit.kinds.rail.model.board import (
    Board,
    City,
    Junction,
    Milepost,
    Page,
    Payoffs,
    Piece,
    Provenance,
    Railroad,
    Region,
    Segment,
    Style,
    Units,
)
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.sources.table_files import CITIES, RAILROADS
from mapkit.kinds.rail.tables import RailDocument
from mapkit.version import __version__

if TYPE_CHECKING:
    from mapkit.kinds.rail.compiler.compile import Compiled


class _OnPage(Protocol):
    """A projection and a page, with mileposts and track on it."""

    @property
    def projection(self) -> Projection: ...
    @property
    def page(self) -> Page: ...

    @property
    def mileposts(self) -> tuple[Milepost, ...]: ...
    @property
    def junctions(self) -> tuple[Junction, ...]: ...
    @property
    def pieces(self) -> tuple[Piece, ...]: ...
    @property
    def segments(self) -> tuple[Segment, ...]: ...
    @property
    def notes(self) -> tuple[TraceNote, ...]: ...
    @property
    def own_ids(self) -> Mapping[str, str]: ...


def missing_tables(document: RailDocument) -> Iterator[Problem]:
    """Yield what a board cannot be without and this one does not have; one that was made of a board is as it is."""
    if document.is_of_board:
        return
    for table, file in (("railroads", RAILROADS), ("cities", CITIES)):
        if not document.table(table):
            yield Problem(table, "", f"the board has no {table} yet; add one", file=file)
    if not document.lines and not document.track:
        yield Problem("lines", "", "the board has no lines yet; draw one")


def in_order(problems: Iterable[Problem], document: RailDocument) -> tuple[Problem, ...]:
    """Return problems with the files and rows of what they are about, where these are known, in one order."""
    located = [_located(problem, document) for problem in problems]
    return tuple(sorted(located, key=lambda p: (p.table, p.key, p.part or 0, p.message)))


def _located(problem: Problem, document: RailDocument) -> Problem:
    """Return a problem with the file and row of what it is about, where they are known."""
    origin = document.origin(problem.table, problem.key) if problem.row is None else None
    if origin is None or problem.file not in (None, origin.file):
        return problem
    rows = origin.rows
    row = rows[problem.part] if problem.part is not None and problem.part < len(rows) else origin.row
    return replace(problem, file=origin.file, row=row or None)


def without_charts(
    document: RailDocument,
    board_id: str,
    settings: ReadSettings,
    laid: _OnPage,
    before: "Compiled | None",
) -> Board:
    """Return the board without its charts; parts whose tables are as they were are the same objects.

    Args:
        document: The document.
        board_id: The board's id.
        settings: Its `board.toml` as read.
        laid: Its mileposts and track on its page.
        before: The board before an edit.
    """
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
        projection=laid.projection,
        page=laid.page,
        regions=old.regions
        if old is not None and then.regions is config.regions
        else tuple(Region(**region.model_dump()) for region in config.regions),
        mileposts=laid.mileposts,
        cities=_cities(document, laid.own_ids, old, was),
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
        if old is not None and before is not None and same_settings and before.laid.notes is laid.notes
        else Provenance(
            tool="mapkit",
            version=__version__,
            credits=config.credits,
            licence=config.licence,
            sources=(),
            elements={},
            accepted=dict(sorted(config.accepted.items())),
            notes=laid.notes,
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
            id=ident, name=row.name, region=row.region, milepost=document.milepost_of(row) or ids[row.milepost_name]
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
