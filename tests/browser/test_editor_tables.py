"""Tables of the editor: menus of rows by mouse and keyboard, and what is cut off is said in full."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import until
from editing import Editing, Served, panel, serving
from playwright.sync_api import Page, expect


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def labels(page: Page) -> list[str]:
    items = page.locator(".menu.context [role=menuitem] > span:not(.icon)")
    expect(items.first).to_be_visible()
    return items.all_inner_texts()


def test_a_row_of_a_table_has_a_menu_by_mouse_and_by_keyboard(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        panel(page, "Table")
        table = page.get_by_role("grid", name="Railroads")
        ids = [key for key, _ in sorted(session.document.railroads.items(), key=lambda one: one[1].rank)]
        short = [session.document.railroads[key].short for key in ids]
        price = table.locator("[data-cell='1:3']")
        price.click(button="right")
        assert labels(page) == [
            f"Show {short[1]} on the board",
            f"Draw a line of {short[1]}",
            "Change Price",
            "Move up",
            "Move down",
            f"Delete {short[1]}",
        ]
        page.get_by_role("menuitem", name="Change Price").click()
        page.get_by_role("textbox", name=f"Price of {short[1]}").fill("4321")
        page.keyboard.press("Enter")
        until(page, lambda: session.document.railroads[ids[1]].price == 4321)
        # the same by keyboard: to the first row and its menu, down to "Move down"
        page.keyboard.press("Control+Home")
        page.keyboard.press("Shift+F10")
        assert labels(page)[0] == f"Show {short[0]} on the board"
        expect(page.get_by_role("menuitem").first).to_be_focused()
        page.get_by_role("menuitem", name="Move down").press("Enter")
        until(page, lambda: session.document.railroads[ids[0]].rank > session.document.railroads[ids[1]].rank)
        page.keyboard.press("Shift+F10")
        page.keyboard.press("Escape")
        expect(page.locator(".menu.context")).to_have_count(0)
        expect(table.locator("td:focus")).to_have_count(1)
        # a table that is only read
        panel(page, "Balance")
        balance = page.get_by_role("grid", name="Railroads by service").locator(".row").first
        balance.click(button="right")
        said = labels(page)
        assert [said[0].split()[0], said[1].split()[0]] == ["Light", "Go"]
        page.get_by_role("menuitem", name="Go to").click()
        expect(page.get_by_role("grid", name="Railroads").locator("tr[aria-selected=true]")).to_have_count(1)


def test_the_first_column_stays_and_what_is_cut_off_is_said(editing: Editing, served: Served) -> None:
    session = served.session
    ident = min(session.document.cities)
    long = "Saint-Quentin-de-la-Chapelle-sur-Oise"
    with editing(served) as page:
        session.do({"kind": "edit-city", "id": ident, "name": long})
        panel(page, "Cities")
        cell = page.get_by_role("grid", name="Cities").get_by_role("gridcell", name=long)
        cell.scroll_into_view_if_needed()
        cell.hover()
        expect(cell).to_have_attribute("title", long)
        frame = page.locator(".edit-table", has=page.get_by_role("grid", name="Cities"))
        left = cell.evaluate("cell => cell.getBoundingClientRect().left")
        moved = frame.evaluate("frame => { frame.scrollLeft = 400; return frame.scrollLeft; }")
        assert moved > 0
        assert cell.evaluate("cell => cell.getBoundingClientRect().left") == pytest.approx(left, abs=1)
        # no word of a head is cut, and a choice shows all of its word
        cut = """frame => [...frame.querySelectorAll('th, select')]
            .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""
        assert frame.evaluate(cut) == []
