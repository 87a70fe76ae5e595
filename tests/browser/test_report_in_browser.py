"""The report page in a browser: what pointer, finger and keyboard do, held against the library's own figures."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browsing import Opened, until
from playwright.sync_api import Page
from sampling import examples, sample

import mapkit
from mapkit.kinds.rail.model.board import Board, Payoffs
from mapkit.kinds.rail.render.layout import Layout, lay_out


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, usa: Board) -> Path:
    out = tmp_path_factory.mktemp("report") / "usa.html"
    mapkit.report_page(usa, out=out)
    return out


@pytest.fixture(scope="module")
def layout(usa: Board) -> Layout:
    return lay_out(usa)


def view(page: Page) -> list[float]:
    """What the map shows once it has drawn: left, top, width, height in millimetres."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return [float(v) for v in (page.get_attribute("#ui-board", "viewBox") or "").split()]


def screen(page: Page, at: tuple[float, float]) -> tuple[float, float]:
    """Where a point of the board is on the screen."""
    left, top, width, _ = view(page)
    box = page.eval_on_selector(
        "#ui-board", "(e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width]; }"
    )
    scale = box[2] / width
    return box[0] + (at[0] - left) * scale, box[1] + (at[1] - top) * scale


def said(page: Page) -> str:
    return page.inner_text("#ui-said")


def money(thousands: float) -> str:
    return f"${thousands * 1000:,.0f}"


def test_two_cities_show_the_route_that_mapkit_route_finds(opened: Opened, file: Path, usa: Board) -> None:
    cities = [city.id for city in usa.cities]
    picked = random.Random(5)  # noqa: S311 - which pairs are tried
    pairs = [("new-york", "los-angeles"), ("minneapolis", "st-paul")]
    pairs += [(a, b) for a, b in (picked.sample(cities, 2) for _ in range(examples(28)))]
    full = {m.id: m.name for m in usa.mileposts}
    short = {r.id: r.short for r in usa.railroads}
    with opened(file) as page:
        for a, b in pairs:
            found = mapkit.route(usa, a, b)
            page.select_option("#ui-from", a)
            page.select_option("#ui-to", b)
            assert found.payoff is not None
            assert page.inner_text("#ui-route .pays") == money(found.payoff)
            steps = f"{found.mileposts} milepost{'' if found.mileposts == 1 else 's'}"
            assert page.inner_text("#ui-route .length") == f"{steps}, {found.miles:,.0f} miles"
            rides: list[list[Any]] = []
            for step in found.steps:
                if not rides or rides[-1][0] != step.railroad:
                    rides.append([step.railroad, step.start, "", 0])
                rides[-1][2:] = [step.end, rides[-1][3] + 1]
            shown = [f"{short[r]} {full[start]} \u2013 {full[end]}, {n}" for r, start, end, n in rides]
            assert page.locator("#ui-route .rides li").all_inner_texts() == shown
            drawn = page.evaluate("document.querySelector('.ui-route .line')?.getAttribute('d') || ''")
            lines = [page.get_attribute(f'[id="s-{step.segment}"]', "d") for step in found.steps]
            assert drawn == " ".join(map(str, lines))


def test_the_cities_of_a_route_can_be_picked_on_the_map(opened: Opened, file: Path, layout: Layout) -> None:
    with opened(file) as page:
        page.mouse.click(*screen(page, layout.squares["seattle"]))
        assert page.inner_text("#ui-detail h3") == "Seattle"
        page.mouse.click(*screen(page, layout.squares["miami"]))
        assert page.inner_text("#ui-route h3") == "Seattle \u2013 Miami"
        assert page.input_value("#ui-from") == "seattle"
        page.click("#ui-swap")
        assert page.inner_text("#ui-route h3") == "Miami \u2013 Seattle"
        page.click("#ui-clear")
        assert page.is_hidden("#ui-route")
        assert page.locator(".ui-route path").count() == 0


def test_a_milepost_names_its_railroads(opened: Opened, file: Path, usa: Board, layout: Layout) -> None:
    dot = next(m for m in usa.mileposts if m.id == "altoona-pa")
    calling = {s.railroad for s in usa.segments if dot.id in (s.a, s.b)}
    marks = sorted(r.short for r in usa.railroads if r.id in calling)
    with opened(file) as page:
        page.mouse.move(*screen(page, layout.spots[dot.id]))
        assert page.inner_text("#ui-tip").split("\n") == [dot.name, ", ".join(marks)]
        page.mouse.click(*screen(page, layout.spots[dot.id]))
        assert page.inner_text("#ui-detail h3") == dot.name
        assert page.locator("#ui-detail .chip").all_inner_texts() == marks
        page.mouse.move(2, 2)
        assert page.is_hidden("#ui-tip")


