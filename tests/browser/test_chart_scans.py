"""A scan of a payoff chart in the editor: read beside the editing, pasted, and settled beside its picture."""

import base64
import json
import re
import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from editing import Editing, Served, panel, serving
from numpy.typing import NDArray
from optional import recogniser
from PIL import Image
from playwright.sync_api import expect
from scans.chart_pages import LAYOUTS, Chart, _fitting, chart_of
from scans.destination_pages import charts_of, side_by_side
from scans.pdf_writer import PdfPage
from scans.pictures_of import POINTS, page_pictures

import mapkit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

REPOSITORY = Path(__file__).resolve().parents[2]
LAYOUT = LAYOUTS["square_with_standing_names"]
COUNT = 10
DPI = 200
IN_DOUBT = re.compile(r"Next of (\d+) in doubt")


@pytest.fixture
def portugal(tmp_path: Path) -> Iterator[Served]:
    folder = tmp_path / "sources" / "portugal"
    shutil.copytree(REPOSITORY / "sources" / "portugal", folder)
    with serving(folder) as served:
        yield served


def changed_chart(count: int = COUNT) -> Chart:
    """Return the first cities of the chart, with 31.5 between the first two."""
    chart = chart_of("portugal")
    amounts = [list(row[:count]) for row in chart.amounts[:count]]
    amounts[0][1] = amounts[1][0] = 31.5
    return Chart(chart.names[:count], tuple(map(tuple, amounts)))


def blotted() -> NDArray[np.uint8]:
    """Return the picture of that chart with ink over half of the amount in the first row and the third column."""
    picture = page_pictures(LAYOUT(changed_chart()), DPI)[0].copy()
    page = PdfPage()
    grid = _fitting(COUNT, COUNT, page)
    right, base = ((side - 1) * DPI / POINTS for side in (grid.x(2), grid.y(0)))
    high = grid.size * DPI / POINTS
    picture[
        round(base - 0.8 * high) : round(base + 0.1 * high), round(right - 1.3 * high) : round(right - 0.6 * high)
    ] = 0
    return picture


FILE = "PDF or picture of a payoff chart"
TITLE = "Read a chart from a PDF or a picture"


def read_chart(page: "Page", *files: Path) -> None:
    """Open the payoff chart, and choose files of one."""
    page.keyboard.press("Alt+y")
    expect(page.locator("#payoff-grid")).to_be_focused()
    page.get_by_role("button", name="Copy and paste").click()
    page.get_by_role("menuitem", name="Read a payoff chart from a PDF or a picture").click()
    page.get_by_label(FILE).set_input_files(files)


def pasted(page: "Page") -> "Locator":
    """Take what was read; return the pane of the scan."""
    dialog = page.get_by_role("dialog", name="Paste into the payoff chart")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Paste 1 payoff").click()
    expect(page.locator("#payoff-1-0")).to_contain_text("31.5")
    return page.get_by_role("complementary", name="Scan of the chart")


def chart_pdf(path: Path, chart: Chart, layout: str = "square_with_standing_names") -> Path:
    path.write_bytes(LAYOUTS[layout](chart))
    return path


LET_FALL = """([where, name, type, data]) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const given = new DataTransfer();
    given.items.add(new File([bytes], name, { type }));
    const at = document.querySelector(where);
    for (const what of ["dragover", "drop"])
        at.dispatchEvent(new DragEvent(what, { dataTransfer: given, bubbles: true, cancelable: true }));
}"""
COPIED = """async ([data, text]) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const kinds = { "image/png": new Blob([bytes], { type: "image/png" }) };
    if (text) kinds["text/plain"] = new Blob([text], { type: "text/plain" });
    await navigator.clipboard.write([new ClipboardItem(kinds)]);
}"""


def let_fall(page: "Page", where: str, path: Path, kind: str) -> None:
    """Let a file fall on a part of the page."""
    page.evaluate(LET_FALL, [where, path.name, kind, base64.b64encode(path.read_bytes()).decode()])


def copied(page: "Page", picture: NDArray[np.uint8], text: str = "") -> None:
    """Put a picture into the clipboard, as programs do."""
    stream = BytesIO()
    Image.fromarray(picture).save(stream, "PNG")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate(COPIED, [base64.b64encode(stream.getvalue()).decode(), text])


