"""Pictures of boards of hexagons: what is drawn where, in every theme, style and language."""

import re
from collections import Counter
from itertools import combinations

import pytest
import shapely
from conftest import REPOSITORY
from defusedxml import ElementTree
from hexagons import compiled, example

from mapkit.document.workspace import Workspace
from mapkit.drawing.colours.colour import ciede2000, contrast, lab, rgb
from mapkit.drawing.colours.vision import VISIONS, simulate_vision
from mapkit.drawing.svg_page import SvgPage
from mapkit.drawing.text_width import text_width
from mapkit.drawing.theme.theme import CLASSIC, THEMES, Theme
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.model.terrain import BLOCKED, SEA
from mapkit.kinds.hex.render.board import LAYERS, draw_board
from mapkit.kinds.hex.render.palette import PIGMENTS, PLAYERS, board_inks, ink_on, pigment, terrain_fill
from mapkit.kinds.hex.render.picture.ground import drawn_land, load_hex_backdrop
from mapkit.kinds.hex.render.picture.legend import legend_entries
from mapkit.kinds.hex.render.picture.pen import Pen
from mapkit.kinds.hex.render.sheet import BoardSheet, lay_out_sheet
from mapkit.kinds.hex.render.words import hex_words

BOARDS = ("eastern-us-hex", "great-britain-hex", "mexico-hex", "portugal-hex", "western-us-hex")
SVG = "{http://www.w3.org/2000/svg}"
TERRAINS = ("water", "mountain")


@pytest.fixture(scope="module")
def valleys() -> HexBoard:
    board: HexBoard = compiled(example()).board
    return board


@pytest.fixture(scope="module")
def portugal() -> HexBoard:
    return HEX.load(Workspace(REPOSITORY), "portugal-hex")[0].board


def pen_of(board: HexBoard, theme: Theme = CLASSIC) -> Pen:
    page = SvgPage(10, 10, title="", description="", theme=theme, layers=LAYERS)
    return Pen(board, theme, hex_words(), lay_out_sheet(board), page)


def apart(one: str, other: str) -> float:
    """How far apart two colours are to those who see least of it (CIEDE2000)."""
    return min(float(ciede2000(*(lab(simulate_vision(rgb(c), vision)) for c in (one, other)))) for vision in VISIONS)


@pytest.mark.parametrize("name", THEMES)
def test_all_text_stands_out(name: str) -> None:
    theme = THEMES[name]
    inks = board_inks(theme)
    tints = [terrain_fill(terrain, "#888888", theme) for terrain in TERRAINS]
    for ground in (theme.land, theme.water, inks.blocked, *tints):
        assert contrast(inks.label, ground) >= 4.5
    for ground in (theme.panel, inks.fifth, theme.paper):
        assert contrast(theme.ink, ground) >= 7
    assert contrast(theme.quiet_ink, theme.paper) >= 4.5
    for style in range(1, 7):
        for colour in PIGMENTS:
            fill = pigment(colour, style, theme)
            assert contrast(ink_on(fill), fill) >= 4.5
    for mark in (inks.ridge, inks.river):
        assert min(contrast(mark, ground) for ground in (theme.land, *tints)) >= 3


@pytest.mark.parametrize("name", THEMES)
def test_colours_are_told_apart_by_people_of_any_vision(name: str) -> None:
    theme = THEMES[name]
    for style in range(1, 7):
        fills = [pigment(colour, style, theme) for colour in PIGMENTS]
        assert min(apart(one, other) for one, other in combinations(fills, 2)) >= 10
    if theme.lines != "ink":  # there marks alone tell them apart: teeth, a band, drops, peaks
        inks = board_inks(theme)
        assert min(apart(one, other) for one, other in combinations((inks.ridge, inks.river, theme.ink), 2)) >= 10
        grounds = (theme.land, *(terrain_fill(terrain, "#888888", theme) for terrain in TERRAINS))
        assert min(apart(one, other) for one, other in combinations(grounds, 2)) >= 5


def test_colours_of_players_are_told_apart_too() -> None:
    assert min(apart(one, other) for one, other in combinations(PLAYERS.values(), 2)) >= 10


def test_the_picture_has_each_thing_once(valleys: HexBoard) -> None:
    root = ElementTree.fromstring(draw_board(valleys))
    found = {group.get("id"): group for group in root if (group.get("id") or "").startswith("layer-")}
    assert list(found) == [f"layer-{name}" for name in LAYERS]
    kinds = Counter(hexagon.terrain for hexagon in valleys.hexes)
    taken = {city.hex for city in valleys.cities}
    free = Counter(hexagon.terrain for hexagon in valleys.hexes if hexagon.id not in taken)
    assert kinds["mountain"] > 0
    # a hexagon, two slopes for each of three peaks, three drops
    assert len(found["layer-hexes"]) == len(valleys.hexes) + 6 * free["mountain"] + 3 * free["water"]
    assert len(found["layer-edges"]) == len(valleys.edges)
    assert len(found["layer-lines"]) == len(valleys.lines) + len(valleys.links)
    assert len(found["layer-cities"]) == len(valleys.cities)
    assert len(found["layer-track"]) == len(valleys.track)
    assert len(found["layer-labels"]) == len(valleys.hexes) - len(taken)
    legend = [group.get("data-legend") for group in found["layer-legend"].iter(f"{SVG}g") if group.get("data-legend")]
    assert legend == [entry.what for entry in legend_entries(pen_of(valleys))]
    assert legend[:5] == ["terrain-plains", "terrain-water", "terrain-mountain", "terrain-sea", "edge-ridge"]


