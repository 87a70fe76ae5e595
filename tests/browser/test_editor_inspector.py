"""The inspector: facts are changed in place, and it leaves its room to the work space where both share one column."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import until
from editing import Editing, Served, panel, serving
from playwright.sync_api import expect
from test_editor_draw import Hand
from test_editor_shell import find


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def test_facts_of_a_city_are_changed_in_place(editing: Editing, served: Served) -> None:
    def city() -> tuple[str, str, float, float]:
        row = served.session.document.cities["albany"]
        return row.name, row.region, row.lat, row.lon

    with editing(served) as page:
        find(page, "Albany")
        name = page.get_by_label("Its name", exact=True)
        was = city()
        # Escape gives back what stood there
        name.fill("Nowhere")
        name.press("Escape")
        expect(name).to_have_value("Albany")
        # a refusal stands at the field, and nothing is changed
        name.fill("Boston")
        name.press("Enter")
        expect(page.locator(".facts .field.wrong [role=alert]")).to_contain_text("Boston")
        expect(page.locator(".toast")).to_have_count(0)
        name.press("Escape")
        expect(page.locator(".facts .field.wrong")).to_have_count(0)
        assert city() == was
        # what is done is one step each
        page.get_by_label("Its region", exact=True).select_option("coast")
        until(page, lambda: city()[1] == "coast")
        place = page.get_by_label("Its position", exact=True)
        place.fill("nowhere")
        place.press("Enter")
        expect(page.locator(".facts .field.wrong [role=alert]")).to_contain_text("Write the position")
        place.fill("42.7, -73.8")
        place.press("Enter")
        until(page, lambda: city()[2:] == (42.7, -73.8))
        name.fill("Fort Orange")
        name.press("Enter")
        expect(page.get_by_role("heading", name="Fort Orange", exact=True)).to_be_visible()
        assert served.session.position == 3
        page.keyboard.press("Tab")
        expect(page.get_by_label("Its region", exact=True)).to_be_focused()


def test_facts_of_a_railroad_and_of_a_milepost_are_changed_in_place(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        hand = Hand(page, served)
        hand.click(hand.between("Albany", "Pittsfield"))
        price = page.get_by_label("Its price", exact=True)
        price.fill("dear")
        price.press("Enter")
        expect(page.locator(".facts .field.wrong [role=alert]")).to_contain_text("dear is not a price")
        railroads = served.session.document.railroads
        price.fill("12,500")
        price.press("Enter")
        until(page, lambda: 12500 in [row.price for row in served.session.document.railroads.values()])
        (changed,) = [key for key, row in served.session.document.railroads.items() if row != railroads[key]]
        page.get_by_label("Its pattern", exact=True).select_option("dot")
        until(page, lambda: served.session.document.railroads[changed].pattern == "dot")
        page.get_by_label("Its colour", exact=True).fill("#123456")
        page.keyboard.press("Enter")
        until(page, lambda: served.session.document.railroads[changed].colour == "#123456")
        hand.click(hand.of("Pittsfield"))
        name = page.get_by_label("Its name", exact=True)
        name.fill("Pontoosuc")
        name.press("Enter")
        expect(page.get_by_role("heading", name="Pontoosuc", exact=True)).to_be_visible()


def test_a_click_on_a_button_counts_though_the_field_before_it_redraws_what_is_there(
    editing: Editing, served: Served
) -> None:
    with editing(served) as page:
        hand = Hand(page, served)
        hand.click(hand.between("Albany", "Pittsfield"))
        price = page.get_by_label("Its price", exact=True)
        price.fill("dear")
        # left like this, the field grows by a line and moves the button; a hand is slower than that
        page.get_by_role("button", name="Go to Albany").click(delay=400)
        expect(page.get_by_role("heading", name="Albany", exact=True)).to_be_visible()
        page.get_by_label("Its name", exact=True).fill("Fort Orange")
        page.get_by_role("button", name="Save to the board's files").click(delay=400)
        expect(page.locator(".status .state")).to_have_text("Saved, revision 1")
        assert "Fort Orange" in [row.name for row in served.session.document.cities.values()]


def test_twins_are_taken_apart_one_by_one(editing: Editing, served: Served) -> None:
    served.session.do({"kind": "twin-cities", "ids": ["albany", "burlington", "boston"]})
    with editing(served) as page:
        find(page, "Burlington")
        page.get_by_label("Its name (Burlington)").fill("Winooski")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Give Boston a milepost of its own").click()
        expect(page.get_by_text("City: Albany, Winooski")).to_be_visible()
        until(page, lambda: served.session.document.cities["boston"].milepost == "")


@pytest.mark.parametrize("dark", [False, True])
def test_the_inspector_leaves_its_room_to_the_work_space(editing: Editing, served: Served, *, dark: bool) -> None:
    with editing(served, dark=dark) as page:
        head = page.locator(".inspector-head")
        find(page, "Albany")
        expect(head).to_have_attribute("aria-expanded", "true")
        panel(page, "Cities and regions")
        expect(head).to_have_attribute("aria-expanded", "false")
        expect(head).to_contain_text("Albany")
        # asked for, it is there; at work in the table, it is not
        head.click()
        expect(page.get_by_label("Its name", exact=True)).to_be_visible()
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
        page.get_by_role("grid", name="Cities").locator("tbody td").first.click()
        expect(head).to_have_attribute("aria-expanded", "false")
        # by Tab one comes to its head, and goes on into it
        page.locator(".status button").focus()
        page.keyboard.press("Shift+Tab")
        expect(head).to_be_focused()
        expect(head).to_have_attribute("aria-expanded", "true")
        page.get_by_role("grid", name="Cities").locator("tbody td").first.click()
        expect(head).to_have_attribute("aria-expanded", "false")
        # back on the board, it is there again
        page.locator("#board").focus()
        expect(head).to_have_attribute("aria-expanded", "true")
        # with nothing selected it takes no room
        page.keyboard.press("Escape")
        expect(head).to_have_count(0)
