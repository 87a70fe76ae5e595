"""Single edits of files of every vector format; `tests/fuzz/vectors.py` tries more."""

from contextlib import suppress
from pathlib import Path

import pytest
from sampling import is_long

from fuzz.vectors import CASES, find_faults, write_drawn
from mapkit.core.errors import SourceError
from mapkit.formats.lines.any_file import read_any

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", CASES)
def test_an_edited_file_is_read_or_refused(name: str, tmp_path: Path) -> None:
    assert list(find_faults(name, 100 if is_long() else 3, tmp_path)) == []


def test_a_table_without_a_column_of_shapes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lines.csv"
    path.write_text('route,railroad\n"LINESTRING (1 2, 3 4)",Shore\n', encoding="utf-8")
    with pytest.raises(SourceError, match=r"lines\.csv: no column with shapes; call it wkt"):
        read_any(path)


@pytest.mark.parametrize("ids", [(-1, -2), (2, 1)])
def test_nodes_of_openstreetmap_come_in_any_order(tmp_path: Path, ids: tuple[int, int]) -> None:
    """JOSM gives new nodes negative ids, and some programs write them in no order."""
    path = tmp_path / "lines.osm"
    first, second = ids
    path.write_text(
        f'<osm version="0.6"><node id="{first}" lat="42" lon="-71"/><node id="{second}" lat="43" lon="-71"/>'
        f'<way id="9"><nd ref="{first}"/><nd ref="{second}"/><tag k="operator" v="Shore"/></way></osm>',
        encoding="utf-8",
    )
    layer = read_any(path)
    assert [line.wkt for line in layer.lines] == ["LINESTRING (-71 42, -71 43)"]
    assert layer.line_keys == ("Shore",)


@pytest.mark.parametrize("part", [b"lines_geom", b"WHEN", b"WHERE"])
def test_a_text_of_sqlite_in_another_encoding_is_no_defect(tmp_path: Path, part: bytes) -> None:
    path = tmp_path / "lines.gpkg"
    path.write_bytes(write_drawn("lines.gpkg", "GPKG")["lines.gpkg"].replace(part, part[:-1] + b"\xe9"))
    with suppress(SourceError):
        assert len(read_any(path).lines)


def test_a_name_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lines.json"
    path.write_bytes(b'{"elements": [{"type": "way", "id": 9, "tags": {"operat\xe9r": "Shore"}}]}')
    with pytest.raises(SourceError, match=r"lines\.json"):
        read_any(path)
