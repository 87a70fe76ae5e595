"""The page of `mapkit export --to web`: routes, payoffs, fees and dice are those of the library, without a network."""

import random
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browsing import Opened, until
from firefox import firefox
from playwright.sync_api import Browser
from sampling import examples

import mapkit
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board

DICE = """(faces) => {
  Math.random = () => (faces.shift() - 0.5) / 6;
  document.querySelector('#ui-dice').click();
  return document.querySelector('#ui-rolled').innerText;
}"""
ROUTES = """(pairs) => {
  const data = JSON.parse(document.querySelector('#ui-data').textContent), find = makeRouter(data);
  return pairs.map(([a, b]) => {
    const way = find(data.cities[a].milepost, data.cities[b].milepost);
    return [way.segments.length, way.railroads.map((k) => data.railroads[k].id), way.miles, data.payoffs[a][b]];
  });
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, usa: Board) -> Path:
    out = tmp_path_factory.mktemp("web")
    mapkit.export(usa, to="web", out=out)
    return out


def test_routes_and_payoffs_are_those_of_the_library(opened: Opened, folder: Path, usa: Board) -> None:
    picked = random.Random(50)  # noqa: S311 - which pairs are tried
    pairs = [picked.sample(range(len(usa.cities)), 2) for _ in range(examples(100))]
    with opened(folder / "index.html") as page:
        shown = page.evaluate(ROUTES, pairs)
    for (a, b), (steps, railroads, miles, payoff) in zip(pairs, shown, strict=True):
        found = mapkit.route(usa, usa.cities[a].id, usa.cities[b].id)
        assert (steps, tuple(railroads), payoff) == (found.mileposts, found.railroads, found.payoff)
        assert miles == pytest.approx(found.miles, abs=0.005 * steps)


def test_the_board_is_in_the_first_three_seconds_of_a_slow_line(folder: Path) -> None:
    page = (folder / "index.html").read_bytes()
    drawn = page.index(b"globalThis.boardDrawn = ")
    assert drawn < 3 * 1_500_000 // 8  # bytes at 1.5 Mbit/s


def low_die(total: str) -> int:
    """Return the lower of two dice with a sum."""
    return max(1, int(total) - 6)


def test_every_cell_of_the_charts_is_rolled(opened: Opened, folder: Path, usa: Board) -> None:
    names = {region.id: region.name for region in usa.regions} | {city.id: city.name for city in usa.cities}
    with opened(folder / "index.html") as page:
        for coloured, regions in ((1, usa.destinations[REGIONS].odd), (2, usa.destinations[REGIONS].even)):
            for total in SUMS:
                white = [low_die(total), int(total) - low_die(total)]
                region = regions[total]
                assert region is not None
                city = usa.destinations[region].even[total]
                assert city is not None
                first, second = page.evaluate(DICE, [coloured, *white, 6, *white]).split("\n")[:3:2]
                assert first.endswith(f" {names[region]}")
                assert second == f"Even{white[0]}{white[1]} {names[city]}"
        page.get_by_role("button", name="Route to here").click()
        assert page.input_value("#ui-to") == city


def test_a_train_in_the_rolled_region_may_choose(opened: Opened, folder: Path, usa: Board) -> None:
    total = next(total for total in SUMS if usa.destinations[REGIONS].odd[total] == "northeast")
    with opened(folder / "index.html") as page:
        page.select_option("#ui-from", "boston")
        said = page.evaluate(DICE, [1, low_die(total), int(total) - low_die(total)])
        assert "The train at Boston is in Northeast: choose any region, then roll its city." in said
        page.select_option("#ui-region", label="Plains")
        said = page.evaluate(DICE, [1, 3, 4])
        city = next(city for city in usa.cities if city.id == usa.destinations["plains"].odd["7"])
        assert said.split("\n")[0] == f"Odd34 {city.name}"


def test_fees_follow_the_owners_and_last(browser: Browser, folder: Path, usa: Board) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto((folder / "index.html").as_uri())
    page.select_option("#ui-from", "chicago")
    page.select_option("#ui-to", "denver")
    assert page.inner_text("#ui-fees dl") == "Bank: CB&Q, UP\n$1,000 a turn"
    up = next(k for k, railroad in enumerate(usa.railroads) if railroad.id == "up")
    page.select_option(f"#ui-owner-{up}", "opponent")
    lines = page.inner_text("#ui-fees dl").split("\n")
    assert lines[2:] == ["Another player: UP", "$5,000 a turn, $10,000 after sell-out"]
    page.reload()
    assert page.input_value(f"#ui-owner-{up}") == "opponent"
    page.click("#ui-clear")
    assert page.is_hidden("#ui-fees")
    context.close()


def test_it_works_in_firefox(folder: Path, tmp_path: Path) -> None:
    with firefox(tmp_path) as page:
        page.open((folder / "index.html").as_uri(), width=390, height=844)
        # chosen again until the page listens, which it does once the board is drawn
        page.until(
            "([['from', 'chicago'], ['to', 'denver']].forEach(([end, city]) => {"
            "const choice = document.querySelector('#ui-' + end);"
            "choice.value = city; choice.dispatchEvent(new Event('change')); }),"
            "document.querySelector('#ui-route .pays'))"
        )
        assert page.value("document.querySelector('#ui-route .pays').innerText") == "$10,500"
        page.value("document.querySelector('#ui-dice').scrollIntoView()")
        page.click("document.querySelector('#ui-dice')")
        page.until("document.querySelectorAll('#ui-rolled .die').length >= 3")
        assert page.value("document.documentElement.scrollWidth") <= 390
        assert page.said == []


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_from_a_server_it_is_installable_and_stays_without_a_network(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}index.html")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    manifest = page.request.get(page.evaluate("document.querySelector('link[rel=manifest]').href")).json()
    assert (manifest["name"], manifest["display"]) == ("United States", "standalone")
    until(page, lambda: bool(page.evaluate("caches.open('mapkit').then((s) => s.match('index.html')).then(Boolean)")))
    page.reload()
    context.set_offline(True)
    page.reload()
    assert page.inner_text("h1") == "United States"
    context.close()


def test_texts_name_no_ids(opened: Opened, folder: Path, usa: Board) -> None:
    with opened(folder / "index.html") as page:
        words = set(page.inner_text("body").split())
        assert page.title() == "United States"
    ids = {city.id for city in usa.cities} | {milepost.id for milepost in usa.mileposts}
    assert {word for word in words & ids if "-" in word} == set()
