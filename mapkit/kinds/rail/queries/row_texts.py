"""Changes of rows in words: the name of a row, and its differences."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from mapkit.core.geodesy import line_miles
from mapkit.document.changes import Change
from mapkit.document.document import Row
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.model.difference import How
from mapkit.kinds.rail.tables import Line, RailDocument

GROUPS: Final[Mapping[str, str]] = {
    "railroads": "Railroads",
    "lines": "Lines",
    "places": "Places",
    "cities": "Cities",
    "regions": "Regions",
    "destinations": "Destination charts",
    "payoff_cities": "Cities of the payoff chart",
    "payoffs": "Payoffs",
    "settings": "Settings",
    "accepted": "Accepted findings",
    "declared": "Declared odds",
    "wanted": "Wishes for solved charts",
    "control_points": "Control points",
    "files": "Drawings",
}
"""Headings of the tables, in the order in which their changes are listed."""

_SHOWN: Final = 3
_LONG: Final = 60


def titled(change: Change, old: RailDocument, new: RailDocument) -> str:
    """Return the name of a changed row."""
    row: Any = change.after or change.before
    document = new if change.after is not None else old
    make = _TITLES.get(change.table)
    return make(change.key, row, document) if make is not None else change.key


def what_changed(change: Change, old: RailDocument, new: RailDocument) -> str:
    """Return the differences of a row: `price 30000 → 28000, moved 3.1 miles`."""
    if change.before is None:
        return _value_text(change.table, change.after, new)
    if change.after is None:
        was = _value_text(change.table, change.before, old)
        return f"was {was}" if was else ""
    if isinstance(change.before, Line) and isinstance(change.after, Line):
        return _line_text(change.before, change.after)
    parts = list(_field_texts(change.before, change.after, old, new))
    return ", ".join(parts) or "its place in the list"


def how(change: Change) -> How:
    """Return `added`, `removed` or `changed`."""
    if change.before is None:
        return "added"
    return "removed" if change.after is None else "changed"


def _field_texts(old_row: Row, after: Row, old: RailDocument, new: RailDocument) -> list[str]:
    was, now = old_row.model_dump(mode="json"), after.model_dump(mode="json")
    parts = []
    if "lon" in was and (was["lon"], was["lat"]) != (now["lon"], now["lat"]) and None not in (was["lon"], now["lon"]):
        miles = line_miles(((was["lon"], was["lat"]), (now["lon"], now["lat"])))
        parts.append(f"moved {miles:.1f} miles")
    for name, value in now.items():
        if name in ("rank", "lon", "lat") or was[name] == value:
            continue
        if name in ("content", "sha256"):
            parts = ["another content"]
            continue
        label = "" if name in ("value", "item", "thousands", "reason") else f"{name} "
        parts.append(f"{label}{_named(name, was[name], old)} → {_named(name, value, new)}")
    return parts


def _named(field: str, value: object, document: RailDocument) -> str:
    if value is None or value == "":
        return "none"
    if field == "item" and isinstance(value, str):
        return _item(value, document)
    if field == "region" and isinstance(value, str) and value in document.regions:
        return document.regions[value].name
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= _LONG else f"{text[:_LONG]} …"


def _item(ident: str, document: RailDocument) -> str:
    row = document.cities.get(ident) or document.regions.get(ident)
    return row.name if row is not None else ident


def _value_text(table: str, row: Row | None, document: RailDocument) -> str:
    """Return the contents of an added or removed row, if its title does not have them."""
    value: Any = row
    if table == "payoffs":
        return _named("thousands", value.thousands, document)
    if table == "destinations":
        return _named("item", value.item, document)
    if table == "settings":
        return _named("value", value.value, document)
    if table == "accepted":
        return _named("reason", value.reason, document)
    if table == "lines":
        posts = sum(kind == "milepost" for _, kind in value.stops)
        return f"{posts} milepost{'' if posts == 1 else 's'}"
    return ""


def _line_text(old_line: Line, after: Line) -> str:
    parts = [
        f"{field} {getattr(old_line, field)} → {getattr(after, field)}"
        for field in ("railroad", "name", "file")
        if getattr(old_line, field) != getattr(after, field)
    ]
    was, now = dict(old_line.stops), dict(after.stops)
    for word, here, there in (("with", now, was), ("without", was, now)):
        other = [name for name, kind in here.items() if name not in there and kind == "milepost"]
        if other:
            more = f" and {len(other) - _SHOWN} more" if len(other) > _SHOWN else ""
            parts.append(f"{word} {', '.join(other[:_SHOWN])}{more}")
    bends = sum(k == "via" for _, k in after.stops) - sum(k == "via" for _, k in old_line.stops)
    if bends:
        parts.append(f"{abs(bends)} bend{'' if abs(bends) == 1 else 's'} {'more' if bends > 0 else 'fewer'}")
    if old_line.stops != after.stops and not parts:
        parts.append("reversed" if old_line.stops == after.stops[::-1] else "another course")
    return ", ".join(parts) or "its place in the list"


def _line_title(_key: str, row: Any, document: RailDocument) -> str:  # noqa: ANN401 - a row of the table
    railroad = document.railroads.get(row.railroad)
    return f"{row.name} ({railroad.short if railroad is not None else row.railroad})"


def _pair_title(key: str, _row: Any, document: RailDocument) -> str:  # noqa: ANN401
    return " - ".join(_item(ident, document) for ident in key.split("|"))


def _cell_title(key: str, _row: Any, document: RailDocument) -> str:  # noqa: ANN401
    chart, parity, total = key.split("/")
    region = document.regions.get(chart)
    name = "Regions" if chart == REGIONS else region.name if region is not None else chart
    return f"{name}, {parity} {total}"


def _name_title(_key: str, row: Any, _document: RailDocument) -> str:  # noqa: ANN401
    return str(row.name)


_TITLES: Final[Mapping[str, Callable[[str, Any, RailDocument], str]]] = {
    "railroads": _name_title,
    "regions": _name_title,
    "cities": _name_title,
    "wanted": _name_title,
    "lines": _line_title,
    "payoffs": _pair_title,
    "destinations": _cell_title,
    "payoff_cities": lambda key, _row, document: _item(key, document),
}
