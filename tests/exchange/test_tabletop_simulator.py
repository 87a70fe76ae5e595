"""A Tabletop Simulator save holds to the published declarations, and everything in it is where the board has it."""

import copy
import hashlib
import io
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY, Run
from PIL import Image
from tabletop_types import check_types
from tiny import tiny_board

import mapkit
from mapkit.core.errors import ExportError
from mapkit.exchange import card_grid
from mapkit.exchange.tabletop.objects import snap_place
from mapkit.exchange.tabletop.save import NO_ADDRESS
from mapkit.kinds.rail.exchange import board_picture
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.tts.format import (
    BRACKETS,
    FORMAT,
    LOSSES,
    PAGE,
    board_scale,
    least_distance,
    pawn_scale,
    tab_states,
)
from mapkit.kinds.rail.render.layout import clear_layout_cache
from mapkit.kinds.rail.render.words import in_language

WEB = "https://example.org/maps/"


def exported(board: mapkit.Board, base_url: str | None = WEB) -> tuple[dict[str, Any], dict[str, bytes]]:
    made = FORMAT.export(board, ExportOptions(base_url=base_url))
    pictures = {name: data for name, data in made.files.items() if isinstance(data, bytes)}
    (save,) = (text for text in made.files.values() if isinstance(text, str))
    return json.loads(save), pictures


@cache
def of_tiny() -> tuple[dict[str, Any], dict[str, bytes]]:
    return exported(tiny_board())


def everything(save: dict[str, Any]) -> list[dict[str, Any]]:
    return [inner for thing in save["ObjectStates"] for inner in (thing, *thing.get("ContainedObjects", []))]


