"""Times the editor's page on a board of 3,500 mileposts: until it is ready, and a frame while a milepost is dragged.

    python tests/bench/bench_editor_page.py

By the browser's own clock, in milliseconds of the wall: other programs at work count. Build the page first.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "editor")]

from browsing import NAMES  # noqa: E402
from editing import serving  # noqa: E402
from generated import grid_document  # noqa: E402

from mapkit.core.output import write_files  # noqa: E402
from mapkit.kinds.rail.editing.saving import all_files  # noqa: E402

READY_MS, FRAME_MS = 2000, 17
STEPS = 120
_FRAMES = """() => {
  window.frames_ = [];
  let before = performance.now();
  const next = (now) => {
    window.frames_.push(now - before);
    before = now;
    window.going_ = requestAnimationFrame(next);
  };
  window.going_ = requestAnimationFrame(next);
}"""


def ready(page: Page, address: str) -> float:
    """Return how long the page took from being asked for to its first revision."""
    page.goto(address)
    page.get_by_text("revision").first.wait_for(timeout=120_000)
    return float(page.evaluate("performance.now()"))


def dragged(page: Page) -> list[float]:
    """Return the times of frames while a milepost is dragged, zoomed in."""
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill("City 67")
    page.keyboard.press("Enter")
    page.wait_for_timeout(1000)
    assert page.get_by_role("heading", name="City 67").is_visible()
    box = page.locator("#board").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(_FRAMES)
    for step in range(STEPS):
        page.mouse.move(x + step % 40, y + step % 30)
    found = [float(one) for one in page.evaluate("cancelAnimationFrame(window.going_), window.frames_")]
    page.keyboard.press("Escape")
    page.mouse.up()
    return found


def main() -> None:
    """Print the times."""
    chromium = next(path for name in NAMES if (path := shutil.which(name)))
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        folder = Path(home, "sources", "grid")
        write_files(folder, all_files(grid_document(35, 100, cities=120)))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        with serving(folder) as served:
            times = []
            for _ in range(3):
                page = browser.new_page(viewport={"width": 1280, "height": 720})
                times.append(ready(page, served.door.new_address()))
                frames = dragged(page)
                page.close()
            worst = quantiles(frames, n=20)[-1]
            print(f"page ready: {median(times):.0f} ms (median of {len(times)}); limit {READY_MS} ms")
            print(
                f"drag frame, zoomed in: median {median(frames):.1f} ms, 95th percentile {worst:.1f} ms "
                f"of {len(frames)} frames; limit {FRAME_MS} ms"
            )
        browser.close()


if __name__ == "__main__":
    main()
