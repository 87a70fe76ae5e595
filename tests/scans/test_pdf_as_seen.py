"""What a PDF says is compared with what its pages show: cells that show nothing, or something else, are in doubt."""

from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from optional import recogniser

from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.rail.sources.board_cities import board_cities
from mapkit.kinds.rail.sources.payoffs.files import read_payoff_file
from scans.chart_pages import LAYOUTS, chart_of
from scans.pdf_writer import typeset
from scans.scores import REPOSITORY

pytestmark = pytest.mark.usefixtures("pdf_here")

SHOWS_OTHERWISE = "the page does not show what its text says"
ONE_FOR_SEVEN = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Lie def /CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange
2 beginbfrange <20> <36> <0020> <38> <7E> <0038> endbfrange 1 beginbfchar <37> <0031> endbfchar
endcmap end end"""


def read(path: Path) -> PayoffsRead:
    known = board_cities(open_workspace(REPOSITORY), "portugal")
    return read_payoff_file(path, file="chart.pdf", board="portugal", cities=known.cities)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "chart.pdf"
    made.write_bytes(LAYOUTS["square_with_standing_names"](chart_of("portugal")))
    return made


def covered(path: Path, boxes: list[tuple[float, float, float, float]]) -> None:
    """Lay white boxes over the first page: left, top, right, bottom in points from its top left corner."""
    with pikepdf.open(BytesIO(path.read_bytes())) as document:
        page = document.pages[0]
        high = float(page.mediabox[3])
        for left, top, right, bottom in boxes:
            box = f"q 1 g {left:.2f} {high - bottom:.2f} {right - left:.2f} {bottom - top:.2f} re f Q"
            page.contents_add(document.make_stream(box.encode()))
        document.save(path)


def doubts(found: PayoffsRead) -> dict[tuple[str, str], str]:
    return {(cell.a, cell.b): cell.why for cell in found.in_doubt}


def test_nothing_is_in_doubt_where_the_page_shows_what_its_text_says(path: Path) -> None:
    assert read(path).in_doubt == ()


@pytest.mark.parametrize("share", [1.0, 0.55])
def test_cells_that_are_covered_wholly_or_in_part_are_in_doubt(path: Path, share: float) -> None:
    found = read(path)
    chosen = [reading for reading in found.chart.readings if len(reading.text) > 1][10::400]
    spots = [reading.spot.box for reading in chosen if reading.spot is not None]
    covered(path, [(left, top, left + share * (right - left), bottom) for left, top, right, bottom in spots])
    again = read(path)
    order = found.chart.cities
    assert doubts(again) == {(order[one.row], order[one.col]): SHOWS_OTHERWISE for one in chosen}
    assert [r.value for r in again.chart.readings] == [r.value for r in found.chart.readings], "text is not overridden"


def test_characters_that_a_font_draws_as_others_are_in_doubt(path: Path) -> None:
    """Where the text says `1`, the page shows some 1 and some 7."""
    recogniser()
    order = read(path).chart.cities
    with pikepdf.open(BytesIO(path.read_bytes())) as document:
        document.pages[0].Resources.Font.F.ToUnicode = document.make_stream(ONE_FOR_SEVEN)
        document.save(path)
    chart = chart_of("portugal")
    ids = {city.id: city.name for city in board_cities(open_workspace(REPOSITORY), "portugal").cities}
    at = [chart.names.index(ids[city]) for city in order]
    found = doubts(read(path))
    lies = {
        (a, b)
        for a, row in zip(order, at, strict=True)
        for b, column in zip(order, at, strict=True)
        if "7" in f"{chart.amounts[row][column]:g}"
    }
    assert len(lies) > 100
    assert lies <= found.keys()


@pytest.mark.parametrize(("sign", "bold"), [("\\$", 99), ("€", 99), ("", 4)])
def test_signs_of_currencies_and_bold_rows_are_not_in_doubt(sign: str, bold: int, tmp_path: Path) -> None:
    """A reader that knows no `$` takes it for an 8; bold amounts look otherwise than others of their text."""
    chart, count = chart_of("portugal"), 24

    def row(i: int) -> str:
        amounts = (f"{sign}{amount * 1000:.0f}" if i != j else "" for j, amount in enumerate(chart.amounts[i][:count]))
        return ",".join((f"[{chart.names[i]}]", *(f"[*{text}*]" if i % bold == 3 else f"[{text}]" for text in amounts)))

    head = ",".join(("[]", *(f"rotate(-90deg, reflow: true)[{name}]" for name in chart.names[:count])))
    page = '#set page("a3", flipped: true, margin: 1cm)\n#set text(8pt, font: "New Computer Modern")\n'
    rows = ",".join(map(row, range(count)))
    made = tmp_path / "chart.pdf"
    made.write_bytes(typeset(f"{page}#table(columns: {count + 1}, align: right, {head}, {rows})"))
    found = read(made)
    assert (found.in_doubt, found.not_read) == ((), ())
    values = {(reading.row, reading.col): reading.value for reading in found.chart.readings}
    assert values == {(i, j): chart.amounts[i][j] for i in range(count) for j in range(count) if i != j}
