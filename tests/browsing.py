"""A real browser for pages made by mapkit; nothing that a page does may leave it.

Debian's or Ubuntu's own Chromium is driven, or the one that CHROMIUM names. Without one these tests are skipped, but
where CI is set they fail: there the browser is installed first (.ci/run). It sees only the fonts that come with mapkit,
so that a page has the same lines and columns on every machine.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from optional import lacking
from patience import HANG_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

WITHIN_MS = 1000 * HANG_S
"""How long a page may take to show what is expected; only one that hangs takes all of it."""
STEP_MS = 50
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
HINTING = "--font-render-hinting=slight"
"""The headless shell hints fonts fully unless told; the whole browser hints them slightly, as fontconfig says."""

FONTS = Path(str(files("mapkit.drawing") / "fonts"))
FONT_CONFIG = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
  <match target="pattern">
    <edit name="family" mode="append" binding="same"><string>Fira Sans Condensed</string></edit>
  </match>
  <match target="font"><edit name="hintstyle" mode="assign"><const>hintslight</const></edit></match>
</fontconfig>
"""
"""Whatever family a page names, it gets the one that there is."""

LASTING = "const wait = window.setTimeout; window.setTimeout = (run, ms) => wait(run, ms >= 5000 ? 1e9 : ms);"
"""Messages of a page go after five seconds or more; on a busy machine they would be gone before a test reads them."""

Opened = Callable[..., AbstractContextManager["Page"]]


def _chromium() -> str:
    named = os.environ.get("CHROMIUM", "")
    found = named or next((path for name in NAMES if (path := shutil.which(name))), "")
    return found or lacking("no Chromium was found: apt-get install chromium, or name yours in the variable CHROMIUM")


def font_environment(folder: Path) -> dict[str, str]:
    """Return the environment of a browser that has only the fonts of mapkit; fontconfig, of Linux, reads it.

    Args:
        folder: Where the configuration of fonts is written.
    """
    fonts = folder / "fonts"
    fonts.mkdir()
    for font in FONTS.glob("*.ttf"):  # those for the web, beside them, are not for fontconfig
        shutil.copy(font, fonts)
    config = folder / "fonts.conf"
    config.write_text(FONT_CONFIG.format(fonts=fonts, cache=folder / "cache"), encoding="utf-8")
    return {**os.environ, "FONTCONFIG_FILE": str(config)}


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Browser"]:
    """The browser, started once."""
    from playwright.sync_api import Error, expect, sync_playwright  # noqa: PLC0415 - for these tests alone

    expect.set_options(timeout=WITHIN_MS)

    path = _chromium()
    environment: dict[str, str | float | bool] = {**font_environment(tmp_path_factory.mktemp("chromium"))}
    with sync_playwright() as driver:
        try:
            started = driver.chromium.launch(
                executable_path=path,
                args=["--no-sandbox", "--disable-gpu", HINTING],
                env=environment,
                timeout=WITHIN_MS,
            )
        except Error as error:  # such as a script that only says how to install it
            lacking(f"{path} did not start: {error.message.splitlines()[0]}")
        started.on("context", _be_patient)
        yield started
        started.close()


def _be_patient(context: "BrowserContext") -> None:
    context.set_default_timeout(WITHIN_MS)
    context.add_init_script(LASTING)


def until(page: "Page", holds: Callable[[], bool]) -> None:
    """Wait until something holds that no element of the page says, such as a colour."""
    for _ in range(WITHIN_MS // STEP_MS):
        if holds():
            return
        page.wait_for_timeout(STEP_MS)
    raise AssertionError("the page did not come to show it")


def still(page: "Page") -> None:
    """Wait until the page looks the same twice: it has drawn what it was sent."""
    seen: list[bytes] = []

    def same() -> bool:
        seen.append(page.screenshot())
        return seen[-2:-1] == seen[-1:]

    until(page, same)


@contextmanager
def watched(page: "Page") -> Iterator[list[str]]:
    """Note what a page asks for, but for what it holds itself; no script and no policy may fail."""
    asked: list[str] = []
    wrong: list[str] = []

    def ask(url: str) -> None:
        if not url.startswith(("data:", "blob:")):
            asked.append(url)

    page.on("request", lambda request: ask(request.url))
    page.on("websocket", lambda socket: ask(socket.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    yield asked
    assert wrong == []


@pytest.fixture
def opened(browser: "Browser") -> Opened:
    """Open a file as a page; when it is closed, no request has left it and no script or policy has failed."""

    @contextmanager
    def call(
        file: Path,
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        touch: bool = False,
        scripts: bool = True,
    ) -> Iterator["Page"]:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        page = context.new_page()
        with watched(page) as asked:
            page.goto(file.as_uri())
            yield page
        assert [url.partition("#")[0] for url in asked] == [file.as_uri()]
        context.close()

    return call
