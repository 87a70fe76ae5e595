"""The editor in windows of four sizes: nothing overlaps, and on a phone the board has the window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from editing import Editing, Served, serving
from playwright.sync_api import Page, expect
from test_editor_draw import Hand

PHONE = (390, 844)
OVERLAPS = """
() => {
  const seen = [...document.querySelectorAll("button, input, select, summary, [role=separator]")].filter((e) => {
    const box = e.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = document.elementFromPoint(x, y);
    return box.width > 2 && box.height > 2 && top && (e === top || e.contains(top) || top.contains(e));
  });
  const out = [];
  for (const one of seen) for (const two of seen) {
    if (one === two || one.contains(two) || two.contains(one)) continue;
    const [a, b] = [one.getBoundingClientRect(), two.getBoundingClientRect()];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 2 && high > 2) out.push(`${one.outerHTML.slice(0, 90)} / ${two.outerHTML.slice(0, 90)}`);
  }
  return out;
}
"""
"""Pairs of controls in sight whose boxes lie over each other."""


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def space(page: Page, name: str) -> None:
    page.get_by_role("tablist", name="Work spaces").get_by_role("tab", name=name).tap()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1440, 900), (1920, 1080), PHONE])
def test_controls_do_not_overlap_in_any_window(editing: Editing, served: Served, width: int, height: int) -> None:
    with editing(served, width=width, height=height) as page:
        for name in ("Map", "Cities and regions", "Payoffs", "Checks"):
            page.get_by_role("tablist", name="Work spaces").get_by_role("tab", name=name).click()
            assert page.evaluate(OVERLAPS) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_the_board_fills_the_window_and_panels_come_from_below(editing: Editing, served: Served) -> None:
    width, height = PHONE
    with editing(served, width=width, height=height, touch=True) as page:
        box = page.locator("#board").bounding_box()
        assert box is not None
        assert (box["width"], box["height"]) > (width - 1, height * 0.8)
        edge, panels = page.locator(".sheet-edge"), page.locator(".pane .tabpanel")
        expect(panels).to_have_count(0)
        space(page, "Cities and regions")
        expect(panels).to_be_visible()
        expect(edge).to_have_text("Cities and regions")
        assert page.locator("#board").bounding_box() == box
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
        # it is remembered, and folded by its edge or its tab
        page.reload()
        expect(panels).to_be_visible()
        edge.tap()
        expect(panels).to_have_count(0)
        space(page, "Cities and regions")
        expect(panels).to_be_visible()
        space(page, "Cities and regions")
        expect(panels).to_have_count(0)


def test_a_finger_selects_edits_and_asks_for_the_menu(editing: Editing, served: Served) -> None:
    width, height = PHONE
    with editing(served, width=width, height=height, touch=True) as page:
        head = page.locator(".inspector-head")
        expect(head).to_have_count(0)  # nothing is selected, so it takes no room
        albany = Hand(page, served).of("Albany")
        page.touchscreen.tap(*albany)
        expect(head).to_contain_text("Albany")
        head.tap()
        name = page.get_by_label("Its name", exact=True)
        name.fill("Fort Orange")
        name.press("Enter")
        expect(page.get_by_role("heading", name="Fort Orange", exact=True)).to_be_visible()
        head.tap()
        # a finger that rests opens the menu, one that moves does not
        touches = page.context.new_cdp_session(page)
        at = {"x": albany[0], "y": albany[1]}
        touches.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
        menu = page.get_by_role("menu", name="What can be done with what is selected")
        expect(menu).to_be_visible()
        touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(menu).to_be_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        expect(head).to_have_count(0)
        touches.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{**at, "y": at["y"] + 60}]})
        for step in (40, 20, 0):
            moved = {**at, "y": at["y"] + step}
            touches.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [moved]})
        touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(head).to_have_count(0)
        expect(menu).to_have_count(0)
