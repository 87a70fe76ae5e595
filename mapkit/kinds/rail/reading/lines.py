"""Station lists as lines of a document."""

from collections.abc import Mapping

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.document.document import RowOrigin
from mapkit.document.plain_tables import TableReader
from mapkit.formats.tables import parse_whole
from mapkit.kinds.rail.sources.table_files import RAILROADS
from mapkit.kinds.rail.tables import Kind, Line, Railroad, Stop, line_key

COLUMNS = ("railroad", "line", "seq", "place", "kind")


def read_lines(
    reader: TableReader, file: str, railroads: Mapping[str, Railroad], taken: set[str]
) -> list[tuple[str, Line]]:
    """Return the lines of a station list.

    Args:
        reader: Reads the file, and takes what is wrong and where the lines and their stops stand.
        file: Its name.
        railroads: The board's railroads.
        taken: Ids of lines that there are already; takes those of this file.
    """
    known = {fold(name): key for key, r in railroads.items() for name in (r.name, r.short, key)}
    spelled = [name for key, r in railroads.items() for name in (key, r.short, r.name)]
    problems: list[str] = []
    found: dict[tuple[str, str], list[Stop]] = {}
    stood: dict[tuple[str, str], list[int]] = {}
    last: dict[tuple[str, str], int] = {}
    features: dict[tuple[str, str], str] = {}
    for row in reader.text_rows("lines", file, COLUMNS, ("feature",)):
        cells = row.cells
        railroad = known.get(fold(cells["railroad"]))
        if railroad is None:
            hint = did_you_mean(cells["railroad"], spelled) or "; add it there"
            problems.append(row.at(f"railroad {cells['railroad']!r} is not in {RAILROADS}{hint}"))
            continue
        if cells["kind"] not in ("milepost", "via"):
            problems.append(row.at(f"kind is {cells['kind']!r}; write milepost or via"))
            continue
        if not cells["line"] or not cells["place"]:
            problems.append(row.at("line or place is empty; name both"))
            continue
        at = (railroad, cells["line"])
        try:
            seq = parse_whole(row, "seq", like="12")
        except SourceError as error:
            problems += error.problems
        else:
            if at in last and seq <= last[at]:
                text = f"seq {seq} follows {last[at]} on line {cells['line']!r}"
                problems.append(row.at(f"{text}; number the places upward in the order they are passed"))
            last[at] = seq
        kind: Kind = "via" if cells["kind"] == "via" else "milepost"
        found.setdefault(at, []).append((cells["place"], kind))
        stood.setdefault(at, []).append(row.number)
        if cells.get("feature"):
            features.setdefault(at, cells["feature"])
    reader.note("lines", SourceError(problems))
    out: list[tuple[str, Line]] = []
    for (railroad, name), stops in found.items():
        key = line_key(railroad, name, taken)
        numbers = tuple(stood[railroad, name])
        reader.origins["lines", key] = RowOrigin(file, numbers[0], rows=numbers)
        feature = features.get((railroad, name), "")
        out.append((key, Line(railroad=railroad, name=name, file=file, feature=feature, stops=tuple(stops))))
    return out
