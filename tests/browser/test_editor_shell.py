"""The editor's page in a browser: what mouse and keyboard do to the board on the server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import still
from editing import Editing, Served, panel, serving
from playwright.sync_api import Page, expect

from mapkit.kinds.rail.tables import RailDocument


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def find(page: Page, name: str) -> None:
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find a command").fill(name)
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)


def place_of(document: RailDocument, name: str) -> tuple[float, float] | None:
    row = document.places.get(name)
    city = next((c for c in document.cities.values() if c.name == name), None)
    return (row.lon, row.lat) if row else (city.lon, city.lat) if city else None


def city_in_the_middle(page: Page, served: Served) -> str:
    """Fly to a city; it stands in the middle of the canvas then."""
    name: str = min(city.name for city in served.session.document.cities.values())
    find(page, name)
    expect(page.locator(".inspector-head .what")).to_have_text(name)
    still(page)
    return name


def drag(page: Page, dx: int, dy: int) -> None:
    box = page.locator("#board").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


def test_a_city_moved_by_mouse_is_undone_by_keyboard_and_kept_over_a_reload(editing: Editing, served: Served) -> None:
    session = served.session
    before = session.document
    with editing(served) as page:
        name = city_in_the_middle(page, served)
        was = place_of(before, name)
        drag(page, 80, 40)
        expect(page.locator(".status .state")).to_have_text("Kept, not yet in the files, revision 1")
        now = place_of(session.document, name)
        assert was is not None
        assert now is not None
        assert now[0] > was[0]
        assert now[1] < was[1]
        expect(page.get_by_role("button", name=f"Undo: Move {name}")).to_be_enabled()
        page.reload()
        expect(page.get_by_role("button", name=f"Undo: Move {name}")).to_be_enabled()
        page.keyboard.press("Control+z")
        expect(page.get_by_role("button", name=f"Redo: Move {name}")).to_be_enabled()
        assert session.document == before
        page.keyboard.press("Control+Shift+z")
        expect(page.get_by_role("button", name=f"Undo: Move {name}")).to_be_enabled()
        assert place_of(session.document, name) == now
        page.keyboard.press("Control+s")
        expect(page.locator(".status .state")).to_have_text("Saved, revision 3")
        assert not session.unsaved


def test_a_city_is_moved_by_keyboard_alone(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        name = city_in_the_middle(page, served)
        was = place_of(served.session.document, name)
        page.keyboard.press("Space")
        for _ in range(6):
            page.keyboard.press("ArrowUp")
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name=f"Undo: Move {name}")).to_be_enabled()
        now = place_of(served.session.document, name)
        assert was is not None
        assert now is not None
        assert now[1] > was[1]


def test_escape_breaks_a_drag_off(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        city_in_the_middle(page, served)
        page.keyboard.press("Space")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Escape")
        page.keyboard.press("Space")
        page.keyboard.press("Space")
        still(page)
        assert served.session.revision == 0


def test_the_history_is_a_list_to_jump_in(editing: Editing, served: Served) -> None:
    session = served.session
    railroad = next(iter(session.document.railroads))
    with editing(served) as page:
        for price in (1000, 2000, 3000):
            session.do({"kind": "edit-railroad", "id": railroad, "price": price})
        panel(page, "History")
        steps = page.locator(".history button")
        expect(steps).to_have_count(4)
        steps.nth(1).click()
        expect(page.locator(".history .undone")).to_have_count(2)
        assert session.document.railroads[railroad].price == 1000
        page.get_by_role("button", name="Checkpoint").click()
        page.get_by_label("Name of the checkpoint").fill("cheap")
        page.keyboard.press("Enter")
        expect(page.locator(".history .mark", has_text="cheap")).to_have_count(1)
        steps.nth(3).click()
        expect(page.locator(".history .undone")).to_have_count(0)
        assert session.document.railroads[railroad].price == 3000


def test_a_change_of_another_page_is_shown(editing: Editing, served: Served) -> None:
    with editing(served) as one, editing(served) as two:
        name = city_in_the_middle(one, served)
        drag(one, 60, 0)
        expect(two.get_by_role("button", name=f"Undo: Move {name}")).to_be_enabled()
        expect(two.locator(".status .state")).to_have_text("Kept, not yet in the files, revision 1")


def test_a_box_selects_mileposts(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        box = page.locator("#board").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 5, box["y"] + 5)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] - 5, box["y"] + box["height"] - 5)
        page.mouse.up()
        posts = int(page.locator(".status").inner_text().rpartition(" milepost")[0].rsplit(maxsplit=1)[-1])
        assert posts > 5
        expect(page.locator(".inspected h3")).to_have_text(f"{posts} things are selected")
        page.keyboard.press("Escape")
        expect(page.get_by_role("region", name="Inspector")).to_have_count(0)


def test_the_sheet_lists_every_key_and_the_palette_runs_commands(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        page.keyboard.press("?")
        sheet = page.get_by_role("dialog", name="Keys")
        for text in ("Ctrl+Z", "Ctrl+K", "Save to the board's files", "Select with a lasso"):
            expect(sheet.get_by_text(text).first).to_be_visible()
        page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        find(page, "hide the side pane")
        expect(page.get_by_role("complementary")).to_have_count(0)
        page.keyboard.press("\\")
        expect(page.get_by_role("complementary")).to_have_count(1)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 640])
def test_axe_finds_no_serious_fault(editing: Editing, served: Served, dark: bool, width: int) -> None:  # noqa: FBT001
    with editing(served, dark=dark, width=width, height=720 if width == 1280 else 360) as page:
        city_in_the_middle(page, served)
        drag(page, 60, 20)
        panel(page, "History")
        for key in ("", "?", "Control+k"):
            if key:
                page.keyboard.press(key)
                expect(page.locator("dialog")).to_have_count(1)
            found = Axe().run(page).response["violations"]
            assert [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")] == []
            if key:
                page.keyboard.press("Escape")
                expect(page.locator("dialog")).to_have_count(0)
        # nothing is wider than the window, at 200 % zoom of 1280 pixels too
        assert page.evaluate("document.documentElement.scrollWidth") <= width
