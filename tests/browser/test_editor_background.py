"""Pictures under the board: taken in, put in place by control points, and an earlier version."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import until
from editing import Editing, Served, panel, serving
from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect
from test_editor_draw import Hand, done, stops, tool

from mapkit.document.session import Session
from mapkit.kinds.rail.tables import RailDocument

SCALE = 2.5
FINE = 8
"""Pixels a millimetre of a picture that is finer than the whole page shows it: its ink is fetched for itself."""
WIDE = 1.5
MARKED = ("Albany", "Boston", "Portland", "New Haven", "Burlington")


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def scan(path: Path, hand: Hand) -> dict[str, tuple[float, float]]:
    """Draw a scan of the board, turned and twice as large as the page; return where its cities are, pixels."""
    size = hand.live.frame.page
    image = Image.new("RGB", (int(size.width * SCALE), int(size.height * SCALE)), "#f4e3b0")
    pen = ImageDraw.Draw(image)
    pen.rectangle((8, 8, image.width - 9, image.height - 9), outline="#8a5a20", width=6)
    at = {name: (SCALE * (0.9 * x + 10), SCALE * (0.9 * y + 20)) for name, (x, y) in spots(hand).items()}
    for x, y in at.values():
        pen.ellipse((x - 12, y - 12, x + 12, y + 12), fill="#b02020")
    image.save(path)
    return at


def spots(hand: Hand) -> dict[str, tuple[float, float]]:
    return {name: hand.mm_of(name) for name in MARKED}


def filling(hand: Hand, pixel: tuple[float, float]) -> tuple[float, float]:
    """Return where a pixel is on the screen while the picture fills the page."""
    return hand.screen(pixel[0] / SCALE, pixel[1] / SCALE)


def align(page: Page, hand: Hand, name: str, at: tuple[float, float], count: int) -> None:
    """Make the count-th control point."""
    hand.click(at, "Alt")
    expect(page.locator(".toolcard")).to_contain_text("Now click where this spot lies")
    hand.click(hand.of(name))
    done(page, f"Add control point {name}")
    # the picture moves once the server has placed it anew; a click before that is on the picture as it was
    expect(page.locator(".toolcard")).to_contain_text(f"{count} control point")


def by_figures(page: Page, session: Session[RailDocument]) -> None:
    """Add points with the keyboard: by name, by coordinates, and what is neither."""
    pane = page.get_by_role("tabpanel")
    page.get_by_text("Add a point by figures").click()
    page.get_by_label("Pixel from the left").fill("900")
    page.get_by_label("Pixel from the top").fill("700")
    page.get_by_label("City, place or coordinates").fill("Springfield")
    page.keyboard.press("Enter")
    done(page, "Add control point Springfield")
    page.get_by_label("Pixel from the left").fill("910")
    page.get_by_label("Pixel from the top").fill("100")
    page.get_by_label("City, place or coordinates").fill("172.5, 44.5")
    page.keyboard.press("Enter")
    expect(pane).to_contain_text("Latitude 172.5 is beyond the poles")
    page.get_by_label("City, place or coordinates").fill("Sprungfield")
    page.keyboard.press("Enter")
    expect(pane).to_contain_text("'Sprungfield' is not in the gazetteer")
    page.get_by_label("City, place or coordinates").fill("44°30'N 72,5°W")
    expect(pane).to_contain_text("Read as 44.5° N, 72.5° W.")
    page.keyboard.press("Enter")
    done(page, "Add control point 910,100")
    added = session.document.control_points["910,100"]
    assert (added.lat, added.lon, added.city) == (44.5, -72.5, "")


def test_a_scan_is_put_in_place_by_clicks_and_follows_a_dragged_point(
    editing: Editing, served: Served, tmp_path: Path
) -> None:
    session = served.session
    with editing(served) as page:
        hand = Hand(page, served)
        at = scan(tmp_path / "scan.png", hand)
        panel(page, "Background")
        page.get_by_label("Picture to put underneath").set_input_files(tmp_path / "scan.png")
        expect(page.get_by_label("Show scan.png")).to_be_checked()
        pane = page.get_by_role("tabpanel")
        expect(pane).to_contain_text("the picture fills the page")
        tool(page, "y")
        align(page, hand, "Albany", filling(hand, at["Albany"]), 1)
        # the picture has moved: the cities are where one point puts them
        (ax, ay), scale = hand.mm_of("Albany"), SCALE
        x, y = at["Boston"]
        where = hand.screen(ax + (x - at["Albany"][0]) / scale, ay + (y - at["Albany"][1]) / scale)
        align(page, hand, "Boston", where, 2)
        expect(pane).to_contain_text("two control points")
        # two points hold it as it was drawn, for it was only scaled and shifted: all cities lie on the board's
        for count, name in enumerate(("Portland", "New Haven", "Burlington"), start=3):
            align(page, hand, name, hand.of(name), count)
        rows = page.get_by_role("row")
        expect(rows.filter(has_text="Portland")).to_be_visible()
        points = session.document.control_points
        assert {row.city for row in points.values()} == set(MARKED)
        for row in points.values():
            assert (row.x, row.y) == pytest.approx(at[row.city], abs=3)
        expect(pane).to_contain_text("Placed by a straight (affine) map. Points are 0.")
        # one dragged away is the worst, and is named
        (x, y) = hand.of("Boston")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 60, y + 40, steps=5)
        page.mouse.up()
        expect(page.get_by_role("button", name="Undo: Move control point")).to_be_enabled()
        expect(pane).to_contain_text("The worst is the point at pixel")
        page.keyboard.press("Delete")
        expect(page.get_by_role("button", name="Undo: Delete control point")).to_be_enabled()
        assert {row.city for row in session.document.control_points.values()} == set(MARKED) - {"Boston"}
        by_figures(page, session)
        page.get_by_label("The picture is a").select_option("tps")
        expect(pane).to_contain_text("Placed by a spline")
        page.get_by_role("button", name="Remove …").click()
        page.get_by_role("button", name="Remove it").click()
        expect(page.get_by_label("Show scan.png")).to_have_count(0)


def test_a_picture_follows_when_the_page_is_fitted_anew(editing: Editing, served: Served, tmp_path: Path) -> None:
    session = served.session
    with editing(served) as page:
        at = scan(tmp_path / "scan.png", Hand(page, served))
        for name in MARKED:
            ident = next(ident for ident, city in session.document.cities.items() if city.name == name)
            session.do({"kind": "put-control-point", "x": at[name][0], "y": at[name][1], "city": ident})
        panel(page, "Background")
        page.get_by_label("Picture to put underneath").set_input_files(tmp_path / "scan.png")
        expect(page.get_by_role("tabpanel")).to_contain_text("Placed by a straight (affine) map. Points are 0.")
        panel(page, "Layers")
        for layer in ("Railroads", "Mileposts and cities", "Names"):
            page.get_by_label(layer, exact=True).uncheck()
        panel(page, "Board")
        page.get_by_label("Size", exact=True).select_option("A3")
        expect(page.get_by_text("The board is shown on 297 \N{MULTIPLICATION SIGN} 420 mm.")).to_be_visible()
        page.locator("#board").focus()
        page.keyboard.press("0")

        def marks_are_red() -> bool:
            moved = Hand(page, served)
            canvas = np.asarray(Image.open(BytesIO(page.screenshot())).convert("RGB")).astype(int)
            seen = [canvas[round(y), round(x)] for x, y in map(moved.of, MARKED)]
            return all(red > green + 60 for red, green, _ in seen)

        until(page, marks_are_red)


@pytest.mark.parametrize("dark", [False, True])
def test_the_ground_and_a_ghost_are_layers_and_axe_finds_no_serious_fault(
    editing: Editing,
    served: Served,
    tmp_path: Path,
    dark: bool,  # noqa: FBT001
) -> None:
    with editing(served, dark=dark) as page:
        hand = Hand(page, served)
        scan(tmp_path / "scan.png", hand)
        panel(page, "Background")
        page.get_by_label("Picture to put underneath").set_input_files(tmp_path / "scan.png")
        page.get_by_label("Show scan.png").uncheck()
        page.get_by_label("Show the board").select_option("saved")
        hand.drag(hand.of("Albany"), (hand.of("Albany")[0] - 30, hand.of("Albany")[1] - 40))
        done(page, "Move Albany")
        found = Axe().run(page).response["violations"]
        assert [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")] == []
        panel(page, "Layers")
        for name in ("Land, water and regions", "Railroads", "Earlier version"):
            expect(page.get_by_label(name, exact=True)).to_be_checked()
        expect(page.get_by_label("scan.png", exact=True)).not_to_be_checked()
        # what is shown is kept in the browser
        page.reload()
        panel(page, "Background")
        expect(page.get_by_label("Show the board")).to_have_value("saved")


def test_a_line_follows_the_ink_of_a_picture(editing: Editing, served: Served, tmp_path: Path) -> None:
    session = served.session
    with editing(served) as page:
        hand = Hand(page, served)
        wide, high = hand.size
        railroad = min(session.document.railroads, key=lambda key: session.document.railroads[key].rank)
        arch = [
            (wide * (0.3 + 0.1 * t), high * (0.45 - 0.1 * np.sin(np.pi * t))) for t in np.linspace(0, 1, 60).tolist()
        ]
        image = Image.new("RGB", (int(wide * FINE), int(high * FINE)), "#f4e3b0")
        pen = ImageDraw.Draw(image)
        pen.line([(x * FINE, y * FINE) for x, y in arch], fill="#b0208f", width=round(WIDE * FINE))
        image.save(tmp_path / "ink.png")
        panel(page, "Background")
        page.get_by_label("Picture to put underneath").set_input_files(tmp_path / "ink.png")
        expect(page.get_by_label("Show ink.png")).to_be_checked()
        tool(page, "d")
        page.get_by_label("Follow the ink of ink.png").check()
        page.get_by_role("button", name="Pick the colour of the ink").click()
        hand.click(hand.screen(*arch[20]))
        expect(page.get_by_text("The ink is picked.")).to_be_visible()
        before = len(session.document.lines)
        hand.click(hand.screen(*arch[0]), "Alt")
        expect(page.locator(".toolcard")).to_contain_text("it follows the ink")
        hand.click(hand.screen(*arch[-1]), "Alt")
        page.keyboard.press("Escape")
        until(page, lambda: len(session.document.lines) > before)
        kinds = [kind for _, kind in stops(session.document, railroad)]
        assert (kinds[0], kinds[-1]) == ("milepost", "milepost")
        assert kinds[1:-1].count("via") == len(kinds) - 2 >= 6
        line = max(session.document.lines.values(), key=lambda line: line.rank)
        frame = hand.live.frame
        spots = np.array([[float(v) for v in place[1:].split(",")] for place, kind in line.stops if kind == "via"])
        drawn = np.array(frame.to_page([(lon, lat) for lon, lat in spots.tolist()]))
        off = np.hypot(*(drawn[:, None] - np.array(arch)[None]).transpose(2, 0, 1)).min(axis=1)
        assert off.max() < 1.5 * WIDE + wide * 0.1 / 60
