"""Prices of railroads in files of every kind: each as printed, and matched to its railroad."""

import json
import re
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run
from optional import recogniser
from PIL import Image

import mapkit
from mapkit.core.errors import SourceError
from mapkit.formats.page_files import FilePages
from mapkit.formats.pdf.word import Page
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.price_list import PriceList
from mapkit.kinds.rail.sources import price_lists
from scans.pdf_writer import PdfPage, pdf
from scans.pictures_of import LOOKS, page_pictures, taken


@pytest.fixture(scope="module")
def usa() -> Board:
    return mapkit.load("usa", workspace=REPOSITORY)


def read(tmp_path: Path, name: str, data: str | bytes, **options: object) -> PriceList:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    given = mapkit.PriceOptions(**options)  # type: ignore[arg-type]
    return mapkit.read_prices(path, board="usa", options=given, workspace=REPOSITORY)


def prices(found: PriceList) -> dict[str, int]:
    return {one.railroad: one.price for one in found.prices}


def printed(board: Board) -> bytes:
    """A list in two columns with numbers, leaders and a title, as games print it on the back of the board."""
    page = PdfPage(595, 842)
    page.text(297, 40, "Railroads and what they cost", 16, anchor="middle")
    half = -(-len(board.railroads) // 2)
    for at, railroad in enumerate(board.railroads):
        left, y = 30 + 285 * (at // half), 80 + 24 * (at % half)
        page.text(left, y, railroad.short, 9)
        page.text(left + 50, y, railroad.name, 9)
        page.text(left + 265, y, f"${railroad.price:,}", 9, anchor="end")
    page.text(297, 820, "7", 8, anchor="middle")
    return pdf([page])


def test_a_printed_list_in_two_columns(tmp_path: Path, usa: Board) -> None:
    found = read(tmp_path, "prices.pdf", printed(usa))
    assert prices(found) == {one.id: one.price for one in usa.railroads}
    assert (found.kind, found.unit, found.lacking, found.differing) == ("pdf", 1, (), ())


@pytest.mark.slow
def test_a_scan_of_it(tmp_path: Path, usa: Board) -> None:
    """A price that the picture leaves in doubt is listed; none is wrong without that."""
    recogniser()
    look = LOOKS["scan-200"]
    Image.fromarray(taken(page_pictures(printed(usa), look.dpi)[0], look)).save(tmp_path / "scan.png")
    found = read(tmp_path, "scan.png", (tmp_path / "scan.png").read_bytes())
    right = {one.id: one.price for one in usa.railroads}
    assert {one.railroad for one in found.prices if one.price != right[one.railroad]} <= {
        one.railroad for one in found.in_doubt
    }
    assert len(found.prices) == len(usa.railroads)
    settled = read(
        tmp_path,
        "scan.png",
        (tmp_path / "scan.png").read_bytes(),
        settled={one.railroad: f"{right[one.railroad]:,}" for one in found.in_doubt},
    )
    assert (settled.in_doubt, prices(settled)) == ((), right)


def test_names_without_their_kind_short_names_and_thousands(tmp_path: Path) -> None:
    found = read(tmp_path, "list.csv", "No,Road,Price\n1,Pennsylvania,30\n2,NYC,28\n3,Boston & Maine RR,4.5\n")
    assert prices(found) == {"nyc": 28_000, "pa": 30_000, "bm": 4_500}
    assert [(one.railroad, one.board) for one in found.differing] == [("bm", 4_000)]


def test_copied_text_with_leaders(tmp_path: Path) -> None:
    text = "Railroad   Price\nPennsylvania Railroad ........ $30,000\nNYC $28,000\n"
    assert prices(read(tmp_path, "copied.txt", text)) == {"nyc": 28_000, "pa": 30_000}


@pytest.mark.parametrize(
    "data",
    [
        {"railroads": {"PA": 30000, "NYC": 28000}},
        [{"name": "Pennsylvania Railroad", "cost": 30000}, {"name": "New York Central", "cost": 28000}],
    ],
)
def test_json(tmp_path: Path, data: object) -> None:
    assert prices(read(tmp_path, "list.json", json.dumps(data))) == {"nyc": 28_000, "pa": 30_000}


def test_an_unknown_railroad_is_named_with_its_row_and_may_be_left_out(tmp_path: Path) -> None:
    data = "Road,Price\nPensylvania Railroad,30000\nNYC,28000\nPere Marquette,9000\n"
    with pytest.raises(SourceError) as caught:
        read(tmp_path, "list.csv", data)
    first, second = str(caught.value).splitlines()
    assert first.startswith(
        f"{tmp_path / 'list.csv'}:2:1: 'Pensylvania Railroad' is not a railroad of United States; similar names: Penn"
    )
    assert second.startswith(f"{tmp_path / 'list.csv'}:4:1: 'Pere Marquette' is not a railroad of United States")
    found = read(tmp_path, "list.csv", data, accept={"Pensylvania Railroad": "pa", "Pere Marquette": ""})
    assert prices(found) == {"nyc": 28_000, "pa": 30_000}
    with pytest.raises(SourceError, match=r"--accept Wabash=\.\.\.: the file has no such name"):
        read(tmp_path, "list.csv", "Road,Price\nNYC,28000\n", accept={"Wabash": ""})


def test_two_prices_of_one_railroad_contradict(tmp_path: Path) -> None:
    path = re.escape(str(tmp_path / "list.csv"))
    with pytest.raises(SourceError, match=rf"{path}:3:2: New York Central is '28000' at {path}:2:2 already"):
        read(tmp_path, "list.csv", "Road,Price\nNYC,28000\nNew York Central,27000\n")


def test_an_accepted_amount_is_the_price_of_a_railroad(tmp_path: Path, run: Run) -> None:
    """As when a picture leaves it in doubt; anything else behind the sign is a spelling."""
    (tmp_path / "list.csv").write_text("Road,Price\nNYC,2?000\nPenn Lines,30000\nB&M,4000\n", encoding="utf-8")
    command = ("railroads", "read", tmp_path / "list.csv", "-b", "usa", "--workspace", REPOSITORY)
    assert "list.csv:2:2: '2?000' is not a price" in run(*command, "-a", "Penn Lines=pa").err
    done = run(*command, "-a", "Penn Lines=pa", "-a", "nyc=28,000", "--json")
    assert {one["railroad"]: one["price"] for one in json.loads(done.out)["prices"]} == {
        "nyc": 28_000,
        "pa": 30_000,
        "bm": 4_000,
    }
    nobody = run(*command, "-a", "Penn Lines=pa", "-a", "Wabash=28,000")
    assert "--accept Wabash=28,000: 'Wabash' is not a railroad of United States" in nobody.err


OTHERS = {
    b"GIF89a": "a GIF; save it as PNG",
    b"BM\x36\x10\0\0\0\0\0\0": "a bitmap; save it as PNG",
    b"\x1f\x8b\x08": "a compressed file; unpack it",
}


@pytest.mark.parametrize(("start", "what"), OTHERS.items())
def test_files_of_other_kinds_say_what_they_are(tmp_path: Path, start: bytes, what: str) -> None:
    with pytest.raises(SourceError, match=f"list.bin: this is {what}"):
        read(tmp_path, "list.bin", start + bytes(200))
    assert prices(read(tmp_path, "list.csv", "BM,4000\nNYC,28000\n")) == {"bm": 4_000, "nyc": 28_000}, "no bitmap"


def test_no_prices(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"list\.csv: no prices found: no row has a railroad of United States"):
        read(tmp_path, "list.csv", "City,Region\nBoston,Northeast\n")


def test_a_letter_in_a_pdf_is_no_list(tmp_path: Path) -> None:
    """One sentence, and not a line for each line of the letter."""
    page = PdfPage()
    for line in range(5):
        page.text(50, 50 + 20 * line, "We saw 3 boats there and then 12", 10)
    with pytest.raises(SourceError) as refused:
        read(tmp_path, "letter.pdf", pdf([page]))
    path = tmp_path / "letter.pdf"
    assert str(refused.value) == (f"{path}: no prices found: no row has a railroad of United States and an amount")


def test_the_command_lists_what_differs_and_writes_the_list(tmp_path: Path, run: Run) -> None:
    (tmp_path / "list.csv").write_text("Road,Price\nNYC,27000\nPA,30000\n", encoding="utf-8")
    done = run(
        "railroads", "read", tmp_path / "list.csv", "-b", "usa", "-o", tmp_path / "out.csv", "--workspace", REPOSITORY
    )
    assert done.code == 0
    assert f"New York Central  27,000  28,000  {tmp_path / 'list.csv'}:2:2" in done.out
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == (
        "id,name,price\nnyc,New York Central,27000\npa,Pennsylvania Railroad,30000\n"
    )


def test_a_name_and_its_short_name_in_one_cell_are_one_railroad(tmp_path: Path) -> None:
    text = "Richmond, Fredericksburg and Potomac (RF&P);18000\nPA Pennsylvania;30000\n"
    assert prices(read(tmp_path, "prices.csv", text)) == {"rfp": 18000, "pa": 30000}


def test_a_name_with_the_short_name_of_another_railroad_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"'Pennsylvania NYC' is not a railroad of United States"):
        read(tmp_path, "prices.csv", "Pennsylvania NYC;30000\n")


def test_a_list_that_is_not_read_says_first_that_its_digits_are_too_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen(*_: object, **__: object) -> FilePages:
        return FilePages("picture", [Page(1, (), 0, 1, 6.5)])

    monkeypatch.setattr(price_lists, "read_file_pages", seen)
    with pytest.raises(SourceError) as refused:
        read(tmp_path, "list.png", b"x")
    small, why = refused.value.problems
    assert small.startswith(f"{tmp_path / 'list.png'}: page 1: digits are about 6.5 pixels high; scan it ")
    assert "no prices found: no table of clear text was seen" in why


def test_a_table_with_prices_below_the_names(tmp_path: Path, usa: Board) -> None:
    rows = [[one.name for one in usa.railroads], [str(one.price) for one in usa.railroads]]
    found = read(tmp_path, "prices.tsv", "\n".join(map("\t".join, rows)))
    assert prices(found) == {one.id: one.price for one in usa.railroads}
