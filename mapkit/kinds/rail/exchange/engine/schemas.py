"""JSON Schemas of the files for engines and lookup apps, committed as files in `docs/schema/`."""

from typing import Any, Final

from mapkit.exchange.json_schemas import DRAFT, model_schema
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.file import BoardFile
from mapkit.kinds.rail.model.versions import BOARD_VERSION, BoardVersion, downgrade_schema
from mapkit.version import __version__

_ID: Final = {"type": "string", "pattern": "^[a-z0-9]+(-+[a-z0-9]+)*$"}
_NAME: Final = {"type": "string", "minLength": 1}
_COLOUR: Final = {"type": "string", "pattern": "^#[0-9a-f]{6}$"}
_MONEY: Final = {"type": "number", "description": "In whole currency units"}


def _object_schema(
    title: str,
    properties: dict[str, Any],
    optional: tuple[str, ...] = (),
    **more: Any,  # noqa: ANN401
) -> dict[str, Any]:
    return {
        "title": title,
        "type": "object",
        "properties": properties,
        "required": [property_name for property_name in properties if property_name not in optional],
        "additionalProperties": False,
        **more,
    }


def _list_schema(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_SIDE: Final = {
    "type": "array",
    "description": "What the dice sums 2 to 12 lead to, in order; null is an empty cell",
    "items": {"type": ["string", "null"]},
    "minItems": 11,
    "maxItems": 11,
}
_DICE: Final = _object_schema("Dice", {"odd": _SIDE, "even": _SIDE})
_DRAWN: Final = {
    "drawn_x": {"type": "number", "description": "Where the picture has it, mm from the left"},
    "drawn_y": {"type": "number", "description": "Where the picture has it, mm from the top"},
}
_PLACE: Final = {
    "lon": {"type": "number", "description": "Degrees (EPSG:4326)"},
    "lat": {"type": "number", "description": "Degrees (EPSG:4326)"},
    "x": {"type": "number", "description": "Where the projection puts it, mm from the left"},
    "y": {"type": "number", "description": "Where the projection puts it, mm from the top"},
    **_DRAWN,
}
_DRAWN_PATHS: Final = {
    "type": "object",
    "description": "Railroad (id) -> the middle of its line in the picture from a to b, points as x and y in mm",
    "minProperties": 1,
    "additionalProperties": {
        "type": "array",
        "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
        "minItems": 2,
    },
}

_SCHEMAS: Final[dict[str, dict[str, Any]]] = {
    "graph": _object_schema(
        "Graph of a board",
        {
            "format": {"const": "mapkit/graph"},
            "version": {"const": 2},
            "board": _ID,
            "title": {"type": "string"},
            "width": {"type": "number", "description": "Of the page, in millimetres"},
            "height": {"type": "number", "description": "Of the page, in millimetres"},
            "projection": _object_schema(
                "Projection",
                {
                    "name": {"type": "string"},
                    "crs": {"type": "string", "description": "From lon and lat to metres, for PROJ"},
                    **{key: {"type": "number"} for key in ("scale_mm_per_m", "offset_x_mm", "offset_y_mm")},
                },
                description="x = offset_x_mm + scale_mm_per_m * east, y = offset_y_mm - scale_mm_per_m * north",
            ),
            "regions": _list_schema(
                _object_schema("Region", {"id": _ID, "name": _NAME, "short": _NAME, "colour": _COLOUR})
            ),
            "railroads": _list_schema(
                _object_schema(
                    "Railroad",
                    {
                        "id": _ID,
                        "name": _NAME,
                        "short": _NAME,
                        "price": {"type": "integer"},
                        "public": {"type": "boolean"},
                        "colour": _COLOUR,
                        "pattern": {"type": "string"},
                    },
                )
            ),
            "nodes": _list_schema(
                {
                    "description": "In millimetres of the page, y downward; pictures have a node at drawn_x, drawn_y",
                    "oneOf": [
                        _object_schema(
                            "Milepost",
                            {
                                "id": _ID,
                                "kind": {"enum": ["city", "dot"]},
                                "name": _NAME,
                                **_PLACE,
                                "cities": _list_schema(
                                    _object_schema("City", {"id": _ID, "name": _NAME, "region": _ID, **_DRAWN})
                                ),
                            },
                            ("cities",),
                        ),
                        _object_schema(
                            "Junction", {"id": _ID, "kind": {"const": "junction"}, "railroad": _ID, **_PLACE}
                        ),
                    ],
                }
            ),
            "edges": _list_schema(
                _object_schema(
                    "Edge",
                    {"a": _ID, "b": _ID, "railroads": {**_list_schema(_ID), "minItems": 1}, "drawn_path": _DRAWN_PATHS},
                )
            ),
        },
    ),
    "payoff-names": {
        "title": "Payoffs by names",
        "description": "City -> city -> payoff",
        "type": "object",
        "additionalProperties": {"type": "object", "additionalProperties": _MONEY},
    },
    "payoff-triples": {
        "title": "Payoffs as triples",
        "description": "Each pair of cities once: from, to, payoff",
        **_list_schema({"type": "array", "prefixItems": [_NAME, _NAME, _MONEY], "minItems": 3, "maxItems": 3}),
    },
    "destination-dice": _object_schema(
        "Destinations by dice",
        {"regions": _DICE, "cities": {"type": "object", "additionalProperties": _DICE}},
        description="The region chart, and a chart of cities for each region by its name",
    ),
}

NAMES: Final = tuple(_SCHEMAS)


def file_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a file listed in `NAMES`."""
    return {"$schema": DRAFT, "$id": f"urn:mapkit:schema:{name}", **_SCHEMAS[name], "x-mapkit-version": __version__}


def board_schema(version: BoardVersion = BOARD_VERSION) -> dict[str, Any]:
    """Return the JSON Schema of a version of the board file, as `mapkit schema board` prints it."""
    if version == 1:
        return downgrade_schema(model_schema(Board, "board-1"))
    return model_schema(BoardFile, "board")
