"""Saves of Tabletop Simulator of hexagon boards, held against the declarations of the game's own types."""

import io
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from conftest import REPOSITORY
from PIL import Image
from tabletop_types import check_types

from mapkit.core.errors import ExportError
from mapkit.exchange.card_grid import LONGEST
from mapkit.kinds.hex.exchange.format import HexExport
from mapkit.kinds.hex.exchange.tabletop import FORMAT, board_width_px
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.press.raster import svg_to_png

pytestmark = pytest.mark.slow

AT = "https://example.org/maps/"


@cache
def board() -> HexBoard:
    text = (REPOSITORY / "build" / "portugal-hex" / "board.json").read_text(encoding="utf-8")
    return HexBoard.model_validate_json(text)


@cache
def written() -> tuple[dict[str, Any], dict[str, bytes]]:
    files = FORMAT.write(board(), HexExport(base_url=AT)).files
    pictures = {name: data for name, data in files.items() if isinstance(data, bytes)}
    return json.loads(files["portugal-hex.json"]), pictures


def every(things: list[Any]) -> Iterator[dict[str, Any]]:
    for thing in things:
        yield thing
        yield from every(thing.get("ContainedObjects", []))


def test_the_save_has_the_types_of_the_game() -> None:
    check_types(written()[0])


def test_each_thing_has_its_id_and_each_picture_its_file() -> None:
    save, pictures = written()
    ids = Counter(thing["GUID"] for thing in every(save["ObjectStates"]))
    assert max(ids.values()) == 1
    named = {text for text in _texts(save) if text.startswith(AT)}
    assert {url.removeprefix(AT) for url in named} == set(pictures)


def test_what_lies_on_the_table() -> None:
    save, _ = written()
    things = save["ObjectStates"]
    tile = things[0]
    land = sum(one.terrain not in ("sea", "blocked") for one in board().hexes)
    assert len(tile["AttachedSnapPoints"]) == land
    decks = {one["Nickname"]: len(one["DeckIDs"]) for one in things if one["Name"] == "DeckCustom"}
    assert decks == {"Operations cards": sum(card.count for card in board().operations), "Rail Baron cards": 6}
    (goods,) = (one for one in things if one["Name"] == "Bag")
    cubes = Counter(one["Nickname"] for one in goods["ContainedObjects"])
    assert cubes == {f"Cube, {colour}": 25 for colour in ("red", "blue", "black", "yellow", "purple")}
    endless = [one["Nickname"] for one in things if one["Name"] == "Infinite_Bag"]
    assert [name for name in endless if name.startswith("Engine of level")] == [
        f"Engine of level {level}" for level in range(1, 9)
    ]
    assert {"Straight track", "Gentle curve", "Sharp curve", "Empty city marker", "Bond"} <= set(endless)


@pytest.mark.parametrize("name", ["portugal-hex", "mexico-hex", "western-us-hex", "eastern-us-hex"])
def test_no_side_of_the_board_is_longer_than_the_game_takes(name: str) -> None:
    text = (REPOSITORY / "build" / name / "board.json").read_text(encoding="utf-8")
    sheet = lay_out_sheet(HexBoard.model_validate_json(text))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{sheet.width}mm" height="{sheet.height}mm"/>'
    size = Image.open(io.BytesIO(svg_to_png(svg, width=board_width_px(sheet)))).size
    assert LONGEST - 4 <= max(size) <= LONGEST


def test_without_an_address_a_save_has_the_names_of_its_pictures() -> None:
    made = FORMAT.write(board(), HexExport())
    assert made.losses[-1].startswith("addresses of the pictures")
    save = json.loads(made.files["portugal-hex.json"])
    assert save["ObjectStates"][0]["CustomImage"]["ImageURL"] in made.files
    with pytest.raises(ExportError, match="give the address of the folder"):
        FORMAT.write(board(), HexExport(base_url="ftp://x"))


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        for one in data:
            yield from _texts(one)
    elif isinstance(data, str):
        yield data
