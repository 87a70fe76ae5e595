"""Origins of elements: the rows that they stand for, and the files where these stand."""

from collections.abc import Mapping

from mapkit.document.document import RowOrigin, Setting
from mapkit.kinds.rail.compiler.settings import RULES
from mapkit.kinds.rail.model.network import Origin
from mapkit.kinds.rail.tables import RailDocument

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


def made(document: RailDocument, key: str, default: object) -> object:
    """Return the provenance of a board as a whole."""
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


def table_origins(document: RailDocument, table: str, file: str) -> Origins:
    """Return where the rows of a table stand, by key."""
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
