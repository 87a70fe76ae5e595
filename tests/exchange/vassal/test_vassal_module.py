"""VASSAL modules hold all that they should; read here without VASSAL."""

import io
import struct
from dataclasses import replace
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
import shapely
from conftest import REPOSITORY, Run
from hypothesis import given
from hypothesis import strategies as st
from vassal_modules import NAMES, Module, hostile, piece_called, read_module, read_piece, tokens_of

import mapkit
from mapkit.core.errors import ExportError
from mapkit.exchange.vassal.pieces import Trait, encode_sequence, piece_text
from mapkit.kinds.rail.exchange.registry import get_format
from mapkit.kinds.rail.exchange.vassal.format import FORMAT, board_dpi, find_places, module_bytes
from mapkit.kinds.rail.model.board import Page
from mapkit.kinds.rail.network.milepost_regions import find_regions
from mapkit.kinds.rail.render.layout import clear_layout_cache, lay_out

GRID = "module.map.boardPicker.board.RegionGrid"
POINT = "module.map.boardPicker.board.Region"
ZONE = "module.map.boardPicker.board.mapgrid.Zone"


@pytest.fixture(scope="module")
def portugal() -> mapkit.Board:
    return mapkit.load(REPOSITORY / "build" / "portugal" / "board.json")


@pytest.fixture(scope="module")
def module(portugal: mapkit.Board) -> Module:
    return read_module(module_bytes(portugal))


def png_size(data: bytes) -> tuple[int, int]:
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return width, height


@pytest.mark.usefixtures("small_pictures")
def test_the_same_board_gives_the_same_bytes(tiny: mapkit.Board) -> None:
    one = module_bytes(tiny)
    clear_layout_cache()
    assert one == module_bytes(mapkit.Board.model_validate_json(tiny.model_dump_json()))
    with ZipFile(io.BytesIO(one)) as archive:
        infos = archive.infolist()
    names = [info.filename for info in infos]
    assert names == sorted(names)
    assert {(info.date_time, info.compress_type, info.create_system) for info in infos} == {
        ((1980, 1, 1, 0, 0, 0), ZIP_STORED, 3)
    }


@pytest.mark.usefixtures("small_pictures")
def test_the_command_writes_a_module(run: Run, tiny: mapkit.Board, tmp_path: Path) -> None:
    (tmp_path / "tiny.json").write_text(tiny.model_dump_json(), encoding="utf-8")
    done = run("export", tmp_path / "tiny.json", "--to", "vassal", "--out", tmp_path)
    assert (done.code, done.out) == (0, f"{tmp_path / 'tiny.vmod'}\n")
    assert "does not check moves" in done.err
    assert get_format("vassal") is FORMAT


def test_every_picture_is_there_and_used(module: Module) -> None:
    used = {e.get("image") for e in module.all("module.map.boardPicker.Board")}
    used |= {e.get("fileName") for e in module.all("widget.Chart")}
    slots = [*module.all("widget.PieceSlot"), *module.all("widget.CardSlot")]
    pieces = [read_piece(e.text or "") for e in slots]
    used |= {piece.image for piece in pieces}
    pictures = {name.removeprefix("images/") for name in module.parts if name.startswith("images/")}
    assert pictures == used
    for slot, piece in zip(slots, pieces, strict=True):
        assert png_size(module.parts[f"images/{piece.image}"]) == (
            int(slot.attrib["width"]),
            int(slot.attrib["height"]),
        )
        assert (piece.name, piece.gpid) == (slot.get("entryName"), slot.get("gpid"))


def test_slots_are_numbered(module: Module) -> None:
    numbers = [int(e.attrib["gpid"]) for e in module.tree.iter() if "gpid" in e.attrib]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert int(module.tree.attrib["nextPieceSlotId"]) == len(numbers) + 1


def test_the_versions_agree(module: Module, portugal: mapkit.Board) -> None:
    assert module.data.findtext("VassalVersion") == module.tree.get("VassalVersion") == "3.6.0"
    assert module.data.findtext("name") == module.tree.get("name") == portugal.title
    assert module.data.findtext("dateSaved") == "0"
    assert next(iter(module.tree)).tag == "VASSAL.build.module.BasicCommandEncoder"


def test_every_milepost_is_a_point_where_it_is_drawn(module: Module, portugal: mapkit.Board) -> None:
    layout = lay_out(portugal)
    (grid,) = module.all(GRID)
    assert grid.get("snapto") == "true"
    points = {e.attrib["name"]: (int(e.attrib["originx"]), int(e.attrib["originy"])) for e in module.all(POINT)}
    assert len(points) == len(set(points.values())) == len(portugal.mileposts)
    cities = {city.milepost: city.name for city in portugal.cities}
    assert len(cities) == len(portugal.cities)
    width, height = png_size(module.parts["images/board.png"])
    assert (width, height) == (1654, 2339)
    for milepost in portugal.mileposts:
        x, y = points[cities.get(milepost.id, milepost.id)]
        at = layout.spots[milepost.id]
        assert abs(x - at[0] * width / portugal.page.width) < 1
        assert abs(y - at[1] * height / portugal.page.height) < 1


