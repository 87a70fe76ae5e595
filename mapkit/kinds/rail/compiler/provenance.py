"""Where everything on a board comes from: files with their hashes, and file and row of each element."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.document.document import RowOrigin, Setting
from mapkit.kinds.rail.compiler.charts import BoardCharts
from mapkit.kinds.rail.compiler.settings import RULES
from mapkit.kinds.rail.model.board import SUMS, Provenance, Segment, SourceFile
from mapkit.kinds.rail.model.network import Origin, TraceNote
from mapkit.kinds.rail.model.source import BoardConfig
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.table_files import CITIES, DECLARED, DESTINATIONS, PAYOFFS, RAILROADS, WANTED
from mapkit.kinds.rail.tables import RailDocument
from mapkit.version import __version__

Origins = dict[str, Origin]

MADE = ("tool", "version", "sources", "notes")
"""What a board says of its making that no row has."""
TABLE_OF: Mapping[str, str] = {
    "regions": "regions",
    "mileposts": "mileposts",
    "cities": "cities",
    "railroads": "railroads",
    "junctions": "junctions",
    "pieces": "track",
}
"""Kind of element in the provenance -> the table of its rows, where they have one key."""


@dataclass(frozen=True)
class Parts:
    """The parts of a board whose provenance is asked.

    Args:
        document: The document, with the origins of its rows.
        config: Its `board.toml`.
        charts: Its charts.
        notes: What happened to its lines.
        network: Says where its mileposts, junctions, pieces and segments come from, by kind.
    """

    document: RailDocument
    config: BoardConfig
    charts: BoardCharts
    notes: tuple[TraceNote, ...]
    network: Callable[[], Mapping[str, Origins]]


def provenance_of_files(parts: Parts, files: Sequence[SourceFile]) -> Provenance:
    """Return where everything comes from on a board that was read from files.

    Args:
        parts: The board.
        files: The files that it was read from.
    """
    document, config = parts.document, parts.config
    network = parts.network()
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
            "mileposts": network["mileposts"],
            "cities": _table(document, "cities", CITIES),
            "railroads": _table(document, "railroads", RAILROADS),
            "junctions": network["junctions"],
            "pieces": network["pieces"],
            "segments": network["segments"],
            "destinations": _destinations(parts.charts, document, files),
            **({"declared": declared} if declared else {}),
            "payoffs": payoffs or _computed_payoffs(parts),
        },
        accepted=dict(sorted(config.accepted.items())),
        notes=parts.notes,
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
        for kind, listed in parts.network().items():
            elements[kind] = {**elements.get(kind, {}), **listed}
    first = old.elements if old is not None else [kind for kind in _KINDS if kind in elements]
    new = [KIND_OF[table] for table in stamped if table in KIND_OF]
    kinds = dict.fromkeys((*first, *new, *(kind for kind in elements if kind != "rules"), *elements))
    update = {
        "elements": {kind: by_id(elements.get(kind, {})) for kind in kinds},
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


def made(document: RailDocument, key: str, default: object) -> object:
    """Return what a board says of its making."""
    row = document.table("compiled").get(key)
    return row.value if isinstance(row, Setting) else default


def network_origin(origin: RowOrigin | None) -> Origin:
    """Return the origin of a row as a board says it."""
    if origin is None:
        return Origin(how="table")
    how = "table" if origin.how == "file" else origin.how
    values = {"how": how, "file": origin.file, "row": origin.row, "feature": origin.feature}
    return Origin.model_validate({key: value or None for key, value in values.items()})


def rows_of(kind: str, ident: str) -> tuple[tuple[str, str], ...]:
    """Return the rows, by table and key, of an element that the provenance of a board names."""
    if kind in TABLE_OF:
        return ((TABLE_OF[kind], ident),)
    first, _, second = ident.partition(":")
    if kind == "destinations":
        return tuple(("destinations", f"{first}/{parity}/{second}") for parity in ("odd", "even"))
    if kind == "declared":
        return (("declared", f"{first}/{second}"),)
    if kind == "payoffs":
        return (("payoffs", f"{first}|{second}"),) if second else (("payoff_cities", ident),)
    if kind == "rules":
        return (("settings", f"{RULES}{ident}"),)
    return ()


def element_of(table: str, key: str) -> tuple[str, str] | None:
    """Return the kind and id of the element that a row stands for, None if the provenance names none."""
    kind = KIND_OF.get(table)
    if kind is None:
        return ("rules", key.removeprefix(RULES)) if table == "settings" and key.startswith(RULES) else None
    if table == "destinations":
        chart, _, total = key.split("/")
        return kind, f"{chart}:{total}"
    return kind, key.replace("/", ":") if table == "declared" else key.replace("|", ":")


KIND_OF: Mapping[str, str] = {
    **{table: kind for kind, table in TABLE_OF.items()},
    "destinations": "destinations",
    "declared": "declared",
    "payoffs": "payoffs",
    "payoff_cities": "payoffs",
}
"""Table -> the kind of element that its rows stand for."""


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


def by_id(origins: Mapping[str, Origin]) -> Origins:
    """Return origins by id, sorted."""
    return dict(sorted(origins.items()))


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
