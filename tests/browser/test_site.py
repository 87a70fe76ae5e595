"""The documentation site: every link leads somewhere, no page asks another host for anything, and pages pass axe."""

import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import watched
from conftest import REPOSITORY
from playwright.sync_api import Browser
from playwright.sync_api import Page as WebPage

sys.path.append(str(REPOSITORY / "tools"))

import make_site

LOADING = {"link": "href", "script": "src", "img": "src", "iframe": "src", "object": "data", "source": "src"}
"""Elements that load a file, and the attribute that names it."""


class Page(HTMLParser):
    """What a page links to, what it loads, and which anchors it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.anchors: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        if LOADING.get(tag) in given:
            self.loads.add(given[LOADING[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site with the report of one board: those of the others are made alike."""
    out = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Sphinx and its extensions, about each other
        patch.setattr(make_site, "BOARDS", ("portugal",))
        assert make_site.build(out / "0.3.0") == 0
        (out / "0.2.0").mkdir()
        (out / "0.2.0" / "index.html").write_text("<!doctype html><title>0.2.0</title>", encoding="utf-8")
        make_site.write_versions(out)
    return out / "0.3.0"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def test_it_has_what_users_look_for(site: Path, pages: dict[Path, Page]) -> None:
    for name in (
        "index",
        "README",
        "search",
        "docs/tutorials/station-lists",
        "docs/how-to/clients",
        "docs/reference/rules",
        "docs/reference/errors",
        "gallery/portugal",
    ):
        assert site / f"{name}.html" in pages
    assert {"mapkit.load", "mapkit.check", "mapkit.Board"} <= pages[site / "docs" / "reference" / "api.html"].anchors
    assert {"mapkit-build", "mapkit-payoffs-check"} <= pages[site / "docs" / "reference" / "commands.html"].anchors
    assert "../gallery/portugal.html" in pages[site / "docs" / "gallery.html"].links


def test_every_link_leads_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    broken = []
    for path, page in pages.items():
        for link in page.links | page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file() or (target in pages and unquote(parts.fragment) not in pages[target].anchors):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_nothing_comes_from_another_host(site: Path, pages: dict[Path, Page]) -> None:
    asked = [load for page in pages.values() for load in page.loads if urlsplit(load).netloc]
    assert asked == []
    for path in site.rglob("*.css"):
        assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", path.read_text(encoding="utf-8")) == [], path


@contextmanager
def shown(browser: Browser, file: Path, *, dark: bool = False, query: str = "") -> Iterator[WebPage]:
    """Open a page of the site; it may ask for files of the site only."""
    page = browser.new_page(color_scheme="dark" if dark else "light")
    with watched(page) as asked:
        page.goto(file.as_uri() + query)
        yield page
    assert [url for url in asked if not url.startswith("file:")] == []
    page.close()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["index", "docs/gallery"])
def test_axe_finds_no_fault(browser: Browser, site: Path, name: str, dark: bool) -> None:  # noqa: FBT001
    with shown(browser, site / f"{name}.html", dark=dark) as page:
        found = Axe().run(page, options={"preload": False}).response["violations"]
        assert [(v["id"], [n["html"][:120] for n in v["nodes"][:3]]) for v in found] == []


def test_the_search_finds_a_rule(browser: Browser, site: Path) -> None:
    with shown(browser, site / "search.html", query="?q=rover") as page:
        page.wait_for_selector("#search-results li a")
        assert "Rules" in page.inner_text("#search-results")


def test_a_page_leads_to_itself_in_another_version(browser: Browser, site: Path) -> None:
    with shown(browser, site / "index.html") as page:
        choice = page.get_by_label("Version")
        assert choice.locator("option").all_inner_texts() == ["0.3.0", "0.2.0"]
        assert choice.input_value() == "0.3.0"
        choice.select_option("0.2.0")
        page.wait_for_url("**/0.2.0/index.html")
    start = (site.parent / "index.html").read_text(encoding="utf-8")
    assert 'url=0.3.0/index.html"' in start
