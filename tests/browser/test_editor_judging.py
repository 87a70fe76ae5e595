"""Checks, changes, balance, help and notices in a browser: what an author does with them, and what becomes of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from axe_playwright_python.sync_playwright import Axe
from editing import Editing, Served, panel, serving, serving_app
from playwright.sync_api import Browser, Page, expect

from mapkit.core.errors import OutputError
from mapkit.document.journal import Journal, journal_path
from mapkit.document.workspace import Workspace
from mapkit.editor.server.app import make_app
from mapkit.editor.server.beginning import Beginning
from mapkit.editor.server.hub import Hub
from mapkit.editor.server.run import listen
from mapkit.editor.server.tickets import AccessKeys
from mapkit.kinds.rail.tables import payoff_key
from mapkit.kinds.registry import open_session
from mapkit.kinds.starting import new_board


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def faults(page: Page) -> list[tuple[str, str]]:
    found = Axe().run(page).response["violations"]
    return [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")]


def test_a_new_finding_is_found_fixed_and_accepted_by_keyboard(editing: Editing, served: Served) -> None:
    session = served.session
    key = min(session.document.payoffs)
    a, b = key.split("|")
    was = session.document.payoffs[key].thousands
    with editing(served) as page:
        expect(page.locator(".status")).to_contain_text("0 errors")
        session.do({"kind": "set-payoff", "a": a, "b": b, "thousands": None})
        expect(page.locator(".status")).to_contain_text("1 error,")
        page.keyboard.press("Alt+c")
        finding = page.locator(f'button[data-finding="P02:{a}:{b}"]').first
        expect(finding).to_contain_text("new")
        finding.press("Enter")
        expect(page.locator(".status")).to_contain_text("2 selected")
        fix = page.locator(".details .primary").first
        fix.press("Enter")
        expect(finding).to_have_count(0)
        corrected = session.document.payoffs[key].thousands
        assert corrected is not None
        assert was is not None
        page.get_by_role("button", name="Notes 5").click()
        note = page.locator(".finding.is-note button[data-finding]").first
        ident = note.get_attribute("data-finding")
        assert ident is not None
        note.press("Enter")
        page.get_by_role("button", name="Accept …").press("Enter")
        page.get_by_label("Why is it right as it is?").fill("printed so")
        page.keyboard.press("Enter")
        known = page.locator(f'button[data-finding="{ident}"]')
        expect(known).to_have_count(0)
        assert session.document.accepted[ident].reason == "printed so"
        page.get_by_role("button", name="Accepted 1").click()
        expect(page.locator(".details")).to_contain_text("printed so")
        page.get_by_role("button", name="No longer accept").click()
        expect(known).to_have_count(0)
        assert session.document.accepted == {}
        assert faults(page) == []


def test_all_checks_run_with_the_drawing(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        panel(page, "Checks")
        expect(page.locator(".checks")).to_contain_text("The drawing is checked when you run all checks.")
        page.get_by_role("button", name="Run all checks").click()
        expect(page.get_by_role("progressbar")).to_have_count(1)
        expect(page.locator(".checks")).to_contain_text("The drawing is checked too.")
        expect(page.get_by_role("progressbar")).to_have_count(0)


def test_single_changes_are_taken_back(editing: Editing, served: Served) -> None:
    session = served.session
    before = session.document
    city, railroad = min(before.cities), min(before.railroads)
    name, key = before.cities[city].name, min(before.payoffs)
    a, b = key.split("|")
    session.do({"kind": "edit-city", "id": city, "lon": before.cities[city].lon + 0.2, "lat": before.cities[city].lat})
    session.do({"kind": "delete-railroad", "id": railroad})
    session.do({"kind": "set-payoff", "a": a, "b": b, "thousands": 99})
    with editing(served) as page:
        page.keyboard.press("Alt+g")
        changes = page.locator(".changes")
        expect(changes).to_contain_text("What it means")
        expect(changes.get_by_role("list", name="Payoffs")).to_contain_text("→ 99")
        changes.get_by_role("list", name="Cities", exact=True).get_by_role("button").first.click()
        expect(page.locator(".status")).to_contain_text("1 selected")
        page.get_by_role("button", name=f"Take back: {name}", exact=True).press("Enter")
        expect(changes.get_by_role("list", name="Cities", exact=True)).to_have_count(0)
        assert session.document.cities == before.cities
        assert session.document.payoffs[payoff_key(a, b)].thousands == 99
        expect(page.get_by_role("button", name=f"Undo: Take back {name}")).to_be_enabled()
        # a railroad comes back with its lines
        page.get_by_role("button", name=f"Take back: {before.railroads[railroad].name}").click()
        expect(page.get_by_role("dialog")).to_contain_text("This goes with it")
        page.get_by_role("button", name="Take back", exact=True).click()
        expect(changes.get_by_role("list", name="Railroads")).to_have_count(0)
        assert session.document.railroads == before.railroads
        assert session.document.lines == before.lines
        assert faults(page) == []
        page.get_by_role("button", name="Take back everything").click()
        page.get_by_role("button", name="Take back", exact=True).click()
        expect(changes).to_contain_text("Nothing is different")
        assert session.document == before


def test_the_balance_follows_an_edit_and_a_route_is_drawn(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        panel(page, "Balance")
        table = page.get_by_role("grid", name="Railroads by service")
        expect(table.get_by_role("row")).to_have_count(1 + len(session.document.railroads))
        expect(table.locator(".delta")).to_have_count(0)
        chart = next(key for key in sorted(session.document.destinations) if key.startswith("regions/"))
        other = next(r for r in session.document.regions if r != session.document.destinations[chart].item)
        _, parity, total = chart.split("/")
        session.do({"kind": "set-cell", "chart": "regions", "parity": parity, "total": int(total), "item": other})
        expect(table.locator(".delta").first).to_be_visible()
        row = table.get_by_role("row").nth(1)
        row.press("Enter")
        expect(row).to_have_attribute("aria-selected", "true")
        expect(page.locator(".status")).to_contain_text("selected")
        page.get_by_role("button", name="Compute its income").click()
        expect(page.locator(".income")).to_contain_text("Fees a trip")
        assert faults(page) == []
        page.get_by_role("button", name="Route", exact=True).click()
        names = sorted(city.name for city in session.document.cities.values())
        page.get_by_role("combobox", name="From").fill(names[0])
        page.get_by_role("combobox", name="To").fill(names[1])
        page.keyboard.press("Enter")
        expect(page.locator(".route")).to_contain_text("mileposts")
        expect(page.locator(".route")).to_contain_text("thousand")


def test_the_tour_is_left_and_taken_up_again(editing: Editing, served: Served) -> None:
    with editing(served, width=640, height=360) as page:
        page.keyboard.press("F1")
        page.get_by_role("button", name="Take the tour").click()
        card = page.locator(".tour .card")
        expect(card.get_by_role("heading")).to_have_text("The board")
        expect(card).to_be_focused()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        expect(card.get_by_role("heading")).to_have_text("What is selected")
        assert faults(page) == []
        page.keyboard.press("Escape")
        expect(card).to_have_count(0)
        page.reload()
        page.keyboard.press("F1")
        page.get_by_role("button", name="Go on with the tour").click()
        expect(card.get_by_role("heading")).to_have_text("What is selected")
        titles = []
        while card.count():
            titles.append(card.get_by_role("heading").inner_text())
            card.get_by_role("button", name="Done" if titles[-1] == "Help" else "Next").click()
            expect(card.get_by_text(titles[-1], exact=True)).to_have_count(0)
        assert titles[-1] == "Help"
        assert len(titles) > 5
        expect(page.get_by_role("button", name="Take the tour")).to_be_visible()


def test_an_empty_board_says_what_to_do_first(editing: Editing, tmp_path: Path) -> None:
    folder = new_board(Workspace(tmp_path), "first", "empty")
    with serving(folder) as served, editing(served) as page:
        card = page.get_by_role("region", name="First steps")
        expect(card.locator(".done")).to_have_count(0)
        expect(card.locator(".next")).to_contain_text("Add a railroad")
        served.session.do(
            {"kind": "add-railroad", "id": "first", "name": "First", "short": "F", "price": 4000, "colour": "#aa2200"}
        )
        expect(card.locator(".done")).to_have_count(1)
        expect(card.locator(".next")).to_contain_text("Draw its first line")
        assert faults(page) == []
        card.get_by_role("button", name="Close the first steps").click()
        expect(card).to_have_count(0)
        page.keyboard.press("F1")
        expect(page.locator(".pane .first-steps .done")).to_have_count(1)


def test_what_cannot_be_kept_is_reported_until_something_is(
    editing: Editing, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = served.session
    railroad = min(session.document.railroads)

    def full(self: Journal, *_: object) -> NoReturn:
        raise OutputError(f"{self.path}: cannot be written: No space left on device")

    with editing(served) as page:
        name = min(city.name for city in session.document.cities.values())

        def move() -> None:
            page.keyboard.press("Control+k")
            page.get_by_role("combobox", name="Find a command").fill(name)
            page.keyboard.press("Enter")
            expect(page.locator("dialog")).to_have_count(0)
            expect(page.locator(".inspected h3")).to_have_text(name)
            page.keyboard.press("Space")
            page.keyboard.press("ArrowUp")
            page.keyboard.press("Space")

        with monkeypatch.context() as patch:
            patch.setattr(Journal, "append", full)
            move()
            expect(page.locator(".banner.error")).to_contain_text("No space left on device")
            assert session.revision == 0
        session.do({"kind": "edit-railroad", "id": railroad, "price": 1234})
        expect(page.locator(".banner.error")).to_have_count(0)


def test_a_save_that_failed_is_reported_until_the_files_are_written(
    editing: Editing, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = served.session
    railroad = min(session.document.railroads)

    def full(folder: Path, *_: object, **__: object) -> NoReturn:
        raise OutputError(f"{folder}: cannot be written: No space left on device; nothing was changed")

    with editing(served) as page:
        banner = page.locator(".banner.error")
        session.do({"kind": "edit-railroad", "id": railroad, "price": 1234})
        expect(page.locator(".status .state")).to_have_text("Kept, not yet in the files, revision 1")
        with monkeypatch.context() as patch:
            patch.setattr("mapkit.document.session.write_files", full)
            page.keyboard.press("Control+s")
            expect(banner).to_contain_text("The files were not saved.")
            expect(banner).to_contain_text("No space left on device; nothing was changed. All your steps are kept.")
            # said once, where it stays
            expect(page.locator(".toast").filter(has_text="No space left")).to_have_count(0)
        session.do({"kind": "edit-railroad", "id": railroad, "price": 2345})
        expect(page.locator(".status .state")).to_have_text("Kept, not yet in the files, revision 2")
        expect(banner).to_have_count(1)  # a step that is kept saves nothing
        page.keyboard.press("Control+s")
        expect(page.locator(".status .state")).to_have_text("Saved, revision 2")
        expect(banner).to_have_count(0)


def test_a_folder_in_place_of_a_file_is_said_not_to_be_saved(editing: Editing, served: Served) -> None:
    session, folder = served.session, served.session.folder
    assert folder is not None
    file = folder / "railroads.csv"
    with editing(served) as page:
        session.do({"kind": "edit-railroad", "id": min(session.document.railroads), "price": 1234})
        expect(page.locator(".status .state")).to_have_text("Kept, not yet in the files, revision 1")
        before = file.read_bytes()
        file.unlink()
        file.mkdir()
        page.keyboard.press("Control+s")
        banner = page.locator(".banner.error")
        expect(banner).to_contain_text("The files were not saved.")
        expect(banner).to_contain_text("railroads.csv")
        expect(banner).to_contain_text("All your steps are kept.")
        expect(page.locator(".status .state")).to_contain_text("Kept, not yet in the files")
        file.rmdir()
        file.write_bytes(before)
        page.keyboard.press("Control+s")
        expect(page.locator(".status .state")).to_contain_text("Saved")
        expect(banner).to_have_count(0)
    assert file.read_bytes() != before


def test_a_program_that_hangs_is_said_not_to_answer(editing: Editing, served: Served) -> None:
    session, folder = served.session, served.session.folder
    assert folder is not None
    session.do({"kind": "edit-railroad", "id": min(session.document.railroads), "price": 1234})
    with editing(served) as page:
        expect(page.locator(".status .state")).to_have_text("Kept, not yet in the files, revision 1")
        page.route("**/api/alive", lambda _: None)  # which hears nothing, as from a program that was stopped
        with Journal(journal_path(folder)).locked():
            page.keyboard.press("Control+z")
            expect(page.locator(".status .state")).to_have_text("The editor does not answer")
            expect(page.locator(".banner.error")).to_contain_text("The editor does not answer. A step waits for it")
            assert faults(page) == []
            expect(page.get_by_text("Another program is writing to this board")).to_be_visible()
        expect(page.locator(".status .state")).to_have_text("Saved, revision 2")
        expect(page.locator(".banner.error")).to_have_count(0)


def test_a_table_that_is_too_large_is_refused_with_the_limit(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        page.keyboard.press("Alt+y")
        expect(page.locator("#payoff-grid")).to_be_focused()
        page.evaluate(
            """() => {
              const data = new DataTransfer();
              data.setData("text/plain", "Boston;".repeat(700000));
              const paste = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
              document.activeElement.dispatchEvent(paste);
            }"""
        )
        dialog = page.get_by_role("dialog", name="Paste into the payoff chart")
        expect(dialog.get_by_role("alert")).to_contain_text(
            "This has 4.7 MB, and the editor takes at most 4 MB at once."
        )


def test_a_cut_line_is_reported_and_the_step_that_waited_is_sent(browser: Browser, example: Path) -> None:
    session, listening = open_session(example), listen(0)
    port = listening.getsockname()[1]
    door = AccessKeys(port, "a-token-of-this-test")
    railroad = min(session.document.railroads)
    price = session.document.railroads[railroad].price
    session.do({"kind": "edit-railroad", "id": railroad, "price": price + 1000})
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    banner = page.locator(".banner.error")
    with serving_app(lambda: make_app(Hub(session), door), listening):
        page.goto(door.new_address())
        expect(page.locator(".status .state")).to_have_text("Kept, not yet in the files, revision 1")
    expect(banner).to_contain_text("No connection to the editor. What you did is kept.")
    page.keyboard.press("Control+z")
    expect(banner).to_contain_text("A step waits here and will be sent")
    expect(page.locator(".status .state")).to_have_text("No connection: 1 step waits here")
    assert faults(page) == []
    again = open_session(example)  # another run of the program, which knows of the first what is on the disk
    with serving_app(lambda: make_app(Hub(again), AccessKeys(port, door.secret)), listen(port)):
        expect(page.get_by_text("Connected again; the step that waited is sent.")).to_be_visible()
        expect(banner).to_have_count(0)
        expect(page.get_by_role("button", name="Redo: ")).to_be_enabled()
        assert again.document.railroads[railroad].price == price
        assert again.revision == 2
    context.close()


def test_a_folder_that_is_read_only_is_reported_at_once(
    editing: Editing, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mapkit.editor.server.hub.os.access", lambda *_: False)
    with editing(served) as page:
        banner = page.locator(".banner.warning")
        expect(banner).to_contain_text("The folder of this board is read-only.")
        assert faults(page) == []
        page.keyboard.press("Alt+Shift+n")
        page.keyboard.press("Enter")
        expect(banner).to_have_count(0)


def test_files_changed_by_another_program_wait_for_a_choice(editing: Editing, served: Served) -> None:
    session = served.session
    railroad = min(session.document.railroads)
    row = session.document.railroads[railroad]
    folder = session.folder
    assert folder is not None
    with editing(served) as page:
        session.do({"kind": "edit-railroad", "id": railroad, "price": 1111})
        file = folder / "railroads.csv"
        file.write_text(file.read_text(encoding="utf-8").replace(f",{row.price},", ",2222,", 1), encoding="utf-8")
        banner = page.locator(".banner.warning")
        expect(banner).to_contain_text("railroads.csv")
        page.reload()
        expect(banner).to_contain_text("railroads.csv")
        assert faults(page) == []
        page.keyboard.press("Alt+Shift+n")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Take what is in the files").click()
        expect(banner).to_have_count(0)
        assert session.document.railroads[railroad].price == 2222
        page.keyboard.press("Control+z")
        expect(page.get_by_role("button", name="Redo: Take from disk")).to_be_enabled()
        assert session.document.railroads[railroad].price == 1111


def test_a_board_that_does_not_exist_is_made_in_the_page(browser: Browser, tmp_path: Path) -> None:
    space, listening = Workspace(tmp_path), listen(0)
    door = AccessKeys(listening.getsockname()[1], "a-token-of-this-test")
    with listening, serving_app(lambda: Beginning(space, "newest", door), listening):
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        page = context.new_page()
        page.goto(door.new_address())
        expect(page.get_by_role("heading", name="A new board: newest")).to_be_visible()
        assert faults(page) == []
        assert not (tmp_path / "sources").exists()
        page.keyboard.press("Tab")
        page.get_by_role("radio", name="A small example").check()
        page.keyboard.press("Enter")
        expect(page.locator(".status .state")).to_have_text("Saved, revision 0")
        assert (tmp_path / "sources" / "newest" / "cities.csv").is_file()
        expect(page.get_by_role("heading", name="Newest")).to_be_visible()
        context.close()


def test_without_a_board_the_page_lists_boards_and_begins_new_ones(browser: Browser, example: Path) -> None:
    space, listening = Workspace(example.parents[1]), listen(0)
    door = AccessKeys(listening.getsockname()[1], "a-token-of-this-test")
    opened: list[Path] = []
    with listening, serving_app(lambda: Beginning(space, "", door, chosen=opened.append), listening):
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        page = context.new_page()
        page.goto(door.new_address())
        shipped = page.get_by_role("list", name="Shipped")
        for title in ("Portugal", "Portugal (hex)", "Barons (cards)"):
            expect(shipped.get_by_role("button", name=title, exact=True)).to_be_visible()
        make = page.get_by_role("button", name="Make the board")
        expect(make).to_be_disabled()  # it has no name yet
        page.get_by_label("Its name").fill("Emerald Isle")
        expect(page.get_by_text("Its files will be in sources/emerald-isle.")).to_be_visible()
        expect(make).to_be_enabled()
        assert faults(page) == []
        page.get_by_role("list", name="Yours").get_by_role("button").click()
        expect(page.locator(".status .state")).to_have_text("Saved, revision 0")
        assert opened == [example]
        assert not (space.root / "sources" / "emerald-isle").exists()
        context.close()


def test_a_file_that_falls_on_the_start_page_becomes_a_board(browser: Browser, tmp_path: Path) -> None:
    space, listening = Workspace(tmp_path), listen(0)
    door = AccessKeys(listening.getsockname()[1], "a-token-of-this-test")
    # latitude first, which GeoJSON does not allow: the coordinate system is asked for
    ways = {
        "North": [[53.35, -6.26], [54.0, -6.4], [54.6, -5.93]],
        "West": [[53.35, -6.26], [53.42, -7.94], [53.27, -9.05]],
    }
    features = [
        {"type": "Feature", "properties": {"railroad": name}, "geometry": {"type": "LineString", "coordinates": way}}
        for name, way in ways.items()
    ]
    text = json.dumps({"type": "FeatureCollection", "features": features})
    with listening, serving_app(lambda: Beginning(space, "", door), listening):
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        page = context.new_page()
        page.goto(door.new_address())
        begin = page.locator(".begin")
        expect(begin).to_be_visible()
        dropped = page.evaluate_handle(
            """(text) => {
                const held = new DataTransfer();
                held.items.add(new File([text], "two lines.geojson"));
                return held;
            }""",
            text,
        )
        begin.dispatch_event("drop", {"dataTransfer": dropped})
        expect(page.get_by_role("radio", name="A file")).to_be_checked()
        expect(page.get_by_label("Its name")).to_have_value("Two lines")
        expect(page.get_by_role("button", name="two lines.geojson")).to_be_visible()
        make = page.get_by_role("button", name="Make the board")
        make.click()
        expect(begin.get_by_role("alert")).to_contain_text("two lines.geojson")
        assert not (tmp_path / "sources").exists()
        crs = page.get_by_label("Coordinate system")
        expect(crs).to_have_value("latlon")
        assert faults(page) == []
        make.click()
        expect(page.locator(".status")).to_contain_text("2 railroads")
        assert "Dublin" in (tmp_path / "sources" / "two-lines" / "cities.csv").read_text(encoding="utf-8")
        context.close()
