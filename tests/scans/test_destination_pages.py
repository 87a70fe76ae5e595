"""Destination charts in PDFs and pictures: every cell as printed, in any layout."""

import zipfile
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run
from optional import recogniser
from PIL import Image

import mapkit
from mapkit.core.errors import SourceError
from mapkit.kinds.rail.model.board import Board
from scans.destination_pages import LAYOUTS, Charts, charts_of
from scans.pdf_writer import PdfPage, pdf
from scans.pictures_of import LOOKS, page_pictures, taken

pytestmark = pytest.mark.usefixtures("pdf_here")

BOARDS = ("usa", "mexico", "portugal")


def board_of(name: str) -> Board:
    return mapkit.load(name, workspace=REPOSITORY)


def written(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "chart.pdf"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", BOARDS)
def test_every_cell_is_read_as_printed(tmp_path: Path, name: str, layout: str) -> None:
    board = board_of(name)
    found = mapkit.check_destinations(
        written(tmp_path, LAYOUTS[layout](charts_of(board))), board=name, workspace=REPOSITORY
    )
    assert found.charts == board.destinations


def test_headings_may_be_in_another_language(tmp_path: Path) -> None:
    """As `mapkit print` writes them in Spanish and Portuguese."""
    board = board_of("portugal")
    charts = charts_of(board)
    page = PdfPage(420, 300)
    for x, text in ((60, "Ímpar"), (240, "Par")):
        page.text(x, 40, text, 8)
    page.text(60, 20, "Regiões", 12)
    for k, row in enumerate(charts[0][1]):
        for x, text in zip((20, 60, 240), row, strict=True):
            page.text(x, 60 + 15 * k, text, 9)
    found = mapkit.check_destinations(written(tmp_path, pdf([page])), board="portugal", workspace=REPOSITORY)
    assert found.charts == {"regions": board.destinations["regions"]}


def test_a_chart_whose_columns_nothing_names_is_refused(tmp_path: Path) -> None:
    page = PdfPage(420, 300)
    page.text(60, 20, "Regions", 12)
    for k, row in enumerate(charts_of(board_of("usa"))[0][1]):
        for x, text in zip((20, 60, 240), row, strict=True):
            page.text(x, 60 + 15 * k, text, 9)
    with pytest.raises(SourceError, match=r"chart.pdf:page 1, row 2, column 2: nothing says whether 'Plains' is odd"):
        mapkit.check_destinations(written(tmp_path, pdf([page])), board="usa", workspace=REPOSITORY)


def test_a_page_of_something_else_is_refused_with_what_was_seen(tmp_path: Path, run: Run) -> None:
    page = PdfPage()
    page.text(60, 60, "A letter about trains", 12)
    path = written(tmp_path, pdf([page]))
    done = run("destinations", "check", path, "--board", "usa", "--workspace", REPOSITORY)
    assert done.code == 1
    assert "chart.pdf: no destination chart found: 4 words ('A', 'letter', 'about', 'trains', ...)" in done.err


def test_a_page_of_text_with_sums_in_it_is_no_chart(tmp_path: Path) -> None:
    page = PdfPage()
    for total in range(2, 13):
        page.text(60, 60 + 15 * total, str(total), 9)
        page.text(90, 60 + 15 * total, "Once", 9)
    path = written(tmp_path, pdf([page]))
    for board in ("usa", None):
        with pytest.raises(SourceError) as refused:
            mapkit.read_destinations(path, board=board, workspace=REPOSITORY)
        assert str(refused.value) == (
            f"{path}: no destination chart found: 22 words ('2', 'Once', '3', 'Once', ...), "
            "but no names beside sums from 2 to 12"
        )


def test_an_archive_that_is_called_a_picture_is_refused_as_what_it_is(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "chart.png"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "a")
    for command in (("destinations", "check"), ("destinations", "read"), ("railroads", "read"), ("payoffs", "read")):
        done = run(*command, file, "--board", "usa", "--workspace", REPOSITORY)
        assert (done.code, done.out) == (1, "")
        assert "chart.png: a zip archive, but no XLSX workbook" in done.err


def test_pages_are_suggested_where_others_are_in_the_way(tmp_path: Path, run: Run) -> None:
    other = PdfPage()
    for total in range(2, 13):
        other.text(60, 60 + 15 * total, str(total), 9)
        other.text(90, 60 + 15 * total, "Plains", 9)
    path = written(tmp_path, pdf([other, other]))
    said = "chart.pdf: 2 pages are read; if the charts are on some of them, name those with --pages"
    assert said in run("destinations", "read", path, "--board", "usa", "--workspace", REPOSITORY).err
    done = run("destinations", "read", path, "--board", "usa", "--pages", "1", "--workspace", REPOSITORY)
    assert "nothing says whether 'Plains' is odd" in done.err
    assert "name those with --pages" not in done.err


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("payoffs", "read"), "no chart found: its pages have no text"),
        (("destinations", "check"), "no destination chart found: no table of clear text was seen; scan it at 200 dots"),
        (("railroads", "read"), "no prices found: no table of clear text was seen; scan it at 200 dots"),
    ],
)
def test_an_empty_page_says_that_nothing_was_seen(
    tmp_path: Path, run: Run, command: tuple[str, str], said: str
) -> None:
    path = written(tmp_path, pdf([PdfPage()]))
    done = run(*command, path, "--board", "usa", "--workspace", REPOSITORY)
    assert (done.code, done.out) == (1, "")
    assert f"chart.pdf: {said}" in done.err


