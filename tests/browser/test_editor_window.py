"""The window around the board: reasons in the palette, menus on the board, the pointer's position, moving by Space."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import until
from editing import Editing, Served, panel, serving
from playwright.sync_api import FileChooser, Page, expect
from test_editor_canvas import sea
from test_editor_draw import Hand


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def found(page: Page, text: str) -> None:
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find a command").fill(text)


def test_the_palette_finds_what_cannot_be_done_now_and_says_why(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        found(page, "split")
        first = page.get_by_role("option", name="Split the line here")
        expect(first).to_have_attribute("aria-disabled", "true")
        expect(first).to_contain_text("choose a line first")
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("choose a line first")
        page.keyboard.press("Escape")
        found(page, "Albany")
        page.keyboard.press("Enter")
        expect(page.locator(".status")).to_contain_text("1 selected")
        found(page, "Name it")
        expect(page.get_by_role("option", name="Name it")).to_have_attribute("aria-disabled", "false")
        assert served.session.revision == 0


def test_the_menu_of_a_thing_is_of_what_lies_under_the_pointer(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        hand = Hand(page, served)
        page.mouse.click(*hand.of("Albany"), button="right")
        menu = page.get_by_role("menu", name="What can be done with what is selected")
        expect(page.get_by_role("heading", name="Albany", exact=True)).to_be_visible()
        expect(menu.get_by_role("menuitem", name="Name it")).to_be_focused()
        page.keyboard.press("Escape")
        expect(menu).to_have_count(0)
        page.mouse.dblclick(*hand.of("Albany"))
        expect(page.get_by_role("dialog")).to_contain_text("Albany")
        page.keyboard.press("Escape")
        assert served.session.revision == 0


def _go_to(page: Page) -> None:
    found(page, "Albany")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("0")


def _zoom_out(page: Page) -> None:
    page.get_by_role("button", name="Zoom out").click()
    page.keyboard.press("0")


def test_the_pointers_position_is_said_and_space_moves_the_page(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        hand = Hand(page, served)
        albany = re.compile(r"^42\.6\d+° N, 73\.7\d+° W$")
        page.mouse.click(*sea(hand))
        x, y = hand.of("Albany")
        page.mouse.move(x, y)
        expect(page.locator(".position")).to_have_text(albany)
        expect(page.get_by_role("img", name="North")).to_be_visible()
        # nor is it dragged when the cross stands on it, as after a search, or the focus is on a button that was clicked
        for before in (_go_to, _zoom_out):
            before(page)
            page.mouse.move(x + 2, y)
            page.mouse.move(x, y)
            expect(page.locator(".position")).to_have_text(albany)
            page.keyboard.down("Space")
            page.mouse.down()
            page.mouse.move(x + 60, y + 40, steps=4)
            page.mouse.up()
            page.keyboard.up("Space")
            page.keyboard.press("0")
        page.mouse.move(x, y)
        expect(page.locator(".position")).to_have_text(albany)
        page.mouse.wheel(0, -600)  # the whole page has nowhere to go
        page.mouse.move(x + 120, y + 60)
        expect(page.locator(".position")).not_to_have_text(albany)
        page.mouse.move(x, y)
        expect(page.locator(".position")).to_have_text(albany)
        page.keyboard.down("Space")
        page.mouse.down()
        page.mouse.move(x + 120, y + 60, steps=4)
        expect(page.locator(".position")).to_have_text(albany)  # it has come along
        page.mouse.up()
        page.keyboard.up("Space")
        assert served.session.revision == 0  # nothing was dragged but the page


def test_each_work_space_keeps_where_it_was_scrolled(editing: Editing, served: Served) -> None:
    at = "() => document.querySelector('.space .tabpanel').scrollTop"
    with editing(served, height=520) as page:
        panel(page, "Board")
        expect(page.get_by_label("Title", exact=True)).to_be_visible()
        page.evaluate("() => document.querySelector('.space .tabpanel').scrollTo(0, 200)")
        panel(page, "Railroads")
        panel(page, "Board")
        until(page, lambda: page.evaluate(at) == 200)


def test_dialogs_and_regions_are_in_the_palette(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        for words, title in (
            ("add a city by figures", "New city"),
            ("add a region", "New region"),
            ("new railroad", "New railroad"),
            ("new variant", "New variant of what was edited"),
        ):
            found(page, words)
            page.keyboard.press("Enter")
            expect(page.get_by_role("dialog").get_by_role("heading", level=2)).to_contain_text(title.split(" of ")[0])
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
        found(page, "add a point by figures")
        expect(page.get_by_role("listbox", name="Found").get_by_role("option").first).to_contain_text("add a picture")
        page.keyboard.press("Escape")
        found(page, "fill the chosen block")
        expect(page.get_by_role("listbox", name="Found").get_by_role("option").first).to_contain_text(
            "open the payoff chart first"
        )


@pytest.mark.parametrize(
    ("words", "accept"), [("add a picture underneath", "image/png"), ("add lines from a file", ".geojson")]
)
def test_files_to_put_underneath_are_asked_for_from_the_palette(
    editing: Editing, served: Served, words: str, accept: str
) -> None:
    with editing(served) as page:
        asked: list[FileChooser] = []
        page.on("filechooser", lambda chooser: asked.append(chooser))  # noqa: PLW0108 - Playwright asks for a function
        found(page, words)
        page.keyboard.press("Enter")
        until(page, lambda: len(asked) == 1)
        assert (asked[0].element.get_attribute("accept") or "").split(",")[0] == accept


def test_cells_of_charts_have_a_menu_by_mouse_and_by_key(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        menu = page.get_by_role("menu", name="What can be done with the chosen cells")
        panel(page, "Destinations")
        cell = page.get_by_role("gridcell", name=re.compile("^odd 7: "))
        cell.click(button="right")
        expect(menu.get_by_role("menuitem", name="Choose what stands there")).to_be_focused()
        menu.get_by_role("menuitem", name="Empty the chosen cells").click()
        until(page, lambda: served.session.document.destinations["regions/odd/7"].item is None)
        cell.focus()
        page.keyboard.press("Shift+F10")
        expect(menu).to_be_visible()
        page.keyboard.press("Escape")
        expect(menu).to_have_count(0)
        page.keyboard.press("Alt+y")
        grid = page.locator("#payoff-grid")
        expect(grid).to_be_focused()
        page.locator("#payoff-0-1").click(button="right")
        menu.get_by_role("menuitem", name="Empty the chosen cells").click()
        expect(page.locator(".payoff-line")).to_contain_text("empty")
        until(page, lambda: len(served.session.document.payoffs) == 14)
        grid.focus()
        page.keyboard.press("Shift+F10")
        menu.get_by_role("menuitem", name="Change the amount").click()
        page.keyboard.type("4")
        page.keyboard.press("Enter")
        until(page, lambda: len(served.session.document.payoffs) == 15)