def test_a_railroad_lights_up_with_its_figures(opened: Opened, file: Path, usa: Board) -> None:
    row = next(r for r in mapkit.report(usa).railroads if r.railroad == "sal")
    with opened(file) as page:
        page.click('#ui-railroads-table a[href="#rr-sal"]')
        assert page.locator(".railroad.on").evaluate_all("(all) => all.map((e) => e.id)") == ["rr-sal"]
        assert page.locator("svg.lit").count() == 1
        shown = dict(
            zip(
                page.locator("#ui-detail dt").all_inner_texts(),
                page.locator("#ui-detail dd").all_inner_texts(),
                strict=True,
            )
        )
        assert shown["price"] == f"${row.price:,}"
        assert shown["service"] == f"{row.service:.2f} %"
        assert shown["monopoly"] == f"{row.monopoly:.2f} %"
        assert shown["cities"] == str(len(row.cities))
        assert page.evaluate("document.activeElement.id") == "ui-map"
        page.click("#ui-detail .back")
        assert page.evaluate("document.activeElement.getAttribute('href')") == "#rr-sal"
        page.click("#ui-pairs tbody button >> nth=0")
        assert page.locator(".railroad.on").count() == 2
        page.keyboard.press("Escape")
        assert page.locator("svg.lit").count() == 0


