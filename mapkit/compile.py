"""From a Source to the Board: trace, charts, page, provenance."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from mapkit.charts.printed import destination_charts, payoff_chart
from mapkit.model.base import Point
from mapkit.model.board import (
    SUMS,
    Board,
    City,
    DestinationChart,
    Junction,
    Milepost,
    Payoffs,
    Piece,
    Provenance,
    Railroad,
    Region,
    Segment,
    Style,
    Units,
)
from mapkit.model.network import Network, Origin
from mapkit.model.source import Source
from mapkit.sources.cities import FILE as CITIES
from mapkit.sources.config import FILE as CONFIG_FILE
from mapkit.sources.names import slug
from mapkit.sources.package import DECLARED, DESTINATIONS, PAYOFFS, RAILROADS
from mapkit.sources.wanted import FILE as WANTED
from mapkit.trace.network import trace
from mapkit.trace.page import PageMap, fit_page
from mapkit.version import __version__


def compile_board(source: Source) -> Board:
    """Compile a source package.

    Raises:
        SourceError: The lines, projection or page do not fit together.
    """
    network = trace(source)
    points = [(m.lon, m.lat) for m in network.mileposts]
    junction_points = [(j.lon, j.lat) for j in network.junctions]
    track = [point for piece in network.pieces for point in piece.line]
    projection, page = fit_page(source.config.projection, source.config.page, [*points, *track])
    page_map = PageMap(projection)
    milepost_xy = page_map.to_page(points)
    junction_xy = page_map.to_page(junction_points)
    track_xy = page_map.to_page(track)
    ends = list(accumulate((len(piece.line) for piece in network.pieces), initial=0))
    pieces = tuple(
        Piece(**piece.model_dump(exclude={"origin"}), path=track_xy[start:end])
        for piece, start, end in zip(network.pieces, ends, ends[1:], strict=False)
    )
    by_id = {piece.id: piece for piece in pieces}
    board = Board(
        id=source.id,
        title=source.config.title,
        units=Units(**source.config.units.model_dump()),
        projection=projection,
        page=page,
        regions=tuple(Region(**region.model_dump()) for region in source.config.regions),
        mileposts=tuple(
            Milepost(id=m.id, name=m.name, kind=m.kind, lon=m.lon, lat=m.lat, x=x, y=y)
            for m, (x, y) in zip(network.mileposts, milepost_xy, strict=True)
        ),
        cities=tuple(
            City(id=c.id, name=c.name, region=c.region, milepost=slug(c.milepost))
            for c in sorted(source.cities, key=lambda c: c.id)
        ),
        railroads=tuple(
            Railroad(
                id=r.id,
                name=r.name,
                short=r.short,
                price=r.price,
                public=r.public,
                style=Style(colour=r.colour, pattern=r.pattern),
            )
            for r in sorted(source.railroads, key=lambda r: r.id)
        ),
        junctions=tuple(
            Junction(id=j.id, railroad=j.railroad, lon=j.lon, lat=j.lat, x=x, y=y)
            for j, (x, y) in zip(network.junctions, junction_xy, strict=True)
        ),
        pieces=pieces,
        segments=tuple(
            Segment(**segment.model_dump(exclude={"origin"}), path=segment_path(segment.a, segment.pieces, by_id))
            for segment in network.segments
        ),
        destinations=_destinations(source),
        payoffs=payoff_chart(source.payoff_cities if source.payoffs else (), source.payoffs),
        declared=_declared(source),
        rules=source.config.rules,
        provenance=_provenance(source, network),
    )
    return board if source.payoffs else _with_computed_payoffs(board, source)


def _with_computed_payoffs(board: Board, source: Source) -> Board:
    """Return the board with the payoff chart that the model of `board.toml` gives (RB-C13)."""
    model = source.config.payoffs
    if model is None:
        return board
    from mapkit.charts.payoff_compute import compute_payoffs  # noqa: PLC0415 - few boards need it
    from mapkit.charts.payoff_distances import board_distances  # noqa: PLC0415

    chart = compute_payoffs(model, board_distances(board, source.payoff_cities))
    thousands = tuple(tuple(map(float, row)) for row in chart)
    return board.model_copy(update={"payoffs": Payoffs(cities=source.payoff_cities, thousands=thousands)})


def _destinations(source: Source) -> dict[str, DestinationChart]:
    regions = [r.id for r in source.config.regions]
    if not source.wanted:
        return destination_charts(source.destinations, regions)
    from mapkit.charts.solved import solve_for_good  # noqa: PLC0415 - typed charts need no solver

    return solve_for_good(source.wanted, regions)


def _declared(source: Source) -> dict[str, dict[str, str]]:
    out: dict[str, dict[str, str]] = {}
    for row in source.declared:
        out.setdefault(row.chart, {})[row.item] = row.odds
    return {chart: dict(sorted(odds.items())) for chart, odds in sorted(out.items())}


def segment_path(start: str, used: Sequence[str], pieces: Mapping[str, Piece]) -> tuple[Point, ...]:
    """Return the page path of a segment from its milepost `start`, the pieces that it uses joined in order."""
    out: list[Point] = []
    at = start
    for ident in used:
        piece = pieces[ident]
        forward = piece.a == at
        path = piece.path if forward else piece.path[::-1]
        at = piece.b if forward else piece.a
        out.extend(path if not out else path[1:])
    return tuple(out)


def _provenance(source: Source, network: Network) -> Provenance:
    def table(file: str, rows: dict[str, int | None]) -> dict[str, Origin]:
        return {ident: Origin(how="table", file=file, row=rows[ident]) for ident in sorted(rows)}

    charts: dict[str, int | None] = {}
    for row in source.destinations:
        charts[f"{row.chart}:{row.total}"] = row.row
    solved = {
        f"{chart}:{total}": Origin(how="solved", file=WANTED if WANTED in {f.path for f in source.files} else CITIES)
        for chart in sorted({row.chart for row in source.wanted})
        for total in SUMS
    }
    declared = table(DECLARED, {f"{row.chart}:{row.item}": row.row for row in source.declared})
    return Provenance(
        tool="mapkit",
        version=__version__,
        credits=source.config.credits,
        licence=source.config.licence,
        sources=source.files,
        elements={
            "regions": table(CONFIG_FILE, {r.id: None for r in source.config.regions}),
            "mileposts": {m.id: m.origin for m in network.mileposts},
            "cities": table(CITIES, {c.id: c.row for c in source.cities}),
            "railroads": table(RAILROADS, {r.id: r.row for r in source.railroads}),
            "junctions": {j.id: j.origin for j in network.junctions},
            "pieces": {p.id: p.origin for p in network.pieces},
            "segments": {s.id: s.origin for s in network.segments},
            "destinations": solved or table(DESTINATIONS, charts),
            **({"declared": declared} if declared else {}),
            "payoffs": table(PAYOFFS, {row.city: row.row for row in source.payoffs})
            or {city: Origin(how="computed", file=CONFIG_FILE) for city in sorted(source.payoff_cities)},
        },
        accepted=dict(sorted(source.config.accepted.items())),
        notes=network.notes,
    )
