"""Limits in the documents are the limits of the program."""

import pytest
from conftest import REPOSITORY

from mapkit.editor.server import limits, pictures
from mapkit.formats import files, pixels
from mapkit.formats.cells import json_files, table, xlsx
from mapkit.kinds.rail.editing import line_files
from mapkit.kinds.rail.exchange.rb3 import text as rb3
from mapkit.kinds.rail.sources import layers
from mapkit.press import raster
from mapkit.variants import reading, variant

MIB = 2**20
MILLION = 1_000_000


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("scans", f"up to {pixels.MAX_PIXELS // MILLION} million pixels"),
        ("print", f"at most {raster.MAX_PIXELS // MILLION} million pixels"),
        ("rb3", f"at most {rb3.MAX_BYTES // MIB} MB, a line {rb3.MAX_LINE // 1024} KB"),
        ("charts", f"at most {files.MAX_BYTES // MIB} MiB and a million cells"),
        ("charts", f"workbook {xlsx.MAX_UNPACKED // MIB} MiB, JSON and code {json_files.MAX_DEPTH} levels"),
        ("variants", f"at most {reading.MAX_BYTES // MIB} MiB and {variant.MAX_OPERATIONS:,} operations"),
        ("editor", f"{pictures.MAX_BYTES // MIB} MB and {pictures.MAX_PIXELS // MILLION} million pixels at most"),
        ("editor", f"files of lines {line_files.MAX_BYTES // MIB} MB and {line_files.MAX_VERTICES:,} vertices"),
        ("editor", f"other requests {limits.REQUEST // MIB} MB"),
        ("themes", f"at most {layers.MAX_BYTES // MIB} MiB and {layers.MAX_POINTS:,} points"),
    ],
)
def test_a_limit_is_what_its_page_says(page: str, words: str) -> None:
    text = (REPOSITORY / "docs" / "how-to" / f"{page}.md").read_text(encoding="utf-8")
    assert words in " ".join(text.split())
    assert table.MAX_CELLS == MILLION
