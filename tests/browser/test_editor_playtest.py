"""The panel of play-tests in a browser: a study on the board, and what an edit changed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from editing import Editing, Served, serving
from playwright.sync_api import Page, expect


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def faults(page: Page) -> list[tuple[str, str]]:
    found = Axe().run(page).response["violations"]
    return [(v["id"], n["html"][:200]) for v in found if v["impact"] in ("serious", "critical") for n in v["nodes"]]


def wanted(page: Page, matches: int) -> None:
    """Open the panel by its key, and ask for few matches of two."""
    page.keyboard.press("Alt+p")
    page.get_by_label("Matches", exact=True).fill(str(matches))
    page.get_by_label("Matches", exact=True).press("Enter")
    page.get_by_label("Players", exact=True).select_option("2")


def test_a_study_is_seen_on_the_board_and_outlasts_the_page(editing: Editing, served: Served) -> None:
    session = served.session
    railroad = min(session.document.railroads)
    with editing(served) as page:
        wanted(page, 12)
        expect(page.get_by_text("Is this map any good?")).to_be_visible()
        page.get_by_role("button", name="Run", exact=True).press("Enter")
        results = page.get_by_role("region", name="Results")
        expect(results).to_contain_text(
            "12 matches of 2 players, rules ah, seed 1. Of the board as it is now, revision 0."
        )
        expect(results).to_contain_text("Bankruptcies a match")
        session.do({"kind": "edit-railroad", "id": railroad, "price": 1_000})
        expect(results).to_contain_text("Of revision 0: 1 edit since.")
        legend = page.get_by_role("region", name="Colours of the play-test")
        page.get_by_role("button", name="Use", exact=True).press("Enter")
        expect(legend).to_contain_text("Times a match")
        page.get_by_role("button", name="Income", exact=True).press("Enter")
        expect(legend).to_contain_text("Fees that a railroad earns in a match")
        row = page.get_by_role("grid", name="Railroads by play").get_by_role("row").nth(1)
        row.press("Enter")
        expect(row).to_have_attribute("aria-selected", "true")
        expect(page.locator(".status")).to_contain_text("selected")
        page.get_by_text("Track that is ridden most").click()
        page.get_by_role("row", name="CROSS").get_by_role("button").first.press("Enter")
        expect(page.locator(".status")).to_contain_text("1 selected")
        assert faults(page) == []
        page.get_by_role("button", name="Own colours again").press("Enter")
        expect(legend).to_have_count(0)
        with page.expect_download() as got:
            page.get_by_role("button", name="Download JSON").click()
        assert json.loads(Path(got.value.path()).read_text(encoding="utf-8"))["matches"] == 12
        page.reload()
        page.keyboard.press("Alt+p")
        expect(results).to_contain_text("12 matches of 2 players")
        # the next stands beside the last; both can be looked at
        page.get_by_text("What to play", exact=True).click()
        page.get_by_label("Seed").fill("2")
        page.get_by_role("button", name="Run", exact=True).click()
        expect(results).to_contain_text("seed 2. Of the board as it is now, revision 1.")
        page.get_by_label("Show the results of").select_option("Revision 0, 12 matches, 2 players, seed 1")
        expect(results).to_contain_text("seed 1. Of revision 0: 1 edit since.")


def test_what_an_edit_changed_is_said_plainly(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served, dark=True) as page:
        wanted(page, 12)
        page.get_by_role("button", name="What my edit changed").click()
        compare = page.get_by_role("button", name="Compare", exact=True)
        expect(page.get_by_role("tabpanel")).to_contain_text("Both boards mean the same")
        expect(compare).to_be_disabled()
        session.do({"kind": "edit-railroad", "id": min(session.document.railroads), "price": 1_000})
        compare.click()
        changed = page.get_by_role("region", name="What changed")
        expect(changed.get_by_role("heading")).to_have_text("Not told apart yet")
        expect(changed).to_contain_text("12 matches are too few to tell.")
        expect(changed.get_by_role("button", name="Play 1,000 matches")).to_be_enabled()
        expect(changed.get_by_role("grid", name="What changed in a match")).to_contain_text("rounds")
        page.get_by_role("button", name="Change of fees").press("Enter")
        expect(page.get_by_role("region", name="Colours of the play-test")).to_be_visible()
        assert faults(page) == []
        # a colour plays no part in a match
        session.undo()
        session.do({"kind": "edit-railroad", "id": min(session.document.railroads), "colour": "#123456"})
        compare.click()
        expect(changed.get_by_role("heading")).to_have_text("Nothing differs")


def test_a_board_with_errors_is_played_only_if_the_author_wants_that(editing: Editing, served: Served) -> None:
    session = served.session
    a, b = min(session.document.payoffs).split("|")
    session.do({"kind": "set-payoff", "a": a, "b": b, "thousands": 0})
    with editing(served) as page:
        wanted(page, 1)
        run = page.get_by_role("button", name="Run", exact=True)
        expect(page.get_by_role("note")).to_contain_text("This board has 1 error")
        expect(run).to_be_disabled()
        assert faults(page) == []
        page.get_by_label("Play all the same").check()
        run.click()
        expect(page.get_by_role("region", name="Results")).to_contain_text("1 match of 2 players")
        # where the rules have no figure, the run says so
        session.do({"kind": "edit-rules", "on": ["net-worth"]})
        run.click()
        expect(page.get_by_role("tabpanel").get_by_role("alert")).to_contain_text(
            "net_worth.target has no figure for 2 players"
        )
        expect(page.get_by_role("region", name="Results")).to_be_visible()
