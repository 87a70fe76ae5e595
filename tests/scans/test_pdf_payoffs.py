"""Payoff charts in PDFs: every cell is read as printed, whatever the layout, and knows where it stands."""

import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from conftest import Run
from sampling import sample

from mapkit.core.errors import ChoiceError, MapkitError, SourceError
from mapkit.document.workspace import open_workspace
from mapkit.formats.pdf import guard
from mapkit.formats.pdf.glyphs import MAX_PAGES, RefusedError, read_pages
from mapkit.formats.pdf.matrix import read_matrix_tables
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.rail.sources.board_cities import board_cities
from mapkit.kinds.rail.sources.payoffs.file_content import ReadOptions
from mapkit.kinds.rail.sources.payoffs.files import read_payoff_file
from scans.chart_pages import CUT, LAYOUTS, SMALL_LAYOUTS, Chart, chart_of
from scans.pdf_writer import PdfPage, assembled, pdf

pytestmark = pytest.mark.usefixtures("pdf_here")

REPOSITORY = Path(__file__).resolve().parents[2]
SMALL = Chart(
    ("Albany", "Boston", "Fort Worth", "Reno", "Salt Lake City", "Tampa", "Washington DC"),
    ((0, 2, 17, 25.5, 23.5, 13.5, 3.5), (2, 0, 19.5, 30.5, 25.5, 14, 4.5), (17, 19.5, 0, 19, 13.5, 12.5, 14),
     (25.5, 30.5, 19, 0, 5.5, 31, 28), (23.5, 25.5, 13.5, 5.5, 0, 25, 23), (13.5, 14, 12.5, 31, 25, 0, 9.5),
     (3.5, 4.5, 14, 28, 23, 9.5, 0)),
)  # fmt: skip
CASES = [(board, layout) for layout in LAYOUTS for board in ("usa", "portugal", "mexico")]
"""A list of pairs has thousands of words on the largest board, and each is compared with its picture."""


def read(tmp_path: Path, data: bytes, board: str | None = None, options: ReadOptions | None = None) -> PayoffsRead:
    path = tmp_path / "chart.pdf"
    path.write_bytes(data)
    known = board_cities(open_workspace(REPOSITORY), board) if board else None
    return read_payoff_file(
        path, file="chart.pdf", board=board or "", cities=known.cities if known else None, options=options
    )


def wrong_cells(found: PayoffsRead, chart: Chart, names: dict[str, str], count: int) -> list[tuple[str, str]]:
    """Return the pairs that the reading does not give as printed; each pair must be read at least once."""
    at = {city: k for k, city in enumerate(found.chart.cities)}
    given = {(r.row, r.col): r.value for r in found.chart.readings if r.value is not None}
    out = []
    for i in range(count):
        for j in range(i):
            one, other = (at.get(names[chart.names[k]]) for k in (i, j))
            values = {given[key] for key in ((one, other), (other, one)) if key in given}
            if values != {chart.amounts[i][j]}:
                out.append((chart.names[i], chart.names[j]))
    return out


@pytest.mark.parametrize(("board", "layout"), sample(CASES, 7))
def test_every_cell_of_every_layout_is_read(board: str, layout: str, tmp_path: Path) -> None:
    chart = chart_of(board)
    count = min(CUT, len(chart.names)) if layout == "cut_names" else len(chart.names)
    found = read(tmp_path, LAYOUTS[layout](chart), board)
    known = {city.name: city.id for city in board_cities(open_workspace(REPOSITORY), board).cities}
    assert wrong_cells(found, chart, known, count) == []
    assert not found.not_read
    assert len(found.chart.cities) == count


@pytest.mark.parametrize("make", SMALL_LAYOUTS)
def test_small_charts_are_read_whole(make: Callable[[Chart], bytes], tmp_path: Path) -> None:
    found = read(tmp_path, make(SMALL))
    names = {match.typed: match.city for match in found.names}
    assert wrong_cells(found, SMALL, names, len(SMALL.names)) == []
    assert (found.in_doubt, found.not_read) == ((), ())


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "cut_names"])  # these need the board's names
def test_a_chart_needs_no_board(layout: str, tmp_path: Path) -> None:
    found = read(tmp_path, LAYOUTS[layout](SMALL))
    names = {match.typed: match.city for match in found.names}
    assert wrong_cells(found, SMALL, names, len(SMALL.names)) == []
    assert set(names) == set(SMALL.names)


