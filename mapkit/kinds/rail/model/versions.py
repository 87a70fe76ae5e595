"""The versions of the board file: older ones are read, the one before is written too.

Version 2 has, more than version 1, `kind`, `extensions`, `drawing`, `layers`, `page.extent`, `rules.house`, two
settings of `rules.information`, a choice of `rules.auction.seller_ride`, the feature of an origin, where each element
is drawn, and where lines cross.
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

_LATER: Final = ("kind", "extensions", "drawing", "layers")
"""What of a board version 1 does not have."""
_LATER_TYPES: Final = ("House", "HouseRule", "JsonValue", "DrawingSettings", "Sizes", "OwnLayers")

INFORMATION: Final = ("home", "cash_lies")
"""The settings of `rules.information` that version 1 does not have."""


def upgraded(data: object) -> object:
    """Return the data of a board file as version 2; what is not an object, or has no version, stays as it is.

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


def without_drawn(data: object) -> object:
    """Return the data of a board file without the fields that say where elements are drawn."""
    if not isinstance(data, Mapping):
        return data
    found = {
        name: tuple(_without(item, fields) for item in data[name])
        for name, fields in DRAWN.items()
        if isinstance(data.get(name), list | tuple) and any(_has(item, fields) for item in data[name])
    }
    if not found and CROSSINGS not in data:
        return data
    return {key: value for key, value in {**data, **found}.items() if key != CROSSINGS}


def as_version_1(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a board, without drawn places, as a board file of version 1."""
    data = {key: value for key, value in plain.items() if key not in _LATER}
    data["page"] = {key: value for key, value in data["page"].items() if key != "extent"}
    rules = _rules_as_version_1(data["rules"])
    elements = {
        kind: {ident: {key: value for key, value in origin.items() if key != "feature"} for ident, origin in of.items()}
        for kind, of in data["provenance"]["elements"].items()
    }
    return {**data, "version": 1, "rules": rules, "provenance": {**data["provenance"], "elements": elements}}


def schema_of_version_1(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of the board file of version 1, given that of a board."""
    definitions = {name: one for name, one in schema["$defs"].items() if name not in _LATER_TYPES}
    definitions["Rules"] = _without_field(definitions["Rules"], ("house",))
    definitions["Information"] = _without_field(definitions["Information"], INFORMATION)
    auction = definitions["Auction"]
    ride = {**auction["properties"]["seller_ride"], "enum": ["free", "bank-fee"], "default": "bank-fee"}
    definitions["Auction"] = {**auction, "properties": {**auction["properties"], "seller_ride": ride}}
    definitions["Origin"] = _without_field(definitions["Origin"], ("feature",))
    definitions = {name: _without_drawn_fields(one) for name, one in definitions.items()}
    whole = _without_field(schema, _LATER)
    definitions["Page"] = _without_field(definitions["Page"], ("extent",))
    version = {**whole["properties"]["version"], "const": 1, "default": 1}
    return {**whole, "$defs": definitions, "properties": {**whole["properties"], "version": version}}


def _rules_from_version_1(rules: object) -> object:
    """Return rules of version 1: under the AH rules the seller's ride cost the bank fee, since own railroads do."""
    if not isinstance(rules, Mapping) or rules.get("preset", "ah") == "ici":
        return rules
    auction, fees = rules.get("auction"), rules.get("fees")
    if not isinstance(auction, Mapping) or not isinstance(fees, Mapping):
        return rules
    if auction.get("seller_ride") != "bank-fee" or fees.get("own") != fees.get("bank"):
        return rules
    return {**rules, "auction": {**auction, "seller_ride": "own-fee"}}


def _rules_as_version_1(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return rules as version 1 has them; a fee for the seller's ride is the bank fee there."""
    ride, own = rules["auction"]["seller_ride"], rules["fees"]["own"]
    out = {key: value for key, value in rules.items() if key != "house"}
    if ride == "own-fee":
        out["auction"] = {**rules["auction"], "seller_ride": "bank-fee" if own else "free"}
    return out | {"information": {k: v for k, v in rules["information"].items() if k not in INFORMATION}}


def _without_field(schema: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    """Return the schema of an object without some of its fields."""
    out = {**schema, "properties": {key: one for key, one in schema["properties"].items() if key not in fields}}
    return out | ({"required": [key for key in out["required"] if key not in fields]} if "required" in out else {})


def _without_drawn_fields(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an element without its drawn fields, and without the descriptions that name these."""
    drawn = tuple(key for key in schema.get("properties", ()) if key.startswith("drawn_"))
    if not drawn:
        return schema
    out = _without_field(schema, drawn)
    for key in out["properties"].keys() & {"x", "y", "path"}:
        out["properties"][key] = {part: text for part, text in out["properties"][key].items() if part != "description"}
    return out


def _has(item: object, fields: tuple[str, ...]) -> bool:
    return isinstance(item, Mapping) and any(field in item for field in fields)


def _without(item: object, fields: tuple[str, ...]) -> object:
    if not isinstance(item, Mapping):
        return item
    return {key: value for key, value in cast("Mapping[str, object]", item).items() if key not in fields}
