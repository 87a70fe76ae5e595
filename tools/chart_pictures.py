"""Take the pictures of "In five minutes" in docs/how-to/scans.md (build the editor's page first).

python tools/chart_pictures.py            the photograph, the page of doubts, the editor
python tools/chart_pictures.py photo      the photograph alone

The photograph is the chart of a part of Portugal, with a misprint and two blots, as a camera sees a page of a book.
"""

import shutil
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw
from playwright.sync_api import Page, sync_playwright

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsing import NAMES  # noqa: E402
from editing import serving  # noqa: E402
from scans.chart_pages import LAYOUTS, Chart, _fitting, chart_of  # noqa: E402
from scans.pdf_writer import PdfPage  # noqa: E402
from scans.pictures_of import POINTS, Look, page_pictures, taken  # noqa: E402

PICTURES: Final = ROOT / "docs" / "pictures"
PHOTO: Final = PICTURES / "chart-photo.jpg"
COUNT: Final = 24
DPI: Final = 150
LOOK: Final = Look(dpi=DPI, turn=-3, tilt=0.035, shade=0.45, noise=3.5, blur=0.6, ink=45)
SEED: Final = 4
QUALITY: Final = 60
MISPRINT: Final = ("Guarda", "Lisboa", 19.5)
BLOTS: Final = (("Chaves", "Leiria"), ("Viseu", "Aveiro"))
COLOURS: Final = 128
LONG_MS: Final = 300_000
TOAST_MS: Final = 12_000
OFFER_MS: Final = 2_000


def chart() -> Chart:
    """Return the chart that is printed."""
    whole = chart_of("portugal")
    amounts = [list(row[:COUNT]) for row in whole.amounts[:COUNT]]
    one, other = (whole.names.index(name) for name in MISPRINT[:2])
    amounts[one][other] = amounts[other][one] = MISPRINT[2]
    return Chart(whole.names[:COUNT], tuple(map(tuple, amounts)))


def photograph() -> Image.Image:
    """Return the page as a camera sees it."""
    printed = chart()
    page = Image.fromarray(page_pictures(LAYOUTS["square_with_standing_names"](printed), DPI)[0])
    draw = ImageDraw.Draw(page)
    paper = PdfPage()
    grid = _fitting(COUNT, COUNT, paper)
    high = grid.size * DPI / POINTS
    for row, column in BLOTS:
        right, base = (
            (side - 1) * DPI / POINTS
            for side in (grid.x(printed.names.index(column)), grid.y(printed.names.index(row)))
        )
        draw.ellipse((right - 1.1 * high, base - 0.9 * high, right - 0.3 * high, base + 0.1 * high), fill=20)
    return Image.fromarray(taken(np.asarray(page, dtype=np.uint8), LOOK, SEED))


def keep(picture: bytes, name: str) -> None:
    """Write a picture of a page in few colours, which makes it small."""
    Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS).save(PICTURES / name, optimize=True)


def doubts(page: Page, folder: Path) -> None:
    """Show the page of doubts."""
    shutil.copy(PHOTO, folder)
    command = ["payoffs", "read", PHOTO.name, "--board", "portugal", "--html", "doubts.html"]
    subprocess.run([sys.executable, "-m", "mapkit", *command], check=False, capture_output=True, cwd=folder)  # noqa: S603
    page.set_viewport_size({"width": 900, "height": 640})
    page.goto((folder / "doubts.html").as_uri())
    keep(page.screenshot(), "chart-doubts.png")


def pane(page: Page, address: str) -> None:
    """Show the chart in the editor with the photograph beside it."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(address)
    page.get_by_text("revision").first.wait_for()
    page.wait_for_timeout(OFFER_MS)
    if (offer := page.get_by_role("button", name="Not now")).is_visible():  # made to those who are new here
        offer.click()
    page.keyboard.press("Alt+y")
    page.get_by_role("button", name="Copy and paste").click()
    page.get_by_role("menuitem", name="Read a payoff chart from a PDF or a picture").click()
    page.get_by_label("PDF or picture of a payoff chart").set_input_files(PHOTO)
    paste = page.get_by_role("dialog", name="Paste into the payoff chart")
    paste.wait_for(timeout=LONG_MS)
    paste.get_by_role("button", name="Paste").click()
    page.keyboard.press("Alt+k")
    page.wait_for_timeout(TOAST_MS)
    keep(page.screenshot(), "chart-pane.png")


def main() -> None:
    """Write the pictures."""
    photograph().save(PHOTO, quality=QUALITY, optimize=True)
    if sys.argv[1:] == ["photo"]:
        return
    with tempfile.TemporaryDirectory() as made, sync_playwright() as driver:
        folder = Path(made)
        shutil.copytree(ROOT / "sources" / "portugal", folder / "sources" / "portugal")
        path = next(found for name in NAMES if (found := shutil.which(name)))
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(reduced_motion="reduce")
        doubts(page, folder)
        with serving(folder / "sources" / "portugal") as served:
            pane(page, served.door.new_address())
        browser.close()


if __name__ == "__main__":
    main()
