"""A line of a railroad from a pasted list of stations, in the editor's page."""

from pathlib import Path

from editing import Editing, panel, serving
from playwright.sync_api import expect


def test_a_pasted_list_is_a_line_once_its_doubts_are_settled(example: Path, editing: Editing) -> None:
    with serving(example) as served, editing(served) as page:
        panel(page, "Railroads")
        page.get_by_role("grid", name="Railroads").get_by_role("row").nth(1).get_by_role("gridcell").first.click()
        page.get_by_text("A line from a station list").click()
        stations = page.get_by_label("Stations of", exact=False)
        stations.fill("Brattleboro VT, Keene; Nashua NH")
        button = page.get_by_role("button", name="Add the line")
        button.click()
        expect(page.get_by_label("Keene", exact=True)).to_contain_text("Keene NH (US)")
        assert "Keene" not in served.session.document.places
        page.get_by_role("button", name="Take these places, add the line").click()
        expect(stations).to_have_value("")
        [line] = [one for one in served.session.document.lines.values() if ("Keene", "milepost") in one.stops]
        assert [place for place, _ in line.stops] == ["Brattleboro VT", "Keene", "Nashua NH"]
        assert served.session.document.places["Keene"].note == "GeoNames: Keene NH (US)"