def test_a_scan_is_pasted_and_its_doubts_are_settled_beside_it(
    editing: Editing, portugal: Served, tmp_path: Path
) -> None:
    recogniser()
    path = tmp_path / "scan.png"
    Image.fromarray(blotted()).save(path)
    with editing(portugal) as page:
        read_chart(page, path)
        pane = pasted(page)
        expect(pane.get_by_role("status")).to_contain_text("Braga - Porto: the scan says 31.5.")
        expect(pane.locator(".scan-mark")).to_be_visible()
        page.keyboard.press("Alt+k")
        cell = page.locator("#payoff-0-2")
        expect(cell).to_have_class(re.compile("doubted"))
        cell.click()
        said = pane.get_by_role("group", name="What the cell says")
        before = int(IN_DOUBT.findall(pane.inner_text())[0])
        fewer = f"Next of {before - 1} in doubt" if before > 1 else "No cell in doubt"
        first = said.get_by_role("button").first
        value = first.inner_text()

        first.click()
        expect(cell).not_to_have_class(re.compile("doubted"))
        expect(cell).to_contain_text(value)
        expect(pane.get_by_role("button", name=fewer)).to_be_visible()
        expect(page.locator("#payoff-grid")).to_be_focused()
        page.keyboard.press("Control+z")
        expect(cell).to_have_class(re.compile("doubted"))
        expect(pane.get_by_role("button", name=f"Next of {before} in doubt")).to_be_visible()

        page.keyboard.press("Alt+Enter")
        expect(first).to_be_focused()
        page.keyboard.press("Enter")
        expect(cell).not_to_have_class(re.compile("doubted"))
        expect(cell).to_contain_text(value)
        page.keyboard.press("Control+z")
        expect(cell).to_have_class(re.compile("doubted"))

        page.keyboard.press("Alt+Enter")
        page.keyboard.press("End")
        expect(said.get_by_role("button", name="Leave it as it is")).to_be_focused()
        page.keyboard.press("Enter")
        expect(cell).not_to_have_class(re.compile("doubted"))
        pane.get_by_role("button", name="Close the scan").click()
        expect(pane).to_have_count(0)


def test_an_amount_that_is_typed_settles_its_cell(editing: Editing, portugal: Served, tmp_path: Path) -> None:
    recogniser()
    path = tmp_path / "scan.png"
    Image.fromarray(blotted()).save(path)
    with editing(portugal) as page:
        read_chart(page, path)
        pane = pasted(page)
        cell = page.locator("#payoff-0-2")
        expect(cell).to_have_class(re.compile("doubted"))
        cell.click()
        page.keyboard.type("33")
        page.keyboard.press("Enter")
        expect(cell).not_to_have_class(re.compile("doubted"))
        expect(cell).to_contain_text("33")
        page.keyboard.press("Alt+Shift+k")
        expect(pane.get_by_role("button", name=re.compile("No cell in doubt|Next of"))).to_be_visible()


def test_a_picture_of_something_else_says_so_and_changes_nothing(
    editing: Editing, portugal: Served, tmp_path: Path
) -> None:
    recogniser()
    path = tmp_path / "white.png"
    Image.new("L", (300, 200), 255).save(path)
    with editing(portugal) as page:
        read_chart(page, path)
        dialog = page.get_by_role("dialog", name=TITLE)
        expect(dialog.get_by_role("alert")).to_contain_text("no chart found")
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()


def test_halves_are_read_in_the_order_that_the_user_gives(editing: Editing, portugal: Served, tmp_path: Path) -> None:
    recogniser()
    left, right = (tmp_path / name for name in ("left.png", "right.png"))
    for path, picture in zip((left, right), page_pictures(LAYOUTS["two_halves"](changed_chart(12)), DPI), strict=True):
        Image.fromarray(picture).save(path)
    with editing(portugal) as page:
        read_chart(page, right, left)
        dialog = page.get_by_role("dialog", name=TITLE)
        pages = dialog.get_by_role("list", name="Pages of the chart").get_by_role("listitem")
        expect(pages).to_contain_text(["right.png", "left.png"])
        dialog.get_by_role("button", name="Move left.png up").click()
        expect(pages).to_contain_text(["left.png", "right.png"])
        dialog.get_by_role("button", name="Read 2 pages").click()
        pane = pasted(page)
        page.locator("#payoff-7-10").click()  # both halves of it are on the second page
        expect(pane.get_by_role("img", name="Page 2 of the scan")).to_be_visible()


