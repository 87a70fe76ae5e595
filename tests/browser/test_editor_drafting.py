"""A draft from the start page: the region on a map, one step, undone, and drafted again."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect
from stories import begun


def test_a_draft_from_the_start_page_is_one_step_that_can_be_undone(browser: Browser, tmp_path: Path) -> None:
    with begun(browser, tmp_path, "levant") as story:
        page = story.page
        page.get_by_role("radio", name="A draft of a region").check()
        page.get_by_role("button", name="Make the board").click()
        dialog = page.get_by_role("dialog", name="Draft a board")
        expect(dialog).to_be_visible()
        make = dialog.get_by_role("button", name="Draft it")
        expect(make).to_be_disabled()  # no region yet
        world = dialog.get_by_role("img", name="A map of the world")
        polygon = _draw_shapes(page, dialog, world)
        polygon.fill("35,33 36.7,33")
        expect(dialog.get_by_role("alert")).to_contain_text("Write three corners or more")
        expect(make).to_be_disabled()
        polygon.fill("35,33 36.7,33 36.7,34.7 35,34.7")
        dialog.get_by_label("Region", exact=True).fill("Nowhereland")
        dialog.get_by_role("slider", name="Cities").fill("8")
        dialog.get_by_role("slider", name="Railroads").fill("3")
        make.click()
        expect(dialog.get_by_role("alert")).to_contain_text("no country is called 'Nowhereland'")
        dialog.get_by_label("Region", exact=True).fill("Lebanon")
        make.click()
        expect(dialog).to_have_count(0)
        options = (tmp_path / "sources" / "levant" / "board.toml").read_text(encoding="utf-8")
        assert "polygon" not in options  # nothing is saved yet
        undo = page.locator(".toolbar").get_by_role("button", name="Undo: Draft the board", exact=True)
        expect(undo).to_be_enabled()
        expect(page.locator(".status")).to_contain_text("3 railroads")
        expect(page.locator(".scale")).to_have_text(re.compile(r"^N\d{1,2} miles$"))  # the page fits the draft
        expect(
            page.get_by_role("list", name="First steps, 8 of 10 done")
        ).to_be_visible()  # all but a picture and a save
        undo.click()
        expect(page.locator(".toolbar").get_by_role("button", name="Redo: Draft the board", exact=True)).to_be_enabled()
        expect(page.locator(".scale")).to_have_text("N5,000 miles")  # no region yet: the world
        assert not (tmp_path / "sources" / "levant" / "lines").exists()


def test_a_new_board_asks_where_it_is_first_and_projection_and_page_follow_as_one_step(
    browser: Browser, tmp_path: Path
) -> None:
    with begun(browser, tmp_path, "emerald") as story:
        page = story.page
        expect(page.get_by_role("radio", name="A country or region")).to_be_checked()
        page.get_by_role("button", name="Make the board").click()
        dialog = page.get_by_role("dialog", name="Where is the board?")
        put = dialog.get_by_role("button", name="Put it there")
        expect(put).to_be_disabled()
        region = dialog.get_by_label("Country or region")
        region.fill("Ireland")
        put.click()
        expect(dialog).to_have_count(0)
        settings: dict[str, Any] = {key: row.value for key, row in story.document().settings.items()}
        assert settings["gazetteer.countries"] == ["IE"]
        assert settings["projection.name"] == "transverse-mercator"
        assert settings["page.width"] < settings["page.height"]
        expect(page.locator(".scale")).to_have_text(re.compile(r"^N\d{2} miles$"))
        page.locator(".toolbar").get_by_role("button", name="Undo: Put the board in Ireland", exact=True).click()
        expect(page.locator(".toolbar").get_by_role("button", name=re.compile("^Redo: Put"))).to_be_enabled()
        settings = {key: row.value for key, row in story.document().settings.items()}
        assert "projection.name" not in settings
        assert settings["page.width"] == 900
        expect(page.locator(".scale")).to_have_text("N5,000 miles")


def _draw_shapes(page: Page, dialog: Locator, world: Locator) -> Locator:
    """Draw a box, then a polygon in its place, on the map, and return the field of the polygon."""
    area = world.bounding_box()
    assert area is not None
    page.mouse.move(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    page.mouse.down()
    page.mouse.move(area["x"] + area["width"] * 0.6, area["y"] + area["height"] * 0.7, steps=3)
    page.mouse.up()
    box = dialog.get_by_label("Only this box")
    west, south, east, north = (float(part) for part in box.input_value().split(","))
    assert abs(west) < 1 and 35 < east < 37  # noqa: PT018 - a box of two corners
    assert south < north
    box.fill("")
    dialog.get_by_role("button", name="Polygon", exact=True).click()
    for across, down in ((0.5, 0.3), (0.6, 0.3), (0.6, 0.5), (0.7, 0.5)):
        world.click(position={"x": area["width"] * across, "y": area["height"] * down})
    polygon = dialog.get_by_label("Only this polygon")
    expect(polygon).to_have_value(re.compile(r"^-?0(\.\d+)?,[\d.]+( [\d.]+,[\d.]+){3}$"))
    dialog.get_by_role("button", name="Remove last corner").click()
    first = polygon.input_value()
    assert len(first.split()) == 3
    dialog.get_by_role("button", name="Zoom in").click()
    expect(world).to_have_attribute("viewBox", re.compile(r" 180 72\.5$"))
    assert polygon.input_value() == first
    return polygon
