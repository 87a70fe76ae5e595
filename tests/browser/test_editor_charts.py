"""Railroads, destination charts, cities and colours in the editor's page, as an author works with them."""

import io
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import still
from editing import Editing, Served, serving
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from test_editor_canvas import sea, shows
from test_editor_draw import Hand

from mapkit.core.arrays import Floats
from mapkit.drawing.colours.colour import XYZ_FROM_RGB, to_encoded, to_linear
from mapkit.drawing.colours.vision import simulate_vision
from mapkit.drawing.theme.theme import CLASSIC
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.model.board import SUMS, Pattern
from mapkit.kinds.rail.network.report import report
from mapkit.kinds.rail.tables import cell_key


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def grid(page: Page, name: str, row: int, column: int) -> Locator:
    return page.get_by_role("grid", name=name).locator(f'[data-cell="{row}:{column}"]')


def undone(page: Page, label: str) -> None:
    expect(page.get_by_role("button", name=f"Undo: {label}")).to_be_enabled()


def cells(served: Served, chart: str) -> dict[str, str | None]:
    rows = served.session.document.destinations
    return {f"{parity}/{t}": rows[cell_key(chart, parity, int(t))].item for parity in ("odd", "even") for t in SUMS}


def open_chart(page: Page, name: str) -> None:
    page.keyboard.press("Alt+d")
    chart = page.get_by_label("Chart", exact=True)
    chart.select_option(chart.locator("option", has_text=name).get_attribute("value"))
    expect(page.get_by_role("grid", name=f"{name}, 22 cells")).to_be_visible()


