"""Boards of hexagons and card games in the same frame: what two have changed is asked about field by field too."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest
from browsing import until
from editing import Editing, Served, serving
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from mapkit.document.workspace import Workspace
from mapkit.kinds.starting import new_board


class Cell(NamedTuple):
    """A cell that the page and somebody else change: where it is, and what its row is called."""

    space: str
    grid: str
    table: str
    key: str
    field: str
    row: str
    was: str


CELLS = {
    "hex": Cell("Components", "Components", "components", "cubes-red", "count", "Component cubes-red", "25"),
    "cards": Cell("Holdings", "Holdings", "holdings", "tejo", "operators", "Holding Companhia do Tejo", "5"),
}
THEIRS, MINE = 7, 9


@dataclass(frozen=True)
class Two:
    """A board that a page and somebody else change, and the cell that both do."""

    served: Served
    cell: Cell

    def theirs(self) -> None:
        """Somebody else changes the cell by a step."""
        table, key, field = self.cell.table, self.cell.key, self.cell.field
        row = self.served.session.document.table(table)[key].model_dump(mode="json") | {field: THEIRS}
        rows = [{"table": table, "key": key, "row": row}]
        self.served.session.do({"kind": "set-rows", "label": "Change it", "rows": rows}, client="other")

    def on_disk(self) -> None:
        """Another program changes the cell in its file."""
        folder = self.served.session.folder
        assert folder is not None
        file = folder / f"{self.cell.table}.csv"
        head, *lines = file.read_text(encoding="utf-8").splitlines()
        at = head.split(",").index(self.cell.field)
        for number, line in enumerate(lines):
            cells = line.split(",")
            if cells[0] == self.cell.key:
                cells[at] = str(THEIRS)
                lines[number] = ",".join(cells)
        file.write_text("\n".join([head, *lines, ""]), encoding="utf-8")

    def mine(self, page: Page) -> None:
        """Change the cell as a user does."""
        page.get_by_role("tab", name=self.cell.space, exact=True).click()
        self.shown(page).dblclick()
        page.get_by_label(f"{self.cell.field} of {self.cell.key}").fill(str(MINE))
        page.keyboard.press("Enter")

    def shown(self, page: Page) -> Locator:
        """Return the cell on the page."""
        grid = page.get_by_role("grid", name=self.cell.grid, exact=True)
        titles = [title.split("\n")[0].lower() for title in grid.locator("thead th").all_inner_texts()]
        return grid.locator(f"tr[data-key='{self.cell.key}'] td").nth(titles.index(self.cell.field))

    def value(self) -> object:
        """Return what the board has."""
        return getattr(self.served.session.document.table(self.cell.table)[self.cell.key], self.cell.field)

    def asked(self, page: Page, theirs: str) -> Locator:
        """Wait for the question with both values, and return its dialog."""
        dialog = page.get_by_role("dialog")
        table = dialog.get_by_role("table", name=self.cell.row)
        expect(table.get_by_role("row").nth(0)).to_have_text(f"FieldYours{theirs}")
        expect(table.get_by_role("row").nth(1)).to_have_text(f"{self.cell.field.capitalize()}{MINE}{THEIRS}")
        expect(dialog).not_to_contain_text("{")
        return dialog


@pytest.fixture(params=CELLS)
def two(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Two]:
    with serving(new_board(Workspace(tmp_path), "mine", kind=request.param)) as served:
        yield Two(served, CELLS[request.param])


def hold_back(page: Page) -> None:
    """Load the page again behind a line on which no change of the board comes any more, as when it is slow."""

    def stand(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        route.on_message(server.send)
        server.on_message(lambda said: None if '"type":"changed"' in str(said) else route.send(said))

    page.route_web_socket("**/ws**", stand)
    page.reload()
    expect(page.locator(".status .state")).to_contain_text("revision")


def test_a_step_over_somebody_elses_asks_field_by_field(editing: Editing, two: Two) -> None:
    with editing(two.served) as page:
        hold_back(page)
        two.theirs()
        two.mine(page)
        two.asked(page, "Theirs").get_by_role("button", name="Keep theirs").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert two.value() == THEIRS
        two.mine(page)
        two.asked(page, "Theirs").get_by_role("button", name="Use mine").click()
        until(page, lambda: two.value() == MINE)


def test_files_that_changed_are_a_notice_and_are_decided_about_field_by_field(editing: Editing, two: Two) -> None:
    with editing(two.served) as page:
        two.mine(page)
        until(page, lambda: two.value() == MINE)
        two.on_disk()
        notices = page.get_by_role("region", name="Notices")
        expect(notices).to_contain_text("Saving waits until you have chosen")
        notices.get_by_role("button", name="Choose …").click()
        two.asked(page, "In the files").get_by_role("button", name="Take what is in the files").click()
        expect(notices.get_by_role("button", name="Choose …")).to_have_count(0)
        expect(two.shown(page)).to_have_text(str(THEIRS))
        for key, value in (("z", MINE), ("y", THEIRS), ("z", MINE)):
            page.keyboard.press(f"Control+{key}")
            expect(two.shown(page)).to_have_text(str(value))
        expect(page.locator(".toast").filter(has_text=re.compile("Undone|Done again"))).to_have_count(1)
        page.keyboard.press("Control+s")
        expect(page.locator(".status .state")).to_contain_text("Saved")


class Sought(NamedTuple):
    """What is typed into the palette of a kind: a thing that it names, a command that cannot be used yet, and why."""

    thing: str
    option: str
    shown: str
    command: str
    why: str


SOUGHT = {
    "hex": Sought("cedar", "Cedar", ".inspector", "remove the city", "choose a city first"),
    "cards": Sought(
        "companhia do tejo",
        "Companhia do Tejo (tejo)",
        "tr[aria-selected=true]",
        "remove the chosen",
        "choose a row first",
    ),
}


def sought(page: Page, words: str) -> Locator:
    """Type words into the palette, and return what it lists first."""
    if page.get_by_role("dialog", name="Find").count() == 0:
        page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find a command").fill(words)
    return page.get_by_role("listbox", name="Found").get_by_role("option").first


def test_the_palette_finds_every_work_space_and_command_and_says_why_not(
    editing: Editing, two: Two, request: pytest.FixtureRequest
) -> None:
    wanted = SOUGHT[request.node.callspec.params["two"]]
    with editing(two.served) as page:
        bar = page.get_by_role("tablist", name="Work spaces")
        for name in bar.get_by_role("tab").all():
            title = (name.get_attribute("title") or "").partition(" (")[0]
            expect(sought(page, f"open: {title}").locator(".label")).to_have_text(f"Open: {title}")
            page.keyboard.press("Enter")
            expect(name).to_have_attribute("aria-selected", "true")
        # what cannot be used now stays in the list with its reason
        first = sought(page, wanted.command)
        expect(first).to_have_attribute("aria-disabled", "true")
        expect(first.locator(".why")).to_contain_text(wanted.why)
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text=wanted.why)).to_have_count(1)
        # a thing by a part of its name; then the command can be used
        expect(sought(page, wanted.thing)).to_contain_text(wanted.option)
        page.keyboard.press("Enter")
        expect(page.locator(wanted.shown)).to_contain_text(wanted.thing, ignore_case=True)
        expect(sought(page, wanted.command)).not_to_have_attribute("aria-disabled", "true")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
