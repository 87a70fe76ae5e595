"""Twelve tasks of a new author, done as a user does them, with the clicks that docs/how-to/editor.md counts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from conftest import REPOSITORY
from editing import Editing, Served, serving
from playwright.sync_api import Locator, Page, expect
from test_editor_draw import Hand, stops

from mapkit.document.workspace import Workspace
from mapkit.kinds.rail.editing.config import config_of
from mapkit.kinds.rail.model.board import SUMS
from mapkit.kinds.rail.tables import cell_key
from mapkit.kinds.starting import new_board

_ROW: Final = re.compile(r"^\| (?P<task>[A-Z][^|]*?) \| (?P<clicks>\d+) \| (?P<keys>\d+) \|$", re.MULTILINE)
_HEAD: Final = "## Tasks and clicks"


def said() -> dict[str, tuple[int, int]]:
    """Return the clicks and keystrokes of each task, as docs/how-to/editor.md has them."""
    text = (REPOSITORY / "docs" / "how-to" / "editor.md").read_text(encoding="utf-8")
    part = text.partition(_HEAD)[2].partition("\n## ")[0]
    return {row["task"]: (int(row["clicks"]), int(row["keys"])) for row in _ROW.finditer(part)}


@dataclass
class Author:
    """Somebody at the page who counts: a drag is a click, a key with others held is one keystroke."""

    page: Page
    clicks: int = 0
    keys: int = 0
    done: list[str] = field(default_factory=list)

    def click(self, at: Locator | tuple[float, float]) -> None:
        """Click something, or a place on the screen."""
        self.clicks += 1
        if isinstance(at, Locator):
            at.click()
            return
        self.page.mouse.move(*at)
        self.page.mouse.click(*at)

    def choose(self, label: str, option: str) -> None:
        """Choose from a list: a click opens it, another takes the option."""
        self.clicks += 2
        self.page.get_by_label(label, exact=True).select_option(option)

    def drag_to(self, label: str, value: str) -> None:
        """Drag a slider."""
        self.clicks += 1
        self.page.get_by_role("slider", name=label, exact=True).fill(value)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.keys += 1
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        """Type a text."""
        self.keys += len(text)
        self.page.keyboard.type(text)

    def command(self, words: str) -> None:
        """Find a command in the palette, and do it."""
        self.press("Control+k")
        self.type(words)
        expect(self.page.get_by_role("listbox").get_by_role("option").first).to_be_visible()
        self.press("Enter")

    def button(self, name: str) -> Locator:
        """Return a button of the open dialog, or of the page if none is open."""
        dialog = self.page.get_by_role("dialog")
        where = dialog if dialog.count() else self.page
        return where.get_by_role("button", name=name)

    def undoes(self, label: str) -> None:
        """Wait until a step is kept."""
        expect(self.page.locator(".toolbar").get_by_role("button", name=f"Undo: {label}")).to_be_enabled()

    def compare(self, task: str) -> None:
        """Compare what the task took with what the document says."""
        took = (self.clicks, self.keys)
        stands = said().get(task)
        assert stands == took, f"{task}: docs/how-to/editor.md says {stands} clicks and keystrokes, it took {took}"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One board and one server for all tasks; each begins with the board as it was."""
    with serving(new_board(Workspace(tmp_path_factory.mktemp("tasks")), "example", kind="rail")) as served:
        yield served


@pytest.fixture
def served(shared: Served) -> Iterator[Served]:
    shared.session.goto(0)
    yield shared
    shared.session.goto(0)


@pytest.fixture
def author(editing: Editing, served: Served) -> Iterator[Author]:
    with editing(served) as page:
        yield Author(page)


def test_a_board_from_a_draft(editing: Editing, tmp_path: Path) -> None:
    with (
        serving(new_board(Workspace(tmp_path), "levant", source="empty")) as served,
        editing(served) as page,
    ):
        author = Author(page)
        author.command("draft")
        expect(page.get_by_role("dialog", name="Draft a board")).to_be_visible()
        author.type("Lebanon")
        author.drag_to("Cities", "12")
        author.click(author.button("Draft it"))
        expect(page.get_by_role("dialog")).to_have_count(0)
        author.undoes("Draft the board")
        assert len(served.session.document.cities) == 12
        author.compare("A new board from a draft")


