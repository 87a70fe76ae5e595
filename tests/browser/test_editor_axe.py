"""Every panel, tool and dialog of the editor: axe finds no serious fault in light and dark, and all fits at 200 %."""

import shutil
from collections.abc import Iterator
from importlib.resources import as_file, files

import pytest
from axe_playwright_python.sync_playwright import Axe
from editing import WITHIN_SPACE, Editing, Served, panel, serving
from playwright.sync_api import Page, expect
from sampling import sample

from mapkit.kinds.rail.editing.line_files import LineFiles

PANELS = (
    *("Layers", "Background", "Board", "Cities", "Table", "Balance", "Destinations", "Payoffs", "Rules"),
    *("List", "Compare", "Changes", "History", "Checks", "Print", "Play-test", "Help"),
)
SPACES = (
    *("Map", "Cities and regions", "Railroads", "Destinations", "Payoffs", "Rules", "Variants", "Checks", "Print"),
    *("Play-test", "Help"),
)
WIDTH, HEIGHT = 640, 360
"""A window of 1280 by 720 at 200 % zoom, in CSS pixels."""

NOT_REACHED = """() => {
  const panel = document.querySelector('[role=tabpanel]');
  const wrong = [];
  for (const control of panel.querySelectorAll('button, input, select, textarea, summary, a[href], [tabindex="0"]')) {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('.unseen')) continue;
    if (control.type === 'file') continue;
    control.scrollIntoView({ block: 'center', inline: 'center' });
    const box = control.getBoundingClientRect();
    const frame = (control.closest('.table, .edit-table, .odds') ?? panel).getBoundingClientRect();
    const [left, right] = [Math.max(box.left, frame.left), Math.min(box.right, frame.right, innerWidth)];
    const at = document.elementFromPoint((left + right) / 2, (box.top + Math.min(box.bottom, innerHeight)) / 2);
    if (!at || !(control.contains(at) || [...(control.labels ?? [])].some((label) => label.contains(at))))
      wrong.push(control.outerHTML.slice(0, 120));
  }
  return wrong;
}"""


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The small example with a few unsaved changes, so that no panel is empty."""
    folder = tmp_path_factory.mktemp("looks") / "sources" / "example"
    with as_file(files("mapkit.kinds.rail.sources").joinpath("template")) as template:
        shutil.copytree(template, folder)
    with serving(folder) as served:
        session = served.session
        ident, city = min(session.document.cities.items())
        session.do({"kind": "edit-railroad", "id": min(session.document.railroads), "price": 1})
        session.checkpoint("cheap")
        session.do({"kind": "edit-city", "id": ident, "lon": city.lon + 0.1, "lat": city.lat})
        session.do({"kind": "edit-rules", "on": ["half-time"]})
        rails = folder.with_name("rails.geojson")
        rails.write_text('{"type": "LineString", "coordinates": [[-73, 42.5], [-72, 42.6]]}', encoding="utf-8")
        LineFiles.of_board(folder).add(rails, rails.name)
        yield served


@pytest.fixture(scope="module", params=[False, True], ids=["light", "dark"])
def shown(request: pytest.FixtureRequest, editing: Editing, edited: Served) -> Iterator[Page]:
    with editing(edited, dark=request.param) as page:
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Find a command").fill(
            min(city.name for city in edited.session.document.cities.values())
        )
        page.keyboard.press("Enter")
        expect(page.locator("dialog")).to_have_count(0)
        expect(page.locator(".status")).to_contain_text("1 selected")
        yield page


@pytest.fixture(scope="module")
def zoomed(editing: Editing, edited: Served) -> Iterator[Page]:
    with editing(edited, width=WIDTH, height=HEIGHT, scale=2) as page:
        yield page


def faults(page: Page, within: str | None = None) -> list[tuple[str, str]]:
    found = Axe().run(page, context=within).response["violations"]
    return [(v["id"], n["html"][:200]) for v in found if v["impact"] in ("serious", "critical") for n in v["nodes"]]


def visit(page: Page, title: str) -> None:
    """Open a panel, and wait until it has asked what it asks."""
    panel(page, title)
    expect(page.get_by_role("tabpanel", name=title)).to_be_visible()
    page.wait_for_load_state("networkidle")


def test_these_are_all_work_spaces_and_their_panels(shown: Page) -> None:
    words = "tabs => tabs.map((tab) => (tab.querySelector('.word') ?? tab.firstChild).textContent)"
    spaces = shown.get_by_role("tablist", name="Work spaces").get_by_role("tab").evaluate_all(words)
    assert tuple(spaces) == SPACES
    for space in SPACES:
        shown.get_by_role("tablist", name="Work spaces").get_by_role("tab", name=space).click()
        within = shown.get_by_role("tablist", name=space, exact=True).get_by_role("tab").evaluate_all(words)
        assert within == [name for name in PANELS if WITHIN_SPACE.get(name) == space]


@pytest.mark.parametrize("title", sample(list(PANELS), 6))
def test_axe_finds_no_serious_fault_in_a_panel(shown: Page, title: str) -> None:
    visit(shown, title)
    assert faults(shown, ".middle") == []


def test_axe_finds_no_serious_fault_in_tools_and_their_cards(shown: Page) -> None:
    tools = shown.get_by_role("toolbar", name="Tools").get_by_role("button")
    for at in range(tools.count()):
        tools.nth(at).click()
        expect(tools.nth(at)).to_have_attribute("aria-pressed", "true")
        assert faults(shown, ".middle") == []
    shown.keyboard.press("v")


def test_axe_finds_no_serious_fault_in_menus_and_dialogs(shown: Page) -> None:
    for menu in ("Draw", "View", "Print and export", "Help"):
        shown.get_by_role("button", name=menu, exact=True).click()
        expect(shown.get_by_role("menu", name=menu)).to_be_visible()
        assert faults(shown, ".toolbar") == []
        shown.keyboard.press("Escape")
    for key, name in (("?", "Keys"), ("Control+k", "Find"), ("Control+e", "Export"), ("Control+Shift+s", "checkpoint")):
        shown.keyboard.press(key)
        expect(shown.get_by_role("dialog", name=name)).to_be_visible()
        assert faults(shown, "dialog") == []
        shown.keyboard.press("Escape")
        expect(shown.locator("dialog")).to_have_count(0)
    shown.keyboard.press("Shift+F1")
    expect(shown.locator(".tour .card")).to_be_visible()
    assert faults(shown, ".tour") == []
    shown.keyboard.press("Escape")
    for title, button in (("Table", "Add …"), ("Cities", "Add a city …"), ("Cities", "Add a region …")):
        visit(shown, title)
        shown.get_by_role("button", name=button).click()
        assert faults(shown, "dialog") == []
        shown.keyboard.press("Escape")
        expect(shown.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("title", PANELS)
def test_at_200_percent_every_control_of_a_panel_is_reached(zoomed: Page, title: str) -> None:
    visit(zoomed, title)
    assert zoomed.evaluate("document.documentElement.scrollWidth") <= WIDTH
    assert zoomed.evaluate(NOT_REACHED) == []


def test_at_200_percent_the_toolbar_is_one_row_and_its_menus_stay_in_the_window(zoomed: Page) -> None:
    bar = zoomed.locator(".toolbar").bounding_box()
    assert bar is not None
    assert bar["height"] < 40
    for name in ("Tool: Select", "Draw", "View", "Print and export", "Help"):
        button = zoomed.get_by_role("button", name=name, exact=True)
        button.click()
        for box in (button.bounding_box(), zoomed.get_by_role("menu", name=name).bounding_box()):
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= WIDTH
            assert box["y"] + box["height"] <= HEIGHT
        zoomed.keyboard.press("Escape")
    # by the menu a tool is chosen
    zoomed.get_by_role("button", name="Tool: Select").click()
    zoomed.get_by_role("menuitemcheckbox", name="Line: draw one by clicking").click()
    expect(zoomed.get_by_role("button", name="Tool: Line")).to_be_visible()
    zoomed.keyboard.press("v")
