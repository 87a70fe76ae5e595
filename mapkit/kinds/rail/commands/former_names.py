"""Names and keys of commands in earlier versions, translated when a command, a variant or a journal is read."""

from typing import Any, Final

from mapkit.core.plurals import count_noun
from mapkit.document.command import Former
from mapkit.kinds.rail.commands.command import COMMANDS


def _convert_expected_region(data: dict[str, Any]) -> None:
    """Turn an expected region into a table of expected values."""
    if isinstance(data.get("was"), str):
        data["was"] = {"region": data["was"]}


def _convert_move_city(data: dict[str, Any]) -> None:
    """Turn a move to another region into an edit that changes the charts too."""
    if "region" in data:
        data.setdefault("charts", "cities")
        _convert_expected_region(data)


def _convert_move_place(data: dict[str, Any]) -> None:
    if isinstance(data.get("was"), list | tuple):
        data["was"] = dict(zip(("lon", "lat"), data["was"], strict=False))


def _convert_rename_place(data: dict[str, Any]) -> None:
    if "was" in data:
        data["was"] = {"name": data["was"]}


def _convert_one_line(data: dict[str, Any]) -> None:
    data["lines"] = [data.pop("line", None)]


def _convert_make_public(data: dict[str, Any]) -> None:
    data |= {"public": True, "was": {"public": False}}


def _convert_fill_payoffs(data: dict[str, Any]) -> None:
    amount_thousands = data.pop("thousands", None)
    data["cells"] = [[*pair, amount_thousands] for pair in data.pop("pairs", ()) if pair[:1] != pair[1:]]


def _convert_move_stop(data: dict[str, Any]) -> None:
    stop_index = data.pop("index", None)
    data |= {"start": stop_index, "end": stop_index, "stops": [data.pop("stop", None)]}


def _convert_region_of_cities(data: dict[str, Any]) -> None:
    city_ids, region_id = data.pop("cities", ()), data.pop("region", None)
    data["label"] = f"Put {count_noun(len(city_ids), 'city', 'cities')} in {region_id}"[:200]
    data["commands"] = [{"kind": "edit-city", "id": city, "region": region_id} for city in city_ids]


def _convert_keep_shape(data: dict[str, Any]) -> None:
    data["track"] = "join" if data.pop("keep_shape") else "straight"


def _convert_set_rules(data: dict[str, Any]) -> None:
    settings_given = {"rules.preset": data.pop("preset", None), "rules.options": data.pop("options", None)}
    data["values"] = {key: value or None for key, value in settings_given.items() if value is not None}
    data["label"] = "Set rules"


def _convert_cells(data: dict[str, Any]) -> None:
    """Turn cells as tables of parity and total into pairs."""
    for cell_field in ("a", "b"):
        if isinstance(data.get(cell_field), dict):
            data[cell_field] = [data[cell_field].get("parity"), data[cell_field].get("total")]


FORMER: Final = {
    "add-line": Former(
        "add-line", keys={"mileposts": "stops"}, defaults={"along": "*"}, having=frozenset({"mileposts"})
    ),
    "add-segment": Former("add-piece"),
    "change-board": Former("edit-board"),
    "change-city": Former("edit-city"),
    "change-payoff": Former("set-payoff", keys={"value": "thousands"}),
    "change-railroad": Former("edit-railroad"),
    "change-region": Former("edit-region"),
    "change-rules": Former("edit-rules"),
    "delete-junction": Former("delete-place", keys={"id": "place"}),
    "delete-place": Former("delete-place", having=frozenset({"keep_shape"}), convert=_convert_keep_shape),
    "delete-section": Former("delete-line", convert=_convert_one_line),
    "fill-payoffs": Former("set-payoffs", convert=_convert_fill_payoffs),
    "insert-milepost": Former("add-milepost"),
    "lay-line": Former("add-line", keys={"mileposts": "stops"}, defaults={"along": "*"}),
    "make-city": Former("add-city"),
    "make-public": Former("edit-railroad", convert=_convert_make_public),
    "move-city": Former("edit-city", keys={"city": "id"}, convert=_convert_move_city),
    "move-city-to-region": Former(
        "edit-city", keys={"city": "id"}, defaults={"charts": "cities"}, convert=_convert_expected_region
    ),
    "move-line": Former("edit-line"),
    "move-milepost": Former("edit-place", keys={"id": "place"}, convert=_convert_move_place),
    "move-place": Former("edit-place", convert=_convert_move_place),
    "move-stop": Former("reshape-line", convert=_convert_move_stop),
    "remove-city": Former("delete-city", defaults={"charts": "solve"}),
    "remove-house-rule": Former("delete-house-rule"),
    "remove-junction": Former("delete-place", keys={"id": "place"}),
    "remove-milepost": Former("delete-place", keys={"id": "place"}, defaults={"track": "join"}),
    "remove-piece": Former("delete-piece"),
    "remove-railroad": Former("delete-railroad"),
    "remove-region": Former("delete-region"),
    "remove-segments": Former("delete-segments"),
    "rename-line": Former("edit-line", convert=_convert_one_line),
    "rename-milepost": Former("edit-place", keys={"id": "place"}, convert=_convert_rename_place),
    "rename-place": Former("edit-place", convert=_convert_rename_place),
    "reverse-line": Former("edit-line", defaults={"reverse": True}, convert=_convert_one_line),
    "round-payoffs": Former("scale-payoffs"),
    "scale-payoff-chart": Former("scale-payoffs"),
    "set-cell": Former("set-destination"),
    "set-destination": Former("set-destination", keys={"value": "item"}, having=frozenset({"value"})),
    "set-payoff": Former("set-payoff", keys={"value": "thousands"}, having=frozenset({"value"})),
    "set-place-note": Former("edit-place"),
    "set-region-of-cities": Former("batch", convert=_convert_region_of_cities),
    "set-rules": Former("set-settings", convert=_convert_set_rules),
    "start-railroad": Former("add-railroad"),
    "start-region": Former("add-region"),
    "swap-cells": Former("swap-destinations"),
    "swap-destinations": Former(
        "swap-destinations",
        keys={"first": "a", "second": "b"},
        having=frozenset({"first", "second"}),
        convert=_convert_cells,
    ),
    "untwin-city": Former("edit-city", defaults={"milepost": ""}),
}
"""Former name -> the command of today."""

COMMANDS.renamed_from(FORMER)
