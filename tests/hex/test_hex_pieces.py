"""Pieces and cards of boards of hexagons: how many, in which shapes, in which words."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from string import Formatter
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from conftest import REPOSITORY
from hexagons import compiled, done, example

from mapkit.core.package_data import parse_table
from mapkit.drawing.colours.colour import contrast
from mapkit.drawing.theme.theme import THEMES
from mapkit.drawing.words.language import Counted
from mapkit.drawing.words.languages import LANGUAGES
from mapkit.kinds.hex.exchange.eighteen.games import games_map
from mapkit.kinds.hex.model import terrain
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.board import draw_board
from mapkit.kinds.hex.render.palette import ink_on, pigment, track_inks
from mapkit.kinds.hex.render.pieces.cards import card_sheets
from mapkit.kinds.hex.render.pieces.cutting import all_pieces, course_d, cutting_sheets, tile_courses
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import piece_svg
from mapkit.kinds.hex.render.pieces.rules_pages import rule_parts
from mapkit.kinds.hex.render.words import hex_words
from mapkit.kinds.hex.rules.book import options
from mapkit.kinds.hex.rules.colours import CITY_COLOURS, GOODS, LETTERS

SVG = "{http://www.w3.org/2000/svg}"
OWN_GROUPS = ("board", "card", "colour", "legend", "piece", "player", "rules")
NUMBER = r"(-?[\d.]+),(-?[\d.]+)"
HEX = REPOSITORY / "mapkit" / "kinds" / "hex"


@pytest.fixture(scope="module")
def board() -> HexBoard:
    return compiled(example()).board


def test_the_sheets_have_as_many_pieces_as_the_components_say(board: HexBoard) -> None:
    job = HexJob(board)
    found: Counter[str] = Counter()
    for sheet in cutting_sheets(job):
        for group in ET.fromstring(sheet.svg).iter(f"{SVG}g"):  # noqa: S314 - ours
            if "data-piece" in group.attrib:
                found[group.attrib["data-piece"]] += len(group)
    assert found == {piece.id: piece.count or 1 for piece in all_pieces(job)}
    kinds: Counter[str] = Counter()
    for piece in all_pieces(job):
        kinds[piece.kind] += piece.count or 1
    players = board.rules.players.most
    assert kinds == {"tile": 168, "cube": 125, "new-city": 10, "marker": 24, "token": 25 * players, "first-player": 1}


def test_there_are_as_many_cards_as_the_board_has(board: HexBoard) -> None:
    cards = card_sheets(HexJob(board))
    kinds = Counter(card.id.partition("-")[0] for card in cards)
    levels, players = len(board.rules.engine.levels), board.rules.players.most
    assert kinds == {
        "operations": sum(card.count for card in board.operations),
        "baron": len(board.barons),
        "engine": levels * players,
        "bond": 60,
    }
    assert len({card.id for card in cards}) == len(cards)
    assert all(card.back for card in cards)


def test_tracks_end_in_the_middles_of_the_sides_that_they_join(board: HexBoard) -> None:
    spokes = HexJob(board).spokes
    sides = [((x1 + x2) / 2, (y1 + y2) / 2) for (x1, y1), (x2, y2) in zip((spokes[-1], *spokes), spokes, strict=False)]
    for course in {course for shape in ("straight", "gentle", "sharp", "cross") for course in tile_courses(shape, 3)}:
        d = course_d(spokes, course, (0.0, 0.0))
        ends = re.findall(NUMBER, d)
        for (x, y), side in ((ends[0], course[0]), (ends[-1], course[1])):
            assert math.dist((float(x), float(y)), sides[side]) < 0.01
    lengths = {len(tile_courses(shape, 1)) for shape in ("straight", "gentle", "sharp")}
    assert (lengths, len(tile_courses("cross", 1)), tile_courses("other", 2)) == ({1}, 2, ())


@pytest.mark.parametrize(("shape", "turn"), [("straight", 3), ("gentle", 2), ("sharp", 1)])
def test_no_two_lines_of_a_tile_end_at_one_side(shape: str, turn: int) -> None:
    first = tile_courses(shape, 1)[0]
    assert min((first[1] - first[0]) % 6, (first[0] - first[1]) % 6) == turn
    used = [side for course in tile_courses(shape, 3) for side in course]
    assert sorted(used) == list(range(6))


def test_letters_stand_on_cubes_unless_the_board_has_none(board: HexBoard) -> None:
    cubes = [piece for piece in all_pieces(HexJob(board)) if piece.kind == "cube"]
    letters = {re.findall(r">([A-Z])</text>", piece_svg(HexJob(board), cube))[0] for cube in cubes}
    assert letters == set(LETTERS.values()) == {"R", "B", "G", "Y", "P"}
    display = board.rules.display.model_copy(update={"letters_on_cubes": False})
    plain = board.model_copy(update={"rules": board.rules.model_copy(update={"display": display})})
    assert not any("</text>" in piece_svg(HexJob(plain), piece) for piece in all_pieces(HexJob(plain))[4:9])


def test_a_rotor_turns_the_colours_of_its_wheel_but_not_its_base(board: HexBoard) -> None:
    city = next(city for city in board.cities if city.wants)
    rotor = done(example(), {"kind": "set-city", "id": city.id, "rotor": True, "wheel": list(GOODS)})
    turning = compiled(rotor).board
    assert not [piece for piece in all_pieces(HexJob(turning)) if piece.kind == "rotor"]
    rules = turning.rules.model_copy(update={"rotors": turning.rules.rotors.model_copy(update={"enabled": True})})
    job = HexJob(turning.model_copy(update={"rules": rules}))
    piece = next(piece for piece in all_pieces(job) if piece.kind == "rotor")
    assert re.findall(r'data-colour="(\w+)"', piece_svg(job, piece)) == [c for c in GOODS if c != city.colours[0]]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("style", range(1, 7))
def test_letters_and_track_stand_out_in_every_style(theme: str, style: int) -> None:
    for colour in CITY_COLOURS:
        fill = pigment(colour, style, THEMES[theme])
        assert contrast(fill, ink_on(fill)) >= 4.5
    inks = track_inks(style)
    assert contrast(inks.bed, inks.rails) >= 3.0


def test_brighter_track_has_more_contrast() -> None:
    found = [contrast(track_inks(style).bed, track_inks(style).rails) for style in range(1, 7)]
    assert found == sorted(found)
    assert len(set(found)) == 6


def _parts(text: str | Counted) -> set[str]:
    forms = (text,) if isinstance(text, str) else (text.one, text.other)
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text_of_hexagons(language: Any) -> None:
    english, other = hex_words("en").texts, hex_words(language).texts
    assert sorted(english) == sorted(other)
    for name, text in english.items():
        assert isinstance(other[name], type(text)), name
        assert _parts(other[name]) == _parts(text), name


def test_every_text_of_hexagons_is_used() -> None:
    own = {name for name in hex_words("en").texts if name.partition(".")[0] in OWN_GROUPS}
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HEX.rglob("*.py")))
    made = {f"colour.{one}" for one in CITY_COLOURS} | {name for name in own if name.startswith("player.")}
    made |= {f"piece.tile_{shape}" for shape in ("straight", "gentle", "sharp", "cross", "other")}
    made |= {f"piece.{sheet}" for sheet in ("tiles", "cubes", "markers", "tokens")}
    made |= {f"card.{kind}" for kind in ("operations", "baron", "engine", "bond")}
    made |= {f"rules.option_{name.replace('-', '_')}" for name in options()}
    made |= {f"rules.{part}" for part in ("track", "build_up", "cards", "rotors", "mines", "start", "auction")}
    made |= {f"rules.{part}" for part in ("turn", "delivery", "income", "end")}
    assert sorted(name for name in own - made if name not in code) == []


def test_every_language_draws_cards_whose_text_fits(board: HexBoard) -> None:
    for language in LANGUAGES:
        assert not any("…" in sheet.svg for sheet in card_sheets(HexJob(board, language=language)))


MOOR = """
[[terrains]]
id = "moor"
names = { en = "Moor", es = "Páramo", pt = "Charneca" }
where = { en = "on moor", es = "en páramo", pt = "em charneca" }
colour = "#8a9a5b"
cost = 2500
tints = { light = "#8a9a5b", dark = "#3a4a2b", ink = "#e0e0e0" }
marks = "drops"
called = ["bog"]
art = ["moor"]
games = "swamp"
"""


@pytest.fixture
def _moor(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A terrain that stands in `terrains.toml` alone."""
    text = (HEX / "model" / "terrains.toml").read_text(encoding="utf-8") + MOOR
    monkeypatch.setattr(terrain, "read_table", lambda _, name, model: parse_table(name, text, model))
    caches = (terrain.known_terrains, terrain.terrain_words)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.usefixtures("_moor")
def test_a_terrain_is_one_row_of_one_file() -> None:
    painted = done(example(), {"kind": "paint-hexes", "hexes": ["1-1"], "terrain": "moor"})
    board = compiled(painted).board
    assert compiled(painted).problems == ()
    assert next(one for one in board.terrains if one.id == "moor").cost == 2500
    assert "Moor $2.5k" in draw_board(board)
    assert "#3a4a2b" in draw_board(board, THEMES["dark"])
    for language, where in (
        ("en", "on moor"),
        ("es", "en páramo"),
        ("es-MX", "en páramo"),
        ("pt", "em charneca"),
        ("pt-BR", "em charneca"),
    ):
        points = [point for part in rule_parts(HexJob(board, language=language)) for point in part.points]
        assert any(where in point for point in points), language
    assert "upgrade=cost:3,terrain:swamp" in games_map(board).replace("2.5", "3")
    assert terrain.terrain_words()["bog"] == "moor"


def test_every_terrain_has_its_name_in_every_language() -> None:
    bases = {hex_words(language).base for language in LANGUAGES}
    for row in terrain.known_terrains().values():
        assert row.names.keys() == bases, row.id
        assert row.where.keys() == (bases if row.cost is not None else set()), row.id
