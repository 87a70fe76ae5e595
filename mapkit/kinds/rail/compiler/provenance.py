"""Where everything on a board comes from: files with their hashes, and file and row of each element."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mapkit.document.document import RowOrigin, ordered
from mapkit.kinds.rail.compiler.charts import BoardCharts
from mapkit.kinds.rail.compiler.network import Lines
from mapkit.kinds.rail.compiler.places import FoundPlaces, in_file_order
from mapkit.kinds.rail.compiler.rows import ORIGIN
from mapkit.kinds.rail.explicit.document import KIND_OF, MADE, element_of, made
from mapkit.kinds.rail.explicit.track import network_origin
from mapkit.kinds.rail.model.board import SUMS, Provenance, Segment, SourceFile
from mapkit.kinds.rail.model.network import Origin
from mapkit.kinds.rail.model.source import BoardConfig
from mapkit.kinds.rail.sources.cities import FILE as CITIES
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.package import DECLARED, DESTINATIONS, PAYOFFS, RAILROADS
from mapkit.kinds.rail.sources.wanted import FILE as WANTED
from mapkit.kinds.rail.tables import RailDocument
from mapkit.version import __version__

Origins = dict[str, Origin]


@dataclass(frozen=True)
class Parts:
    """The parts of a board whose provenance is asked.

    Args:
        document: The document, with the origins of its rows.
        config: Its `board.toml`.
        found: Its station lists with their places.
        lines: Its mileposts and track.
        charts: Its charts.
    """

    document: RailDocument
    config: BoardConfig
    found: FoundPlaces
    lines: Lines
    charts: BoardCharts


def provenance_of_files(parts: Parts, files: Sequence[SourceFile]) -> Provenance:
    """Return where everything comes from on a board that was read from files.

    Args:
        parts: The board.
        files: The files that it was read from.
    """
    document, config = parts.document, parts.config
    mileposts, junctions, pieces, segments = _network(parts)
    declared = {key.replace("/", ":"): origin for key, origin in _table(document, "declared", DECLARED).items()}
    payoffs = _table(document, "payoff_cities", PAYOFFS)
    return Provenance(
        tool="mapkit",
        version=__version__,
        credits=config.credits,
        licence=config.licence,
        sources=tuple(sorted(files, key=lambda file: file.path)),
        elements={
            "regions": _table(document, "regions", CONFIG_FILE),
            "mileposts": mileposts,
            "cities": _table(document, "cities", CITIES),
            "railroads": _table(document, "railroads", RAILROADS),
            "junctions": junctions,
            "pieces": pieces,
            "segments": segments,
            "destinations": _destinations(parts.charts, document, files),
            **({"declared": declared} if declared else {}),
            "payoffs": payoffs or _computed_payoffs(parts),
        },
        accepted=dict(sorted(config.accepted.items())),
        notes=parts.lines.notes,
    )


def _computed_payoffs(parts: Parts) -> dict[str, Origin]:
    """Return where a computed chart comes from, by city: the model in `board.toml`, or nobody's choice."""
    origin = Origin(how="computed", file=CONFIG_FILE if parts.config.payoffs is not None else None)
    return dict.fromkeys(sorted(parts.charts.payoffs.cities), origin)


def provenance_of_charts(parts: Parts, said: Provenance) -> Provenance:
    """Return where the payoff chart of a board comes from that was not read from files: whether it is computed."""
    elements = {} if parts.document.payoff_cities else {"payoffs": _computed_payoffs(parts)}
    elements = {kind: found for kind, found in elements.items() if found}
    return said if said.elements == elements else said.model_copy(update={"elements": elements})


def provenance_of_rows(
    parts: Parts,
    segments: Iterable[Segment],
    before: tuple[RailDocument, Provenance] | None,
    stamped: Iterable[str] = (),
) -> Provenance:
    """Return where everything comes from on a board that was made of another: as its document says, row by row.

    Args:
        parts: The board.
        segments: Its segments.
        before: An earlier document of it, and what was said of that; rows whose origin changed are stated again.
        stamped: Tables of which rows come from variants, in the order in which kinds that are new are to be named.
    """
    document = parts.document
    old = before[1] if before is not None else None
    elements = _elements(document, before)
    elements["segments"] = _segments(document, segments, old)
    if document.lines:
        for kind, listed in zip(("mileposts", "junctions", "pieces", "segments"), _network(parts), strict=True):
            elements[kind] = {**elements.get(kind, {}), **listed}
    first = old.elements if old is not None else [kind for kind in _KINDS if kind in elements]
    new = [KIND_OF[table] for table in stamped if table in KIND_OF]
    kinds = dict.fromkeys((*first, *new, *(kind for kind in elements if kind != "rules"), *elements))
    update = {
        "elements": {kind: _by_id(elements.get(kind, {})) for kind in kinds},
        "accepted": dict(sorted(parts.config.accepted.items())),
    }
    if old is not None:
        return old.model_copy(update=update)
    said = {key: made(document, key, None) for key in MADE}
    head = {"tool": "mapkit", "version": "0", "sources": [], **{k: v for k, v in said.items() if v is not None}}
    return Provenance.model_validate(
        {**head, **update, "credits": parts.config.credits, "licence": parts.config.licence}
    )


