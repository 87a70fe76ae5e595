"""Versions of the board file: older ones are upgraded on reading, the previous one can be written too.

Version 2 has, more than version 1, `kind`, `extensions`, `drawing`, `layers`, `page.extent`, `rules.house`, two
settings of `rules.information`, marks of cities, a choice of `rules.auction.seller_ride`, the feature of an origin,
where each element is drawn, and where lines cross.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, cast

from pydantic_core import PydanticCustomError

from mapkit.version import __version__

BoardVersion = Literal[1, 2]
BOARD_VERSION: Final = 2
UNKNOWN_VERSION: Final = "board_version"
"""The type of the error that a file of an unknown version gives."""

DRAWN: Final[Mapping[str, tuple[str, ...]]] = {
    "mileposts": ("drawn_x", "drawn_y"),
    "cities": ("drawn_x", "drawn_y"),
    "junctions": ("drawn_x", "drawn_y"),
    "pieces": ("drawn_path",),
    "segments": ("drawn_path",),
}
"""List of a board file -> the fields that say where its elements are drawn."""
CROSSINGS: Final = "crossings"
"""The list of a board file that says where drawn lines cross."""

_LATER_FIELDS: Final = ("kind", "extensions", "drawing", "layers", "boxes")
"""What of a board version 1 does not have."""
_LATER_TYPES: Final = (
    "House", "HouseRule", "JsonValue", "DrawingSettings", "Sizes", "OwnLayers", "LandPlane", "BoardBox",
)  # fmt: skip

INFORMATION: Final = ("home", "cash_lies")
"""The settings of `rules.information` that version 1 does not have."""


def upgrade_board_data(data: object) -> object:
    """Upgrade the data of a board file to version 2; data that is no object or has no version stays as it is.

    Raises:
        PydanticCustomError: The version is not known; for validators.
    """
    if not isinstance(data, Mapping) or "version" not in data:
        return data
    version = data["version"]
    if type(version) is not int or version not in (1, BOARD_VERSION):
        raise PydanticCustomError(
            UNKNOWN_VERSION,
            "a board file of version {version}; mapkit {mapkit} reads 1 and 2; take a newer mapkit, or have "
            "the file written with `mapkit export BOARD --to engine --board-version 2`",
            {"version": repr(version)[:20], "mapkit": __version__},
        )
    if version == BOARD_VERSION:
        return data
    return {**data, "version": BOARD_VERSION, "kind": "rail"} | (
        {"rules": _rules_from_version_1(data["rules"])} if "rules" in data else {}
    )


def drop_drawn_positions(data: object) -> object:
    """Return the data of a board file without its drawn positions."""
    if not isinstance(data, Mapping):
        return data
    undrawn_lists = {
        name: tuple(_drop_fields(item, fields) for item in data[name])
        for name, fields in DRAWN.items()
        if isinstance(data.get(name), list | tuple)
        and any(isinstance(item, Mapping) and any(field in item for field in fields) for item in data[name])
    }
    if not undrawn_lists and CROSSINGS not in data:
        return data
    return {key: value for key, value in {**data, **undrawn_lists}.items() if key != CROSSINGS}


def downgrade_board_data(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the data of a board, without drawn positions, to version 1 of the board file."""
    version_1_data = {key: value for key, value in plain.items() if key not in _LATER_FIELDS}
    version_1_data["projection"] = {key: value for key, value in plain["projection"].items() if key != "plane"}
    version_1_data["page"] = {key: value for key, value in version_1_data["page"].items() if key != "extent"}
    version_1_data["cities"] = [_drop_fields(city, ("mark",)) for city in plain["cities"]]
    rules = _rules_as_version_1(version_1_data["rules"])
    origins = {
        kind: {
            ident: {key: value for key, value in origin.items() if key != "feature"}
            for ident, origin in origin_by_id.items()
        }
        for kind, origin_by_id in version_1_data["provenance"]["elements"].items()
    }
    return {
        **version_1_data,
        "version": 1,
        "rules": rules,
        "provenance": {**version_1_data["provenance"], "elements": origins},
    }


def downgrade_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the JSON Schema of a board to that of version 1 of the board file."""
    definitions = {name: definition for name, definition in schema["$defs"].items() if name not in _LATER_TYPES}
    definitions["Rules"] = _drop_schema_fields(definitions["Rules"], ("house",))
    definitions["Information"] = _drop_schema_fields(definitions["Information"], INFORMATION)
    auction = definitions["Auction"]
    seller_ride = {**auction["properties"]["seller_ride"], "enum": ["free", "bank-fee"], "default": "bank-fee"}
    definitions["Auction"] = {**auction, "properties": {**auction["properties"], "seller_ride": seller_ride}}
    definitions["Origin"] = _drop_schema_fields(definitions["Origin"], ("feature",))
    definitions = {name: _drop_drawn_fields(definition) for name, definition in definitions.items()}
    board_schema = _drop_schema_fields(schema, _LATER_FIELDS)
    definitions["Projection"] = _drop_schema_fields(definitions["Projection"], ("plane",))
    definitions["City"] = _drop_schema_fields(definitions["City"], ("mark",))
    definitions["Page"] = _drop_schema_fields(definitions["Page"], ("extent",))
    version = {**board_schema["properties"]["version"], "const": 1, "default": 1}
    return {**board_schema, "$defs": definitions, "properties": {**board_schema["properties"], "version": version}}


def _rules_from_version_1(rules: object) -> object:
    """Upgrade rules of version 1: under the AH rules the seller's ride cost the bank fee, as own railroads did."""
    if not isinstance(rules, Mapping) or rules.get("preset", "ah") == "ici":
        return rules
    auction, fees = rules.get("auction"), rules.get("fees")
    if not isinstance(auction, Mapping) or not isinstance(fees, Mapping):
        return rules
    if auction.get("seller_ride") != "bank-fee" or fees.get("own") != fees.get("bank"):
        return rules
    return {**rules, "auction": {**auction, "seller_ride": "own-fee"}}


def _rules_as_version_1(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Convert rules to version 1; it has the bank fee in place of a fee for the seller's ride."""
    seller_ride, own_fee = rules["auction"]["seller_ride"], rules["fees"]["own"]
    version_1_rules = {key: value for key, value in rules.items() if key != "house"}
    if seller_ride == "own-fee":
        version_1_rules["auction"] = {**rules["auction"], "seller_ride": "bank-fee" if own_fee else "free"}
    return version_1_rules | {"information": {k: v for k, v in rules["information"].items() if k not in INFORMATION}}


def _drop_schema_fields(schema: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    """Return the schema of an object without some of its fields."""
    smaller_schema = {
        **schema,
        "properties": {
            key: property_schema for key, property_schema in schema["properties"].items() if key not in fields
        },
    }
    return smaller_schema | (
        {"required": [key for key in smaller_schema["required"] if key not in fields]}
        if "required" in smaller_schema
        else {}
    )


def _drop_drawn_fields(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an element without its drawn fields, and without descriptions that name them."""
    drawn_fields = tuple(key for key in schema.get("properties", ()) if key.startswith("drawn_"))
    if not drawn_fields:
        return schema
    undrawn_schema = _drop_schema_fields(schema, drawn_fields)
    for key in undrawn_schema["properties"].keys() & {"x", "y", "path"}:
        undrawn_schema["properties"][key] = {
            part: text for part, text in undrawn_schema["properties"][key].items() if part != "description"
        }
    return undrawn_schema


def _drop_fields(item: object, fields: tuple[str, ...]) -> object:
    if not isinstance(item, Mapping):
        return item
    return {key: value for key, value in cast("Mapping[str, object]", item).items() if key not in fields}