def test_a_name_that_nobody_knows_is_asked_for(editing: Editing, portugal: Served, tmp_path: Path) -> None:
    chart = changed_chart()
    names = tuple("Galicia" if name == "Braga" else name for name in chart.names)
    path = chart_pdf(tmp_path / "from a friend.pdf", Chart(names, chart.amounts))
    with editing(portugal) as page:
        read_chart(page, path)
        dialog = page.get_by_role("dialog", name=TITLE)
        expect(dialog).to_contain_text("One name is not on the board.")
        dialog.get_by_label(re.compile(r"^Galicia \(from a friend\.pdf:page 1")).select_option(label="Braga")
        dialog.get_by_role("button", name="Read again with this name").click()
        pasted(page)


def test_names_may_be_left_out(editing: Editing, portugal: Served, tmp_path: Path) -> None:
    chart = changed_chart()
    names = tuple("Galicia" if name == "Valença" else name for name in chart.names)
    assert names != chart.names
    path = chart_pdf(tmp_path / "chart.pdf", Chart(names, chart.amounts))
    with editing(portugal) as page:
        read_chart(page, path)
        dialog = page.get_by_role("dialog", name=TITLE)
        dialog.get_by_role("button", name="Go on without them").click()
        pasted(page)


def test_stop_ends_the_reading(editing: Editing, portugal: Served, tmp_path: Path) -> None:
    recogniser()
    path = tmp_path / "scan.png"
    Image.fromarray(blotted()).save(path)
    with editing(portugal) as page:
        read_chart(page, path)
        dialog = page.get_by_role("dialog", name=TITLE)
        expect(dialog.get_by_role("status")).to_contain_text("page 1")
        with page.expect_response(lambda answer: answer.request.method == "DELETE") as ended:
            dialog.get_by_role("button", name="Stop").click()
        assert json.loads(ended.value.body())["state"] == "stopped"
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()


def test_a_picture_is_pasted_and_a_pdf_let_fall_on_the_chart(
    editing: Editing, portugal: Served, tmp_path: Path
) -> None:
    with editing(portugal) as page:
        page.keyboard.press("Alt+y")
        expect(page.locator("#payoff-grid")).to_be_focused()
        copied(page, np.full((200, 300), 255, np.uint8))
        page.keyboard.press("Control+v")
        dialog = page.get_by_role("dialog", name=TITLE)
        expect(dialog).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)

        copied(page, np.full((200, 300), 255, np.uint8), text="1\t2\n3\t4")  # as spreadsheets do
        page.keyboard.press("Control+v")
        paste = page.get_by_role("dialog", name="Paste into the payoff chart")
        expect(paste).to_be_visible()
        page.keyboard.press("Escape")

        let_fall(page, "#payoff-grid", chart_pdf(tmp_path / "chart.pdf", changed_chart()), "application/pdf")
        pane = pasted(page)
        expect(pane.get_by_role("button", name="No cell in doubt")).to_be_visible()
        page.keyboard.press("Control+z")
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()


def test_destination_charts_are_read_from_a_pdf(editing: Editing, portugal: Served, tmp_path: Path) -> None:
    board = mapkit.load("portugal", workspace=REPOSITORY)
    charts = charts_of(board)
    name, rows = charts[1]
    (total, odd, even), *others = rows
    other = next(one for _, one, _ in others if one != odd)
    charts[1] = (name, [(total, other, even), *others])
    path = tmp_path / "dice.pdf"
    path.write_bytes(side_by_side(charts))
    with editing(portugal) as page:
        panel(page, "Destinations")
        page.get_by_role("button", name="Read destination charts from a PDF or a picture").click()
        page.get_by_label("PDF or picture of destination charts").set_input_files(path)
        dialog = page.get_by_role("dialog", name="What the file would change")
        expect(dialog.get_by_role("status")).to_contain_text("1 cell will change")
        row = dialog.get_by_role("row").filter(has_text="odd 2")
        expect(row).to_contain_text(odd)
        expect(row).to_contain_text(other)
        dialog.get_by_role("button", name="Take 1 cell").click()
        expect(page.get_by_role("button", name=re.compile("^Undo"))).to_be_enabled()
        let_fall(page, ".destinations", path, "application/pdf")
        expect(dialog.get_by_role("button", name="Nothing to take")).to_be_disabled()
        page.keyboard.press("Escape")
        page.keyboard.press("Control+z")
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