def test_pages_are_for_pdfs_only(tmp_path: Path, run: Run) -> None:
    (tmp_path / "chart.csv").write_text("chart,sum,odd,even\nregions,2,a,b\n", encoding="utf-8")
    done = run("destinations", "check", tmp_path / "chart.csv", "--pages", "2", "--workspace", REPOSITORY)
    assert done.code == 2
    assert "chart.csv: --pages is given, but this is not a PDF" in done.err


def test_one_page_of_several_is_read(tmp_path: Path) -> None:
    board = board_of("usa")
    path = written(tmp_path, LAYOUTS["names_on_two_lines"](charts_of(board)))
    found = mapkit.check_destinations(path, board="usa", options=mapkit.ChartOptions(pages=(2,)), workspace=REPOSITORY)
    name = list(board.destinations)[1]
    assert found.charts == {name: board.destinations[name]}


@pytest.mark.slow
def test_a_scan_is_read_with_its_names_settled_by_the_board(tmp_path: Path) -> None:
    recogniser()
    board = board_of("portugal")
    charts: Charts = [one for one in charts_of(board) if one[0] in ("Regions", "Alentejo")]
    page = page_pictures(LAYOUTS["centred_below_titles"](charts), LOOKS["scan-200"].dpi)[1]
    path = tmp_path / "scan.png"
    Image.fromarray(taken(page, LOOKS["scan-200"])).save(path)
    found = mapkit.check_destinations(path, board="portugal", workspace=REPOSITORY)
    assert found.charts == {"alentejo": board.destinations["alentejo"]}


def test_a_box_leaves_out_what_is_beside_the_charts_or_the_list(tmp_path: Path, run: Run) -> None:
    page = PdfPage()
    for total in range(2, 13):
        for left, name in ((60, "Boston"), (360, "Nowhere")):
            page.text(left, 60 + 15 * total, str(total), 9)
            page.text(left + 30, 60 + 15 * total, name, 9)
            page.text(left + 100, 60 + 15 * total, name, 9)
    for left in (60, 360):
        for right, word in ((0, "Sum"), (30, "Odd"), (100, "Even")):
            page.text(left + right, 75, word, 9)
        page.text(left, 60, "Northeast", 9)
    for top, name in ((400, "Union Pacific"), (415, "Nowhere Railroad")):
        page.text(60, top, name, 9)
        page.text(200, top, "40,000", 9)
    path = written(tmp_path, pdf([page]))
    given = (path, "--board", "usa", "--workspace", REPOSITORY)
    assert "page 1, row 16" in run("destinations", "read", *given).err
    out = tmp_path / "out.csv"
    assert run("destinations", "read", *given, "--box", "40,40,300,300", "--out", out).code == 0
    assert out.read_text(encoding="utf-8").count("Boston") == 22
    assert "'Boston' may be" in run("railroads", "read", *given).err
    listed = run("railroads", "read", *given, "--box", "40,390,400,410")
    assert (listed.code, "1 price," in listed.out) == (0, True)


@pytest.mark.parametrize("command", ["destinations", "railroads"])
def test_boxes_are_for_pages_only(tmp_path: Path, run: Run, command: str) -> None:
    (tmp_path / "chart.csv").write_text("chart,sum,odd,even\nregions,2,a,b\n", encoding="utf-8")
    done = run(command, "read", tmp_path / "chart.csv", "--board", "usa", "--box", "0,0,9,9", "--workspace", REPOSITORY)
    assert (done.code, "--box is given, but this is neither a PDF nor a picture" in done.err) == (2, True)