_KINDS: Final = (
    "regions", "mileposts", "cities", "railroads", "junctions", "pieces", "segments", "destinations", "declared",
    "payoffs", "rules",
)  # fmt: skip


def _elements(document: RailDocument, before: tuple[RailDocument, Provenance] | None) -> dict[str, Origins]:
    """Return kind -> id -> origin: as said before, except rows whose origin changed, or that went."""
    out = {kind: dict(found) for kind, found in before[1].elements.items()} if before is not None else {}
    was, now = before[0].origins if before is not None else {}, document.origins
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


def _segments(document: RailDocument, segments: Iterable[Segment], old: Provenance | None) -> Origins:
    """Return the origins of segments: that of a piece that a variant made, else the one said before, else the first."""
    known = old.elements.get("segments", {}) if old is not None else {}
    origins = document.origins
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


def _table(document: RailDocument, table: str, file: str) -> Origins:
    return {key: row_origin(document, table, key, file=file) for key in sorted(document.table(table))}


def row_origin(document: RailDocument, table: str, key: str, *, file: str) -> Origin:
    """Return where a row of a table stands.

    Args:
        document: The document.
        table: The table.
        key: The row.
        file: The file of the table, for a row that was changed since it was read.
    """
    origin = document.origin(table, key)
    if origin is None:
        return Origin(how="table", file=file)
    return Origin(how="variant" if origin.how == "variant" else "table", file=origin.file, row=origin.row or None)


def stop_origin(document: RailDocument, line: str, number: int) -> Origin:
    """Return where a stop of a line stands; its number is counted from 0."""
    origin, listed = document.origin("lines", line), document.lines[line]
    feature = listed.feature or None
    how: Literal["traced", "station list"] = "traced" if feature else "station list"
    if origin is None:
        return Origin(how=how, file=listed.file, feature=feature)
    if origin.how == "variant":
        return Origin(how="variant", file=origin.file, row=origin.row or None)
    row = origin.rows[number] if number < len(origin.rows) else origin.row
    return Origin(how=how, file=origin.file, row=row or None, feature=feature)


def _laid(document: RailDocument, origin: Origin, table: str, key: str) -> Origin:
    """Return where a part of the track stands; laid from a line, it names the line and the stop, counted from 1."""
    if origin is ORIGIN:
        return network_origin(document.origin(table, key))
    if origin.how != "station list" or origin.file is None or origin.row is None:
        return origin
    return stop_origin(document, origin.file, origin.row - 1)


def _network(parts: Parts) -> tuple[Origins, Origins, Origins, Origins]:
    """Return the origins of mileposts, junctions, pieces and segments."""
    document, lines = parts.document, parts.lines
    tracks = lines.whole.tracks.values()
    junctions = {e.id: _laid(document, e.origin, "junctions", e.id) for track in tracks for e in track.junctions}
    pieces = {e.id: _laid(document, e.origin, "track", e.id) for track in tracks for e in track.pieces}
    segments = {e.id: pieces[e.pieces[0]] for track in tracks for e in track.segments}
    mileposts = _mileposts(document, parts.found, lines)
    mileposts |= {key: network_origin(document.origin("mileposts", key)) for key in document.mileposts}
    return _by_id(mileposts), _by_id(junctions), _by_id(pieces), _by_id(segments)


def _by_id(origins: Mapping[str, Origin]) -> Origins:
    return dict(sorted(origins.items()))


def _mileposts(document: RailDocument, found: FoundPlaces, lines: Lines) -> Origins:
    """Return the origins of mileposts: a city's row, else the first stop that names it."""
    out: Origins = {}
    for key, row in ordered(document.cities):
        ident = lines.id_of(row.milepost_name)
        if ident not in out:
            out[ident] = row_origin(document, "cities", key, file=CITIES)
    for key, _ in in_file_order(document.lines):
        line = found.lines[key]
        for stop, number in zip(line.stops, line.typed, strict=True):
            ident = lines.id_of(stop.place)
            if stop.place in lines.spots and ident not in out:
                out[ident] = stop_origin(document, key, number)
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
    return _by_id(out)
