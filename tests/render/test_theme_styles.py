"""Type, land and symbols of the themes: families in every format, letters that a family lacks, hachures, marks."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pikepdf
import pytest
import shapely
from boards import shipped
from conftest import Run
from svg_client import read_board_svg
from tiny import tiny_board

import mapkit
from mapkit.drawing.embedded_fonts import embed_fonts
from mapkit.drawing.picture_files import picture_bytes
from mapkit.drawing.svg_file import SVG, all_words, read_picture
from mapkit.drawing.text_width import FACES, FAMILIES, SANS, Family, missing_characters, text_width
from mapkit.drawing.theme.theme import THEMES
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board import render_board
from mapkit.kinds.rail.render.checks import find_flaws
from mapkit.kinds.rail.render.ground.hachures import list_hachures
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.symbol_marks import find_interchanges
from mapkit.press.outline import replace_text_by_outlines
from mapkit.press.raster import svg_to_png
from mapkit.press.vector import svg_to_pdf

STYLES = ("", 'font-weight="bold"', 'font-style="italic"')
PERIODS = {"engraved": "Old Standard TT", "poster": "Jost", "school": "Alegreya", "night": "Nunito"}


def set_in(family: str, text: str) -> str:
    """Return a picture of a text in upright, bold and italic letters of a family."""
    rows = (f'<text y="{10 * y}" font-size="5" {face}>{text}</text>' for y, face in enumerate(STYLES, start=1))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="80mm" height="50mm" font-family="{family}"'
    return f'{head} viewBox="0 0 80 50">{"".join(rows)}</svg>'


def outlines(svg: str) -> list[str | None]:
    """Return the paths of a picture whose texts are outlines."""
    return [path.get("d") for path in read_picture(replace_text_by_outlines(svg)).root.iter(f"{SVG}path")]


def fonts_in(pdf: bytes) -> set[str]:
    """Return the names of a PDF's fonts without the marks of their subsets."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        descriptors = [
            item
            for item in document.objects
            if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/FontDescriptor"
        ]
        return {str(item["/FontName"]).rpartition("+")[2].lstrip("/") for item in descriptors}


@pytest.fixture(scope="module")
def pictures() -> dict[str, str]:
    board = tiny_board()
    return {name: render_board(board, theme=theme) for name, theme in THEMES.items()}


@pytest.mark.parametrize(("name", "family"), PERIODS.items())
def test_a_theme_sets_every_text_in_its_family(pictures: dict[str, str], name: str, family: str) -> None:
    assert {words.family for words in all_words(read_picture(pictures[name]).root)} == {family}
    rules = re.findall(r"font-family:'([^']+)'", embed_fonts(pictures[name]))
    assert set(rules) == {family}


@pytest.mark.parametrize("name", ["classic", "atlas", "dark", "print"])
def test_the_other_themes_name_no_other_family(pictures: dict[str, str], name: str) -> None:
    assert {words.family for words in all_words(read_picture(pictures[name]).root)} == {SANS}
    assert [family for family in FAMILIES if family != SANS and family in pictures[name]] == []


def test_themes_differ_in_type_land_and_symbols() -> None:
    four = [THEMES[name] for name in PERIODS]
    assert len({theme.family for theme in four}) == 4
    assert len({theme.symbols for theme in four}) == 4
    assert len({(theme.tint, theme.shore, theme.hachures, theme.glow) for theme in four}) == 4
    assert [theme for theme in four if theme.symbols == "squares" or theme.family == SANS] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_names_of_many_languages_have_all_letters(family: Family) -> None:
    names = "Kraków Niš São Paulo Łódź Timișoara Győr Çorlu Ísafjörður Reykjavík Þingvellir Köln Åbo Plzeň София"
    assert [face for face in FACES if missing_characters(names, face=face, family=family)] == []


def test_letters_that_a_family_lacks_are_drawn_in_the_usual_one() -> None:
    assert missing_characters("aĦΘ", family="Jost") == "Θ"
    assert text_width("Θ", 10.0, family="Jost") == text_width("Θ", 10.0)
    svg, usual = set_in("Jost", "Θ"), set_in(SANS, "Θ")
    assert outlines(svg) == outlines(usual) != []
    assert outlines(set_in("Jost", "aΘ"))[0] not in outlines(set_in(SANS, "aΘ"))
    _, notes = picture_bytes(svg, "svg")
    assert notes == (f"Jost lacks these letters; {SANS} draws them: Θ",)
    assert fonts_in(svg_to_pdf(svg)) == fonts_in(svg_to_pdf(usual))
    assert set(re.findall(r"font-family:'([^']+)'", embed_fonts(svg))) == {"Jost", SANS}


