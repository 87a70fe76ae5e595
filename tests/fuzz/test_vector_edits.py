"""Single edits of files of every vector format; `tests/fuzz/vectors.py` tries more."""

from pathlib import Path

import pytest
from sampling import is_long

from fuzz.vectors import CASES, find_faults
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
