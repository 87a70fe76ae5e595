"""Station lists as lines of a document."""

from collections.abc import Iterable

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.document.document import Row, RowOrigin
from mapkit.formats.tables import Problems, read_table, whole
from mapkit.kinds.rail.model.source import RailroadRow
from mapkit.kinds.rail.sources.package import RAILROADS
from mapkit.kinds.rail.tables import Kind, Line, Stop, line_key

COLUMNS = ("railroad", "line", "seq", "place", "kind")
Origins = dict[tuple[str, str], RowOrigin]


def read_lines(
    text: str,
    file: str,
    railroads: Iterable[RailroadRow],
    taken: set[str],
    origins: Origins,
    problems: Problems,
) -> list[tuple[str, Row]]:
    """Return the lines of a station list.

    Args:
        text: The file's text.
        file: Its name.
        railroads: The board's railroads.
        taken: Ids of lines that there are already; takes those of this file.
        origins: Takes where the lines and their stops stand.
        problems: Takes what is wrong with rows, which are left out.
    """
    rows = list(railroads)
    known = {fold(key): r.id for r in rows for key in (r.name, r.short, r.id)}
    spelled = [key for r in rows for key in (r.id, r.short, r.name)]
    found: dict[tuple[str, str], list[Stop]] = {}
    stood: dict[tuple[str, str], list[int]] = {}
    last: dict[tuple[str, str], int] = {}
    features: dict[tuple[str, str], str] = {}
    for row in read_table(text, file=file, required=COLUMNS, optional=("feature",), problems=problems):
        cells = row.cells
        railroad = known.get(fold(cells["railroad"]))
        if railroad is None:
            hint = did_you_mean(cells["railroad"], spelled) or "; add it there"
            problems.add(row.at(f"railroad {cells['railroad']!r} is not in {RAILROADS}{hint}"))
            continue
        if cells["kind"] not in ("milepost", "via"):
            problems.add(row.at(f"kind is {cells['kind']!r}; write milepost or via"))
            continue
        if not cells["line"] or not cells["place"]:
            problems.add(row.at("line or place is empty; name both"))
            continue
        at = (railroad, cells["line"])
        try:
            seq = whole(row, "seq", like="12")
        except SourceError as error:
            problems.extend(error)
        else:
            if at in last and seq <= last[at]:
                text = f"seq {seq} follows {last[at]} on line {cells['line']!r}"
                problems.add(row.at(f"{text}; number the places upward in the order they are passed"))
            last[at] = seq
        kind: Kind = "via" if cells["kind"] == "via" else "milepost"
        found.setdefault(at, []).append((cells["place"], kind))
        stood.setdefault(at, []).append(row.number)
        if cells.get("feature"):
            features.setdefault(at, cells["feature"])
    out: list[tuple[str, Row]] = []
    for (railroad, name), stops in found.items():
        key = line_key(railroad, name, taken)
        numbers = tuple(stood[railroad, name])
        origins["lines", key] = RowOrigin(file, numbers[0], rows=numbers)
        feature = features.get((railroad, name), "")
        out.append((key, Line(railroad=railroad, name=name, file=file, feature=feature, stops=tuple(stops))))
    return out