def test_a_check_names_letters_that_the_theme_lacks() -> None:
    board = tiny_board()
    sizes = THEMES["poster"].sizes
    renamed = board.model_copy(
        update={"cities": tuple(c.model_copy(update={"name": "Θmega"}) if c.id == "ash" else c for c in board.cities)}
    )
    assert [flaw.text for flaw in find_flaws(lay_out(renamed, sizes), "missing-glyph")] == ["Θmega"]
    assert find_flaws(lay_out(renamed), "missing-glyph") == []


@pytest.mark.parametrize("family", PERIODS.values())
def test_png_and_pdf_are_set_in_the_family(family: str) -> None:
    own, usual = set_in(family, "Grand Junction"), set_in(SANS, "Grand Junction")
    assert svg_to_png(own, 100) != svg_to_png(usual, 100)
    assert {name.split("-")[0] for name in fonts_in(svg_to_pdf(own))} == {family.replace(" ", "")}
    assert outlines(own) != outlines(usual)


def test_hachures_run_downhill_on_rugged_land_and_nowhere_else() -> None:
    usa = shipped("usa")
    layout = lay_out(usa, THEMES["engraved"].sizes, text=False)
    steepness, strokes = list_hachures(usa.projection, layout.area, layout.warp)
    assert len(strokes) > 1000
    assert steepness.min() >= 4.5
    lengths = np.hypot(*(strokes[:, 1] - strokes[:, 0]).T)
    assert 0.2 < np.median(lengths) < 3
    place = {milepost.name: layout.spots[milepost.id] for milepost in usa.mileposts}
    middles = shapely.points(strokes.mean(axis=1))

    def count_near(name: str) -> int:
        return int((shapely.distance(middles, shapely.Point(place[name])) < 25).sum())

    assert min(count_near("Denver"), count_near("Butte")) > 50
    assert max(count_near("Des Moines"), count_near("Miami")) == 0


def test_only_two_themes_draw_hachures(usa: Board) -> None:
    for name in THEMES:
        has_hachures = 'class="hachures"' in render_board(usa, theme=THEMES[name])
        assert has_hachures == (name in ("engraved", "school")), name


def test_regions_have_coloured_edges_in_two_themes(pictures: dict[str, str]) -> None:
    assert 'class="edge-bands"' in pictures["engraved"]
    assert 'class="edge-bands"' not in pictures["poster"]


def test_each_city_and_dot_keeps_its_id_and_place(pictures: dict[str, str]) -> None:
    places = {name: read_board_svg(svg).places for name, svg in pictures.items()}
    assert [name for name in places if places[name] != places["classic"]] == []


def test_interchanges_are_dots_of_several_railroads() -> None:
    board = tiny_board()
    met = {
        milepost.id
        for milepost in board.mileposts
        if milepost.kind == "dot" and len({s.railroad for s in board.segments if milepost.id in (s.a, s.b)}) > 1
    }
    assert find_interchanges(board, THEMES["school"]) == met
    assert find_interchanges(board, THEMES["classic"]) == frozenset()


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_capitals_and_ports_have_signs_on_the_map_and_in_the_legend(theme: str) -> None:
    """A star is filled, an anchor is a stroke; the island has a capital and six ports."""
    drawn = render_board(shipped("carrow"), theme=THEMES[theme])
    signs = [path for path in read_picture(drawn).root.iter(f"{SVG}path") if path.get("class") == "city-sign"]
    stars = [sign for sign in signs if sign.get("stroke") == "none"]
    anchors = [sign for sign in signs if sign.get("fill") == "none"]
    assert (len(stars), len(anchors), len(signs)) == (2, 7, 9)
    assert ">Capital<" in drawn
    assert ">Port<" in drawn
    assert "city-sign" not in render_board(tiny_board(), theme=THEMES[theme])


def test_marks_reach_the_board_file_and_are_dropped_from_version_1(run: Run, tmp_path: Path) -> None:
    assert run("new", "mine", "--from", "carrow", "-w", tmp_path).code == 0
    cities = tmp_path / "sources" / "mine" / "cities.csv"
    marks = {city.id: city.mark for city in mapkit.load("mine", workspace=tmp_path).cities}
    assert (marks["port-carrow"], marks["redcliff"], marks["brindle"]) == ("capital", "port", None)
    command = json.dumps({"kind": "edit-city", "id": "brindle", "mark": "port"})
    assert run("do", "mine", command, "-w", tmp_path).code == 0
    assert "brindle,Brindle,north,1,port," in cities.read_text(encoding="utf-8")
    for version, there in ((2, True), (1, False)):
        out = tmp_path / str(version)
        mapkit.export("mine", to="engine", out=out, board_version=version, workspace=tmp_path)
        assert ('"mark":"port"' in (out / "board.json").read_text(encoding="utf-8").replace(" ", "")) is there
    cities.write_text(cities.read_text(encoding="utf-8").replace(",capital,", ",harbour,"), encoding="utf-8")
    done = run("check", "mine", "-w", tmp_path)
    assert done.code == 1
    assert "mark is 'harbour': write 'capital' or 'port'" in done.out
