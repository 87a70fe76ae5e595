"""A tiny board by keyboard alone, from `mapkit edit` on a new name to the picture and the built bundle."""

from pathlib import Path

from conftest import Run
from playwright.sync_api import Browser, Page, expect
from stories import Story, begun, drawn_words

from mapkit.kinds.rail.model.board import SUMS

FOCUS = """() => {
    const on = document.activeElement;
    const label = on.getAttribute("aria-label") ?? on.labels?.[0]?.textContent;
    const said = on.matches("button, [role=gridcell]") ? on.textContent : on.id;
    return `${on.getAttribute("role") ?? on.tagName.toLowerCase()}: ${(label ?? said).trim()}`;
}"""
MOST = 80
# in steps of the cross, right and down
BAY_AND_HILL = ((-10, 5), (5, -5), (5, -5), (6, 1), (6, 3))
COAST_LINE = ((0, 0), (-4, 5), (-5, 3), (-7, -1), (-6, -1))
CITIES = (
    ("Milepost 1", "Alder", "South"),
    ("Milepost 3", "Birch", "North"),
    ("Milepost 5", "Cedar", "North"),
    ("Milepost 7", "Dover", "South"),
)
CHARTS = (
    ("Region chart", ("North", "South")),
    ("North", ("Birch", "Cedar")),
    ("South", ("Alder", "Dover")),
)


