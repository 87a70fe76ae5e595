"""Reader of a board's graph from its drawing alone, as a client of the SVG does it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from mapkit.core.base import Point
from mapkit.core.errors import WorkspaceError
from mapkit.kinds.rail.model.board import City, Junction, Milepost, Railroad, Region

SVG: Final = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class DrawnPiece:
    """Track piece of one railroad between two mileposts or junctions."""

    id: str
    railroad: str
    a: str
    b: str
    miles: float


@dataclass(frozen=True)
class DrawnSegment:
    """Segment; `path` is the drawn line in millimetres, from `a` to `b`."""

    id: str
    railroad: str
    a: str
    b: str
    miles: float
    pieces: tuple[str, ...]
    path: tuple[Point, ...]


@dataclass(frozen=True)
class DrawnBoard:
    """Graph of a board, in the order of the board file."""

    id: str
    regions: tuple[Region, ...]
    mileposts: tuple[Milepost, ...]
    cities: tuple[City, ...]
    railroads: tuple[Railroad, ...]
    junctions: tuple[Junction, ...]
    pieces: tuple[DrawnPiece, ...]
    segments: tuple[DrawnSegment, ...]
    places: Mapping[str, Point]
    """Id in the picture (`m-`, `c-`, `j-` and the element's id) -> the middle of the symbol, in millimetres."""


def read_board_svg(text: str) -> DrawnBoard:
    """Rebuild the graph from the text of a drawn board.

    Raises:
        WorkspaceError: The text is not a drawn board.
        pydantic.ValidationError: An attribute was changed to something a board cannot have.
    """
    try:
        root_element = ET.fromstring(text.encode("utf-8"))  # noqa: S314 -- a drawing of ours, no entities
    except ET.ParseError as error:
        raise WorkspaceError(f"no SVG: {error}; draw the board again") from error
    if root_element.get("data-format") != "mapkit/board":
        raise WorkspaceError("not a drawn board: the root has no data-format='mapkit/board'; draw the board again")
    data_by_class = {
        class_name: {
            e.attrib["id"].removeprefix(id_prefix): _data_attributes(e)
            for e in root_element.iter()
            if _has_class(e, class_name)
        }
        for class_name, id_prefix in (
            ("region", "region-"),
            ("milepost", "m-"),
            ("city", "c-"),
            ("railroad", "rr-"),
            ("junction", "j-"),
            ("piece", "p-"),
            ("segment", "s-"),
        )
    }
    sorted_data = {class_name: sorted(class_items.items()) for class_name, class_items in data_by_class.items()}
    regions = sorted(data_by_class["region"].items(), key=lambda item: int(item[1]["order"]))
    return DrawnBoard(
        id=root_element.attrib["data-board"],
        regions=tuple(Region(id=ident, name=d["name"], short=d["short"], colour=d["colour"]) for ident, d in regions),
        mileposts=tuple(
            Milepost.model_validate_strings({"id": i} | _drop_path_data(d)) for i, d in sorted_data["milepost"]
        ),
        cities=tuple(City.model_validate_strings({"id": i} | _drop_path_data(d)) for i, d in sorted_data["city"]),
        railroads=tuple(
            Railroad.model_validate_strings(
                {
                    "id": ident,
                    "name": d["name"],
                    "short": d["short"],
                    "price": d["price"],
                    "public": d["public"],
                    "style": {"colour": d["colour"], "pattern": d["pattern"]},
                }
            )
            for ident, d in sorted_data["railroad"]
        ),
        junctions=tuple(
            Junction.model_validate_strings({"id": i} | _drop_path_data(d)) for i, d in sorted_data["junction"]
        ),
        pieces=tuple(
            DrawnPiece(ident, d["railroad"], d["a"], d["b"], float(d["miles"])) for ident, d in sorted_data["piece"]
        ),
        segments=tuple(
            DrawnSegment(
                ident,
                d["railroad"],
                d["a"],
                d["b"],
                float(d["miles"]),
                tuple(d["pieces"].split()),
                tuple(
                    (float(x), float(y))
                    for x, y in (pair.split(",") for pair in d[""].replace("M", "").replace("L", "").split())
                ),
            )
            for ident, d in sorted_data["segment"]
        ),
        places={
            e.attrib["id"]: _symbol_middle(e)
            for e in root_element.iter()
            if any(_has_class(e, n) for n in ("milepost", "city", "junction"))
        },
    )


def _has_class(element: ET.Element, name: str) -> bool:
    return "id" in element.attrib and name in element.get("class", "").split()


def _symbol_middle(element: ET.Element) -> Point:
    """Return the middle of a circle or rectangle."""
    if "cx" in element.attrib:
        return float(element.attrib["cx"]), float(element.attrib["cy"])
    x, y, width, height = (float(element.attrib[attribute_name]) for attribute_name in ("x", "y", "width", "height"))
    return round(x + width / 2, 3), round(y + height / 2, 3)


def _data_attributes(element: ET.Element) -> dict[str, str]:
    """Return the `data-` attributes, and the path data under the empty name."""
    data_values = {
        attribute_name.removeprefix("data-"): attribute_value
        for attribute_name, attribute_value in element.attrib.items()
        if attribute_name.startswith("data-")
    }
    return data_values | {"": element.get("d", "")}


def _drop_path_data(data: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in data.items() if key}
