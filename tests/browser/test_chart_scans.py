"""A scan of a payoff chart in the editor: read beside the editing, pasted, and settled beside its picture."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from editing import Editing, Served, serving
from optional import recogniser
from PIL import Image
from playwright.sync_api import expect

from scans.chart_pages import LAYOUTS, Chart, chart_of
from scans.pictures_of import LOOKS, page_pictures, taken

REPOSITORY = Path(__file__).resolve().parents[2]
LAYOUT, LOOK = LAYOUTS["square_with_standing_names"], LOOKS["scan-150"]
COUNT = 10


@pytest.fixture
def portugal(tmp_path: Path) -> Iterator[Served]:
    folder = tmp_path / "sources" / "portugal"
    shutil.copytree(REPOSITORY / "sources" / "portugal", folder)
    with serving(folder) as served:
        yield served


def changed_chart() -> Chart:
    """Return the first cities of the chart, with 31.5 between the first two."""
    chart = chart_of("portugal")
    amounts = [list(row[:COUNT]) for row in chart.amounts[:COUNT]]
    amounts[0][1] = amounts[1][0] = 31.5
    return Chart(chart.names[:COUNT], tuple(map(tuple, amounts)))


def test_a_scan_is_pasted_and_its_doubts_are_settled_beside_it(
    editing: Editing, portugal: Served, tmp_path: Path
) -> None:
    recogniser()
    path = tmp_path / "scan.png"
    picture = taken(page_pictures(LAYOUT(changed_chart()), LOOK.dpi)[0], LOOK)
    Image.fromarray(picture).save(path)
    with editing(portugal) as page:
        page.keyboard.press("Alt+y")
        expect(page.locator("#payoff-grid")).to_be_focused()
        page.get_by_role("button", name="Copy and paste").click()
        page.get_by_role("menuitem", name="Read a PDF or a picture").click()
        page.get_by_label("PDF or picture of a payoff chart").set_input_files(path)
        paste = page.get_by_role("dialog", name="Paste into the payoff chart")
        expect(paste).to_be_visible(timeout=120_000)
        expect(paste.get_by_role("button", name="Paste 1 payoff")).to_be_visible()
        paste.get_by_role("button", name="Paste 1 payoff").click()
        pane = page.get_by_role("complementary", name="Scan of the chart")
        expect(pane.locator(".scan-mark")).to_be_visible()
        page.screenshot(path="/tmp/scanpane.png")
