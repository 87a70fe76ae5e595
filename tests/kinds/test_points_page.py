"""The page of a kind that has none of its own, in a real browser."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from editing import Editing, serving

from mapkit.kinds.registry import open_session, register

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def lakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A board of points; returns its source package."""
    monkeypatch.setattr("mapkit.kinds.registry._KINDS", {})
    register("points", "points:POINTS")
    folder = tmp_path / "sources" / "lakes"
    folder.mkdir(parents=True)
    (folder / "board.toml").write_text('title = "Lakes"\nkind = "points"\n', encoding="utf-8")
    (folder / "points.csv").write_text("id,name,x,y\nbig-lake,Big Lake,10,20\n", encoding="utf-8")
    return folder


def wait_for(page: "Page", what: str) -> None:
    page.get_by_role("status").filter(has_text=what).wait_for()


def test_rows_are_changed_added_undone_and_saved_in_the_page(lakes: Path, editing: Editing) -> None:
    with serving(lakes) as served, editing(served) as page:
        assert page.get_by_role("heading", level=1).inner_text() == "Lakes"
        page.get_by_label("x of big-lake").fill("30")
        page.get_by_label("x of big-lake").press("Enter")
        wait_for(page, "revision 1, not saved")
        for field, value in (("id", "new-lake"), ("name", "New <b>Lake</b>"), ("x", "200"), ("y", "5")):
            page.get_by_label(f"{field} of a new row of points").fill(value)
        page.get_by_role("row").filter(has=page.get_by_label("id of a new row of points")).get_by_text("Add").click()
        wait_for(page, "revision 2, not saved")
        page.get_by_text("error A02:new-lake: New <b>Lake</b> is off the page; move it").wait_for()
        assert page.evaluate("document.getElementById('picture').naturalWidth") > 0
        page.get_by_label("x of big-lake").fill("here")
        page.get_by_label("x of big-lake").press("Enter")
        page.get_by_role("alert").filter(has_text="x is 'here'").wait_for()
        assert page.get_by_label("x of big-lake").input_value() == "30"
        page.get_by_role("button", name="Undo").click()
        wait_for(page, "revision 3, not saved")
        page.get_by_role("button", name="Save").click()
        page.get_by_text("revision 3", exact=True).wait_for()
    assert (lakes / "points.csv").read_text(encoding="utf-8") == "id,name,x,y,colour\nbig-lake,Big Lake,30,20,#336699\n"
    assert not open_session(lakes).unsaved
