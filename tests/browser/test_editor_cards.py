"""The editor of card games in a browser: tables and cards side by side, effects, rules, sheets, comparing; and axe."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import until
from conftest import REPOSITORY
from editing import Editing, Served, serving
from playwright.sync_api import Page, expect

SPACES = ("Holdings", "Railroads", "Investors", "Track", "Pieces", "Rules", "Sheets")


@pytest.fixture
def barons(tmp_path: Path) -> Iterator[Served]:
    """A copy of a shipped game, served."""
    with serving(Path(shutil.copytree(REPOSITORY / "sources" / "barons", tmp_path / "sources" / "barons"))) as served:
        yield served


def row(served: Served, table: str, key: str) -> dict[str, object]:
    found = served.session.document.table(table).get(key)
    return found.model_dump() if found is not None else {}


def choose_space(page: Page, name: str) -> None:
    button = page.get_by_role("tablist", name="Work spaces").get_by_role("tab", name=name)
    button.click()
    expect(button).to_have_attribute("aria-selected", "true")


def type_into(page: Page, table: str, key: str, column: str, text: str) -> None:
    """Change a cell as a user does: a double click, the text, Enter."""
    grid = page.get_by_role("grid", name=table, exact=True)
    titles = grid.locator("thead th").all_inner_texts()
    cell = grid.locator(f"tr[data-key='{key}'] td").nth(titles.index(column.capitalize()))
    cell.dblclick()
    page.get_by_label(f"{column} of {key}").fill(text)
    page.keyboard.press("Enter")


def test_a_cell_changes_its_card_and_a_card_finds_its_row(editing: Editing, barons: Served) -> None:
    with editing(barons) as page:
        choose_space(page, "Railroads")
        card = page.get_by_role("button", name="Railroad A, level 2")
        picture = card.locator("img")
        expect(picture).to_be_visible()
        before = picture.get_attribute("src")
        type_into(page, "Faces", "a-2", "cost", "130")
        until(page, lambda: row(barons, "faces", "a-2")["cost"] == 130)
        expect(picture).not_to_have_attribute("src", before or "")
        # the other way: a click on a card chooses its row, also of another work space after a finding
        page.get_by_role("button", name="Railroad D, level 4").click()
        expect(page.locator("tr[data-key='d-4']")).to_have_attribute("aria-selected", "true")
        # a wrong cell is refused or found, never lost
        type_into(page, "Faces", "a-2", "gone at", "7")
        finding = page.get_by_role("button", name="a-2 goes at level 7, which no railroad has")
        expect(finding).to_be_visible()
        choose_space(page, "Track")
        finding.click()
        expect(page.locator("tr[data-key='a-2']")).to_have_attribute("aria-selected", "true")
        type_into(page, "Faces", "a-2", "cost", "dear")
        expect(page.get_by_role("alert").filter(has_text="write a whole number")).to_be_visible()
        assert row(barons, "faces", "a-2")["cost"] == 130


def test_effects_are_chosen_from_a_list(editing: Editing, barons: Served) -> None:
    with editing(barons) as page:
        choose_space(page, "Investors")
        page.get_by_label("effect of rebate").select_option("income-once")
        until(page, lambda: row(barons, "effects", "rebate")["effect"] == "income-once")
        page.get_by_label("investor of rebate").select_option("i40")
        until(page, lambda: row(barons, "effects", "rebate")["investor"] == "i40")
        expect(page.get_by_text("income-once: adds to the income of its holding")).to_be_visible()
        # the note that it belongs to nobody is gone
        expect(page.get_by_role("button", name="effect rebate belongs to no investor")).to_have_count(0)


def test_rows_are_added_renamed_moved_and_removed_with_what_names_them(editing: Editing, barons: Served) -> None:
    with editing(barons) as page:
        choose_space(page, "Holdings")
        page.get_by_role("button", name="Add a holding").click()
        page.get_by_label("Its id").fill("Gold & Co")
        page.keyboard.press("Enter")
        until(page, lambda: row(barons, "holdings", "gold-co").get("operators") == 4)
        page.get_by_role("button", name="Add a certificate").click()
        expect(page.get_by_label("Its id")).to_have_value("gold-co-10")
        page.keyboard.press("Enter")
        until(page, lambda: row(barons, "certificates", "gold-co-10").get("holding") == "gold-co")
        # another id reaches the rows that name it
        type_into(page, "Holdings", "gold-co", "id", "silver")
        until(page, lambda: row(barons, "certificates", "gold-co-10").get("holding") == "silver")
        assert row(barons, "holdings", "gold-co") == {}
        # its row goes up, and so it operates earlier
        page.locator("tr[data-key='silver'] td").first.click()
        page.keyboard.press("Alt+ArrowUp")
        until(page, lambda: order(barons)[-2] == "silver")
        page.locator("tr[data-key='silver'] td").first.click()
        page.get_by_role("region", name="Holdings", exact=True).get_by_role("button", name="Remove").click()
        expect(page.get_by_role("dialog")).to_contain_text("1 certificate name silver")
        page.get_by_role("button", name="Remove all of it").click()
        until(page, lambda: row(barons, "certificates", "gold-co-10") == {})
        # one step back brings both
        page.keyboard.press("Control+z")
        until(page, lambda: row(barons, "certificates", "gold-co-10").get("holding") == "silver")
        assert row(barons, "holdings", "silver")["name"] == "New holding"


def order(served: Served) -> list[str]:
    holdings = served.session.document.table("holdings")
    return sorted(holdings, key=lambda key: (holdings[key].rank, key))


def test_rules_compare_and_save(editing: Editing, barons: Served) -> None:
    with editing(barons) as page:
        choose_space(page, "Rules")
        page.get_by_label("Cash").fill("250")
        page.keyboard.press("Enter")
        until(page, lambda: row(barons, "settings", "rules.setup.cash").get("value") == 250)
        page.get_by_label("Removed").select_option("higher")
        until(page, lambda: row(barons, "settings", "rules.disputes.removed").get("value") == "higher")
        page.get_by_role("button", name="Back to lower").click()
        until(page, lambda: row(barons, "settings", "rules.disputes.removed") == {})
        choose_space(page, "Holdings")
        type_into(page, "Holdings", "rice", "short", "R.I.")
        until(page, lambda: row(barons, "holdings", "rice")["short"] == "R.I.")
        page.get_by_role("button", name="Compare").first.click()
        changed = page.get_by_role("region", name="Changed rows")
        expect(changed).to_contain_text("short Rice → R.I.")
        expect(changed).to_contain_text("rules.setup.cash")
        cards = page.get_by_role("region", name="Changed cards")
        expect(cards.get_by_role("heading", name="R.I. 40 %")).to_be_visible()
        assert cards.get_by_alt_text("R.I. 40 %, now").get_attribute("src") != cards.get_by_alt_text("saved").nth(
            0
        ).get_attribute("src")
        page.keyboard.press("Control+s")
        until(page, lambda: not barons.session.unsaved)
        expect(page.get_by_text("Nothing has changed")).to_be_visible()
        folder = barons.session.folder
        assert folder is not None
        assert ",R.I.," in (folder / "holdings.csv").read_text(encoding="utf-8")
        assert "cash = 250" in (folder / "board.toml").read_text(encoding="utf-8")


def test_sheets_are_looked_at_and_downloaded(editing: Editing, barons: Served) -> None:
    with editing(barons) as page:
        choose_space(page, "Sheets")
        expect(page.get_by_text("Page 1 of 18: Ruler")).to_be_visible()
        page.get_by_role("button", name="Cards", exact=True).click()
        expect(page.get_by_text("Page 5 of 18: Cards")).to_be_visible()
        assert page.locator(".paper img").evaluate("one => one.decode().then(() => one.naturalWidth > 300)")
        page.get_by_label("Bleed, in mm").fill("3")
        page.keyboard.press("Enter")
        expect(page.get_by_text("of 20: Cards")).to_be_visible()
        with page.expect_download() as downloading:
            page.get_by_role("button", name="Download as PDF").click()
        assert downloading.value.suggested_filename == "barons-a4.pdf"
        assert Path(downloading.value.path()).read_bytes()[:5] == b"%PDF-"
        page.get_by_label("Size").select_option("mini")
        expect(page.get_by_text("of 14: Cards")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious(editing: Editing, barons: Served, *, dark: bool) -> None:
    with editing(barons, dark=dark) as page:
        wrong = []
        for space in SPACES:
            choose_space(page, space)
            for panel in ("Checks", "History", "Help") if space == "Holdings" else ("Checks",):
                page.get_by_role("tab", name=panel).click()
                found = Axe().run(page).response["violations"]
                wrong += [
                    f"{space} {panel}: {one['id']}: {one['nodes'][0]['html'][:120]}"
                    for one in found
                    if one["impact"] in ("serious", "critical")
                ]
        assert wrong == []


def test_the_page_fits_a_narrow_window(editing: Editing, barons: Served) -> None:
    with editing(barons, width=640, height=360, scale=2) as page:
        for space in SPACES:
            choose_space(page, space)
            assert page.evaluate("document.documentElement.scrollWidth") <= 640
