"""What the keyboard does is said: what lies under the cross, taking hold, letting go; and bars are one stop of Tab."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from editing import Editing, Served, serving
from playwright.sync_api import expect

FOCUS = "() => document.activeElement?.getAttribute('aria-label') ?? ''"


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def test_the_cross_says_what_lies_there_what_is_held_and_what_is_let_go(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        said = page.locator("#board-said")
        page.keyboard.press("Control+k")
        page.keyboard.type("Albany")
        page.keyboard.press("Enter")
        expect(said).to_contain_text("Albany, city")
        page.locator("#board").focus()
        page.keyboard.press("Space")
        expect(said).to_have_text("Took hold of Albany. Arrows drag it, Space lets go, Escape puts it back.")
        for _ in range(4):
            page.keyboard.press("ArrowUp")
        expect(said).to_contain_text("Holding Albany.")
        expect(said).to_contain_text(re.compile(r"\d+ miles to \w[^.]* on [^.]*, was \d+\."))
        page.keyboard.press("Escape")
        expect(said).to_have_text("Let go; nothing was changed.")
        page.keyboard.press("ArrowUp")
        expect(said).to_have_text("Nothing here. Albany is 5 down.")
        page.keyboard.press("Space")
        page.keyboard.press("Escape")
        for _ in range(5):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name="Undo: Move Albany")).to_be_enabled()
    assert served.session.position == 1


def test_a_bar_of_buttons_is_one_stop_of_tab(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        bar, rail = page.locator("header.toolbar"), page.get_by_role("toolbar", name="Tools")
        for box in (bar, rail):
            expect(box.locator("button:not([tabindex='-1']):not(:disabled)")).to_have_count(1)
        rail.get_by_role("button").first.focus()
        first = page.evaluate(FOCUS)
        page.keyboard.press("ArrowDown")
        second = page.evaluate(FOCUS)
        page.keyboard.press("End")
        last = page.evaluate(FOCUS)
        assert len({first, second, last}) == 3
        page.keyboard.press("ArrowDown")
        assert page.evaluate(FOCUS) == first
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        assert page.evaluate(f"() => document.activeElement.closest('.rail') === null && ({FOCUS})() !== ''")
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(FOCUS) == second