def test_a_line_under_the_pointer_lights_up_its_railroad(
    opened: Opened, file: Path, usa: Board, layout: Layout
) -> None:
    # the Union Pacific between two mileposts where it runs alone
    segment = max((s for s in usa.segments if s.railroad == "up" and len(s.pieces) == 1), key=lambda s: s.miles)
    line = layout.lines[segment.pieces[0]]
    middle = (float(line[len(line) // 2][0]), float(line[len(line) // 2][1]))
    with opened(file) as page:
        page.mouse.move(*screen(page, middle))
        assert page.inner_text("#ui-tip b").startswith("UP ")
        assert page.locator(".railroad.on").evaluate_all("(all) => all.map((e) => e.id)") == ["rr-up"]
        page.mouse.move(2, 2)
        assert page.locator(".railroad.on").count() == 0


def test_search_finds_cities_mileposts_and_railroads(opened: Opened, file: Path, layout: Layout) -> None:
    with opened(file) as page:
        page.fill("#ui-find", "spok")
        assert page.locator("#ui-found li").first.inner_text().split() == ["Spokane", "city"]
        page.keyboard.press("Enter")
        left, top, width, height = view(page)
        x, y = layout.squares["spokane"]
        assert left < x < left + width
        assert top < y < top + height
        assert width < 400
        assert said(page).startswith("Spokane, Northwest")
        page.fill("#ui-find", "altoo")
        page.keyboard.press("Enter")
        assert page.inner_text("#ui-detail h3") == "Altoona"
        page.fill("#ui-find", "santa f")
        page.keyboard.press("Enter")
        assert page.inner_text("#ui-detail h3").startswith("AT&SF")
        page.fill("#ui-find", "no such place")
        assert page.is_hidden("#ui-found")
        assert said(page) == "Nothing found"


def test_the_map_pans_and_zooms(opened: Opened, file: Path, usa: Board) -> None:
    with opened(file) as page:
        home = view(page)
        box = page.locator("#ui-map").bounding_box()
        assert box is not None
        x, y = box["x"] + 300, box["y"] + 250
        point = (home[0] + 300 * home[2] / box["width"], home[1] + 250 * home[3] / box["height"])
        page.mouse.move(x, y)
        page.mouse.wheel(0, -600)
        near = view(page)
        assert near[2] < home[2] / 2
        # what is under the pointer stays there
        assert screen(page, point) == pytest.approx((x, y), abs=2.5)
        page.mouse.down()
        page.mouse.move(x + 90, y + 40, steps=4)
        page.mouse.up()
        moved = view(page)
        scale = box["width"] / near[2]
        assert moved[0] == pytest.approx(near[0] - 90 / scale, abs=0.6)
        assert moved[1] == pytest.approx(near[1] - 40 / scale, abs=0.6)
        assert page.is_hidden("#ui-detail")  # a drag is not a click
        page.click("#ui-fit")
        assert view(page) == pytest.approx(home)
        page.click("#ui-in")
        assert view(page)[2] == pytest.approx(home[2] / 1.6, rel=1e-3)
        for _ in range(12):
            page.click("#ui-out")
        wide, tall = view(page)[2:]
        assert wide >= usa.page.width - 0.01 or tall >= usa.page.height - 0.01
        assert max(wide / usa.page.width, tall / usa.page.height) < 2
        # with the whole board in view the wheel scrolls the page
        page.mouse.move(x, y)
        page.mouse.wheel(0, 400)
        until(page, lambda: bool(page.evaluate("window.scrollY > 0")))


def test_two_fingers_zoom(opened: Opened, file: Path) -> None:
    with opened(file, width=375, touch=True) as page:
        home = view(page)
        box = page.locator("#ui-map").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        hands = page.context.new_cdp_session(page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            hands.send(
                "Input.dispatchTouchEvent",
                {"type": kind, "touchPoints": [{"x": px, "y": py, "id": k} for k, (px, py) in enumerate(points)]},
            )

        touch("touchStart", (x - 20, y), (x + 20, y))
        for far in (30, 45, 60):
            touch("touchMove", (x - far, y), (x + far, y))
        touch("touchEnd")
        assert view(page)[2] == pytest.approx(home[2] / 3, rel=0.1)


def test_a_finger_need_not_be_exact(opened: Opened, file: Path, layout: Layout) -> None:
    with opened(file, width=375, touch=True) as page:
        x, y = screen(page, layout.squares["denver"])
        page.touchscreen.tap(x + 5, y - 4)
        assert page.inner_text("#ui-detail h3") == "Denver"


def test_everything_can_be_done_by_keyboard(opened: Opened, file: Path, usa: Board) -> None:
    with opened(file) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.getAttribute('href')") == "#ui-map"
        assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "ui-map"
        names = []
        for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft"):
            page.keyboard.press(key)
            names.append(said(page))
        assert all(a != b for a, b in pairwise(names))
        known = {m.name for m in usa.mileposts} | {c.name for c in usa.cities}
        assert {name.split(",")[0] for name in names} <= known
        page.keyboard.press("Enter")
        assert page.inner_text("#ui-detail h3") == names[-1].split(",")[0]
        before = view(page)
        page.keyboard.press("+")
        page.keyboard.press("+")
        near = view(page)
        assert near[2] == pytest.approx(before[2] / 1.96, rel=1e-3)
        page.keyboard.press("Shift+ArrowRight")
        assert view(page)[0] > near[0]
        page.keyboard.press("Escape")
        assert page.is_hidden("#ui-detail")
        page.focus("#ui-heat")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        assert "$" in said(page)
        page.keyboard.press("Enter")
        assert page.is_visible("#ui-route")
        page.focus('#ui-findings a[data-finding="0"]')
        page.keyboard.press("Enter")
        assert page.inner_text("#ui-detail h3") == "Finding"
        assert page.evaluate("document.activeElement.id") == "ui-map"


def test_what_has_the_focus_can_be_seen(opened: Opened, file: Path) -> None:
    with opened(file) as page:
        for _ in range(40):
            page.keyboard.press("Tab")
            width, style = page.evaluate(
                "(() => { const s = getComputedStyle(document.activeElement); return [parseFloat(s.outlineWidth), "
                "s.outlineStyle]; })()"
            )
            assert width >= 2
            assert style == "solid"


def test_a_finding_jumps_to_its_place(opened: Opened, file: Path, usa: Board, layout: Layout) -> None:
    findings = mapkit.check(usa).findings
    with opened(file) as page:
        for k, finding in sample(list(enumerate(findings)), 16):
            page.click(f'a[data-finding="{k}"]')
            left, top, width, height = view(page)
            spots = [layout.squares.get(e, layout.spots.get(e)) for e in finding.elements]
            # lines that cross away from any milepost have a place, and no milepost among their elements
            assert finding.code == "R12" or any(spot is not None for spot in spots)
            rings = page.locator(".ui-rings circle:not(.edge)").evaluate_all(
                "(all) => all.map((e) => [Number(e.getAttribute('cx')), Number(e.getAttribute('cy'))])"
            )
            for spot in spots:
                if spot is not None:
                    assert left <= spot[0] <= left + width
                    assert top <= spot[1] <= top + height
                    assert any(ring == pytest.approx(spot, abs=0.006) for ring in rings)
            assert finding.message in page.inner_text("#ui-detail")


def test_tables_can_be_sorted(opened: Opened, file: Path, usa: Board) -> None:
    report = mapkit.report(usa)
    with opened(file) as page:
        price = page.locator("#ui-railroads-table button", has_text="Price")

        def column(k: int) -> list[str]:
            return page.locator(f"#ui-railroads-table tbody tr > :nth-child({k})").all_inner_texts()

        price.click()
        assert column(3) == [f"${p:,}" for p in sorted((r.price for r in report.railroads), reverse=True)]
        assert page.locator("#ui-railroads-table th[aria-sort]").evaluate_all("(all) => all.length") == 1
        price.click()
        assert column(3) == [f"${p:,}" for p in sorted(r.price for r in report.railroads)]
        assert page.get_attribute("#ui-railroads-table th:nth-child(3)", "aria-sort") == "ascending"
        page.locator("#ui-railroads-table button", has_text="Name").click()
        names = column(2)
        assert names == sorted(names, key=str.casefold)
        page.locator("#ui-cities-table button", has_text="Railroads").click()
        counts = page.locator("#ui-cities-table tbody tr > :nth-child(5)").all_inner_texts()
        assert counts == [str(n) for n in sorted((len(c.railroads) for c in report.cities), reverse=True)]


def test_the_heat_map_shows_amounts_and_shows_routes(opened: Opened, file: Path, usa: Board) -> None:
    row = {city: k for k, city in enumerate(usa.payoffs.cities)}
    with opened(file) as page:
        heat = page.locator("#ui-heat")
        heat.scroll_into_view_if_needed()
        order = [int(k) for k in (heat.get_attribute("data-order") or "").split()]
        a, b = usa.cities[order[3]], usa.cities[order[40]]
        margin = int(heat.get_attribute("data-margin") or 0)
        box = heat.bounding_box()
        assert box is not None
        unit = box["width"] / (margin + 10 * len(order) + 2)
        at = (box["x"] + (margin + 405) * unit, box["y"] + (margin + 35) * unit)
        page.mouse.click(*at)
        pays = money(usa.payoffs.thousands[row[a.id]][row[b.id]] or 0.0)
        assert page.inner_text("#ui-heat-said") == f"{a.name} \u2013 {b.name}: {pays}"
        assert page.inner_text("#ui-route .pays") == pays


def test_odds_lie_over_the_map(opened: Opened, file: Path, usa: Board) -> None:
    with opened(file) as page:
        page.click("#ui-odds-on")
        assert page.get_attribute("#ui-odds-on", "aria-pressed") == "true"
        assert page.locator(".ui-odds circle").count() == len({c.milepost for c in usa.cities})
        page.click("#ui-odds-on")
        assert page.locator(".ui-odds circle").count() == 0


@pytest.mark.parametrize("width", [768, 320])
def test_nothing_is_wider_than_the_window(opened: Opened, file: Path, width: int) -> None:
    with opened(file, width=width) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_can_be_read_without_scripts(opened: Opened, file: Path, usa: Board) -> None:
    with opened(file, scripts=False) as page:
        assert page.is_visible("#ui-board")
        assert page.is_hidden("#ui-find")
        assert page.is_visible("#ui-cities-table")
        assert page.locator("#ui-railroads-table tbody tr").count() == len(usa.railroads)


def test_the_printed_page_has_the_whole_board_and_no_controls(opened: Opened, file: Path, usa: Board) -> None:
    with opened(file) as page:
        page.click("#ui-in")
        page.emulate_media(media="print")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        seen = [float(v) for v in (page.get_attribute("#ui-board", "viewBox") or "").split()]
        assert seen == [0, 0, usa.page.width, usa.page.height]
        assert page.is_hidden("#ui-in")
        assert page.is_hidden(".panel")
        assert len(page.pdf()) > 100_000


def test_small_boards_work_too(opened: Opened, tmp_path: Path, tiny: Board) -> None:
    one = tiny.model_copy(update={"cities": tiny.cities[:1], "payoffs": Payoffs(cities=(), thousands=())})
    none = tiny.model_copy(
        update={
            "regions": (), "mileposts": (), "cities": (), "railroads": (), "junctions": (), "pieces": (),
            "segments": (), "destinations": {"regions": tiny.destinations["regions"]},
            "payoffs": Payoffs(cities=(), thousands=()),
        }
    )  # fmt: skip
    out = tmp_path / "board.html"
    mapkit.report_page(tiny, out=out)
    with opened(out) as page:
        page.select_option("#ui-from", "ash")
        page.select_option("#ui-to", "fir")
        assert page.inner_text("#ui-route .pays") == "$5,000"
        page.select_option("#ui-from", "gum")
        assert page.inner_text("#ui-route .pays") == "$0"
        assert page.inner_text("#ui-route .length") == "0 mileposts, 0 miles"
    mapkit.report_page(one, out=out)
    with opened(out) as page:
        page.fill("#ui-find", "ash")
        page.keyboard.press("Enter")
        assert page.inner_text("#ui-detail h3") == "Ash"
    mapkit.report_page(none, out=out)
    with opened(out) as page:
        page.focus("#ui-map")
        for key in ("ArrowUp", "Enter", "+", "0", "Escape"):
            page.keyboard.press(key)
        assert said(page) == "Cleared; the whole board is shown"
