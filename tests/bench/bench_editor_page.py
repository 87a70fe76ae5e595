"""Times the editor's page on a board of 3,500 mileposts: until it is ready, until a step is drawn, and single frames.

Frames are those while a milepost is dragged, zoomed in, and while the whole board is moved and zoomed with the wheel.

    python tests/bench/bench_editor_page.py

By the browser's own clock, in milliseconds of the wall: other programs at work count. Build the page first.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "editor")]

from browsing import NAMES  # noqa: E402
from editing import serving  # noqa: E402
from generated import grid_document  # noqa: E402

from mapkit.core.output import write_files  # noqa: E402
from mapkit.core.processes.worker import allow_worker  # noqa: E402
from mapkit.kinds.rail.editing.saving import all_files  # noqa: E402

READY_MS, FRAME_MS = 2000, 20
STEPS = 120
WHEELS = 30
SETTLED = 1500
"""Milliseconds after which tiles of a drawing are painted, and the page does nothing else."""
DRAWN_MS = 1500
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


def drawn(page: Page, revision: int) -> None:
    """Wait until the canvas has the drawing of a revision, or of a later one."""
    page.wait_for_function(
        "(least) => ['track', 'ground'].every((part) => +document.getElementById('board').dataset[part] >= least)",
        arg=revision,
        timeout=120_000,
    )


def stepped(page: Page, revision: int) -> float:
    """Return how long after a step, made on the United States board, the drawing has it."""
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").get_by_role("combobox").fill("Denver")
    page.keyboard.press("Enter")
    page.wait_for_timeout(SETTLED)
    page.locator("#board").focus()
    for key in ("Space", "ArrowRight"):
        page.keyboard.press(key)
    begun = float(page.evaluate("performance.now()"))
    page.keyboard.press("Space")
    drawn(page, revision)
    return float(page.evaluate("performance.now()")) - begun


def timed(page: Page, act: Callable[[], None]) -> list[float]:
    """Return the times of frames while something is done."""
    page.evaluate(_FRAMES)
    act()
    return [float(one) for one in page.evaluate("cancelAnimationFrame(window.going_), window.frames_")]


def middle(page: Page) -> tuple[float, float]:
    """Return the middle of the canvas."""
    box = page.locator("#board").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def circled(page: Page, x: float, y: float) -> None:
    """Move the pointer about a place, a little at a time."""
    for step in range(STEPS):
        page.mouse.move(x + step % 40, y + step % 30)


def dragged(page: Page) -> list[float]:
    """Return the times of frames while a milepost is dragged, zoomed in."""
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").get_by_role("combobox").fill("City 67")
    page.keyboard.press("Enter")
    page.wait_for_timeout(1000)
    assert page.get_by_role("heading", name="City 67").is_visible()
    x, y = middle(page)
    page.mouse.move(x, y)
    page.mouse.down()
    found = timed(page, lambda: circled(page, x, y))
    page.keyboard.press("Escape")
    page.mouse.up()
    return found


def moved(page: Page) -> list[float]:
    """Return the times of frames while the whole board is moved."""
    x, y = middle(page)
    page.mouse.move(x, y)
    page.mouse.down(button="middle")
    found = timed(page, lambda: circled(page, x, y))
    page.mouse.up(button="middle")
    return found


def wheeled(page: Page) -> list[float]:
    """Return the times of frames while the whole board is zoomed with the wheel, there and back."""
    page.mouse.move(*middle(page))

    def turn() -> None:
        for step in range(WHEELS):
            page.mouse.wheel(0, -120 if step < WHEELS // 2 else 120)
            page.wait_for_timeout(40)

    return timed(page, turn)


def main() -> None:
    """Print the times."""
    chromium = next(path for name in NAMES if (path := shutil.which(name)))
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        folder = Path(home, "sources", "grid")
        write_files(folder, all_files(grid_document(35, 100, cities=120)))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        with serving(folder) as served, allow_worker():
            times = []
            frames: dict[str, list[float]] = {}
            for _ in range(3):
                page = browser.new_page(viewport={"width": 1280, "height": 720})
                times.append(ready(page, served.door.new_address()))
                drawn(page, 0)
                page.wait_for_timeout(SETTLED)
                for name, act in (("pan, whole board", moved), ("wheel zoom", wheeled), ("drag, zoomed in", dragged)):
                    frames.setdefault(name, []).extend(act(page))
                page.close()
            print(f"page ready: {median(times):.0f} ms (median of {len(times)}); limit {READY_MS} ms")
            for name, found in frames.items():
                worst = quantiles(found, n=20)[-1]
                print(
                    f"frame, {name}: median {median(found):.1f} ms, 95th percentile {worst:.1f} ms "
                    f"of {len(found)} frames; limit {FRAME_MS} ms"
                )
        usa = Path(home, "sources", "usa")
        shutil.copytree(ROOT / "sources" / "usa", usa)
        with serving(usa) as served, allow_worker():
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            ready(page, served.door.new_address())
            drawn(page, 0)
            page.wait_for_timeout(SETTLED)
            rests = [stepped(page, revision) for revision in range(1, 6)]
        middle_ms = median(rests)
        print(f"United States, from a step to its drawing: {middle_ms:.0f} ms; limit {DRAWN_MS} ms")
        browser.close()


if __name__ == "__main__":
    main()
