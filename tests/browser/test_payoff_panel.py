"""The payoff chart in a browser: typing, pasting, judging; what reaches the document."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import still, until
from editing import Editing, Served, serving
from editor_boards import grid_folder
from playwright.sync_api import Page, expect

from mapkit.core.cancellation import CancelledError, check_cancelled
from mapkit.kinds.rail.checks.payoff_chart.check import judge_board
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.diagnosis import PayoffDiagnosis
from mapkit.kinds.rail.queries import payoffs
from mapkit.kinds.rail.tables import RailDocument

REPOSITORY = Path(__file__).resolve().parents[2]
MOST_CELLS = 1000


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Served]:
    with serving(grid_folder(tmp_path, 4, 12, cities=10)) as served:
        yield served


@pytest.fixture
def large(tmp_path: Path) -> Iterator[Served]:
    with serving(grid_folder(tmp_path, 12, 30, cities=120)) as served:
        yield served


@pytest.fixture
def usa_served(tmp_path: Path) -> Iterator[Served]:
    folder = tmp_path / "sources" / "usa"
    shutil.copytree(REPOSITORY / "sources" / "usa", folder)
    with serving(folder) as served:
        yield served


def open_chart(page: Page) -> None:
    page.keyboard.press("Alt+y")
    expect(page.locator("#payoff-grid")).to_be_focused()


def pays(document: RailDocument, a: str, b: str) -> float | None:
    row = document.payoffs.get(f"{min(a, b)}|{max(a, b)}")
    return row.thousands if row else None


def undo_says(page: Page, label: str) -> None:
    expect(page.get_by_role("button", name=f"Undo: {label}", exact=True)).to_be_enabled()


def judged(page: Page) -> None:
    expect(page.locator(".payoff-legend li")).to_have_count(7)
    expect(page.locator(".payoff-suspects [role=status]")).to_contain_text("trips")
    page.get_by_label("List").select_option("accepted")
    expect(page.get_by_role("row", name="Atlanta - Casper")).to_be_attached()


def cells(page: Page) -> int:
    return page.locator("#payoff-grid [role=gridcell]").count()


def test_scrolling_120_cities_keeps_the_cells_in_the_page_few(editing: Editing, large: Served) -> None:
    with editing(large) as page:
        open_chart(page)
        grid = page.locator("#payoff-grid")
        assert grid.get_attribute("aria-rowcount") == "121"
        assert 0 < cells(page) <= MOST_CELLS
        for x, y in ((700, 333), (2000, 1700), (99_999, 99_999), (50, 1_000)):
            grid.evaluate("(at, [x, y]) => at.scrollTo(x, y)", [x, y])
            still(page)
            left, top, wide, tall = grid.evaluate(
                "at => [at.scrollLeft, at.scrollTop, at.clientWidth, at.clientHeight]"
            )
            # the cells at all corners of what is seen are there
            row, col = (
                (int(top) // 24, int((top + tall - 112) // 24) - 1),
                (int(left) // 46, int((left + wide - 136) // 46) - 1),
            )
            for r, c in ((row[0], col[0]), (row[1], col[1])):
                expect(page.locator(f"#payoff-{r}-{c}")).to_have_count(1)
            assert cells(page) <= MOST_CELLS
        page.keyboard.press("Control+End")
        expect(grid).to_have_attribute("aria-activedescendant", "payoff-119-119")
        page.get_by_placeholder("City, or City - City").fill("City 7 - City 99")
        page.keyboard.press("Enter")
        expect(grid).to_have_attribute("aria-activedescendant", "payoff-7-99")
        expect(page.locator(".payoff-route")).to_contain_text("mileposts, by")


def test_a_block_of_60_by_60_is_pasted_as_one_step(editing: Editing, large: Served) -> None:
    session = large.session
    before = session.document
    text = "\n".join("\t".join(f"{20 + (r * 60 + c) % 50 / 2:g}" for c in range(60)) for r in range(60))
    with editing(large) as page:
        open_chart(page)
        page.get_by_placeholder("City, or City - City").fill("City 0 - City 60")
        page.keyboard.press("Enter")
        page.evaluate(
            """text => {
              const data = new DataTransfer();
              data.setData("text/plain", text);
              const paste = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
              document.activeElement.dispatchEvent(paste);
            }""",
            text,
        )
        dialog = page.get_by_role("dialog", name="Paste into the payoff chart")
        expect(dialog).to_contain_text("60 x 60")
        assert session.document == before
        dialog.get_by_role("button", name="Paste 3").click()
        expect(page.get_by_role("button", name="Undo: Paste 3")).to_be_enabled()
        assert len(session.history()["steps"]) == 2  # the start and the paste
        assert pays(session.document, "city-0", "city-60") == 20
        assert pays(session.document, "city-59", "city-119") == 20 + (59 * 60 + 59) % 50 / 2
        expect(page.locator("#payoff-0-60")).to_contain_text("20")
        page.keyboard.press("Control+z")
        expect(page.get_by_role("button", name="Redo: Paste 3")).to_be_enabled()
        assert session.document == before


def test_cells_are_typed_by_keyboard(editing: Editing, small: Served) -> None:
    session = small.session
    with editing(small) as page:
        open_chart(page)
        keys = page.keyboard
        keys.press("Control+Home")
        keys.press("ArrowRight")
        keys.type("14.5")
        keys.press("Enter")
        undo_says(page, "Set City 0 - City 1 to 14.5")
        expect(page.locator("#payoff-1-0")).to_contain_text("14.5")
        assert pays(session.document, "city-0", "city-1") == 14.5
        keys.press("ArrowUp")
        keys.press("F2")
        keys.type("x")
        keys.press("Enter")
        expect(page.locator("#payoff-wrong")).to_contain_text("is not an amount")
        keys.press("Escape")
        keys.type("9")
        keys.press("Escape")
        assert pays(session.document, "city-0", "city-1") == 14.5
        assert len(session.history()["steps"]) == 2


def test_a_block_is_filled_scaled_copied_and_emptied_each_as_one_step(editing: Editing, small: Served) -> None:
    session = small.session
    with editing(small) as page:
        open_chart(page)
        keys = page.keyboard
        keys.press("Control+Home")
        for _ in range(5):
            keys.press("ArrowRight")
        keys.press("Shift+ArrowRight")
        keys.press("Shift+ArrowDown")
        expect(page.locator("#payoff-grid [aria-selected=true]")).to_have_count(4)
        keys.type("5")
        keys.press("Control+Enter")
        undo_says(page, "Fill 4 payoffs with 5")
        keys.press("Alt+Shift+S")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text(
            "4 of 4 will change, by +0.50 on average. Undo will say: Scale 4 payoffs by 1.1."
        )
        keys.press("Enter")
        undo_says(page, "Scale 4 payoffs by 1.1")
        assert [pays(session.document, a, b) for a in ("city-0", "city-1") for b in ("city-5", "city-6")] == [5.5] * 4
        expect(page.locator("#payoff-grid")).to_be_focused()
        page.evaluate(
            "document.addEventListener('copy', e => { window.copied = e.clipboardData.getData('text/plain') })"
        )
        keys.press("Control+c")
        assert page.evaluate("window.copied") == "5.5\t5.5\n5.5\t5.5"
        keys.press("Delete")
        undo_says(page, "Fill 4 payoffs with empty")
        expect(page.locator("#payoff-0-5")).to_have_class("cell missing active chosen")
        assert pays(session.document, "city-1", "city-6") is None
        page.get_by_label("Shape", exact=True).select_option("triangle")
        expect(page.locator("#payoff-0-5")).to_have_count(0)
        expect(page.locator("#payoff-grid")).to_have_attribute("aria-activedescendant", "payoff-5-0")
        assert len(session.history()["steps"]) == 4  # the start, and three
        # a block chosen by dragging
        one, other = page.locator("#payoff-4-1").bounding_box(), page.locator("#payoff-6-3").bounding_box()
        assert one is not None
        assert other is not None
        page.mouse.move(one["x"] + 5, one["y"] + 5)
        page.mouse.down()
        page.mouse.move(other["x"] + 5, other["y"] + 5, steps=4)
        page.mouse.up()
        expect(page.locator("#payoff-grid [aria-selected=true]")).to_have_count(9)
        expect(page.locator(".payoff-line")).to_contain_text("Block 3 x 3: 9 trips, 2 empty, sum 12.5")


def test_a_suspect_is_found_shown_and_accepted(editing: Editing, usa_served: Served) -> None:
    session = usa_served.session
    before = session.document
    assert pays(before, "atlanta", "casper") == 25.5
    with editing(usa_served) as page:
        open_chart(page)
        judged(page)
        expect(page.locator(".payoff-suspects")).to_contain_text(
            "accepted: Misprint of the print: the copies agree on 25.5"
        )
        page.keyboard.press("Alt+j")
        expect(page.locator(".payoff-line")).to_contain_text(
            "Atlanta - Casper: 25.5; about 15.4 (±0.3) is expected; 10.1 too much"
        )
        expect(page.locator(".payoff-route")).to_contain_text("miles, 22 mileposts, by")
        assert page.locator(".payoff-map .route").count() == 2
        expect(page.locator("#payoff-grid .active")).to_have_class("cell heat-high3 active chosen")
        page.get_by_role("button", name="Accept 15.5 for Atlanta - Casper", exact=True).click()
        undo_says(page, "Accept 15.5 for Atlanta - Casper")
        assert pays(session.document, "atlanta", "casper") == 15.5
        expect(page.get_by_role("button", name="Accept 15.5 for Atlanta - Casper", exact=True)).to_have_count(0)
        page.get_by_label("Wrong with").select_option("0.9")
        boxes = page.locator(".payoff-suspects [role=gridcell] input")
        boxes.nth(0).check()
        boxes.nth(1).check()
        page.get_by_role("button", name="Accept 2 chosen").click()
        undo_says(page, "Accept 2 suggested payoffs")
        changed = [key for key, row in session.document.payoffs.items() if before.payoffs.get(key) != row]
        assert len(changed) == 3


def test_a_suspect_is_kept_as_it_is_with_a_reason(editing: Editing, usa_served: Served) -> None:
    accepted = usa_served.session.document.accepted
    with editing(usa_served) as page:
        open_chart(page)
        judged(page)
        page.get_by_role("button", name="No longer accept Atlanta - Casper").click()
        page.get_by_label("List").select_option("all")
        page.get_by_role("button", name="Keep Atlanta - Casper as it is").click()
        page.get_by_role("dialog").get_by_role("textbox").fill("the print has it")
        page.get_by_role("dialog").get_by_role("button", name="Accept").click()
        expect(page.locator(".payoff-suspects")).to_contain_text("0 trips")
        page.get_by_label("List").select_option("accepted")
        expect(page.locator(".payoff-suspects")).to_contain_text("accepted: the print has it")
    now = usa_served.session.document.accepted
    assert {key for key, row in now.items() if accepted.get(key) != row} == {"P08:atlanta:casper"}
    assert now["P08:atlanta:casper"].reason == "the print has it"


def test_judging_is_stopped_and_begun_again(
    editing: Editing, usa_served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, free, ended = threading.Event(), threading.Event(), threading.Event()

    def slow(board: Board, step: float | None) -> PayoffDiagnosis:
        begun.set()
        try:
            while not free.wait(0.01):
                check_cancelled()
        except CancelledError:
            ended.set()
            raise
        return judge_board(board, step)

    monkeypatch.setattr(payoffs, "judge_board", slow)
    with editing(usa_served) as page:
        open_chart(page)
        status = page.locator(".payoff-suspects [role=status]")
        expect(status).to_have_text("Judging …")
        until(page, begun.is_set)
        page.get_by_role("button", name="Stop judging the payoffs").click()
        expect(status).to_have_text("Stopped")
        until(page, ended.is_set)
        # an edit does not begin it again, the button does
        usa_served.session.do({"kind": "set-payoff", "a": "atlanta", "b": "casper", "thousands": 15.5}, client="other")
        expect(page.get_by_role("button", name="Undo: ")).to_be_enabled()
        expect(status).to_have_text("Stopped")
        free.set()
        page.get_by_role("button", name="Judge all payoffs").click()
        expect(status).to_contain_text("trips")
        expect(page.get_by_role("button", name="Stop judging the payoffs")).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_serious_fault_in_the_payoff_chart(editing: Editing, small: Served, dark: bool) -> None:  # noqa: FBT001
    with editing(small, dark=dark) as page:
        open_chart(page)
        expect(page.locator(".payoff-legend li")).to_have_count(7)
        expect(page.locator("#payoff-grid [class*=heat-]").first).to_be_attached()
        page.keyboard.press("Control+Home")
        page.keyboard.press("Delete")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Delete")
        undo_says(page, "Set City 0 - City 1 to empty")
        for step in ("chart", "paste", "narrow"):
            if step == "paste":
                page.get_by_role("button", name="Copy and paste").click()
                page.get_by_role("menuitem", name="Paste").click()
                page.locator("textarea").fill("\tCity 3\tCitty 4\nCity 1\t33\tx\nCity 2\t19\t12\n")
                expect(page.get_by_role("dialog")).to_contain_text("2 payoffs will change")
            if step == "narrow":
                page.keyboard.press("Escape")
                page.set_viewport_size({"width": 640, "height": 360})
                expect(page.locator("#payoff-grid")).to_be_visible()
                assert page.evaluate("document.documentElement.scrollWidth") <= 640
                break
            found = Axe().run(page).response["violations"]
            assert [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")] == []
