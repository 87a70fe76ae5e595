"""Take the pictures of docs/how-to/editor.md in a browser: `python tools/editor_pictures.py` (build the page first)."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsing import NAMES  # noqa: E402
from editing import panel, serving  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
BOARD = ROOT / "sources" / "usa"
WIDTH, HEIGHT = 1280, 720
COLOURS = 128
SETTLED = 1500
"""Milliseconds after which nothing moves any more."""


def find(page: Page, name: str) -> None:
    """Fly to what has a name."""
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find a command").fill(name)
    page.keyboard.press("Enter")


def selected(page: Page) -> None:
    """Show a city, selected."""
    find(page, "Chicago")


def tab(title: str) -> Callable[[Page], None]:
    """Return what shows a tab of the side pane."""

    def show(page: Page) -> None:
        page.keyboard.press("Escape")
        panel(page, title)

    return show


def edited(page: Page) -> None:
    """Move a city a little, and show the list of steps."""
    find(page, "Denver")
    page.wait_for_timeout(SETTLED)
    page.locator("#board").focus()
    for key in ("Space", "ArrowRight", "ArrowRight", "Space"):
        page.keyboard.press(key)
    tab("History")(page)
    page.wait_for_timeout(4 * SETTLED)  # the drawing after a step


def charted(page: Page) -> None:
    """Show the payoff chart in place of the board."""
    tab("Payoffs")(page)
    page.get_by_role("button", name="Open the chart").click()


def drawn(page: Page) -> None:
    """Show the card of a tool."""
    selected(page)
    page.keyboard.press("p")


def keys(page: Page) -> None:
    """Show the sheet of keys."""
    page.keyboard.press("?")


def played(page: Page) -> None:
    """Play-test the board, and show it by use."""
    tab("Play-test")(page)
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("region", name="Results").wait_for(timeout=300_000)
    page.get_by_role("button", name="Use", exact=True).click()


SHOTS: tuple[tuple[str, Callable[[Page], None], bool], ...] = (
    ("editor-selection", selected, False),
    ("editor-destinations", tab("Destinations"), False),
    ("editor-payoffs", charted, False),
    ("editor-rules", tab("Rules"), False),
    ("editor-balance", tab("Balance"), False),
    ("editor-playtest", played, False),
    ("editor-checks", tab("Checks"), False),
    ("editor-draw", drawn, False),
    ("editor-history", edited, False),
    ("editor-keys", keys, False),
    ("editor-dark", selected, True),
)
"""Name, what to do, and whether in the dark; each in a page of its own."""


def main() -> None:
    """Take all pictures, or those that are named."""
    os.environ["MAPKIT_STATE"] = "off"  # each begins as a new author sees it
    chromium = next(path for name in NAMES if (path := shutil.which(name)))
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        folder = Path(home, "sources", "usa")
        shutil.copytree(BOARD, folder)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        with serving(folder) as served:
            for name, act, dark in SHOTS:
                if sys.argv[1:] and name not in sys.argv[1:]:
                    continue
                page = browser.new_page(
                    viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="dark" if dark else "light"
                )
                page.goto(served.door.new_address())
                page.get_by_text("revision").first.wait_for(timeout=120_000)
                page.wait_for_timeout(SETTLED)
                later = page.get_by_role("button", name="Not now")
                if later.count():  # the tour that is offered first
                    later.press("Enter")
                act(page)
                page.wait_for_timeout(4 * SETTLED)
                picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
                picture.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURES / f"{name}.png", optimize=True)
                page.close()
                print(f"docs/pictures/{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
