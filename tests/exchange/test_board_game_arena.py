"""Board Game Arena files: PHP itself reads the data, and it is that of the board; CSS puts places where they are."""

import io
import json
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY
from hypothesis import given, settings
from hypothesis import strategies as st
from optional import program
from PIL import Image
from sampling import examples
from tiny import tiny_board

import mapkit
from mapkit.core.errors import ExportError
from mapkit.core.jsontext import json_text
from mapkit.exchange import card_grid
from mapkit.exchange.php import php_file, php_string, php_value, trait_file
from mapkit.kinds.rail.exchange import board_picture
from mapkit.kinds.rail.exchange.bga.format import CSS, FORMAT, JSON, LOSSES, PHP, TRAIT, project_variables
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.render.layout import clear_layout_cache, lay_out

PARTS = (
    "board", "regions", "railroads", "cities", "mileposts", "segments", "destinations", "payoffs", "rules", "cards",
)  # fmt: skip
GAME = """
error_reporting(E_ALL);
set_error_handler(function ($number, $text) { fwrite(STDERR, $text); exit(3); });
require $argv[2];
class Game { use MapMaterial; function __construct(string $file) { require $file; } }
echo json_encode(get_object_vars(new Game($argv[1])), JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
"""
HOSTILE = "O'Neill \\' \" $x {$y} ${z} <?php ?> */ // # \\\\ \n\t\0 é 東 </script> %s \\"


def exported(board: mapkit.Board) -> dict[str, Any]:
    return dict(FORMAT.export(board, ExportOptions()).files)


@cache
def of_tiny() -> dict[str, Any]:
    return exported(tiny_board())


