"""Golden pictures of the window, in three sizes, light and dark: a change that nobody meant is seen before it lands.

`MAPKIT_GOLDEN=write pytest tests/browser/test_editor_looks.py` takes them again; look at each before it is committed.
They are kept at half size, and hold the window alone: what is drawn on the board has golden pictures of its own, and
fonts of the machine are kept out, so that they are the same everywhere.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.resources import as_file, files
from io import BytesIO

import pytest
from browsing import still
from conftest import REPOSITORY
from editing import Editing, Served, panel, serving
from pictures import assert_same
from PIL import Image
from playwright.sync_api import Page, expect

SIZES = ((1280, 720), (1440, 900), (1920, 1080))
COLOURS = 96
ALIKE = """
:root { --mono: "Inter Variable"; }
.canvas .map { visibility: hidden; }
.scale, .position { visibility: hidden; }
* { caret-color: transparent !important; scrollbar-width: none !important; }
"""
"""What would differ from machine to machine is left out or set in the font of the page."""
ADOPT = "css => { const own = new CSSStyleSheet(); own.replaceSync(css); document.adoptedStyleSheets = [own]; }"


def railroads(page: Page) -> None:
    panel(page, "Table")
    page.get_by_role("grid", name="Railroads").locator("tbody tr").nth(1).locator("td").first.click()
    expect(page.locator(".edit-table tr[aria-selected=true]")).to_have_count(1)


def destinations(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find a command").fill("Albany")
    page.keyboard.press("Enter")
    expect(page.locator(".status")).to_contain_text("1 selected")
    panel(page, "Destinations")


def hexagons(page: Page) -> None:
    page.get_by_role("tab", name="Cities").click()


def cards(page: Page) -> None:
    expect(page.locator(".card-picture img").first).to_be_visible()
    page.wait_for_function("[...document.images].every((image) => image.complete)")


VIEWS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "railroads": ("example", railroads),
    "destinations": ("example", destinations),
    "hexagons": ("portugal-hex", hexagons),
    "cards": ("barons", cards),
}
"""Name of a view, its board, and how it is opened."""


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Served]]:
    home = tmp_path_factory.mktemp("looks") / "sources"
    with as_file(files("mapkit.kinds.rail.sources").joinpath("template")) as template, ExitStack() as stack:
        served = {}
        for name in {board for board, _ in VIEWS.values()}:
            shutil.copytree(template if name == "example" else REPOSITORY / "sources" / name, home / name)
            served[name] = stack.enter_context(serving(home / name))
        yield served


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_the_window_looks_as_it_did(editing: Editing, boards: dict[str, Served], view: str, *, dark: bool) -> None:
    board, show = VIEWS[view]
    with editing(boards[board], width=SIZES[0][0], height=SIZES[0][1], dark=dark) as page:
        page.evaluate(ADOPT, ALIKE)
        show(page)
        page.evaluate("document.fonts.ready")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            still(page)
            whole = Image.open(BytesIO(page.screenshot())).convert("RGB")
            name = f"window/{view}-{height}-{'dark' if dark else 'light'}"
            assert_same(name, whole.resize((width // 2, height // 2), Image.Resampling.BOX), colours=COLOURS)