def some(save: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [thing for thing in save["ObjectStates"] if thing["Name"] == kind]


@pytest.mark.parametrize(
    ("point", "x", "z"),
    [((0, 0), 1.5, -1), ((300, 0), -1.5, -1), ((150, 100), 0, 0), ((300, 200), -1.5, 1), ((0, 200), 1.5, 1)],
)
def test_corners_of_the_picture_are_those_of_the_tile(point: tuple[float, float], x: float, z: float) -> None:
    assert snap_place(*point, (300, 200), 1.5) == {"x": x, "y": 0.1, "z": z}


def test_every_milepost_is_a_snap_point_on_its_drawn_dot(tiny: mapkit.Board) -> None:
    save, pictures = of_tiny()
    (tile,) = some(save, "Custom_Tile")
    image = Image.open(io.BytesIO(pictures[tile["CustomImage"]["ImageURL"].removeprefix(WEB)]))
    assert (image.width, image.height) == (4096, 3072)
    assert image.getchannel("A").getextrema() == (255, 255)
    grey = np.asarray(image.convert("L"))
    aspect = image.width / image.height
    points = tile["AttachedSnapPoints"]
    assert len(points) == len(tiny.mileposts) == 7
    for point, milepost in zip(points, tiny.mileposts, strict=True):
        assert point["Tags"] == ["pawn"]
        assert "Rotation" not in point
        x = (1 - point["Position"]["x"] / aspect) / 2 * image.width
        y = (point["Position"]["z"] + 1) / 2 * image.height
        # a dot or square is dark in its middle; twins have a square on each side of it
        beside = 20 if milepost.id == "fir-gum" else 0
        for step in (-beside, beside):
            assert grey[round(y), round(x) + step] < 90
    assert tile["Transform"]["scaleX"] == tile["Transform"]["scaleZ"] == 6
    assert (tile["Transform"]["rotY"], tile["Locked"]) == (180, True)


@pytest.mark.usefixtures("small_pictures")
def test_the_united_states_have_all_their_mileposts_and_deeds() -> None:
    board = mapkit.load(REPOSITORY / "build" / "usa" / "board.json")
    save, pictures = exported(board)
    (tile,) = some(save, "Custom_Tile")
    places = {(p["Position"]["x"], p["Position"]["z"]) for p in tile["AttachedSnapPoints"]}
    assert len(places) == len(tile["AttachedSnapPoints"]) == 529
    assert all(abs(x) < 4096 / 2990 and abs(z) < 1 for x, z in places)
    deeds, engines = some(save, "DeckCustom")
    assert [card["Nickname"] for card in deeds["ContainedObjects"]][:3] == [
        "Atchison, Topeka and Santa Fe", "Atlantic Coast Line", "Baltimore and Ohio",
    ]  # fmt: skip
    assert deeds["DeckIDs"] == list(range(100, 128))
    assert engines["DeckIDs"] == list(range(200, 212)), "a card for each colour of pawn"
    assert (deeds["CustomDeck"]["1"]["NumWidth"], deeds["CustomDeck"]["1"]["NumHeight"]) == (7, 4)
    assert [tab["title"] for tab in save["TabStates"].values()][:3] == ["Rules", "Prices", "Destinations"]
    assert len(save["TabStates"]) == 3 + 7
    for png in pictures.values():
        assert max(Image.open(io.BytesIO(png)).size) <= 4096
    check_types(save)


def check_whole(save: dict[str, Any], pictures: dict[str, bytes]) -> None:
    """What section 7 of the format's description asks, but for the declarations."""
    guids = [thing["GUID"] for thing in everything(save)]
    assert len(set(guids)) == len(guids)
    assert all(re.fullmatch("[0-9a-f]{6}", guid) for guid in guids)
    named = set(re.findall(rf'{re.escape(WEB)}([^"]+)', json.dumps(save)))
    assert named == set(pictures)
    for name, png in pictures.items():
        assert name.removesuffix(".png").endswith(f"-{hashlib.sha256(png).hexdigest()[:10]}")
    for deck in some(save, "DeckCustom"):
        assert deck["DeckIDs"] == [card["CardID"] for card in deck["ContainedObjects"]]
        for card in deck["ContainedObjects"]:
            check_card(card)
            assert all(deck["CustomDeck"][key] == sheet for key, sheet in card["CustomDeck"].items())
    for card in some(save, "Card"):
        check_card(card)


def check_card(card: dict[str, Any]) -> None:
    ((key, sheet),) = card["CustomDeck"].items()
    assert 0 <= card["CardID"] - 100 * int(key) < sheet["NumWidth"] * sheet["NumHeight"]
    assert 2 <= sheet["NumWidth"] <= 10
    assert 2 <= sheet["NumHeight"] <= 7
    assert sheet["BackIsHidden"] is True


def test_ids_cards_and_pictures_fit_together() -> None:
    save, pictures = of_tiny()
    check_whole(save, pictures)
    assert len(pictures) == 5
    check_types(save)


@pytest.mark.usefixtures("small_pictures")
def test_a_deck_of_one_is_a_card_and_none_is_nothing(tiny: mapkit.Board) -> None:
    red = tuple(r for r in tiny.railroads if r.id == "red")
    segments = tuple(s for s in tiny.segments if s.railroad == "red")
    pieces = tuple(p for p in tiny.pieces if p.railroad == "red")
    one = tiny.model_copy(update={"railroads": red, "segments": segments, "pieces": pieces, "junctions": ()})
    save, pictures = exported(one)
    check_whole(save, pictures)
    assert [card["Nickname"] for card in some(save, "Card")] == ["Red Line"]
    assert [deck["Nickname"] for deck in some(save, "DeckCustom")] == ["Engines"]
    check_types(save)
    none = one.model_copy(update={"railroads": (), "segments": (), "pieces": ()})
    save, pictures = exported(none)
    check_whole(save, pictures)
    assert some(save, "Card") == []
    assert [deck["DeckIDs"][0] for deck in some(save, "DeckCustom")] == [100]


def test_the_odd_even_die_says_what_its_side_shows() -> None:
    save, _ = of_tiny()
    *dice, parity = some(save, "Die_6")
    assert [die["Nickname"] for die in (*dice, parity)] == ["Die", "Die", "Bonus die", "Odd or even"]
    shown = {json.dumps(side["Rotation"]): side["Value"] for side in dice[0]["RotationValues"]}
    assert sorted(shown.values()) == [1, 2, 3, 4, 5, 6]
    said = {shown[json.dumps(side["Rotation"])]: side["Value"] for side in parity["RotationValues"]}
    assert said == {1: "odd", 2: "even", 3: "odd", 4: "even", 5: "odd", 6: "even"}
    colours = [json.dumps(die["ColorDiffuse"]) for die in (*dice, parity)]
    assert (colours[0], len(set(colours))) == (colours[1], 3)


def test_pawns_snap_and_nothing_else_does() -> None:
    save, _ = of_tiny()
    tagged = [thing["Nickname"] for thing in everything(save) if thing["Tags"] == ["pawn"]]
    assert len(tagged) == 6 * 3
    assert tagged[:3] == ["Pawn of player 1", "Departure of player 1", "Destination of player 1"]
    assert all(thing["Tags"] in ([], ["pawn"]) for thing in everything(save))
    places = [tuple(thing["Transform"][key] for key in ("posX", "posY", "posZ")) for thing in save["ObjectStates"]]
    assert len(set(places)) == len(places)


def test_scales_keep_mileposts_apart(tiny: mapkit.Board) -> None:
    # on a page of 300 mm, 10 mm at scale 7.5 are 10 / 300 * 2 * 7.5 = 0.5 units
    assert board_scale(tiny, 10.0, 4 / 3) == 7.5
    assert pawn_scale(tiny, 10.0, 7.5) == 1.0
    assert board_scale(tiny, 1.0, 4 / 3) == 16.0
    assert board_scale(tiny, 1.0, 4.4) == 5.0
    assert pawn_scale(tiny, 3.0, 16.0) == 0.64
    assert (board_scale(tiny, None, 1.0), board_scale(tiny, 0.0, 1.0), pawn_scale(tiny, 0.0, 16.0)) == (6.0, 16.0, 0.3)
    assert least_distance([(0, 0), (3, 4), (30, 4)]) == 5
    assert least_distance([(1, 1)]) is None


def test_the_notebook_has_rules_and_charts(tiny: mapkit.Board) -> None:
    tabs = {tab["title"]: tab["body"] for tab in tab_states(tiny).values()}
    assert list(tabs) == ["Rules", "Prices", "Destinations", "Payoffs: West", "Payoffs: East"]
    assert tabs["Payoffs: West"] == (
        "[b]Ash[/b]\nDale 4.5, Elm 1.5, Fir 5, Gum 5\n\n[b]Elm[/b]\nAsh 1.5, Dale 5.5, Fir 4.5, Gum 4.5"
    )
    assert "[b]West[/b]\nOdd: 2 Ash, 3 Elm, 4 Ash, 5 Elm, 6 Ash, 7 Elm" in tabs["Destinations"]
    assert "RED, Red Line: $10,000" in tabs["Prices"]
    assert tabs["Rules"].startswith("[b]Rules: Tiny[/b]\n")
    tabs = {tab["title"]: tab["body"] for tab in tab_states(in_language(tiny, "pt")).values()}
    assert list(tabs) == ["Regras", "Preços", "Destinos", "Pagamentos: West", "Pagamentos: East"]
    assert "[b]West[/b]\nÍmpar: 2 Ash" in tabs["Destinos"]
    assert "RED, Red Line: 10.000 $" in tabs["Preços"]


@pytest.mark.usefixtures("small_pictures")
def test_things_are_called_in_the_language_and_are_the_same_things(tiny: mapkit.Board) -> None:
    english, other = (everything(exported(in_language(tiny, language))[0]) for language in ("en", "es"))
    assert [thing["GUID"] for thing in english] == [thing["GUID"] for thing in other]
    called = dict(zip((thing["Nickname"] for thing in english), (thing["Nickname"] for thing in other), strict=True))
    names = ("Title deeds", "Die", "Bonus die", "Odd or even", "Pawn of player 2", "Destination of player 1")
    assert [called[name] for name in names] == [
        "Títulos de propiedad", "Dado", "Bonificación", "Impar o par", "Peón del jugador 2", "Destino del jugador 1",
    ]  # fmt: skip
    (parity,) = (thing for thing in other if thing["Nickname"] == "Impar o par")
    assert {side["Value"] for side in parity["RotationValues"]} == {"impar", "par"}


def test_long_notes_are_several_tabs_and_lose_nothing(tiny: mapkit.Board) -> None:
    name = "Ash " + "very " * 1200 + "long"
    cities = tuple(c.model_copy(update={"name": name}) if c.id == "ash" else c for c in tiny.cities)
    tabs = list(tab_states(tiny.model_copy(update={"cities": cities})).values())
    assert all(len(tab["body"]) <= PAGE for tab in tabs)
    parts = [tab["body"] for tab in tabs if tab["title"].startswith("Payoffs: East (")]
    assert len(parts) == 3
    assert " ".join(parts).count("very") == 3 * 1200


@pytest.mark.usefixtures("small_pictures")
def test_square_brackets_are_no_marks_and_are_reported(tiny: mapkit.Board) -> None:
    cities = tuple(c.model_copy(update={"name": "[b]Ash[/b]"}) if c.id == "ash" else c for c in tiny.cities)
    board = tiny.model_copy(update={"cities": cities})
    assert "[b](b)Ash(/b)[/b]" in {part for tab in tab_states(board).values() for part in tab["body"].split("\n")}
    assert FORMAT.export(board, ExportOptions(base_url=WEB)).losses == (*LOSSES, BRACKETS)


@pytest.mark.usefixtures("small_pictures")
def test_the_same_board_gives_the_same_bytes(tiny: mapkit.Board) -> None:
    first = FORMAT.export(tiny, ExportOptions(base_url="https://example.org/maps"))
    for kept in (board_picture._SVG_CACHE, board_picture._CARD_CACHE, board_picture._PICTURE_CACHE):
        kept.clear()
    card_grid._GRID_CACHE.clear()
    clear_layout_cache()
    again = FORMAT.export(mapkit.Board.model_validate_json(tiny.model_dump_json()), ExportOptions(base_url=WEB))
    assert first == again
    assert first.losses == LOSSES


@pytest.mark.parametrize(
    "url", ["", "example.org", "ftp://example.org", 'https://a/"b', "https://a/b c", "https://a/?q", "https://a/ä",
            "x" * 2000]
)  # fmt: skip
def test_what_is_no_address_is_refused(run: Run, tmp_path: Path, tiny: mapkit.Board, url: str) -> None:
    with pytest.raises(ExportError, match="--base-url"):
        FORMAT.export(tiny, ExportOptions(base_url=url))
    board = REPOSITORY / "build" / "portugal" / "board.json"
    ran = run("export", board, "--to", "tts", "--out", tmp_path / "out", "--base-url", url)
    assert ran.code == 1
    assert "give the address of the folder" in ran.err
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("small_pictures")
def test_only_an_address_that_was_given_is_in_a_save(run: Run, tmp_path: Path) -> None:
    board = REPOSITORY / "build" / "portugal" / "board.json"
    folder = tmp_path / "my maps"
    ran = run("export", board, "--to", "tts", "--out", folder)
    assert (ran.code, NO_ADDRESS in ran.err) == (0, True)
    save = json.loads((folder / "portugal.json").read_text(encoding="utf-8"))
    picture = some(save, "Custom_Tile")[0]["CustomImage"]["ImageURL"]
    assert (folder / picture).is_file()
    assert run("export", board, "--to", "tts", "--out", folder, "--base-url", folder.as_uri()).code == 0
    save = json.loads((folder / "portugal.json").read_text(encoding="utf-8"))
    assert some(save, "Custom_Tile")[0]["CustomImage"]["ImageURL"] == (folder / picture).as_uri()


def test_the_declarations_refuse_a_wrong_save() -> None:
    save = copy.deepcopy(of_tiny()[0])
    save["ObjectStates"][0]["AttachedSnapPoints"][0]["Position"]["x"] = "left"
    with pytest.raises(AssertionError, match="not assignable"):
        check_types(save)