def cell(page: Page, key: str) -> Locator:
    return page.locator(f'[data-chart-cell="{key}"]')


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_railroads_are_changed_in_place_by_keyboard(editing: Editing, served: Served) -> None:
    session = served.session
    shares = {
        row.railroad: row for row in report(compile_document(session.document, board_id="example").board).railroads
    }
    with editing(served) as page:
        page.keyboard.press("Alt+r")
        expect(grid(page, "Railroads", 1, 4)).to_have_text(f"{shares['valley'].service:.2f} %")
        expect(grid(page, "Railroads", 1, 5)).to_have_text(f"{shares['valley'].monopoly:.2f} %")
        offered = grid(page, "Railroads", 1, 1).locator("option").all_inner_texts()
        assert offered == list(get_args(Pattern))
        grid(page, "Railroads", 1, 3).click()
        page.keyboard.type("12,500")
        page.keyboard.press("Enter")
        undone(page, "Set price of VALLEY to 12500")
        expect(grid(page, "Railroads", 2, 3)).to_be_focused()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        page.keyboard.type("wave")
        expect(page.get_by_role("button", name="Undo: Change pattern of CROSS")).to_be_enabled()
        page.keyboard.press("Escape")
        page.keyboard.press("Alt+ArrowUp")
        undone(page, "Reorder railroads")
        rows = session.document.railroads
        assert sorted(rows, key=lambda key: rows[key].rank) == ["shore", "cross", "valley"]
        assert (rows["valley"].price, rows["cross"].pattern) == (12500, "wave")
        grid(page, "Railroads", 0, 6).get_by_role("checkbox").click()
        undone(page, "Change public of SHORE")
        assert session.document.railroads["shore"].public
        page.get_by_role("button", name="Delete", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(page.get_by_role("grid", name="Railroads").locator("tbody tr")).to_have_count(2)
        assert "shore" not in session.document.railroads
        page.keyboard.press("Control+z")
        expect(page.get_by_role("grid", name="Railroads").locator("tbody tr")).to_have_count(3)
        page.get_by_role("button", name="Add …").click()
        page.get_by_label("Name", exact=True).fill("Hoosac Tunnel")
        page.get_by_label("Reporting mark").fill("HTW")
        page.get_by_role("dialog").get_by_label("Price").fill("9000")
        page.keyboard.press("Enter")
        undone(page, "Add railroad HTW")
        htw = session.document.railroads["htw"]
        assert (htw.name, htw.price) == ("Hoosac Tunnel", 9000)
        expect(page.get_by_text("Drawing tools work on Hoosac Tunnel")).to_be_visible()


def test_colours_that_are_too_alike_are_reported_and_fixed_one_by_one(editing: Editing, served: Served) -> None:
    session = served.session
    for railroad in ("shore", "valley", "cross"):
        session.do({"kind": "edit-railroad", "id": railroad, "colour": "#1e7d4f", "pattern": "solid"})
    before = session.document.railroads
    with editing(served) as page:
        page.keyboard.press("Alt+r")
        page.get_by_text("Colours that can be told apart").click()
        alike = page.get_by_role("list", name="Railroads that look alike").get_by_role("listitem")
        expect(alike.first).to_contain_text("0.0")
        page.get_by_role("button", name="Suggest colours").click()
        offered = page.get_by_role("list", name="Suggested colours").get_by_role("listitem")
        expect(offered.first).to_be_visible()
        count = offered.count()
        assert count >= 2
        assert session.document.railroads == before
        offered.first.get_by_role("button", name="Take the colour for").click()
        expect(offered).to_have_count(count - 1)
        one = session.document.railroads
        assert sum(one[key] != before[key] for key in one) == 1
        page.get_by_role("button", name="Take all").click()
        expect(offered).to_have_count(0)
        expect(page.get_by_text("No two railroads that touch look alike")).to_be_visible()
        looks = {(row.colour, row.pattern) for row in session.document.railroads.values()}
        assert len(looks) == 3


def shot(page: Page) -> Floats:
    picture = Image.open(io.BytesIO(page.locator("main.canvas").screenshot())).convert("RGB")
    # without the edge, where the divider beside it may show
    return np.asarray(picture, dtype=np.float64)[4:-4, 4:-4] / 255


def test_the_canvas_is_seen_as_mapkit_s_own_simulation_says(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        page.keyboard.press("Alt+r")
        see = page.get_by_label("Show the board as seen with")
        notice = page.locator(".sight-notice")
        shows(page, sea(Hand(page, served)), CLASSIC.water)
        still(page)
        plain = shot(page)
        for vision in ("protan", "deutan", "tritan", "grey"):
            see.select_option(vision)
            notice.evaluate("element => { element.style.visibility = 'hidden' }")
            still(page)
            if vision == "grey":
                light = to_linear(plain) @ (XYZ_FROM_RGB[1] / XYZ_FROM_RGB[1].sum())
                wanted = np.repeat(to_encoded(light)[..., None], 3, axis=2)
            else:
                wanted = simulate_vision(plain, vision)  # type: ignore[arg-type] # one of the visions
            off = np.abs(shot(page) - np.clip(wanted, 0, 1)).max(axis=2) * 255
            assert np.percentile(off, 99.9) <= 3, vision
            assert np.abs(plain - wanted).max() * 255 > 40, vision
        notice.evaluate("element => { element.style.visibility = '' }")
        page.get_by_role("button", name="Back to normal").click()
        expect(notice).to_have_count(0)
        # a shadow on the canvas may be rounded otherwise when it is painted again
        assert np.abs(shot(page) - plain).max() * 255 < 1.5


def test_a_chart_is_typed_copied_and_emptied_by_keyboard(editing: Editing, served: Served) -> None:
    before = cells(served, "coast")
    with editing(served) as page:
        open_chart(page, "Coast")
        cell(page, "odd/2").click()
        page.keyboard.type("bos")
        page.keyboard.press("Enter")
        undone(page, "Set Coast odd 2 to Boston")
        expect(cell(page, "odd/3")).to_be_focused()
        page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Delete")
        undone(page, "Empty 4 cells of Coast")
        now = cells(served, "coast")
        assert [key for key, item in now.items() if item is None] == ["odd/3", "odd/4", "even/3", "even/4"]
        expect(page.get_by_text("D01").first).to_be_visible()
        row = page.get_by_role("table", name="Odds of cities").locator("tr", has_text="Empty cells")
        expect(row).to_contain_text("10/72")
        page.keyboard.press("Control+z")
        undone(page, "Set Coast odd 2 to Boston")
        cell(page, "odd/2").click()
        cell(page, "even/4").click(modifiers=["Shift"])
        page.keyboard.press("Control+c")
        cell(page, "odd/10").click()
        page.keyboard.press("Control+v")
        undone(page, "Paste 6 cells")
        now = cells(served, "coast")
        assert now["odd/2"] == "boston"
        for parity in ("odd", "even"):
            assert [now[f"{parity}/{t}"] for t in (10, 11, 12)] == [now[f"{parity}/{t}"] for t in (2, 3, 4)]
            assert [now[f"{parity}/{t}"] for t in range(5, 10)] == [before[f"{parity}/{t}"] for t in range(5, 10)]
        rolls = sum(6 - abs(int(key.split("/")[1]) - 7) for key, item in now.items() if item == "boston")
        row = page.get_by_role("table", name="Odds of cities").locator("tr", has_text="Boston")
        whole = Fraction(rolls, 72) * Fraction(1, 2)
        expect(row).to_contain_text(f"{rolls}/72")
        expect(row).to_contain_text(f"{whole.numerator}/{whole.denominator}")


def test_a_city_dragged_over_cells_fills_them_in_one_step(editing: Editing, served: Served) -> None:
    before = cells(served, "coast")
    with editing(served) as page:
        open_chart(page, "Coast")
        page.get_by_role("button", name="Side by side").click()
        page.mouse.move(*middle(page.locator(".grip", has_text="Portland")))
        page.mouse.down()
        page.mouse.move(*middle(cell(page, "even/6")), steps=3)
        page.mouse.move(*middle(cell(page, "even/9")))
        expect(cell(page, "even/8")).to_contain_text("Portland")
        assert cells(served, "coast") == before
        page.mouse.up()
        expect(page.locator(".dragged")).to_have_count(0)
        expect(page.get_by_role("button", name="Undo: Put Portland into")).to_be_enabled()
        now = cells(served, "coast")
        assert {now[f"even/{total}"] for total in (6, 7, 8, 9)} == {"portland"}
        assert served.session.revision == 1
        # and from the board: New Haven over three cells
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Find a command").fill("New Haven")
        page.keyboard.press("Enter")
        expect(page.locator("dialog")).to_have_count(0)
        expect(page.get_by_text("1 selected")).to_be_visible()
        page.keyboard.press("Shift+d")
        still(page)
        page.mouse.move(*middle(page.locator("#board")))
        page.mouse.down()
        page.mouse.move(*middle(cell(page, "odd/10")), steps=4)
        page.mouse.move(*middle(cell(page, "odd/12")))
        page.mouse.up()
        expect(page.get_by_role("button", name="Undo: Put New Haven into")).to_be_enabled()
        assert {cells(served, "coast")[f"odd/{total}"] for total in (10, 11, 12)} == {"new-haven"}
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+z")
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
        assert cells(served, "coast") == before


def test_a_wish_is_solved_shown_and_taken_in_one_step(editing: Editing, served: Served) -> None:
    before = cells(served, "coast")
    with editing(served) as page:
        open_chart(page, "Coast")
        page.get_by_label("Percent wanted for Boston").fill("8.3333")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Boston gets 8.33 %")).to_be_visible()
        assert page.locator(".chart td.other").count() > 0
        assert cells(served, "coast") == before
        page.get_by_role("button", name="Take this chart").click()
        expect(page.get_by_role("button", name="Undo: Set chart Coast")).to_be_enabled()
        now = cells(served, "coast")
        assert sum(6 - abs(int(key.split("/")[1]) - 7) for key, item in now.items() if item == "boston") == 6
        assert None not in now.values()
        expect(page.get_by_role("table", name="Odds of cities").locator("tr", has_text="Boston")).to_contain_text(
            "6/72"
        )


def test_cities_and_regions_are_changed_in_their_tables(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        page.keyboard.press("Alt+i")
        page.get_by_role("button", name="Add a region …").click()
        page.get_by_label("Name", exact=True).fill("Lakes")
        page.keyboard.press("Enter")
        undone(page, "Add region Lakes")
        assert session.document.regions["lakes"].short == "LA"
        grid(page, "Cities", 2, 1).get_by_role("combobox").select_option("lakes")
        undone(page, "Move Burlington to Lakes")
        assert session.document.cities["burlington"].region == "lakes"
        grid(page, "Cities", 0, 0).click()
        page.keyboard.press("F2")
        page.keyboard.type("Troy")
        page.keyboard.press("Tab")
        undone(page, "Rename Albany to Troy")
        expect(grid(page, "Cities", 0, 1)).to_be_focused()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        page.keyboard.type("42.73")
        page.keyboard.press("Enter")
        undone(page, "Move Troy")
        assert session.document.cities["albany"].lat == 42.73
        grid(page, "Cities", 0, 6).get_by_role("combobox").select_option("springfield")
        undone(page, "Make Troy and Springfield twins")
        rows = session.document.cities
        assert rows["albany"].milepost == rows["springfield"].milepost != ""
        grid(page, "Cities", 0, 6).get_by_role("combobox").select_option("")
        undone(page, "Give Troy its own milepost")
        grid(page, "Cities", 0, 3).get_by_role("combobox").select_option("port")
        undone(page, "Mark Troy as port")
        assert session.document.cities["albany"].mark == "port"


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_serious_fault_in_the_panels(editing: Editing, served: Served, dark: bool) -> None:  # noqa: FBT001
    with editing(served, dark=dark) as page:
        for key in ("Alt+r", "Alt+i", "Alt+d"):
            page.keyboard.press(key)
            if key == "Alt+d":
                open_chart(page, "Inland")
                page.get_by_label("Percent wanted for Albany").fill("50")
                page.keyboard.press("Enter")
                expect(page.get_by_text("Albany gets")).to_be_visible()
                cell(page, "odd/7").click()
                page.keyboard.type("b")
                expect(page.get_by_role("combobox", name="What stands in")).to_be_focused()
            if key == "Alt+r":
                page.get_by_text("Colours that can be told apart").click()
                grid(page, "Railroads", 0, 0).click()
            still(page)
            found = Axe().run(page).response["violations"]
            bad = [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")]
            assert bad == [], json.dumps(bad)