def test_a_city_from_the_gazetteer(author: Author, served: Served) -> None:
    author.press("Alt+i")
    author.click(author.button("Add a city …"))
    author.type("Keene")
    expect(author.page.get_by_role("list", name="Known places").get_by_role("button").first).to_be_visible()
    author.press("Enter")
    author.undoes("Add Keene")
    city = served.session.document.cities["keene"]
    assert (round(city.lat, 1), round(city.lon, 1)) == (42.9, -72.3)
    author.compare("Place a city from the gazetteer")


def test_a_line_of_a_new_railroad(author: Author, served: Served) -> None:
    hand = Hand(author.page, served)
    author.press("d")
    author.click(author.button("New railroad …"))
    author.type("Green Line")
    author.press("Tab", "Tab")
    author.type("9000")
    author.press("Enter")
    author.undoes("Add railroad GL")
    expect(author.page.get_by_label("Railroad", exact=True)).to_have_value("green-line")
    for place in ("Albany", "Burlington", "Burlington"):
        author.click(hand.of(place))
    author.undoes("Add line Albany - Burlington of GL")
    assert [place for place, _ in stops(served.session.document, "green-line")] == ["Albany", "Burlington"]
    author.compare("Draw a line of a new railroad, name and price it")


def test_mileposts_too_close(editing: Editing, served: Served) -> None:
    line = next(key for key, row in served.session.document.lines.items() if row.name == "Boston - Albany")
    stop = {"kind": "milepost", "lon": -72.55, "lat": 42.11}
    served.session.do({"kind": "add-stop", "line": line, "index": 2, "stop": stop})
    with editing(served) as page:
        author = Author(page)
        author.press("Alt+c")
        author.click(page.locator("[data-finding]").filter(has_text="N09"))
        author.click(author.button("Remove the milepost"))
        author.undoes("Delete Milepost 1")
        expect(page.locator("[data-finding]").filter(has_text="N09")).to_have_count(0)
        author.compare("Fix mileposts that are too close")


def test_a_railroad_is_split(author: Author, served: Served) -> None:
    hand = Hand(author.page, served)
    author.command("new railroad")
    author.type("Berkshire")
    author.press("Tab", "Tab")
    author.type("9000")
    author.press("Enter")
    author.undoes("Add railroad BERKS")
    author.click(hand.between("Springfield", "Pittsfield MA"))
    author.press("Shift+g")
    expect(author.page.get_by_role("dialog").get_by_label("Railroad")).to_have_value("berkshire")
    author.press("Enter")
    author.undoes("Give 1 line to BERKS")
    assert [place for place, _ in stops(served.session.document, "berkshire")] == ["Springfield", "Pittsfield MA"]
    author.compare("Give a part of a railroad to a new one")


PASTED: Final = (
    ("", "Albany", "Boston", "Burlington", "New Haven", "Portland", "Sprngfield"),
    ("Albany", "0", "8", "7.5", "6.5", "12.5", "3.5"),
    ("Boston", "8", "0", "12.5", "6.5", "5", "4"),
    ("Burlington", "7.5", "12.5", "0", "11.5", "17.5", "8.5"),
    ("New Haven", "6.5", "6.5", "11.5", "0", "11.5", "3"),
    ("Portland", "12.5", "6", "17.5", "11.5", "0", "9"),
    ("Sprngfield", "3.5", "4", "8.5", "3", "9", "0"),
)
"""A chart in which one payoff is new, a name is misspelt, and Boston - Portland differs between the halves."""


