"""Two windows of one board, or one after the other: what is typed stays, conflicts are in words, settings last."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import until
from editing import Editing, Served, panel, serving
from playwright.sync_api import Page, expect

from mapkit.editor.server.app import kept_settings


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def test_what_is_typed_stays_when_the_other_window_keeps_that_field(editing: Editing, served: Served) -> None:
    with editing(served) as one, editing(served) as two:
        for page in (one, two):
            page.keyboard.press("Alt+o")
        mine, theirs = (page.get_by_role("textbox", name="Title", exact=True) for page in (one, two))
        mine.fill("My own map")
        theirs.fill("Their map")
        theirs.press("Enter")
        expect(one.get_by_text("Changed meanwhile to “Their map”.")).to_be_visible()
        expect(mine).to_have_value("My own map")
        mine.press("Escape")
        expect(mine).to_have_value("Their map")
        mine.fill("My own map after all")
        mine.press("Enter")
        expect(theirs).to_have_value("My own map after all")
        expect(one.get_by_text("Changed meanwhile")).to_have_count(0)


def title_of(served: Served) -> object:
    return served.session.document.settings["title"].value


def comes_to(page: Page, served: Served, title: str) -> None:
    until(page, lambda: title_of(served) == title)


def test_undo_does_not_take_back_a_step_of_another_window_that_is_open(editing: Editing, served: Served) -> None:
    with editing(served) as one:
        with editing(served) as two:
            for page, title in ((one, "First"), (two, "Second")):
                page.keyboard.press("Alt+o")
                page.get_by_role("textbox", name="Title", exact=True).fill(title)
                page.keyboard.press("Enter")
                comes_to(page, served, title)
            one.locator(".toolbar").get_by_role("button", name="Undo: ").click()
            expect(one.locator(".toast")).to_contain_text("was made in another window; undo it there")
            assert title_of(served) == "Second"
            two.locator(".toolbar").get_by_role("button", name="Undo: ").click()
            comes_to(two, served, "First")
            one.locator(".toolbar").get_by_role("button", name="Redo: ").click()
            comes_to(one, served, "Second")
        # of a window that is closed, whose step would stay for ever otherwise
        one.locator(".toolbar").get_by_role("button", name="Undo: ").click()
        comes_to(one, served, "First")


def test_a_computed_chart_is_shown_as_such_and_started_with_its_amounts(editing: Editing, example: Path) -> None:
    (example / "charts" / "payoffs.csv").unlink()
    with serving(example) as served, editing(served) as page:
        panel(page, "Payoffs")
        expect(page.get_by_role("heading", name="Payoffs are computed")).to_be_visible()
        page.get_by_role("button", name="Start the chart").click()
        expect(page.locator(".toolbar").get_by_role("button", name="Undo: Start the payoff chart")).to_be_enabled()
        document = served.session.document
        pairs = len(document.cities) * (len(document.cities) - 1) // 2
        assert sum(cell.thousands is not None for cell in document.payoffs.values()) >= pairs
        page.keyboard.press("Control+z")
        until(page, lambda: not served.session.document.payoffs)


def test_files_are_decided_about_once_and_shown_field_by_field(editing: Editing, served: Served, example: Path) -> None:
    served.session.do({"kind": "edit-city", "id": "albany", "weight": 3})
    with editing(served) as one, editing(served) as two:
        cities = example / "cities.csv"
        text = cities.read_text(encoding="utf-8")
        cities.write_text(text.replace("-73.7562,42.6526,,", "-73.7562,42.6526,,7"), encoding="utf-8")
        for page in (one, two):
            page.get_by_role("button", name="Choose …").click()
            row = page.get_by_role("table", name="City Albany").get_by_role("row").nth(1)
            expect(row).to_have_text("Weight37")
            expect(page.get_by_role("dialog")).not_to_contain_text("{")
        one.get_by_role("button", name="Take what is in the files").click()
        expect(two.get_by_role("dialog")).to_have_count(0)
        expect(two.get_by_text("Another window has decided: the board is as the files say.")).to_be_visible()
        expect(two.get_by_role("button", name="Choose …")).to_have_count(0)
    assert served.session.document.cities["albany"].weight == 7


def test_settings_outlast_the_port_and_undo_says_one_thing_at_a_time(
    editing: Editing, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAPKIT_STATE", str(tmp_path / "state"))
    with serving(example, notices=("copied for a test",)) as served:
        for weight in (2, 3, 4):
            served.session.do({"kind": "edit-city", "id": "albany", "weight": weight})
        with (
            editing(served) as page,
            page.expect_response(lambda it: it.request.method == "POST" and "settings" in it.url),
        ):
            page.keyboard.press("Alt+t")
            for _ in range(3):
                page.keyboard.press("Control+z")
            expect(page.get_by_role("button", name="Redo: ")).to_be_enabled()
            expect(page.locator(".toast")).to_have_count(1)
            panel(page, "Layers")
            page.get_by_role("slider", name="How strong: Railroads").fill("0.4")
            page.get_by_label("Names", exact=True).uncheck()
            page.get_by_role("button", name="Dismiss: copied for a test").click()
            until(page, lambda: {"layers", "notices-example"} <= kept_settings().kept.keys())
            until(page, lambda: "names" in kept_settings().kept["layers"])
    with serving(example, notices=("copied for a test", "new here")) as served, editing(served) as page:
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        panel(page, "Layers")
        expect(page.get_by_role("slider", name="How strong: Railroads")).to_have_value("0.4")
        expect(page.get_by_label("Names", exact=True)).not_to_be_checked()
        expect(page.get_by_role("button", name="Dismiss: new here")).to_be_visible()
        expect(page.get_by_role("button", name="Dismiss: copied for a test")).to_have_count(0)
