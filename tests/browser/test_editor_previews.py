"""Previews before a step: the keys of a file of lines, and the findings that a new city would cause."""

import json
import re
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from editing import Editing, serving
from playwright.sync_api import Page, expect

LINES = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"railroad": name},
            "geometry": {"type": "LineString", "coordinates": way},
        }
        for name, way in {
            "Coast Line": [[-8.61, 41.15], [-8.65, 40.64], [-8.81, 39.74], [-9.14, 38.72]],
            "Narrow Gauge": [[-8.61, 41.15], [-7.74, 41.3]],
        }.items()
    ],
}


def count_mileposts(page: Page) -> int:
    found = re.search(r"(\d+) mileposts", page.locator(".status").inner_text())
    assert found is not None
    return int(found.group(1))


def test_lines_are_imported_key_by_key_as_one_step(editing: Editing, example: Path, tmp_path: Path) -> None:
    file = tmp_path / "coast.geojson"
    file.write_text(json.dumps(LINES), encoding="utf-8")
    with serving(example) as served, editing(served) as page:
        before = count_mileposts(page)
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Find a command").fill("import lines")
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Import lines")
        dialog.get_by_label("A file of lines").set_input_files(file)
        expect(dialog.get_by_text("coast.geojson: 2 lines")).to_be_visible(timeout=20_000)
        expect(dialog.get_by_label("Coast Line, 1 line")).to_have_value("+")
        assert Axe().run(page).response["violations"] == []
        dialog.get_by_label("Miles between mileposts").fill("20")
        dialog.get_by_label("Narrow Gauge, 1 line").select_option("Leave them out")
        dialog.get_by_role("button", name="Import the lines").click()
        expect(dialog).to_have_count(0, timeout=20_000)
        undo = page.locator(".toolbar").get_by_role("button", name="Undo: Import coast.geojson", exact=True)
        expect(undo).to_be_enabled()
        expect(page.locator(".status")).to_contain_text("4 railroads")
        added = count_mileposts(page) - before
        assert 5 <= added <= 15  # 167 miles, some of them at mileposts of the board
        undo.click()
        expect(page.locator(".status")).to_contain_text("3 railroads")


def test_a_file_without_lines_is_refused_and_nothing_changes(editing: Editing, example: Path, tmp_path: Path) -> None:
    file = tmp_path / "empty.geojson"
    file.write_text('{"type": "FeatureCollection", "features": []}', encoding="utf-8")
    with serving(example) as served, editing(served) as page:
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Find a command").fill("import lines")
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Import lines")
        dialog.get_by_label("A file of lines").set_input_files(file)
        expect(dialog.get_by_role("alert")).to_contain_text("empty.geojson", timeout=20_000)
        expect(dialog.get_by_role("button", name="Import the lines")).to_have_count(0)
        expect(page.locator(".status .state")).to_have_text("Saved, revision 0")


def test_a_dialog_says_what_the_checks_would_before_it_closes(editing: Editing, example: Path) -> None:
    with serving(example) as served, editing(served) as page:
        page.keyboard.press("Alt+i")
        page.get_by_role("button", name="Add a city …").click()
        form = page.get_by_role("dialog", name="New city")
        form.get_by_label("Name").fill("Boston Common")
        form.get_by_label("Latitude").fill("42.359")
        form.get_by_label("Longitude").fill("-71.06")
        form.get_by_role("button", name="Add it").click()
        warning = page.get_by_role("dialog", name="The checks would complain")
        expect(warning).to_contain_text("Boston and Boston Common are only 0.0 miles apart")
        warning.get_by_role("button", name="Change it").click()
        expect(form.get_by_label("Latitude")).to_have_value("42.359")
        expect(page.locator(".status .state")).to_have_text("Saved, revision 0")
        form.get_by_role("button", name="Add it").click()
        warning.get_by_role("button", name="Add it all the same").click()
        expect(form).to_have_count(0)
        expect(page.locator(".toolbar").get_by_role("button", name="Undo: Add Boston Common")).to_be_enabled()