def test_each_cell_knows_its_page_and_box(tmp_path: Path) -> None:
    found = read(tmp_path, LAYOUTS["four_quarters"](SMALL))
    readings = {(found.chart.cities[r.row], found.chart.cities[r.col]): r for r in found.chart.readings}
    first, last = readings["albany", "boston"], readings["salt-lake-city", "reno"]
    assert first.spot is not None
    assert last.spot is not None
    assert (first.spot.page, last.spot.page) == (1, 4)
    assert first.where.startswith("chart.pdf:page 1, row ")
    assert (first.spot.how, first.spot.confidence) == ("text", 1.0)
    other = readings["albany", "reno"].spot  # in the same row, on a page that is not turned
    assert other is not None
    assert other.page == 2
    assert first.spot.box[1] == pytest.approx(842 - other.box[3], abs=0.2)  # the viewer turns page 1 by 180 degrees


def test_boxes_are_where_the_text_is_drawn(tmp_path: Path) -> None:
    page = PdfPage(400, 300)
    for r, name in enumerate(("Ayr", "Bute", "Crieff")):
        page.text(20, 100 + 20 * r, name, 10)
        for c in range(3):
            page.text(100 + 50 * c, 100 + 20 * r, "-" if r == c else f"{3 * (r + c)}.5", 10)
    found = read(tmp_path, pdf([page]))
    spot = next(r.spot for r in found.chart.readings if r.text == "9.5")  # Bute - Crieff, at (200, 120)
    assert spot is not None
    left, top, right, bottom = spot.box
    assert left == pytest.approx(200, abs=0.5)
    assert right == pytest.approx(200 + 13.9, abs=0.5)
    assert top < 120 - 7 < 120 < bottom


def test_our_own_printed_charts(tmp_path: Path, run: Run) -> None:
    """`mapkit print` makes a PDF that `mapkit payoffs read` reads."""
    where = ("--only", "payoffs-1", "-o", str(tmp_path / "all.pdf"))
    assert run("print", str(REPOSITORY / "sources" / "portugal"), *where).code == 0
    chart = chart_of("portugal")
    found = read(tmp_path, (tmp_path / "all.pdf").read_bytes(), "portugal")
    known = {city.name: city.id for city in board_cities(open_workspace(REPOSITORY), "portugal").cities}
    assert wrong_cells(found, chart, known, len(chart.names)) == []


def test_pages_may_be_chosen(tmp_path: Path) -> None:
    cover = PdfPage(595, 842)
    cover.text(100, 100, "A rule book without a chart", 20)
    out = BytesIO()
    chart = BytesIO(LAYOUTS["square_with_standing_names"](SMALL))
    with pikepdf.open(chart) as book, pikepdf.open(BytesIO(pdf([cover, cover]))) as covers:
        for page in reversed(covers.pages):
            book.pages.insert(0, page)
        book.save(out)
    whole = read(tmp_path, out.getvalue())
    assert [note for note in whole.notes if "page 1 " in note] == [
        "chart.pdf: page 1 has no rows of amounts and was left out"
    ]
    chosen = read(tmp_path, out.getvalue(), options=ReadOptions(pages=(3,)))
    assert chosen.chart.readings == whole.chart.readings
    with pytest.raises(SourceError, match=r"^chart\.pdf: it has 3 pages, no page 4; give other --pages$"):
        read(tmp_path, out.getvalue(), options=ReadOptions(pages=(4,)))
    (tmp_path / "chart.csv").write_text("city,Ayr,Bute\nAyr,0,1.5\nBute,1.5,0\n", encoding="utf-8")
    with pytest.raises(ChoiceError, match="--pages is given, but this is not a PDF"):
        read_payoff_file(tmp_path / "chart.csv", options=ReadOptions(pages=(1,)))


def encrypted() -> bytes:
    out = BytesIO()
    with pikepdf.open(BytesIO(pdf([PdfPage()]))) as book:
        book.save(out, encryption=pikepdf.Encryption(owner="a", user="b"))
    return out.getvalue()