def by_php(text: str, folder: Path, declared: Iterable[str] = PARTS) -> dict[str, Any]:
    """Return what the frame's way of including a file makes of `material.inc.php`, in a class with our trait."""
    php = program("php", "apt-get install php-cli")
    path = folder / PHP
    path.write_text(text, encoding="utf-8", newline="\n")
    trait = folder / "MapMaterial.php"
    trait.write_text(trait_file(declared), encoding="utf-8", newline="\n")
    done = subprocess.run(
        [php, "-n", "-r", GAME, "--", path, trait], capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def as_php_has_it(value: Any) -> Any:
    """Return data as it comes back from PHP, which has one kind of empty array."""
    if isinstance(value, dict):
        return {key: as_php_has_it(item) for key, item in value.items()} if value else []
    return [as_php_has_it(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", ["usa", "portugal", "mexico"])
def test_php_has_the_data_of_the_board(name: str, tmp_path: Path) -> None:
    board = mapkit.load(REPOSITORY / "build" / name / "board.json")
    data = json.loads(json_text(project_variables(board, lay_out(board), (400, 300), {})))
    assert tuple(data) == PARTS
    found = by_php(php_file(data), tmp_path)
    assert found == {f"mk_{part}": as_php_has_it(data[part]) for part in PARTS}
    assert {ident: (m["name"], m["kind"]) for ident, m in found["mk_mileposts"].items()} == {
        m.id: (m.name, m.kind) for m in board.mileposts
    }
    assert {(s["railroad"], s["a"], s["b"], *s["pieces"]) for s in found["mk_segments"].values()} == {
        (s.railroad, s.a, s.b, *s.pieces) for s in board.segments
    }
    assert len(found["mk_segments"]) == len(board.segments)
    assert {i: (r["name"], r["short"], r["price"]) for i, r in found["mk_railroads"].items()} == {
        r.id: (r.name, r.short, r.price) for r in board.railroads
    }
    assert {i: (c["name"], c["region"], c["milepost"]) for i, c in found["mk_cities"].items()} == {
        c.id: (c.name, c.region, c.milepost) for c in board.cities
    }
    assert list(found["mk_regions"]) == [r.id for r in board.regions]
    assert found["mk_destinations"] == {
        chart: {"odd": dict(cells.odd), "even": dict(cells.even)} for chart, cells in board.destinations.items()
    }
    assert found["mk_rules"] == as_php_has_it(json.loads(board.rules.model_dump_json()))
    order = board.payoffs.cities
    assert {(a, b): money for a, row in found["mk_payoffs"].items() for b, money in row.items()} == {
        (a, b): value * board.units.payoff
        for a, row in zip(order, board.payoffs.thousands, strict=True)
        for b, value in zip(order, row, strict=True)
        if a != b and value is not None
    }


def test_styles_pixels_and_the_drawing_are_one_place(tmp_path: Path) -> None:
    board = mapkit.load(REPOSITORY / "build" / "portugal" / "board.json")
    files = exported(board)
    layout, data = lay_out(board), json.loads(files[JSON])
    assert by_php(files[PHP], tmp_path) == {f"mk_{part}": as_php_has_it(data[part]) for part in PARTS}
    assert files[TRAIT] == trait_file(data)
    image = Image.open(io.BytesIO(files["img/board.png"]))
    assert max(image.size) == 2048
    assert image.size == (data["board"]["width"], data["board"]["height"])
    assert max(Image.open(io.BytesIO(files["img/board_hd.png"])).size) == 4096
    found = {
        (kind, ident): (float(left), float(top))
        for kind, ident, left, top in re.findall(
            r"^#(milepost|city)_([a-z0-9-]+) \{ left: ([0-9.]+)%; top: ([0-9.]+)%; \}$", files[CSS], re.MULTILINE
        )
    }
    places = {("milepost", m.id): layout.spots[m.id] for m in board.mileposts}
    places |= {("city", c.id): layout.squares[c.id] for c in board.cities}
    assert set(found) == set(places)
    for (kind, ident), (x, y) in places.items():
        left, top = found[kind, ident]
        assert left == pytest.approx(x / board.page.width * 100, abs=0.0006)
        assert top == pytest.approx(y / board.page.height * 100, abs=0.0006)
        row = data["mileposts" if kind == "milepost" else "cities"][ident]
        assert (row["x"], row["y"]) == pytest.approx((left * image.width / 100, top * image.height / 100), abs=0.03)
    assert set(re.findall(r"url\('([^']+)'\)", files[CSS])) == {path for path in files if path.endswith(".png")}
    assert all(re.fullmatch(r"[a-z0-9_./]+", path, re.IGNORECASE) for path in files)


def test_cards_are_cut_out_of_their_picture() -> None:
    files = of_tiny()
    data = json.loads(files[JSON])
    # an engine has a card for each of six pawns; its number is that of the first
    assert data["cards"] == {
        "deeds": {"blue": 0, "green": 1, "red": 2}, "engines": {"express": 0, "superchief": 6},
    }  # fmt: skip
    css = files[CSS]
    assert ".mk-deeds_blue { background: url('img/deeds.png') 0% 0% / 200% 200%; }" in css
    assert ".mk-deeds_green { background: url('img/deeds.png') 100% 0% / 200% 200%; }" in css
    assert ".mk-deeds_red { background: url('img/deeds.png') 0% 100% / 200% 200%; }" in css
    image = Image.open(io.BytesIO(files["img/deeds.png"])).convert("RGB")
    assert image.size == (2 * 504, 2 * 704)
    # the band at the head of each deed has its railroad's colour
    heads = [image.getpixel((504 * column + 40, 704 * row + 28)) for column, row in ((0, 0), (1, 0), (0, 1), (1, 1))]
    assert heads == [(0x1D, 0x3F, 0x8F), (0x1E, 0x7D, 0x4F), (0xB5, 0x27, 0x3A), (255, 255, 255)]


def test_hostile_names_stay_names(tmp_path: Path) -> None:
    board = tiny_board()
    cities = tuple(c.model_copy(update={"name": HOSTILE}) for c in board.cities)
    railroads = tuple(r.model_copy(update={"name": HOSTILE, "short": "?>"}) for r in board.railroads)
    hostile = board.model_copy(update={"title": f"*/ system('x'); {HOSTILE}", "cities": cities, "railroads": railroads})
    data = json.loads(json.dumps(project_variables(hostile, lay_out(board), (400, 300), {})))
    found = by_php(php_file(data), tmp_path)
    assert {c["name"] for c in found["mk_cities"].values()} == {HOSTILE}
    assert {(r["name"], r["short"]) for r in found["mk_railroads"].values()} == {(HOSTILE, "?>")}
    assert found["mk_board"]["title"] == hostile.title
    assert set(found) == {f"mk_{part}" for part in PARTS}


@pytest.mark.parametrize(
    ("value", "php"),
    [
        ("a'b", r"'a\'b'"), ("\\", r"'\\'"), ("$a ?>", "'$a ?>'"), (None, "null"), (True, "true"),
        (4.5, "4.5"), (-3, "-3"),
        ({"a": [1, []]}, "['a' => [1, []]]"), ({"a": [{"b": 1}]}, "['a' => [\n        ['b' => 1],\n    ]]"),
        ({"a": {"b": 1}, "c": {}}, "[\n    'a' => ['b' => 1],\n    'c' => [],\n]"),
    ],
)  # fmt: skip
def test_values_in_php(value: object, php: str) -> None:
    assert php_value(value) == php


def test_what_php_cannot_hold_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(60):
        deep = [deep]
    with pytest.raises(ExportError, match="50 levels"):
        php_value(deep)
    for number in (float("nan"), float("inf"), float("-inf")):
        with pytest.raises(ExportError, match="not a number"):
            php_value({"a": number})
    with pytest.raises(TypeError):
        php_value(object())


@settings(max_examples=examples(200))
@given(st.text())
def test_a_string_ends_at_its_last_quote(text: str) -> None:
    """Read as PHP reads single quotes: a backslash takes a quote or backslash after it along, and nothing else."""
    literal = php_string(text)
    body = literal[1:-1]
    assert literal[0] == literal[-1] == "'"
    read = re.sub(r"\\([\\'])", r"\1", body)
    assert read == text
    assert not re.search(r"'", re.sub(r"\\[\\']", "", body))


def test_php_reads_any_text(tmp_path: Path) -> None:
    texts = [chr(code) for code in range(1, 0x250)] + [
        "\\'" * 9,
        "\\\\\\",
        "'",
        "a\\",
        "\\n",
        "",
        "\r\n",
        "0",
        "?><?php",
    ]
    found = by_php(f"<?php\n$this->mk_t = {php_value(texts)};\n", tmp_path, ["t"])
    assert found == {"mk_t": texts}


@pytest.mark.usefixtures("small_pictures")
def test_the_same_board_gives_the_same_bytes() -> None:
    first = FORMAT.export(tiny_board(), ExportOptions())
    for kept in (board_picture._SVG_CACHE, board_picture._CARD_CACHE, board_picture._PICTURE_CACHE):
        kept.clear()
    card_grid._GRID_CACHE.clear()
    clear_layout_cache()
    again = FORMAT.export(mapkit.Board.model_validate_json(tiny_board().model_dump_json()), ExportOptions())
    assert first == again
    assert again.losses == LOSSES