def test_a_payoff_chart_is_pasted(author: Author, served: Served) -> None:
    page = author.page
    author.press("Alt+y")
    expect(page.locator("#payoff-grid")).to_be_focused()
    author.keys += 1  # Ctrl+V, with what another program has put into the clipboard
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          const paste = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
          document.activeElement.dispatchEvent(paste);
        }""",
        "\n".join("\t".join(row) for row in PASTED),
    )
    dialog = page.get_by_role("dialog", name="Paste into the payoff chart")
    expect(dialog.get_by_role("status")).to_contain_text("will change")
    author.choose("Where two halves differ (1)", "lower")
    author.click(author.button("Paste 2"))
    author.undoes("Paste 2")
    paid = served.session.document.payoffs
    assert (paid["albany|boston"].thousands, paid["boston|portland"].thousands) == (8, 6)
    author.compare("Paste a payoff chart, and settle what is in doubt")


def test_equal_chances(author: Author, served: Served) -> None:
    page = author.page
    author.press("Alt+d")
    author.choose("Chart", "coast")
    author.click(author.button("Equal chances"))
    expect(page.get_by_role("button", name="Take this chart")).to_be_visible()
    author.click(author.button("Take this chart"))
    author.undoes("Set chart Coast")
    rows = served.session.document.destinations
    rolls: dict[str | None, int] = {}
    for parity in ("odd", "even"):
        for total in SUMS:
            item = rows[cell_key("coast", parity, int(total))].item
            rolls[item] = rolls.get(item, 0) + 6 - abs(int(total) - 7)
    assert rolls == {"boston": 24, "new-haven": 24, "portland": 24}
    author.compare("Give all cities of a region the same chance")


def test_prices(author: Author, served: Served) -> None:
    page = author.page
    author.press("Alt+r")
    author.click(page.get_by_role("grid", name="Railroads").locator('[data-cell="0:3"]'))
    for price in ("12000", "9000", "7000"):
        author.type(price)
        author.press("Enter")
    author.undoes("Set price of CROSS to 7000")
    rows = served.session.document.railroads
    assert [rows[key].price for key in ("shore", "valley", "cross")] == [12000, 9000, 7000]
    author.compare("Set the prices of three railroads")


def test_a_rule(author: Author, served: Served) -> None:
    author.press("Alt+w")
    author.click(author.page.get_by_label("Find an option or setting"))
    author.type("starting cash")
    author.click(author.page.get_by_label("starting cash", exact=True))
    author.press("Control+a")
    author.type("25000")
    author.press("Enter")
    author.undoes("Rules: starting cash 25,000")
    assert config_of(served.session.document).rules.setup.starting_cash == 25_000
    author.compare("Change a rule")


def test_a_variant(author: Author) -> None:
    page = author.page
    author.press("Alt+r")
    author.click(page.get_by_role("grid", name="Railroads").locator('[data-cell="0:3"]'))
    author.type("20000")
    author.press("Enter")
    author.undoes("Set price of SHORE to 20000")
    author.press("Alt+n")
    author.click(author.button("New variant of what was edited"))
    author.type("dear")
    author.click(author.button("Write variants/dear.toml"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    author.press("Control+z")
    expect(page.locator(".toolbar").get_by_role("button", name="Redo: Set price of SHORE to 20000")).to_be_enabled()
    author.click(page.get_by_role("checkbox", name="dear"))
    author.click(author.button("Look at it"))
    expect(page.get_by_role("img", name="The board: dear")).to_be_visible()
    author.compare("Make a variant of an edit, and compare it with the board")


def test_a_preview_and_the_file(author: Author) -> None:
    page = author.page
    author.press("Control+p")
    author.click(author.button("Preview"))
    expect(page.get_by_role("img", name="Preview: example-board.svg")).to_be_visible()
    with page.expect_download() as download:
        author.click(author.button("Download"))
    assert download.value.suggested_filename == "example-board.svg"
    author.compare("Look at the picture of the board, and download it")


def test_a_module_for_vassal(author: Author) -> None:
    page = author.page
    author.press("Control+e")
    author.click(page.get_by_role("checkbox", name="engine"))
    author.click(page.get_by_role("checkbox", name="VASSAL"))
    with page.expect_download() as download:
        author.click(author.button("Download"))
    assert download.value.suggested_filename == "example.vmod"
    author.compare("Export a module for VASSAL")


def test_every_task_of_the_document_is_done_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert sorted(re.findall(r'author\.compare\("(.+)"\)', text)) == sorted(said())
    assert len(said()) == 12
