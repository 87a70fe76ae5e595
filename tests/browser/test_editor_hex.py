"""The editor of hexagon boards in a browser: a story of painting, edges, cities, links, undo and save; and axe."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import until
from editing import Editing, Served, serving
from playwright.sync_api import Page, expect

from mapkit.document.workspace import Workspace
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.kinds.starting import new_board


@pytest.fixture(scope="module")
def valleys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The small example, served."""
    with serving(new_board(Workspace(tmp_path_factory.mktemp("hexes")), "valleys", kind="hex")) as served:
        yield served


def point(page: Page, served: Served, hexagon: str, share: float = 0.0, towards: str = "") -> tuple[float, float]:
    """Return where a hexagon is on the page, or a place on the way from it to another."""
    document: Any = served.session.document
    compiled = HEX.compile(document, board_id="valleys")
    sheet = lay_out_sheet(compiled.board)
    box = page.locator(".stage").bounding_box()
    assert box is not None

    def place(name: str) -> tuple[float, float]:
        cube = compiled.board.grid.hex_of(name)
        assert cube is not None
        x, y = sheet.centre(cube)
        scale = box["width"] / sheet.width
        return box["x"] + x * scale, box["y"] + y * scale

    (x1, y1), (x2, y2) = place(hexagon), place(towards or hexagon)
    return x1 + share * (x2 - x1), y1 + share * (y2 - y1)


def rows(served: Served, table: str) -> dict[str, dict[str, object]]:
    return {key: row.model_dump() for key, row in served.session.document.table(table).items()}


def test_terrain_and_edges_are_painted(editing: Editing, valleys: Served) -> None:
    with editing(valleys) as page:
        page.locator(".stage img").wait_for()
        # terrain: a stroke of the brush is one step
        page.keyboard.press("p")
        page.get_by_role("button", name="mountain").click()
        page.mouse.move(*point(page, valleys, "1-1"))
        page.mouse.down()
        page.mouse.move(*point(page, valleys, "1-3"), steps=8)
        page.mouse.up()
        page.get_by_text("Paint 3 hexagons mountain").first.wait_for()
        assert {rows(valleys, "hexes")[name]["terrain"] for name in ("1-1", "1-2", "1-3")} == {"mountain"}
        # an edge, and the same click takes it away
        page.keyboard.press("e")
        page.mouse.click(*point(page, valleys, "1-1", 0.45, "1-2"))
        until(page, lambda: rows(valleys, "edges").get("1-1--1-2", {}).get("kinds") == ("ridge",))
        page.mouse.click(*point(page, valleys, "1-1", 0.45, "1-2"))
        until(page, lambda: "1-1--1-2" not in rows(valleys, "edges"))


def test_cities_links_ways_and_saving(editing: Editing, valleys: Served) -> None:
    with editing(valleys) as page:
        page.locator(".stage img").wait_for()
        page.keyboard.press("c")
        page.get_by_role("button", name="purple").click()
        page.mouse.click(*point(page, valleys, "1-2"))
        page.get_by_label("Name of the city").fill("Juniper")
        page.keyboard.press("Enter")
        until(page, lambda: rows(valleys, "cities").get("juniper", {}).get("colours") == ("purple",))
        # a printed link, and the cheapest way while the ground changes
        home = str(rows(valleys, "cities")["fir"]["hex"])
        page.keyboard.press("l")
        for hexagon in ("1-2", home):
            page.mouse.click(*point(page, valleys, hexagon))
        until(page, lambda: "juniper-fir" in rows(valleys, "links"))
        page.keyboard.press("w")
        for hexagon in ("1-2", home):
            page.mouse.click(*point(page, valleys, hexagon))
        figure = page.locator(".card .figure")
        expect(figure).to_contain_text("tiles")
        # the city is moved by dragging, chosen and renamed in its panel
        page.keyboard.press("v")
        page.mouse.move(*point(page, valleys, "1-2"))
        page.mouse.down()
        page.mouse.move(*point(page, valleys, "1-3"), steps=4)
        page.mouse.up()
        until(page, lambda: rows(valleys, "cities")["juniper"]["hex"] == "1-3")
        page.get_by_label("Name", exact=True).fill("Yew")
        page.keyboard.press("Enter")
        until(page, lambda: rows(valleys, "cities")["juniper"]["name"] == "Yew")
        # a table, a finding, undo and save
        page.get_by_role("tab", name="Track").click()
        expect(page.get_by_role("grid", name="Track")).to_be_visible()
        page.get_by_role("tab", name="Checks").click()
        expect(page.locator(".findings li").first).to_be_visible()
        page.keyboard.press("Control+z")
        until(page, lambda: rows(valleys, "cities")["juniper"]["name"] == "Juniper")
        page.keyboard.press("Control+s")
        until(page, lambda: not valleys.session.unsaved)
        expect(page.get_by_text("Saved, revision")).to_be_visible()
        folder = valleys.session.folder
        assert folder is not None
        assert "juniper" in (Path(folder) / "cities.csv").read_text(encoding="utf-8")


def test_the_keyboard_alone_paints_and_walks(editing: Editing, valleys: Served) -> None:
    with editing(valleys) as page:
        page.locator(".stage img").wait_for()
        board = page.get_by_role("application")
        board.focus()
        page.keyboard.press("f")
        page.keyboard.press("p")
        page.keyboard.press("2")
        for key in ("ArrowDown", "ArrowRight", "ArrowUp", "Enter"):
            page.keyboard.press(key)
        until(page, lambda: rows(valleys, "hexes").get("2-1", {}).get("terrain") == "water")
        expect(page.locator("#hex-here")).to_contain_text("2-1, water")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious(editing: Editing, valleys: Served, *, dark: bool) -> None:
    with editing(valleys, dark=dark) as page:
        page.locator(".stage img").wait_for()
        wrong = []
        for tool, panel in (("v", "Map"), ("p", "Checks"), ("e", "Cards"), ("c", "History"), ("n", "Help")):
            page.keyboard.press(tool)
            page.get_by_role("tab", name=panel).click()
            found = Axe().run(page).response["violations"]
            wrong += [
                f"{panel}: {one['id']}: {one['nodes'][0]['html'][:120]}"
                for one in found
                if one["impact"] in ("serious", "critical")
            ]
        assert wrong == []