def bomb() -> bytes:
    """A file of 300 KB that unpacks to 300 MB."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(b" " * 2**20) for _ in range(300)) + packer.flush()
    return assembled([
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed),
    ])  # fmt: skip


def many_pages(count: int) -> bytes:
    kids = b"3 0 R " * count
    return assembled([
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
    ])  # fmt: skip


BAD = {
    "password": (encrypted, "encrypted with a password; save a copy without one"),
    "cut off": (lambda: pdf([PdfPage()])[:200], "cut off, its end is missing"),
    "damaged": (lambda: b"%PDF-1.7\nnothing\n%%EOF\n", "the PDF is damaged; open it in a viewer"),
    "no text": (lambda: pdf([PdfPage()]), "no chart found: its pages have no text"),
    "a bomb": (bomb, "unpacks to more than"),
    "many pages": (lambda: many_pages(10_000), f"10,000 pages; at most {MAX_PAGES} are read; choose some with --pages"),
    "many objects": (lambda: assembled([b"0"] * (guard.MAX_OBJECTS + 1)), "200,001 objects; the limit is 200,000"),
    "deep": (lambda: assembled([b"<< /Pages " + b"[" * 9000 + b"]" * 9000 + b" >>"]), "nested more than 500 deep"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_pdfs_are_refused_in_words(name: str, tmp_path: Path) -> None:
    make, message = BAD[name]
    with pytest.raises(SourceError, match=message) as caught:
        read(tmp_path, make())
    assert str(caught.value).startswith("chart.pdf: ")
    assert "\n" not in str(caught.value)


def test_text_that_is_not_drawn_is_no_text(tmp_path: Path) -> None:
    """Programs that read scans lay their guesses under the picture, unseen."""
    page = PdfPage(mode="3 Tr ")
    page.text(50, 50, "Albany 2 3.5 10", 10)
    with pytest.raises(SourceError, match="pictures with a layer of text that another program read from them"):
        read(tmp_path, pdf([page]))


def test_a_page_of_something_else(tmp_path: Path) -> None:
    page = PdfPage()
    page.text(50, 50, "The quick brown fox jumps over the lazy dog", 10)
    with pytest.raises(SourceError, match=r"no chart found: no rows of amounts among its 9 words \('The', 'quick'"):
        read(tmp_path, pdf([page]))


def test_a_letter_with_amounts_is_no_chart(tmp_path: Path) -> None:
    page = PdfPage()
    for line in range(5):
        page.text(50, 50 + 20 * line, "We saw", 10)
        page.text(200, 50 + 20 * line, "3", 10)
        page.text(300, 50 + 20 * line, "12", 10)
    with pytest.raises(SourceError, match=r"no chart found: \d+ words \('We', .*\), and none is a city of "):
        read(tmp_path, pdf([page]), board="usa")


def test_pages_are_suggested_where_others_are_in_the_way(tmp_path: Path) -> None:
    other = PdfPage()
    for row, name in enumerate(("Albany", "Boston", "Fort Worth", "Reno")):
        other.text(60, 60 + 15 * row, name, 9)
        for column in range(9):
            other.text(150 + 40 * column, 60 + 15 * row, "7", 9)
    chart = LAYOUTS["square_with_standing_names"](SMALL)
    with pikepdf.open(BytesIO(chart)) as book, pikepdf.open(BytesIO(pdf([other]))) as more, BytesIO() as out:
        book.pages.append(more.pages[0])
        book.save(out)
        data = out.getvalue()
    with pytest.raises(SourceError) as refused:
        read(tmp_path, data, "usa")
    said = "chart.pdf: amounts are on pages 1 to 2; if the chart is on some of them, name those with --pages"
    assert refused.value.problems[0] == said
    found = read(tmp_path, data, "usa", ReadOptions(pages=(1,)))
    assert len(found.chart.cities) == len(SMALL.names)


def test_scripts_and_files_in_a_pdf_do_nothing() -> None:
    """What a PDF would run when it is opened is not looked at."""
    page = PdfPage()
    for r, name in enumerate(("Ayr", "Bute")):
        page.text(20, 100 + 20 * r, name, 10)
        page.text(100, 100 + 20 * r, "1.5", 10) if r else None
    data = pdf([page], extra="/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>")
    found = read_matrix_tables(read_pages(data), file="f")[0]
    assert [[cell.text for cell in row] for row in found[0].rows][-1] == ["Bute", "1.5"]


@pytest.mark.parametrize("cut", range(0, 900, 37))
def test_damage_anywhere_is_no_crash(cut: int) -> None:
    data = LAYOUTS["square_with_standing_names"](SMALL)
    changed = data[:cut] + b"\x00" * 9 + data[cut + 9 :]
    try:
        guard.refuse_hostile(changed, file="f")
        read_matrix_tables(read_pages(changed), file="f")
    except (RefusedError, MapkitError):
        pass


@pytest.mark.parametrize("blot", [(0, 0), (12, 30), (-20, 40)])
def test_a_blot_that_looks_like_an_amount_spoils_no_other_row(blot: tuple[float, float]) -> None:
    """It lies on an amount of the fullest row, beside it, or over it and the next one."""
    (page,) = read_pages(LAYOUTS["square_with_standing_names"](SMALL))
    mark = next(word for word in page.words if word.text == "25.5")
    left, right = blot
    more = mark._replace(text="-", left=mark.left + left, right=mark.right + right)
    (table,), _ = read_matrix_tables([page._replace(words=(*page.words, more))], file="chart.pdf")
    assert sum(row[0].text in SMALL.names for row in table.rows) >= len(SMALL.names) - 1