def test_every_milepost_lies_in_its_regions_zone(module: Module, portugal: mapkit.Board) -> None:
    on_board = [e for e in module.all(ZONE) if e.get("useParentGrid") == "true"]
    assert {e.get("name") for e in on_board} == {region.name for region in portugal.regions}
    own = find_regions(portugal)
    places = find_places(lay_out(portugal), 100.0)
    for zone in on_board:
        corners = [tuple(map(int, pair.split(","))) for pair in zone.attrib["path"].split(";")]
        inside = {ident for ident, at in places.points.items() if even_odd(corners, at)}
        (region,) = (region.id for region in portugal.regions if region.name == zone.get("name"))
        assert inside == {ident for ident, of in own.items() if of == region}


def even_odd(corners: list[tuple[int, ...]], at: tuple[int, int]) -> bool:
    """Say whether a point is inside an outline by the even-odd rule, as the engine reckons."""
    inside, (px, py) = False, at
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (y0 > py) != (y1 > py) and px < (x1 - x0) * (py - y0) / (y1 - y0) + x0:
            inside = not inside
    return inside


def test_holes_and_islands_are_one_outline(tiny: mapkit.Board, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = lay_out(tiny)
    monkeypatch.setattr("mapkit.kinds.rail.exchange.vassal.format.find_regions", lambda _: {})
    ring = shapely.box(0, 0, 30, 30).difference(shapely.box(10, 10, 20, 20)).union(shapely.box(40, 0, 50, 10))
    ground = type(layout.ground)(layout.ground.backdrop, {"west": ring, "east": shapely.Polygon()}, layout.ground.edges)
    changed = replace(layout, ground_of=lambda: ground)
    zones = find_places(changed, 25.4).zones
    assert set(zones) == {"west"}
    corners = [tuple(corner) for corner in zones["west"]]
    spots = {(5, 5): True, (15, 15): False, (25, 16): True, (45, 5): True, (35, 5): False, (15, 25): True}
    assert {at: even_odd(corners, at) for at in spots} == spots


def test_points_on_one_pixel_part(tiny: mapkit.Board) -> None:
    layout = lay_out(tiny)
    changed = type(layout)(**{**vars(layout), "spots": dict.fromkeys(layout.spots, (10.0, 10.0))})
    points = find_places(changed, 100.0).points
    assert len(set(points.values())) == len(points) == len(tiny.mileposts)
    assert points["ash"] == (39, 39)
    assert all(abs(x - 39) <= 1 and abs(y - 39) <= 1 for x, y in points.values())


def test_twins_share_a_point_and_names_are_unique(tiny: mapkit.Board) -> None:
    names = find_places(lay_out(tiny), 100.0).names
    assert (names["fir-gum"], names["ash"], names["birch"]) == ("Fir and Gum", "Ash", "birch")
    same = [c.model_copy(update={"name": "Ash" if c.id == "dale" else c.name}) for c in tiny.cities]
    same = [c.model_copy(update={"name": "birch" if c.id == "elm" else c.name}) for c in same]
    names = find_places(lay_out(tiny.model_copy(update={"cities": tuple(same)})), 100.0).names
    assert len(set(names.values())) == len(names)
    assert (names["ash"], names["dale"]) == ("Ash (ash)", "Ash (dale)")
    assert names["elm"] == "birch (elm)"


def test_cards_are_those_of_the_rules(module: Module, portugal: mapkit.Board) -> None:
    decks = {e.attrib["name"]: [read_piece(c.text or "") for c in e] for e in module.all("module.map.DrawPile")}
    assert set(decks) == {"Títulos de propriedade", "Expresso", "SuperChief"}
    prices = {card.name: card.traits for card in decks["Títulos de propriedade"]}
    assert prices == {r.name: [(["mark", "Price"], [str(r.price)])] for r in portugal.railroads}
    assert [len(decks[name]) for name in ("Expresso", "SuperChief")] == [6, 6]
    assert decks["Expresso"][0].traits == [(["mark", "Price"], ["4000"])]


@pytest.mark.usefixtures("small_pictures")
def test_players_and_freight_cards_are_those_of_the_rules(tiny: mapkit.Board) -> None:
    setup = tiny.rules.setup.model_copy(update={"freight_card": True, "max_players": 3})
    rules = tiny.rules.model_copy(update={"setup": setup})
    three = read_module(module_bytes(tiny.model_copy(update={"rules": rules})))
    assert {e.attrib["name"]: len(e) for e in three.all("module.map.DrawPile")}["Freight"] == 3
    assert [e.text for e in three.tree.iter("entry")] == ["Red", "Blue", "Yellow"]
    assert len(three.all("module.map.SetupStack")) == len(three.all("widget.ListWidget")) * 3 == 9


def test_dice_say_odd_or_even(module: Module, portugal: mapkit.Board) -> None:
    rolls = {e.attrib["name"]: (e.get("nDice"), e.get("nSides")) for e in module.all("module.DiceButton")}
    assert rolls == {"Dados brancos": ("2", "6"), "Bónus": ("1", "6")}
    buttons = module.all("module.SpecialDiceButton")
    assert len(buttons) == 1 + len(portugal.regions)
    for button in buttons:
        faces = {die.attrib["name"]: [(f.get("text"), f.get("value")) for f in die] for die in button}
        assert faces["Ímpar ou par"] == [("ímpar" if n % 2 else "par", "0") for n in range(1, 7)]
        spots = [(str(n), str(n)) for n in range(1, 7)]
        assert (faces["Primeiro dado branco"], faces["Segundo dado branco"]) == (spots, spots)


def test_charts_are_data(module: Module, portugal: mapkit.Board) -> None:
    rows = {
        e.attrib["name"]: dict(entry.split("=") for entry in e.attrib["initialValue"].strip("|").split("|"))
        for e in module.all("module.properties.GlobalProperty")
        if "|" in e.attrib["initialValue"]
    }
    names = {region.id: region.name for region in portugal.regions} | {c.id: c.name for c in portugal.cities}
    for name, chart in portugal.destinations.items():
        sides = (("ímpar", chart.odd), ("par", chart.even))
        cells = {f"{word} {total}": cell for word, side in sides for total, cell in side.items()}
        assert rows.pop(f"destinations {name}") == {key: names[cell or ""] for key, cell in cells.items()}
    cities = [names[city] for city in portugal.payoffs.cities]
    for city, amounts in zip(cities, portugal.payoffs.thousands, strict=True):
        said = ("nada" if amount is None else f"{amount * 1000:,.0f} $".replace(",", ".") for amount in amounts)
        assert rows.pop(f"payoffs {city}") == dict(zip(cities, said, strict=True))
    assert rows == {}


def test_charts_are_windows_and_rules_a_page(module: Module, portugal: mapkit.Board) -> None:
    windows = {
        e.attrib["name"]: len(list(e.iter("VASSAL.build.widget.Chart"))) for e in module.all("module.ChartWindow")
    }
    assert windows == {"Destinos": 2, "Pagamentos": 1, "Guia rápido": 1}
    (page,) = module.all("module.documentation.HelpFile")
    text = module.parts[page.attrib["fileName"]].decode("ascii")
    assert f"<h1>Regras: {portugal.title}</h1>" in text
    assert text.count("<li>") > 30


@pytest.mark.usefixtures("small_pictures")
def test_a_board_without_charts_has_no_windows_for_them(tiny: mapkit.Board) -> None:
    count = len(tiny.payoffs.cities)
    bare = tiny.payoffs.model_copy(update={"thousands": ((None,) * count,) * count})
    without = read_module(module_bytes(tiny.model_copy(update={"destinations": {}, "payoffs": bare})))
    assert [e.get("name") for e in without.all("module.ChartWindow")] == ["Reference"]
    assert without.all("module.ToolbarMenu") == without.all("module.DoActionButton") == []
    assert "Payoff" not in "".join(e.attrib["name"] for e in without.all("module.properties.GlobalProperty"))


@pytest.mark.usefixtures("small_pictures")
def test_hostile_names_come_back(tiny: mapkit.Board) -> None:
    board = hostile(tiny)
    module = read_module(module_bytes(board))
    deeds = [read_piece(e.text or "").name for e in module.all("module.map.DrawPile")[0]]
    assert sorted(deeds) == sorted(piece_called(r.name) for r in board.railroads)
    assert module.tree.get("name") == module.data.findtext("name") == board.title
    assert {e.get("name") for e in module.all(ZONE)} >= {region.name for region in board.regions}
    bad = board.model_copy(update={"title": "nul \x00"})
    with pytest.raises(ExportError, match="XML cannot"):
        module_bytes(bad)


@given(st.lists(st.text(alphabet="a\\';/\t ", max_size=6) | st.sampled_from(NAMES), min_size=1, max_size=5))
def test_lists_come_back(tokens: list[str]) -> None:
    for delimiter in ";/\t":
        assert tokens_of(encode_sequence(tokens, delimiter), delimiter) == tokens


@given(st.text(alphabet="a\\';/\t ", max_size=8), st.text(alphabet="a\\';/\t ", max_size=8), st.integers(0, 3))
def test_pieces_come_back(name: str, value: str, depth: int) -> None:
    traits = [Trait(("mark", name), (value,)) for _ in range(depth)]
    piece = read_piece(piece_text(traits, image="x.png", name=name, gpid="7"))
    assert (piece.name, piece.image, piece.gpid) == (name, "x.png", "7")
    assert piece.traits == [(["mark", name], [value])] * depth


def test_a_large_page_has_a_coarser_picture(tiny: mapkit.Board) -> None:
    assert board_dpi(tiny) == 100
    metre = tiny.model_copy(update={"page": Page(width=1000, height=700, frame=(0, 0, 1000, 700))})
    assert board_dpi(metre) == pytest.approx(4096 / 1000 * 25.4)  # the picture of other formats
    large = tiny.model_copy(update={"page": Page(width=4000, height=3000, frame=(0, 0, 4000, 3000))})
    assert board_dpi(large) == 46
    assert 4000 * 3000 * (46 / 25.4) ** 2 < 40_000_000
