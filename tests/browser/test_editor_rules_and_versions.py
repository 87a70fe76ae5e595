"""Rules, board settings, variants, comparison and exports in the page, and what they do to the board."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from editing import Editing, Served, panel, serving
from playwright.sync_api import Page, expect

from mapkit.kinds.rail.editing.config import config_of


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def undoes(page: Page, label: str) -> None:
    expect(page.get_by_role("button", name=f"Undo: {label}")).to_be_enabled()


def test_rules_are_switched_and_refused_in_a_sentence_with_the_sheet_beside(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        panel(page, "Rules")
        sheet = page.get_by_role("article", name="Rule sheet")
        expect(sheet).to_contain_text("Your turn")
        expect(sheet.locator("ins")).to_have_count(0)
        page.get_by_role("checkbox", name="riding one's own railroads is free").click()
        undoes(page, "Rules: own-track-free on")
        assert config_of(session.document).rules.fees.own == 0
        expect(
            sheet.locator(
                "del", has_text="For riding bank-held railroads, your own, or both, pay the bank $1,000 in all."
            )
        ).to_have_count(1)
        expect(sheet.locator("ins").first).to_be_visible()
        # the page says what goes against it, and offers to switch that off
        page.get_by_role("checkbox", name="riding one's own railroads costs the bank fee").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Option own-track-free contradicts option own-track-pays: fees.own would be")
        page.get_by_role("button", name="Switch it on, and own-track-free off").click()
        undoes(page, "Rules: own-track-free off, own-track-pays on")
        assert config_of(session.document).rules.fees.own == 1000
        # a single setting, found by its words, by keyboard alone
        page.get_by_label("Find an option or setting").fill("starting cash RB-S02")
        page.get_by_label("Find an option or setting").fill("starting cash")
        field = page.get_by_label("starting cash", exact=True)
        field.fill("25000")
        field.press("Enter")
        undoes(page, "Rules: starting cash 25,000")
        assert config_of(session.document).rules.setup.starting_cash == 25_000
        page.get_by_role("button", name="starting cash: back to the preset's").click()
        undoes(page, "Rules: starting cash as in the preset")
        assert config_of(session.document).rules.setup.starting_cash == 20_000


def test_house_rules_are_written_in_the_authors_words(editing: Editing, served: Served) -> None:
    session = served.session

    def rules() -> list[tuple[str, str]]:
        return [(rule.title, rule.text) for rule in config_of(session.document).rules.house.words]

    with editing(served) as page:
        panel(page, "Rules")
        page.get_by_role("button", name="Add a house rule …").click()
        dialog = page.get_by_role("dialog", name="New house rule")
        dialog.get_by_label("Title", exact=True).fill("First roll")
        dialog.get_by_role("button", name="Add it").click()
        expect(page.get_by_text("Type a title and a text first.")).to_be_visible()
        dialog.get_by_label("Text", exact=True).fill("The oldest player rolls.\nOthers follow to the left.")
        dialog.get_by_role("button", name="Add it").click()
        undoes(page, "Rules: house rules First roll")
        assert rules() == [("First roll", "The oldest player rolls.\nOthers follow to the left.")]
        sheet = page.get_by_role("article", name="Rule sheet")
        expect(sheet).to_contain_text("First roll: The oldest player rolls. Others follow to the left.")
        rule = page.get_by_role("group", name="First roll")
        text = rule.get_by_label("Text", exact=True)
        text.fill("The youngest player rolls.")
        text.blur()
        expect(sheet).to_contain_text("First roll: The youngest player rolls.")
        assert rules() == [("First roll", "The youngest player rolls.")]
        rule.get_by_role("button", name="Remove First roll").click()
        expect(rule).to_have_count(0)
        assert rules() == []


def test_the_board_gets_a_title_and_a_page_that_fits(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        panel(page, "Board")
        title = page.get_by_label("Title", exact=True)
        title.fill("The Shore")
        title.press("Enter")
        undoes(page, "Set title")
        assert config_of(session.document).title == "The Shore"
        page.get_by_label("Size", exact=True).select_option("A3")
        expect(page.get_by_text("The board is shown on 297 \N{MULTIPLICATION SIGN} 420 mm.")).to_be_visible()
        assert (config_of(session.document).page.width, config_of(session.document).page.height) == (297, 420)
        page.get_by_label("Direction").select_option("wide")
        expect(page.get_by_text("The board is shown on 420 \N{MULTIPLICATION SIGN} 297 mm.")).to_be_visible()
        margin = page.get_by_label("Margin, mm")
        margin.fill("-4")
        margin.press("Enter")
        expect(page.get_by_role("alert").filter(has_text="page.margin")).to_be_visible()
        assert config_of(session.document).page.margin == 40
        page.get_by_label("Credits, a line each").fill("One\n\nTwo")
        page.get_by_label("Title", exact=True).focus()
        undoes(page, "Set credits")
        assert config_of(session.document).credits == ("One", "Two")


def test_a_variant_is_made_looked_at_and_taken_over(editing: Editing, served: Served, example: Path) -> None:
    session = served.session
    railroad = min(session.document.railroads)
    price = session.document.railroads[railroad].price
    session.do({"kind": "edit-railroad", "id": railroad, "price": price + 7000})
    with editing(served) as page:
        panel(page, "Variants")
        page.get_by_role("button", name="New variant of what was edited").click()
        page.get_by_label("Name", exact=True).fill("dear")
        page.get_by_label("Title", exact=True).fill("Dear track")
        expect(page.get_by_role("heading", name="It will hold 1 operation")).to_be_visible()
        page.get_by_role("button", name="Write variants/dear.toml").click()
        expect(page.get_by_role("checkbox", name="Dear track")).to_be_visible()
        said = tomllib.loads((example.parent.parent / "variants" / "dear.toml").read_text(encoding="utf-8"))
        assert said["operations"][0]["op"] == "edit-railroad"
        page.get_by_role("button", name="Undo").first.click()
        expect(page.get_by_role("button", name=re.compile("^Redo: "))).to_be_enabled()
        assert session.document.railroads[railroad].price == price
        page.get_by_role("checkbox", name="Dear track").click()
        done = page.get_by_role("list", name="What dear did")
        expect(done.get_by_role("button")).to_contain_text(f"costs ${price + 7000:,}")
        page.get_by_role("button", name="Look at it").click()
        expect(page.get_by_role("img", name="The board: dear")).to_be_visible()
        assert session.document.railroads[railroad].price == price
        page.get_by_role("button", name="Take over into the board").click()
        undoes(page, "Take over dear")
        assert session.document.railroads[railroad].price == price + 7000


def test_two_versions_are_compared_side_by_side_swiped_and_as_a_list(editing: Editing, served: Served) -> None:
    session = served.session
    ident, city = min(session.document.cities.items())
    session.checkpoint("before the move")
    session.do({"kind": "edit-city", "id": ident, "lon": city.lon + 0.3, "lat": city.lat})
    with editing(served) as page:
        panel(page, "Compare")
        steps = page.get_by_role("list", name="Differences by meaning").get_by_role("button")
        expect(steps.filter(has_text=city.name)).not_to_have_count(0)
        page.get_by_role("button", name="Look at both").click()
        sides = page.locator(".versions .side")
        expect(sides).to_have_count(2)
        expect(sides.nth(0)).to_contain_text("As saved")
        whole = sides.nth(0).locator("svg").get_attribute("viewBox")
        steps.filter(has_text=city.name).first.click()
        expect(page.locator("[data-lit]")).not_to_have_count(0)
        assert sides.nth(0).locator("svg").get_attribute("viewBox") != whole
        assert sides.nth(0).locator("svg").get_attribute("viewBox") == sides.nth(1).locator("svg").get_attribute(
            "viewBox"
        )
        page.get_by_role("combobox", name="How").select_option("swipe")
        page.get_by_role("slider", name=re.compile("^From As saved")).fill("0.25")
        assert page.locator(".side.after").evaluate("e => e.style.clipPath") == "inset(0px 0px 0px 25%)"
        page.get_by_label("Moment").first.select_option("now")
        expect(page.get_by_text("Both mean the same.")).to_be_visible()
        page.get_by_label("Moment").first.select_option("0")
        expect(steps.filter(has_text=city.name)).not_to_have_count(0)


def test_a_picture_is_previewed_by_the_exporter_and_written(editing: Editing, served: Served, example: Path) -> None:
    with editing(served) as page:
        page.get_by_role("button", name="Print and export").click()
        page.get_by_role("menuitem", name="Picture of the board").click()
        page.get_by_role("dialog").get_by_label("Theme").select_option("atlas")
        page.get_by_label("Fonts").select_option("paths")
        page.get_by_role("button", name="Preview").click()
        picture = page.get_by_role("img", name="Preview: example-atlas.svg")
        expect(picture).to_be_visible()
        page.wait_for_function("() => document.querySelector('.picture img')?.naturalWidth > 100")
        page.get_by_role("button", name="Write to dist").click()
        expect(page.get_by_text("1 file written to")).to_be_visible()
        written = example.parent.parent / "dist" / "example" / "example-atlas.svg"
        assert written.read_text(encoding="utf-8").startswith(("<svg", "<?xml"))
        page.keyboard.press("Escape")
        # by keyboard: the formats, one chosen, downloaded; and long work stopped
        page.keyboard.press("Control+e")
        expect(page.get_by_text("holds everything")).to_be_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        assert download.value.suggested_filename == "example.zip"
        page.get_by_role("checkbox", name="VASSAL").check()
        page.get_by_role("button", name="Write to dist").click()
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_text("Stopped; nothing was written.")).to_be_visible()
        assert [path.name for path in written.parent.iterdir()] == [written.name]


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_serious_fault_in_these_panels(editing: Editing, served: Served, dark: bool) -> None:  # noqa: FBT001
    railroad = min(served.session.document.railroads)
    served.session.do({"kind": "edit-railroad", "id": railroad, "price": 1})
    served.session.do({"kind": "edit-rules", "on": ["half-time"]})
    with editing(served, dark=dark) as page:

        def sound() -> None:
            found = Axe().run(page).response["violations"]
            assert [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")] == []

        panel(page, "Board")
        sound()
        panel(page, "Rules")
        expect(page.locator(".rule-sheet ins").first).to_be_visible()
        sound()
        panel(page, "Variants")
        page.get_by_role("checkbox", name="half-time").first.wait_for()
        sound()
        panel(page, "Compare")
        page.get_by_role("button", name="Look at both").click()
        expect(page.locator(".versions svg")).to_have_count(2)
        sound()
        page.keyboard.press("Control+e")
        expect(page.get_by_text("holds everything")).to_be_visible()
        sound()
