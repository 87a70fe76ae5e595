"""The board of an open document, derived again after each edit from what the edit changed.

A `LiveBoard` depends on nothing but its document and frame: what it takes from the one before is what would come out
the same. What a build refuses does not stop it; it is left out, or taken as told in `problems`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mapkit.editor.document import Document
from mapkit.editor.live.charts import Charts, read_charts
from mapkit.editor.live.drawing import Drawing, read_drawing
from mapkit.editor.live.frame import PLAIN, Frame, fit_frame
from mapkit.editor.live.network import Laid, lay_lines
from mapkit.editor.live.places import Found, find_places
from mapkit.editor.live.railroads import Line, Problem
from mapkit.editor.live.settings import Settings, read_settings
from mapkit.model.board import Board, City, Payoffs, Provenance, Railroad, Region, Style, Units
from mapkit.network.region_of import regions_of
from mapkit.sources.names import slug
from mapkit.version import __version__


@dataclass(frozen=True)
class LiveBoard:
    """A document as a board, and what of it cannot be built.

    Args:
        id: The board's id.
        document: What it was derived from.
        frame: The projection and page fit of the session.
        board: The board; its provenance holds no files and rows.
        problems: What is left out or amended, and why.
        settings: `board.toml` as read.
        found: The station lists with their places found.
        laid: Mileposts and track.
        drawing: The network of a board with traced lines.
        charts: The charts as the board has them.
    """

    id: str
    document: Document
    frame: Frame
    board: Board
    problems: tuple[Problem, ...]
    settings: Settings = field(repr=False)
    found: Found = field(repr=False)
    laid: Laid = field(repr=False)
    drawing: Drawing | None = field(repr=False)
    charts: Charts = field(repr=False)
    regions: Mapping[str, str] = field(repr=False)
    """Region of each milepost."""

    @cached_property
    def cities_at(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the cities by milepost."""
        out: dict[str, tuple[str, ...]] = {}
        for city in self.board.cities:
            out[city.milepost] = (*out.get(city.milepost, ()), city.id)
        return out

    @property
    def lines(self) -> Mapping[str, Line]:
        """Return the station lists with their places found, by line id."""
        return self.found.lines


def live_board(
    document: Document, *, board_id: str, before: LiveBoard | None = None, frame: Frame | None = None
) -> LiveBoard:
    """Return the board of a document.

    Args:
        document: The document.
        board_id: The board's id, its folder's name.
        before: The board before the edit; it gives the frame, and all that the edit cannot have changed.
        frame: The frame of a session; without one and without `before` it is fitted to the board, as a build does.
    """
    chosen = frame or (before.frame if before is not None else None)
    if chosen is None:
        before = _derived(document, board_id, None, PLAIN)
        chosen = fit_frame(before.settings.config, before.laid.points)
    return _derived(document, board_id, before, chosen)


def refit(live: LiveBoard) -> LiveBoard:
    """Return the board with the projection and page fit that a build would choose now."""
    return live_board(
        live.document, board_id=live.id, before=live, frame=fit_frame(live.settings.config, live.laid.points)
    )


def _derived(document: Document, board_id: str, before: LiveBoard | None, frame: Frame) -> LiveBoard:
    settings = read_settings(document, before.settings if before else None)
    found = find_places(document, settings.config.gazetteer.countries, before.found if before else None)
    drawing = read_drawing(document, board_id, settings.config, before.drawing if before else None)
    old = before.laid if before is not None and before.frame is frame else None
    laid = lay_lines(document, found, drawing, frame, old)
    bare = _without_charts(document, board_id, settings, laid, frame, before)
    charts = read_charts(document, settings.config, bare, before.charts if before else None)
    board = bare.model_copy(
        update={"destinations": charts.destinations, "payoffs": charts.payoffs, "declared": charts.declared}
    )
    drawn = drawing.problems if drawing is not None else ()
    problems = {*settings.problems, *found.problems, *drawn, *laid.problems, *charts.problems}
    return LiveBoard(
        id=board_id,
        document=document,
        frame=frame,
        board=board,
        problems=tuple(sorted(problems, key=lambda p: (p.table, p.key, p.message))),
        settings=settings,
        found=found,
        laid=laid,
        drawing=drawing,
        charts=charts,
        regions=_regions(board, laid, before),
    )


def _regions(board: Board, laid: Laid, before: LiveBoard | None) -> Mapping[str, str]:
    """Return the region of each milepost; as long as cities stay, that of a milepost follows from its own place."""
    if before is None or before.board.cities != board.cities:
        return regions_of(board)
    if before.laid.mileposts is laid.mileposts:
        return before.regions
    was, now = before.laid.by_id, laid.by_id
    if any(was.get(city.milepost) is not now.get(city.milepost) for city in board.cities):
        return regions_of(board)
    new = [milepost for ident, milepost in now.items() if was.get(ident) is not milepost]
    cities = (now[ident] for ident in sorted(before.cities_at) if ident in now)
    found = regions_of(board.model_copy(update={"mileposts": (*cities, *new)}))
    regions = {ident: region for ident, region in before.regions.items() if ident in now}
    regions.update(found)
    return before.regions if regions == before.regions else regions


def _without_charts(  # noqa: PLR0913, PLR0917 - the parts of a board
    document: Document, board_id: str, settings: Settings, laid: Laid, frame: Frame, before: LiveBoard | None
) -> Board:
    """Return the board without its charts; parts whose tables are as they were are the same objects."""
    old = before.board if before is not None else None
    was = before.document if before is not None else Document()
    config = settings.config
    same_settings = old is not None and before is not None and before.settings is settings
    return Board.model_construct(
        id=board_id,
        title=config.title,
        variants=(),
        units=old.units if old is not None and same_settings else Units(**config.units.model_dump()),
        projection=frame.projection,
        page=frame.page,
        regions=old.regions
        if old is not None and same_settings
        else tuple(Region(**region.model_dump()) for region in config.regions),
        mileposts=laid.mileposts,
        cities=old.cities if old is not None and was.cities is document.cities else _cities(document, old, was),
        railroads=old.railroads if old is not None and was.railroads is document.railroads else _railroads(document),
        junctions=laid.junctions,
        pieces=laid.pieces,
        segments=laid.segments,
        destinations={},
        payoffs=Payoffs(cities=(), thousands=()),
        rules=config.rules,
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


def _cities(document: Document, old: Board | None, was: Document) -> tuple[City, ...]:
    """Return the cities; the same object where no more than positions and weights changed."""
    known = {city.id: city for city in old.cities} if old is not None else {}
    cities = tuple(
        known[ident]
        if ident in known and was.cities.get(ident) is row
        else City.model_construct(id=ident, name=row.name, region=row.region, milepost=slug(row.milepost_name))
        for ident, row in sorted(document.cities.items())
    )
    return old.cities if old is not None and cities == old.cities else cities


def _railroads(document: Document) -> tuple[Railroad, ...]:
    return tuple(
        Railroad.model_construct(
            id=ident,
            name=row.name,
            short=row.short,
            price=row.price,
            public=row.public,
            style=Style.model_construct(colour=row.colour, pattern=row.pattern),
        )
        for ident, row in sorted(document.railroads.items())
    )
