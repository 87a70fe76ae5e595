"""Pages of PDFs that are no charts are refused in a sentence, by every reader of charts."""

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NoReturn

import numpy as np
import pytest
from conftest import REPOSITORY
from PIL import Image, ImageDraw
from sampling import sample

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.formats import recogniser
from mapkit.formats.page_files import FilePages
from mapkit.formats.pdf.glyphs import read_pages
from mapkit.formats.pdf.matrix import read_matrix_tables
from mapkit.formats.recognising import page
from mapkit.formats.recognising.deskew import deskew_page
from mapkit.formats.recognising.page import read_picture_page
from mapkit.kinds.rail.sources import price_lists
from mapkit.kinds.rail.sources.destinations import files as destination_files
from mapkit.kinds.rail.sources.destinations.files import read_destination_file
from mapkit.kinds.rail.sources.payoffs import file_content
from mapkit.kinds.rail.sources.payoffs.files import read_payoff_file
from scans.pdf_writer import PdfPage, pdf, typeset

WORDS = (
    "river", "the", "of", "station", "price", "1,200", "market", "city", "Boston", "Denver", "12", "18.5", "$45",
    "2024", "index", "7", "3", "-", "odd", "even",
)  # fmt: skip


def test_a_name_above_rows_and_one_below_them() -> None:
    """What raised an IndexError: the first row that is made of a lone name has no amounts."""
    page = PdfPage()
    for k, line in enumerate(("Alpha", "Bravo 1 2 3", "Charlie 4 5 6", "Delta 7 8 9", "Echo")):
        for at, word in enumerate(line.split()):
            page.text(60 + 70 * at, 100 + 14 * k, word, 10)
    tables, _ = read_matrix_tables(read_pages(pdf([page])), file="page.pdf", kind="pdf")
    assert [row[0].text for row in tables[0].rows] == ["Alpha", "Bravo", "Charlie", "Delta", "Echo"]


def random_page(rng: Random) -> PdfPage:
    """Return prose, a list, a ragged table, or words anywhere and at any angle."""
    page = PdfPage()
    kind = rng.randrange(4)
    for k in range(rng.randrange(1, 40)):
        x = 40.0
        for _ in range(rng.randrange(1, (14, 4, 9, 3)[kind])):
            word, size = rng.choice(WORDS), rng.choice((10, 10, 10, 14)) if kind == 3 else 10
            place = (rng.uniform(20, 700), rng.uniform(20, 500)) if kind == 3 else (x, 40 + 13.0 * k)
            page.text(*place, word, size, angle=rng.choice((0, 0, 45, 90)) if kind == 3 else 0)
            x += 60 if kind == 2 else 6 * len(word) + 4
    return page


@pytest.mark.parametrize("seed", sample(range(30), 10))
def test_random_pages_are_read_or_refused(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.pdf"
    path.write_bytes(pdf([random_page(Random(seed))]))  # noqa: S311 - not for secrets
    pages = read_pages(path.read_bytes())
    for module in (file_content, destination_files, price_lists):
        monkeypatch.setattr(module, "read_file_pages", lambda *_, **__: FilePages("pdf", pages))
    for read in (
        lambda: read_payoff_file(path),
        lambda: mapkit.read_payoffs(path, board="usa", workspace=REPOSITORY),
        lambda: read_destination_file(path),
        lambda: mapkit.read_prices(path, board="usa", workspace=REPOSITORY),
    ):
        with suppress(MapkitError):
            read()


def typeset_table(rows: list[list[str]]) -> str:
    cells = ",".join(f"[{cell}]" for row in rows for cell in row)
    return f"#table(columns: {len(rows[0])}, {cells})"


STATIONS = ("Boston", "Worcester", "Springfield", "Pittsfield", "Albany", "Utica")
ITEMS = [["Item", "Pieces", "Price", "Total"], *(["Rail", str(k), "\\$12.50", f"{k * 12.5}"] for k in range(20))]
TRAINS = [["Station", *map(str, range(501, 508))]]
TRAINS += [[one, *(f"{k + 7}:{41 + k}" for k in range(7))] for one in STATIONS]
DAYS = [list("MTWTFSS"), *([str(7 * week + day) for day in range(7)] for week in range(4))]
OTHERS = {
    "invoice": f"= Invoice 2026-118\n#lorem(40)\n{typeset_table(ITEMS)}",
    "timetable": typeset_table(TRAINS),
    "calendar": typeset_table(DAYS),
    "prose": "".join(f"#lorem(120) In 18{k} it was {k} miles and {k}.5 hours. " for k in range(10, 60)),
    "index": "".join(f"{one} #box(width: 1fr, repeat[.]) {k * 7}, {k * 9} \\\n" for k, one in enumerate(STATIONS * 9)),
}


@pytest.mark.parametrize("name", sample(list(OTHERS), 2))
@pytest.mark.parametrize("board", [None, "usa"])
def test_other_documents_are_refused_before_their_pictures_are_read(
    name: str, board: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Comparing text with pictures took most of the 2 to 15 seconds after which such documents were refused."""
    path = tmp_path / "other.pdf"
    path.write_bytes(typeset(OTHERS[name]))

    def compare(*_: object, **__: object) -> NoReturn:
        pytest.fail("compared with its picture")

    monkeypatch.setattr(recogniser, "compare_with_picture", compare)
    with pytest.raises(MapkitError) as refused:
        mapkit.read_payoffs(path, board=board, workspace=REPOSITORY)
    assert str(path) in str(refused.value)


def test_noise_has_no_lines_of_text() -> None:
    """Such pictures were searched for words for more than two minutes."""
    pytest.importorskip("cv2")
    noise = np.random.default_rng(4912).integers(0, 256, (700, 900), dtype=np.uint8)
    assert deskew_page(noise) is None


def names_anywhere(rng: Random) -> Image.Image:
    """Return names at random places, as on a map."""
    picture = Image.new("L", (2800, 2100), 255)
    for _ in range(200):
        place = (rng.randrange(2700), rng.randrange(2070))
        ImageDraw.Draw(picture).text(place, rng.choice(("Boston", "Denver", "Utica", "Albany")), 0, font_size=18)
    return picture


def test_a_map_is_refused_after_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """All their words were read before: a picture of a board took a minute, and 2.6 GB."""
    pytest.importorskip("rapidocr")

    def read_all(*_: object) -> NoReturn:
        pytest.fail("read the whole page")

    monkeypatch.setattr(page, "_read_boxes", read_all)
    picture = np.asarray(names_anywhere(Random(4913)), dtype=np.uint8)  # noqa: S311 - not for secrets
    assert read_picture_page(picture).words == ()
