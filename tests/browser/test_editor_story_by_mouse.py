"""A tiny board by mouse, from `mapkit edit` on a new name to the picture and the built bundle."""

from collections.abc import Callable
from pathlib import Path

from conftest import Run
from editing import panel
from playwright.sync_api import Browser, Locator, Page, expect
from stories import PAGE, Story, begun, drawn_words

from mapkit.kinds.rail.model.board import SUMS

Spot = tuple[float, float]

BAY_AND_HILL = ((250, 420), (350, 330), (450, 230), (570, 250), (690, 300))
COAST_LINE = ((250, 420), (380, 450), (520, 460), (620, 400), (690, 300))
CITIES = (
    ("Alder", "South", (250, 420)),
    ("Birch", "North", (450, 230)),
    ("Cedar", "North", (690, 300)),
    ("Dover", "South", (520, 460)),
)
CHARTS = (
    ("Region chart", ("North", "South")),
    ("North", ("Birch", "Cedar")),
    ("South", ("Alder", "Dover")),
)


def undo(page: Page, label: str) -> None:
    """Wait until the step is kept, and is what undo would undo."""
    expect(page.get_by_role("button", name=f"Undo: {label}", exact=True)).to_be_enabled()


def middle(place: Locator) -> Spot:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def paper(page: Page) -> Callable[[Spot], Spot]:
    """Return where millimetres of the page are on the screen; its scale stays as it is now."""
    box = page.locator("#board").bounding_box()
    assert box is not None
    mm = max(PAGE[0] / (box["width"] - 32), PAGE[1] / (box["height"] - 32))

    def screen(at: Spot) -> Spot:
        now = page.locator("#board").bounding_box()
        assert now is not None
        x, y = now["x"] + now["width"] / 2, now["y"] + now["height"] / 2
        return x + (at[0] - PAGE[0] / 2) / mm, y + (at[1] - PAGE[1] / 2) / mm

    return screen


def test_a_board_from_nothing_to_its_picture_by_mouse(browser: Browser, run: Run, tmp_path: Path) -> None:
    with begun(browser, tmp_path, "tinytown") as story:
        page = story.page
        expect(page.get_by_role("heading", name="A new board: tinytown")).to_be_visible()
        assert not story.folder.exists()
        page.get_by_role("radio", name="Nothing").check()
        page.get_by_role("button", name="Make the board").click()
        expect(page.locator(".status .state")).to_have_text("Saved, revision 0")
        start = story.document()
        assert (dict(start.railroads), dict(start.cities), dict(start.lines)) == ({}, {}, {})
        at = paper(page)
        railroads(page)
        lines(story, at)
        cities(story, at)
        charts(story)
        payoffs(story)
        settings(story)
        step(page, "Save the files").wait_for()
        done = story.document()
        all_undone_and_done_again(story, start, done)
        page.get_by_role("button", name="Save to the board's files").click()
        expect(page.locator(".status .state")).to_contain_text("Saved, revision")
        assert story.document() == story.saved() == done
        picture(story)
    for command in ("check", "build"):
        ran = run(command, "tinytown", "--workspace", tmp_path)
        assert ran.code == 0, ran
    assert "Tiny Town Lines" in (tmp_path / "build" / "tinytown" / "board.svg").read_text(encoding="utf-8")


def step(page: Page, title: str) -> Locator:
    return page.get_by_role("list", name="First steps").get_by_role("listitem").filter(has_text=title)


def unfold(page: Page) -> None:
    page.locator("main.canvas").get_by_role("button", name="First steps, ").click()


def railroads(page: Page) -> None:
    step(page, "Add a railroad").get_by_role("button").click()
    for name, mark, price in (("Bay and Hill", "B&H", "8000"), ("Coast Line", "CL", "6000")):
        page.get_by_role("button", name="Add …").click()
        for label, text in (("Name", name), ("Reporting mark", mark), ("Price", price)):
            dialog(page).get_by_label(label, exact=True).click(click_count=3)
            page.keyboard.type(text)
        dialog(page).locator("footer").get_by_role("button", name="Add it").click()
        undo(page, f"Add railroad {mark}")


