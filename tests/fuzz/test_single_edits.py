"""Single edits of good files, through the commands that read them: a result, or a message that names the file.

The normal run tries two edits of each reader, the same in every run; `--long` tries a hundred.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from sampling import is_long, sample

from fuzz.edits import Edit
from fuzz.readers import READERS, files_of, try_edit
from mapkit.document.journal import decode, encode

pytestmark = pytest.mark.slow

EDITS = 100 if is_long() else 2
COMMANDS = 2 if is_long() else 1
SEED = 18


@pytest.mark.parametrize("name", sample(list(READERS), 18))
def test_an_edit_is_read_or_refused(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    good, count = files_of(reader)[reader.file], len(reader.commands)
    wrong: list[str] = []
    for number in range(EDITS):
        edit = reader.make(good, Random(f"{name} {SEED} {number}"))  # noqa: S311 - no secret
        commands = {reader.commands[(number + at) % count]: None for at in range(COMMANDS)}
        ends = try_edit(reader, edit, tmp_path / "workspace", tuple(commands))
        wrong += [f"{number}: {edit.says}: {end.command}: {end.wrong}\n{end.text}" for end in ends if end.wrong]
    assert wrong == []


def test_a_variant_that_says_a_part_of_an_edit_is_no_leftover(tmp_path: Path) -> None:
    """`variant from` writes it, and ends with exit code 1 because of the rest, as its help says."""
    reader = READERS["node-link board"]
    graph = json.loads(files_of(reader)[reader.file])
    edit = Edit("multigraph empty", json.dumps(graph | {"multigraph": ""}).encode())
    [ended] = try_edit(reader, edit, tmp_path / "w", ("variant from {} mine --of tiny.json",))
    assert (ended.code, ended.wrong) == (1, "")


def test_a_defect_is_not_taken_for_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise IndexError("list index out of range")

    monkeypatch.setattr("mapkit.kinds.rail.api.importing.whole_board", broken)
    reader = READERS["geojson"]
    [ended] = try_edit(reader, Edit("none", files_of(reader)[reader.file]), tmp_path / "w", reader.commands[:1])
    assert ended.wrong == "IndexError: list index out of range"


def _doubled(data: bytes) -> bytes:
    """Return GML whose first feature has its railroad twice, which GDAL takes for a list."""
    start = data.index(b"<ogr:railroad>")
    end = data.index(b"</ogr:railroad>") + len(b"</ogr:railroad>")
    return data[:end] + data[start:end] + data[end:]


FOUND: dict[str, tuple[str, Callable[[bytes], bytes], int, str]] = {
    "graph of a number": (
        "node-link board",
        lambda data: json.dumps(json.loads(data) | {"graph": 5}).encode(),
        1,
        "edited.node-link.json: graph is '5', not an object; export the board again",
    ),
    "deep TOML": (
        "board.toml",
        lambda _: b"a = " + b"[" * 600 + b"]" * 600,
        0,
        "board.toml: S01 error: nested too",
    ),
    "digits in TOML": ("board.toml", lambda _: b"a = " + b"1" * 5000, 1, "board.toml: a number in it has thousands of"),
    "digits in rules": ("rules", lambda _: b"a = " + b"1" * 5000, 0, "mine.toml: a number in it has thousands of"),
    "vast payoff": (
        "payoff json",
        lambda data: data.replace(b'"Boston": ', b'"Boston": 1e308, "x": ', 1),
        0,
        "too large; give an amount up to 1,000,000,000",
    ),
    "city without amounts": (
        "payoff json",
        lambda data: data.replace(b'"Boston": 0.0', b'"Boston": 0.0, "Atlantis": 0.0', 1),
        1,
        "",
    ),
    "letter in a CRS": (
        "shapefile .prj",
        lambda data: data.replace(b"WGS", b"W\xe9S", 1),
        0,
        "drawn.shp: its CRS is not a text in UTF-8; write it again in EPSG:4326",
    ),
    "letter in SQLite": (
        "geopackage board",
        lambda data: data.replace(b"CREATE TABLE 'regions'", b"CREATE TABLE '\xff\xffgions'", 1),
        1,
        "edited.gpkg: ",
    ),
    "swapped point": (
        "kml",
        lambda data: re.sub(rb"<Point><coordinates>([^,<]+),([^,<]+)", rb"<Point><coordinates>\2,\1", data, count=1),
        1,
        "edited.geojson#2: lon 41.31, lat -72.93 is far from every city, but among the cities with the two swapped",
    ),
    "swapped lines": (
        "gml",
        lambda data: re.sub(rb'srsName="[^"]*"', rb'srsName="EPSG:4326"', data),
        1,
        "edited.geojson#0: the file lies around lon 4",
    ),
    "key of a quote": (
        "kml",
        lambda data: data.replace(b">shore<", b">&quot;<", 1),
        1,
        "edited.kml: key '\"' cannot become an id for a railroad",
    ),
    "long key": (
        "board.toml",
        lambda data: b"x" * 3000 + b" = 1\n" + data,
        0,
        f"unknown key '{'x' * 80}...'",
    ),
    "type in GeoJSON": (
        "geojson",
        lambda data: json.dumps(json.loads(data) | {"features": ["a"]}).encode(),
        0,
        "edited.geojson: not valid GeoJSON: features[0] is a text, not an object; fix it or export it again",
    ),
    "list in GML": ("gml", _doubled, 0, "shore       2"),
    "no whole board": (
        "geojson board",
        lambda _: b"",
        1,
        "edited.geojson: not a whole board as mapkit export",
    ),
    "journal": (
        "journal",
        lambda data: encode({**(decode(data.splitlines(keepends=True)[0]) or {}), "files": "5"}),
        0,
        "example: the journal's first entry cannot be read; move the journal away",
    ),
}


@pytest.mark.parametrize("edit", FOUND)
def test_what_edits_found_stays_right(edit: str, tmp_path: Path) -> None:
    name, change, command, says = FOUND[edit]
    reader = READERS[name]
    edited = Edit(edit, change(files_of(reader)[reader.file]))
    [ended] = try_edit(reader, edited, tmp_path / "workspace", reader.commands[command : command + 1])
    assert ended.wrong == ""
    assert says in ended.text
