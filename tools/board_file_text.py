"""The text of `docs/reference/board-file.md`: the fields of the board file and the elements of its picture."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from mapkit.kinds.rail.api.schemas import schema
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.rules import book

ROOT: Final = Path(__file__).resolve().parent.parent
MARK: Final = "Written by `tools/make_docs.py` from `tools/pages/{page}.md` and the models of the program; do not edit."
SECTIONS: Final = (
    "Units", "Projection", "Page", "Region", "Milepost", "City", "Railroad", "Style", "Junction", "Piece", "Segment",
    "Crossing", "Payoffs", "DrawingSettings", "Sizes", "BoardBox", "OwnLayers", "Provenance", "SourceFile", "Origin",
    "TraceNote",
)  # fmt: skip
"""Models with a section of their own, in the order of the page; rules have a page of their own."""
MEANINGS: Final[Mapping[str, str]] = {
    "id": "Stable id",
    "name": "Name to show",
    "short": "Short name or reporting mark",
    "colour": "Colour, `#rrggbb`",
    "lon": "Longitude, degrees",
    "lat": "Latitude, degrees",
    "a": "Id of the end where its points begin",
    "b": "Id of the other end",
    "miles": "Length along the line, statute miles",
    "railroad": "Id of the owner",
    "region": "Id of its region",
    "milepost": "Id of its milepost",
    "price": "List price in currency units",
    "public": "Never sold; players ride it as if the bank held it",
    "pieces": "Ids of its track pieces, in order from `a`",
    "line": "Points in degrees, `[lon, lat]`, from `a` to `b`",
    "cities": "Ids of cities",
    "thousands": "Amounts in units of `units.payoff`",
    "pattern": "How the line is drawn",
    "style": "Colour and pattern",
    "kind": "A city is a square, any other milepost a dot",
    "crs": "PROJ string or other CRS text",
    "scale_mm_per_m": "Millimetres of the page for a metre of the projection",
    "offset_x_mm": "Place of the projection's origin on the page",
    "offset_y_mm": "Place of the projection's origin on the page",
    "width": "Width in millimetres",
    "height": "Height in millimetres",
    "frame": "Left, top, right, bottom of the area of the mileposts, mm",
    "distance": "Always the statute mile",
    "tool": "The program that wrote the file",
    "version": "Its version",
    "credits": "Where the data comes from; show them with the board",
    "licence": "Licence of the board",
    "sources": "The files of the source package, with their hashes",
    "how": "How the element came about, see below",
    "path": "Path inside the source package",
    "sha256": "SHA-256 of the file as read",
    "message": "What happened",
    "feature": "The feature of the drawing",
}
TOP: Final[Mapping[str, str]] = {
    "format": "Name of the format",
    "version": "Version of the format",
    "id": "Name of the source package",
    "title": "Name of the board",
    "variants": "Applied variants, in order",
    "regions": "In the order of the region chart",
    "segments": "One step on one railroad each",
    "pieces": "Track between two mileposts or junctions",
    "rules": "Every setting of the game, resolved",
    "provenance": "Where the board comes from",
}
LAYER_WORDS: Final[Mapping[str, str]] = {
    "water": "paper and ground colour of the map",
    "land": "land, lakes included",
    "regions": "tint of each region",
    "lakes": "main rivers, and lakes over them",
    "borders": "borders, the frame of the map, names of regions",
    "lines": "a group for each railroad: casing, track pieces, and above them transparent segments",
    "junctions": "small rings",
    "mileposts": "dots, bars of dots, plates below the squares of cities",
    "cities": "squares; twins side by side",
    "labels": "railroads' initials, names of cities, and names of dots that have room",
    "legend": "title, scale, symbols, railroads with prices, regions, credits",
}
ROWS: Final = tuple(
    f"RB-{row}"
    for row in "C03 C04 C05 C06 C07 C08 C09 C10 C11 C12 C13 C14 C25 D01 D03 M04 M05 M07".split()  # noqa: SIM905
)


def board_file_text() -> str:
    """Return `docs/reference/board-file.md`."""
    board: dict[str, Any] = dict(schema("board"))
    values = {
        "mark": MARK.format(page="board-file"),
        "fields": "\n".join(_fields(board)),
        "patterns": ", ".join(f"`{name}`" for name in board["$defs"]["Style"]["properties"]["pattern"]["enum"]),
        "layers": "\n".join(["| layer | content |", "| --- | --- |", *_layers()]),
        "elements": "\n".join(_elements((ROOT / "build/usa/board.svg").read_text(encoding="utf-8"))),
        "rows": "\n".join(["| id | rule |", "| --- | --- |", *_rows()]),
    }
    return filled("board-file", values)


def filled(page: str, values: Mapping[str, str]) -> str:
    """Return the template of a page with each `{name}` on its own line, or in a sentence, replaced."""
    text = (ROOT / "tools" / "pages" / f"{page}.md").read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _layers() -> Iterator[str]:
    return (f"| `{layer}` | {LAYER_WORDS[layer]} |" for layer in LAYERS)


def _rows() -> Iterator[str]:
    titles = {row.id: row.title for row in book.rows()}
    return (f"| {row} | {titles[row]} |" for row in ROWS)


def _fields(board: dict[str, Any]) -> Iterator[str]:
    """Yield a table of the top level and one for each model."""
    models = board["$defs"]
    yield from _table(board["properties"], models, TOP)
    for name in SECTIONS:
        if name in models:
            about = " ".join(models[name].get("description", "").split())
            yield from ["", f"### {name}", ""]
            yield from [about, ""] if about else []
            yield from _table(models[name]["properties"], models, MEANINGS)


def _table(fields: Mapping[str, Any], models: Mapping[str, Any], words: Mapping[str, str]) -> Iterator[str]:
    yield "| field | value | meaning |"
    yield "| --- | --- | --- |"
    for name, field in fields.items():
        meaning = field.get("description") or words.get(name, "")
        yield f"| `{name}` | {_value(field, models)} | {' '.join(meaning.split())} |"


def _value(field: Mapping[str, Any], models: Mapping[str, Any]) -> str:  # noqa: C901, PLR0911 - one line for each form
    """Return the values of a field in words."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        if name in SECTIONS:
            return f"[{name}](#{name.lower()})"
        return "[rules](rules.md#settings)" if name == "Rules" else _value(models[name], models)
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(_value(part, models) for part in field["anyOf"]))
    match field.get("type"):
        case "array" if "prefixItems" in field:
            return f"{len(field['prefixItems'])} values"
        case "array":
            return f"list of {_value(field['items'], models)}" if field.get("items") else "list"
        case "object":
            inner = field.get("additionalProperties")
            return f"object of {_value(inner, models)}" if isinstance(inner, dict) and inner else "object"
        case "string":
            return "text"
        case "null":
            return "`null`"
        case other:
            return str(other or "anything")


def _elements(svg: str) -> Iterator[str]:
    """Yield a row for each class of elements of the picture that has an id and `data-` attributes."""
    yield "| layer | id | class | `data-` attributes |"
    yield "| --- | --- | --- | --- |"
    seen: set[str] = set()
    for layer in ET.fromstring(svg).iter():  # noqa: S314 - our own drawing
        if layer.get("class", "").split()[:1] != ["layer"]:
            continue
        for element in layer.iter():
            data = [name.removeprefix("data-") for name in element.keys() if name.startswith("data-")]  # noqa: SIM118
            css = element.get("class", "").split()
            ident = element.get("id", "")
            if data and ident and css and css[0] not in seen:
                seen.add(css[0])
                prefix = re.match(r"(label-(?:region-|rr-|[cm]-)|[a-z]+-)", ident)
                shown = f"{prefix[1]}ID" if prefix else "ID"
                shown = "label-c-ID`, `label-m-ID" if css[0] == "label" else shown
                names = ", ".join(f"`{name}`" for name in data)
                yield f"| `{layer.get('id', '').removeprefix('layer-')}` | `{shown}` | `{css[0]}` | {names} |"