def lines(story: Story, at: Callable[[Spot], Spot]) -> None:
    page = story.page
    step(page, "Draw its first line").get_by_role("button").click()
    card = page.get_by_role("region", name="Settings of the tool: Line")
    for railroad, mark, spots in (("b-h", "B&H", BAY_AND_HILL), ("cl", "CL", COAST_LINE)):
        card.get_by_label("Railroad", exact=True).select_option(railroad)
        for spot in spots:
            page.mouse.move(*at(spot))
            page.mouse.down()
            page.mouse.up()
        card.get_by_role("button", name="Finish").click()
        undo(page, f"Add line Milepost 1 - Milepost 5 of {mark}")
    # both ends of the second line snapped to those of the first
    found = {line.railroad: [place for place, _ in line.stops] for line in story.document().lines.values()}
    assert found == {
        "b-h": [f"Milepost {n}" for n in (1, 2, 3, 4, 5)],
        "cl": [f"Milepost {n}" for n in (1, 6, 7, 8, 5)],
    }


def cities(story: Story, at: Callable[[Spot], Spot]) -> None:
    page = story.page
    unfold(page)
    step(page, "Name the regions").get_by_role("button").click()
    page.get_by_role("grid", name="Regions").get_by_role("gridcell", name="Region 1").dblclick()
    page.keyboard.press("Control+a")
    page.keyboard.type("North")
    page.keyboard.press("Enter")
    undo(page, "Rename region Region 1 to North")
    page.get_by_role("button", name="Add a region …").click()
    page.keyboard.type("South")
    dialog(page).locator("footer").get_by_role("button", name="Add it").click()
    undo(page, "Add region South")
    step(page, "Place the cities").get_by_role("button").click()
    for name, region, spot in CITIES:
        page.mouse.move(*at(spot))
        page.mouse.down()
        page.mouse.up()
        page.keyboard.type(name)
        dialog(page).locator("footer").get_by_role("button", name="Go on").click()
        dialog(page).get_by_label("Region").select_option(label=region)
        dialog(page).locator("footer").get_by_role("button", name="Add the city").click()
        undo(page, f"Make {name} a city")
    now = story.document()
    assert {row.name: now.regions[row.region].name for row in now.cities.values()} == {n: r for n, r, _ in CITIES}
    assert [place for place, _ in now.lines["cl-milepost-1-milepost-5"].stops][::2] == ["Alder", "Dover", "Cedar"]


def charts(story: Story) -> None:
    page = story.page
    unfold(page)
    step(page, "Fill the destination charts").get_by_role("button").click()
    page.get_by_role("button", name="Side by side").click()
    chart = page.get_by_label("Chart", exact=True)
    for name, (first, second) in CHARTS:
        chart.select_option(chart.locator("option", has_text=name).get_attribute("value"))
        expect(page.get_by_role("grid", name=f"{name}, 22 cells")).to_be_visible()
        # one is dragged over its cells, the other clicked for cells that were chosen
        page.mouse.move(*middle(page.locator(".grip", has_text=second)))
        page.mouse.down()
        page.mouse.move(*middle(page.locator('[data-chart-cell="even/2"]')), steps=3)
        page.mouse.move(*middle(page.locator('[data-chart-cell="even/12"]')), steps=3)
        page.mouse.up()
        undo(page, f"Put {second} into 11 cells of {name}")
        page.mouse.move(*middle(page.locator('[data-chart-cell="odd/2"]')))
        page.mouse.down()
        page.mouse.move(*middle(page.locator('[data-chart-cell="odd/12"]')), steps=3)
        page.mouse.up()
        page.locator(".grip", has_text=first).click()
        undo(page, f"Put {first} into 11 cells of {name}")
    found = {key: cell.item for key, cell in story.document().destinations.items()}
    for total in SUMS:
        assert [
            found[f"{chart}/{parity}/{total}"]
            for chart in ("regions", "region-1", "south")
            for parity in ("odd", "even")
        ] == [
            "region-1",
            "south",
            "birch",
            "cedar",
            "alder",
            "dover",
        ]