@pytest.mark.parametrize("name", BOARDS)
def test_names_fit_their_bands_and_all_lies_on_the_page(name: str) -> None:
    root = ElementTree.fromstring((REPOSITORY / "build" / name / "board.svg").read_text(encoding="utf-8"))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for text in root.iter(f"{SVG}text"):
        size, x, y = (float(text.attrib[key]) for key in ("font-size", "x", "y"))
        wide = text_width(text.text or "", size, bold=text.get("font-weight") == "bold")
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "start")]
        assert x - share * wide >= 0, text.text
        assert x + (1 - share) * wide <= width, text.text
        assert size <= y <= height, text.text
    for city in (group for group in root.iter(f"{SVG}g") if group.get("class") == "city"):
        band = next(one for one in city if one.get("class") == "name")
        for text in city.iter(f"{SVG}text"):
            if text.get("y") and float(band.attrib["y"]) < float(text.attrib["y"]) < float(band.attrib["y"]) + float(
                band.attrib["height"]
            ):
                wide = text_width(text.text or "", float(text.attrib["font-size"]), bold=True)
                assert wide <= float(band.attrib["width"]) - 0.5, text.text
    entries_of_page = [group for group in root.iter(f"{SVG}g") if group.get("data-legend")]
    tops = [float(text.attrib["y"]) for group in entries_of_page for text in group.iter(f"{SVG}text")]
    assert max(tops) < height - 6


def test_the_middle_of_a_hexagon_looks_like_what_it_is(valleys: HexBoard, portugal: HexBoard) -> None:
    for board in (valleys, portugal):
        pen = pen_of(board)
        land = drawn_land(pen)
        shapely.prepare(land)
        closed = {terrain.id for terrain in board.terrains if terrain.cost is None}
        for hexagon, cube in zip(board.hexes, board.grid.cubes, strict=True):
            seen = land.contains(shapely.Point(pen.sheet.centre(cube)))
            if hexagon.terrain == SEA:
                assert not seen, hexagon.id
            elif hexagon.terrain not in closed:
                assert seen, hexagon.id
            else:
                assert hexagon.terrain == BLOCKED


@pytest.mark.parametrize("turn", [0.0, 20.0, -15.0])
def test_the_land_turns_with_the_grid(portugal: HexBoard, turn: float) -> None:
    assert portugal.earth is not None
    sheet: BoardSheet = lay_out_sheet(portugal)
    earth = portugal.earth.model_copy(update={"turn": turn})
    land = load_hex_backdrop(earth, sheet).land
    inland = [(-8.2, 39.8), (-7.9, 40.2), (-8.4, 41.2), (-7.6, 38.6)]
    at_sea = [(-9.4, 40.4), (-9.3, 41.0), (-8.9, 36.6)]
    seen = 0
    for places, dry in ((inland, True), (at_sea, False)):
        for x, y in map(sheet.at, earth.to_grid(places)):
            if shapely.box(*sheet.frame).contains(shapely.Point(x, y)):
                assert land.contains(shapely.Point(x, y)) == dry
                seen += 1
    assert seen >= 2


def test_styles_letters_and_names_are_settings(valleys: HexBoard) -> None:
    def drawn(**display: object) -> str:
        rules = valleys.rules.model_copy(update={"display": valleys.rules.display.model_copy(update=display)})
        return draw_board(valleys.model_copy(update={"rules": rules}))

    assert len({drawn(track_style=style) for style in range(1, 7)}) == 6
    assert len({drawn(cube_style=style) for style in range(1, 7)}) == 6
    assert ">purple</text>" in drawn()
    assert ">purple</text>" not in drawn(colour_names=False)
    assert ">G</text>" in drawn()
    letters = re.findall(r">([RBGYP])</text>", drawn(letters_on_cubes=False))
    assert len(letters) <= len(PIGMENTS) - 1  # those of the legend


def test_words_are_in_the_language_that_is_asked_for(valleys: HexBoard) -> None:
    for language, said in (
        ("en", "Mountains $4k"),
        ("es", "Montaña $4k"),
        ("es-MX", "Montaña $4k"),
        ("pt", "Montanha $4k"),
    ):
        assert f">{said}</text>" in draw_board(valleys, CLASSIC, language)