class Keys:
    """A keyboard, and what its user hears of the page: where the focus is."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.evaluate(
            "() => { window.pointed = 0; addEventListener('pointerdown', () => { window.pointed += 1; }, true); }"
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def focus(self) -> str:
        """Return the role and name of what has the focus."""
        return str(self.page.evaluate(FOCUS))

    def heard(self, what: str) -> None:
        """Wait until the focus is on something, by the beginning of its role and name."""
        self.page.wait_for_function(f"what => ({FOCUS})().startsWith(what)", arg=what)

    def to(self, what: str, key: str = "Tab") -> None:
        """Go by a key until the focus is there, as one who listens would."""
        passed: list[str] = []
        while not (now := self.focus()).startswith(what):
            passed.append(now)
            assert len(passed) < MOST, f"{key} does not reach {what}: {passed}"
            self.press(key)

    def panel(self, key: str, title: str) -> None:
        self.press(key)
        expect(self.page.get_by_role("tab", name=title, selected=True)).to_be_visible()
        self.heard("tabpanel")

    def kept(self, label: str) -> None:
        """Wait until the step is kept, and is what undo would undo."""
        expect(self.page.locator(".toolbar").get_by_role("button", name=f"Undo: {label}", exact=True)).to_be_enabled()
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    def asked(self, title: str) -> None:
        expect(self.page.get_by_role("dialog", name=title)).to_be_visible()


def test_a_board_from_nothing_to_its_picture_by_keyboard(browser: Browser, run: Run, tmp_path: Path) -> None:
    with begun(browser, tmp_path, "keytown") as story:
        keys = Keys(story.page)
        keys.heard("input: A country or region")
        for _ in range(3):
            keys.press("ArrowDown")
        keys.heard("input: Nothing")
        keys.press("Enter")
        expect(story.page.locator(".status .state")).to_have_text("Saved, revision 0")
        keys.heard("button: Add a railroad")
        for part in (railroads, lines, regions, cities, charts, payoffs, settings, save, picture):
            part(story, keys)
        assert story.page.evaluate("() => window.pointed") == 0
    for command in ("check", "build"):
        ran = run(command, "keytown", "--workspace", tmp_path)
        assert ran.code == 0, ran
    assert "Key Town" in (tmp_path / "build" / "keytown" / "board.svg").read_text(encoding="utf-8")


def railroads(story: Story, keys: Keys) -> None:
    keys.press("Enter")
    expect(story.page.get_by_role("tab", name="Railroads", selected=True)).to_be_visible()
    keys.heard("tabpanel")
    keys.to("button: Add …")
    for name, mark, price in (("Bay and Hill", "B&H", "8000"), ("Coast Line", "CL", "6000")):
        keys.press("Enter")
        keys.asked("New railroad")
        for text in (name, mark, price):
            keys.type(text)
            keys.press("Tab")
        keys.heard("button: Cancel")
        keys.press("Tab", "Enter")
        keys.kept(f"Add railroad {mark}")
        keys.heard("button: Add …")
    found = [(row.name, row.short, row.price) for row in story.document().railroads.values()]
    assert found == [("Bay and Hill", "B&H", 8000), ("Coast Line", "CL", 6000)]


def lines(story: Story, keys: Keys) -> None:
    keys.press("d")
    for letter, mark, moves, label in (
        ("b", "B&H", BAY_AND_HILL, "Milepost 1 - Milepost 5"),
        ("c", "CL", COAST_LINE, "Milepost 5 - Milepost 1"),
    ):
        keys.heard("application: The board")
        keys.to("select: Railroad")
        keys.type(letter)
        keys.to("application: The board", "Shift+Tab")
        for right, down in moves:
            keys.press(*["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right))
            keys.press(*["ArrowDown" if down > 0 else "ArrowUp"] * abs(down))
            keys.press("Enter")
        keys.press("Enter")
        keys.kept(f"Add line {label} of {mark}")
    found = {line.railroad: [place for place, _ in line.stops] for line in story.document().lines.values()}
    assert found == {
        "b-h": [f"Milepost {n}" for n in (1, 2, 3, 4, 5)],
        "cl": [f"Milepost {n}" for n in (5, 6, 7, 8, 1)],
    }


def regions(story: Story, keys: Keys) -> None:
    keys.panel("Alt+i", "Cities")
    keys.to("gridcell: Region 1")
    keys.press("F2")
    keys.heard("input: Region of Region 1")
    keys.type("North")
    keys.press("Enter")
    keys.kept("Rename region Region 1 to North")
    keys.to("button: Add a region …", "Shift+Tab")
    keys.press("Enter")
    keys.asked("New region")
    keys.type("South")
    keys.press("Enter")
    keys.kept("Add region South")
    assert [row.name for row in story.document().regions.values()] == ["North", "South"]


def cities(story: Story, keys: Keys) -> None:
    keys.press("c")
    keys.heard("application: The board")
    for milepost, name, region in CITIES:
        keys.press("Control+k")
        keys.asked("Find")
        keys.type(milepost)
        # what comes right after the search acts on what it found
        keys.press("Enter", "Enter")
        keys.asked("Make this place a city")
        keys.type(name)
        keys.press("Enter")
        keys.asked(f"In which region is {name}?")
        keys.heard("select: Region")
        keys.type(region)
        keys.press("Enter")
        keys.kept(f"Make {name} a city")
        keys.heard("application: The board")
    now = story.document()
    assert {row.name: now.regions[row.region].name for row in now.cities.values()} == {n: r for _, n, r in CITIES}
    assert now.lines["cl-milepost-5-milepost-1"].stops[::2] == tuple(
        (n, "milepost") for n in ("Cedar", "Dover", "Alder")
    )


def charts(story: Story, keys: Keys) -> None:
    keys.panel("Alt+d", "Destinations")
    keys.to("gridcell: odd 2")
    for name, both in CHARTS:
        expect(story.page.get_by_role("grid", name=f"{name}, 22 cells")).to_be_visible()
        for item, column in zip(both, ("ArrowLeft", "ArrowRight"), strict=True):
            keys.press(column, "Home", "Shift+End")
            keys.type(item)
            keys.press("Enter")
            keys.kept(f"Put {item} into 11 cells of {name}")
            keys.heard("gridcell: ")
        keys.press("Alt+PageDown")
    found = {key: cell.item for key, cell in story.document().destinations.items()}
    wanted = ["region-1", "south", "birch", "cedar", "alder", "dover"]
    for total in SUMS:
        columns = [(chart, parity) for chart in ("regions", "region-1", "south") for parity in ("odd", "even")]
        assert [found[f"{chart}/{parity}/{total}"] for chart, parity in columns] == wanted


def payoffs(story: Story, keys: Keys) -> None:
    keys.panel("Alt+y", "Payoffs")
    keys.to("button: Start the chart")
    keys.press("Enter")
    keys.kept("Start the payoff chart")
    keys.heard("grid: Payoff chart")
    # the whole chart gets one amount, the formula its own, and one is typed
    keys.press("Control+Home", "Control+Shift+End")
    keys.type("9")
    keys.press("Control+Enter")
    keys.kept("Fill 6 payoffs with 9")
    assert {cell.thousands for cell in story.document().payoffs.values()} == {9}
    keys.heard("grid: Payoff chart")
    keys.press("F6")
    keys.to("input: More per 100 rail miles")
    keys.type("2")
    expect(story.page.get_by_text("2.000 per 100 rail miles")).to_be_visible()
    keys.to("input: All")
    keys.press("Space")
    keys.to("button: Accept 6 chosen")
    keys.press("Enter")
    keys.kept("Accept 6 suggested payoffs")
    keys.heard("button: Accept 0 chosen")
    keys.press("Shift+F6")
    keys.heard("grid: Payoff chart")
    keys.press("Control+Home", "ArrowRight")
    keys.type("20")
    keys.press("Enter")
    keys.kept("Set Alder - Birch to 20")
    paid = {key: cell.thousands for key, cell in story.document().payoffs.items()}
    assert sorted(paid) == ["alder|birch", "alder|cedar", "alder|dover", "birch|cedar", "birch|dover", "cedar|dover"]
    assert paid.pop("alder|birch") == 20
    assert 9 not in paid.values()
    assert all(value is not None and value >= 5 for value in paid.values())


def settings(story: Story, keys: Keys) -> None:
    keys.panel("Alt+o", "Board")
    keys.to("input: Title")
    keys.press("Control+a")
    keys.type("Key Town")
    keys.press("Enter")
    keys.kept("Set title")
    expect(story.page.get_by_role("heading", name="Key Town")).to_be_visible()
    # out of the field, by a key that types nothing
    keys.heard("input: Title")
    keys.panel("Alt+c", "Checks")
    keys.to("button: Run all checks")
    keys.press("Enter")
    expect(story.page.get_by_text("The drawing is checked too")).to_be_visible()
    expect(story.page.get_by_role("button", name="Errors 0")).to_be_visible()
    keys.heard("button: Run all checks")


def save(story: Story, keys: Keys) -> None:
    done = story.document()
    keys.press("Control+s")
    expect(story.page.locator(".status .state")).to_contain_text("Saved, revision")
    assert story.saved() == done
    files = {str(path.relative_to(story.folder)) for path in story.folder.rglob("*") if path.is_file()}
    wanted = {"board.toml", "cities.csv", "railroads.csv", "lines/b-h.csv", "lines/cl.csv"}
    assert wanted | {"charts/destinations.csv", "charts/payoffs.csv"} <= files


def picture(story: Story, keys: Keys) -> None:
    keys.press("F10")
    keys.to("button: Print and export", "ArrowRight")
    keys.press("Enter")
    keys.heard("menuitem: Picture of the board")
    keys.press("Enter")
    keys.asked("Picture of the board")
    keys.heard("select: Which board")
    keys.to("button: Write to dist")
    keys.press("Enter")
    said = story.page.get_by_role("dialog").get_by_role("status")

    expect(said.filter(has_text="Written to")).to_be_visible()
    keys.heard("button: Write to dist")
    keys.press("Escape")
    expect(story.page.get_by_role("dialog")).to_have_count(0)
    keys.heard("button: Print and export")
    (file,) = (story.workspace / "dist" / "keytown").iterdir()
    assert file.name == "keytown-board.svg"
    words = drawn_words(file)
    assert {"Alder", "Birch", "Cedar", "Dover", "Key Town"} <= set(words)
    assert any("Bay and Hill" in word for word in words)
    assert any("Coast Line" in word for word in words)