def payoffs(story: Story) -> None:
    page = story.page
    step(page, "Fill the payoff chart").get_by_role("button").click()
    page.get_by_role("button", name="Start the chart").click()
    undo(page, "Start the payoff chart")
    suspects = page.get_by_role("region", name="Suspects")
    rate = suspects.get_by_label("More per 100 rail miles")
    rate.click(click_count=3)
    page.keyboard.type("2")
    expect(suspects).to_contain_text("2.000 per 100 rail miles")
    suspects.get_by_label("All", exact=True).check()
    suspects.get_by_role("button", name="Accept 6 chosen").click()
    undo(page, "Accept 6 suggested payoffs")
    cell = page.get_by_role("grid", name="Payoff chart").get_by_role("gridcell", name="?")
    expect(cell).to_have_count(0)
    page.locator("#payoff-0-1").dblclick()
    page.keyboard.type("20")
    page.keyboard.press("Enter")
    undo(page, "Set Alder - Birch to 20")
    paid = {key: cell.thousands for key, cell in story.document().payoffs.items()}
    assert sorted(paid) == ["alder|birch", "alder|cedar", "alder|dover", "birch|cedar", "birch|dover", "cedar|dover"]
    assert paid["alder|birch"] == 20
    # the shorter way from Alder to Cedar is over Birch or Dover, so it pays about the sum of both parts
    assert all(isinstance(value, float) and value >= 5 for value in paid.values())
    page.get_by_role("button", name="Back to the board").click()


def settings(story: Story) -> None:
    page = story.page
    panel(page, "Board")
    page.get_by_label("Title", exact=True).click(click_count=3)
    page.keyboard.type("Tiny Town Lines")
    page.get_by_label("Licence", exact=True).click()
    undo(page, "Set title")
    expect(page.get_by_role("heading", name="Tiny Town Lines")).to_be_visible()
    drawing(story)
    panel(page, "Checks")
    page.get_by_role("button", name="Run all checks").click()
    expect(page.get_by_text("The drawing is checked too")).to_be_visible()
    expect(page.get_by_role("button", name="Errors 0")).to_be_visible()


def drawing(story: Story) -> None:
    """Theme, sizes and extent, each a step; a layer whose file is not there is refused."""
    page = story.page
    page.get_by_label("Shown too: west, south, east, north").fill("-99, 36, -93, 39.5")
    page.keyboard.press("Enter")
    undo(page, "Set extent")
    page.locator("summary", has_text="Drawing").click()
    page.get_by_label("Theme", exact=True).select_option("dark")
    undo(page, "Theme dark")
    page.get_by_label("Language of printed words").select_option("português")
    undo(page, "Language pt")
    page.get_by_label("Names of cities, mm").fill("5")
    page.keyboard.press("Enter")
    undo(page, "Set names of cities, mm")
    layer = page.get_by_role("textbox", name="File of land")
    layer.fill("layers/land.geojson")
    page.keyboard.press("Enter")
    expect(page.get_by_text("'layers/land.geojson', which is not in the package").first).to_be_visible()
    rows = story.document().settings
    said = {key: row.value for key, row in rows.items() if key.startswith(("page.extent", "drawing.", "layers."))}
    assert said == {
        "page.extent": [-99, 36, -93, 39.5],
        "drawing.theme": "dark",
        "drawing.language": "pt",
        "drawing.sizes.city_text": 5,
    }


def all_undone_and_done_again(story: Story, start: object, done: object) -> None:
    page = story.page
    panel(page, "History")
    steps = page.get_by_role("list", name="Steps, the first on top").get_by_role("button")
    for which, wanted in ((steps.first, start), (steps.last, done)):
        which.click()
        expect(which).to_have_attribute("aria-current", "step")
        assert story.document() == wanted


def picture(story: Story) -> None:
    page = story.page
    page.get_by_role("button", name="Print and export").click()
    page.get_by_role("menuitem", name="Picture of the board").click()
    dialog(page).locator("footer").get_by_role("button", name="Write to dist").click()
    expect(dialog(page).get_by_role("status").filter(has_text="Written to")).to_be_visible()
    (file,) = (story.workspace / "dist" / "tinytown").iterdir()
    assert file.name == "tinytown-board.svg"
    words = drawn_words(file)
    assert {"Alder", "Birch", "Cedar", "Dover", "Tiny Town Lines"} <= set(words)
    assert any("Bay and Hill" in word for word in words)
    assert any("Coast Line" in word for word in words)
