"""Drawing in the editor: lines, parallel track, shapes, mileposts, cities and regions, by mouse and by keyboard."""

import re
import shutil
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import still, until
from editing import Editing, Served, serving
from PIL import Image, ImageChops
from playwright.sync_api import Page, expect

from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.tables import Line, RailDocument

ROOT = Path(__file__).resolve().parents[2]
BOARD = "#board"
PADDING = 16
SHADES = 4
"""By how many of 255 the browser may draw the same otherwise: the rim of a turned badge is rounded anew each time."""
Spot = tuple[float, float]


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


class Hand:
    """A pointer that knows where places of the board are on the screen, while the whole page is shown."""

    def __init__(self, page: Page, served: Served) -> None:
        self.page = page
        self.served = served
        self.live = compile_document(served.session.document, board_id="example")
        size = self.live.frame.page
        self.size = (size.width, size.height)

    @property
    def _box(self) -> tuple[Spot, Spot]:
        """The canvas: its middle and its size."""
        box = self.page.locator(BOARD).bounding_box()
        assert box is not None
        return (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), (box["width"], box["height"])

    @property
    def mm(self) -> float:
        """Millimetres of a pixel."""
        return max(whole / (free - 2 * PADDING) for whole, free in zip(self.size, self._box[1], strict=True))

    def screen(self, x: float, y: float) -> Spot:
        middle, mm = self._box[0], self.mm
        return middle[0] + (x - self.size[0] / 2) / mm, middle[1] + (y - self.size[1] / 2) / mm

    def mm_of(self, name: str) -> Spot:
        return next((m.x, m.y) for m in self.live.board.mileposts if m.name in (name, name[:-3]))

    def of(self, name: str) -> Spot:
        return self.screen(*self.mm_of(name))

    def between(self, a: str, b: str, share: float = 0.5) -> Spot:
        (x, y), (u, v) = self.of(a), self.of(b)
        return x + share * (u - x), y + share * (v - y)

    def click(self, at: Spot, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.down(key)
        self.page.mouse.move(*at)
        self.page.mouse.click(*at)
        for key in keys:
            self.page.keyboard.up(key)

    def drag(self, *path: Spot) -> None:
        self.page.mouse.move(*path[0])
        self.page.mouse.down()
        for at in path[1:]:
            self.page.mouse.move(*at, steps=4)
        self.page.mouse.up()


def tool(page: Page, key: str) -> None:
    page.locator(BOARD).focus()
    page.keyboard.press(key)


def done(page: Page, label: str) -> None:
    expect(page.get_by_role("button", name=f"Undo: {label}", exact=True)).to_be_enabled()


def stops(document: RailDocument, railroad: str, index: int = -1) -> list[tuple[str, str]]:
    lines: list[Line] = [line for line in document.lines.values() if line.railroad == railroad]
    return [(place, kind) for place, kind in sorted(lines, key=lambda line: line.rank)[index].stops]


def differing(one: bytes, other: bytes) -> int:
    """Return by how many shades of 255 two pictures differ at most."""
    first, second = (Image.open(BytesIO(data)).convert("RGB") for data in (one, other))
    assert first.size == second.size
    return int(np.asarray(ImageChops.difference(first, second)).max())


def test_the_whole_page_stays_in_sight_until_the_author_looks_elsewhere(editing: Editing, served: Served) -> None:
    settled = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    with editing(served) as page:
        hand = Hand(page, served)
        for width, height in ((1280, 500), (900, 720)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(settled)
            for city in ("Boston MA", "Albany NY"):
                hand.click(hand.of(city))
                expect(page.get_by_role("heading", name=city[:-3], exact=True)).to_be_visible()
        page.locator(BOARD).press("+")
        still(page)
        near = page.locator(BOARD).screenshot()
        page.set_viewport_size({"width": 900, "height": 600})
        page.set_viewport_size({"width": 900, "height": 720})
        still(page)
        assert differing(near, page.locator(BOARD).screenshot()) <= SHADES


def test_a_line_is_clicked_with_snapping_and_undone_as_one_step(editing: Editing, served: Served) -> None:
    session = served.session
    before = session.document
    with editing(served) as page:
        hand = Hand(page, served)
        tool(page, "d")
        page.get_by_label("Railroad", exact=True).select_option("shore")
        x, y = hand.of("Albany")
        hand.click((x + 3, y - 3))  # near enough to snap
        hand.click((x + 40, y - 60))
        hand.click((x + 60, y - 90), "Shift")
        hand.click(hand.of("Burlington"))
        hand.click(hand.of("Burlington"))
        done(page, "Add line Albany - Burlington of SHORE")
        found = stops(session.document, "shore")
        assert [place for place, _ in found][:2] == ["Albany", "Milepost 1"]
        assert found[2][0].startswith("@")
        assert [kind for _, kind in found] == ["milepost", "milepost", "via", "milepost"]
        assert found[3][0] == "Burlington"
        # going on from its open end makes it longer; Backspace takes a click back, Escape ends it
        portland = hand.of("Portland")
        hand.click(portland)
        hand.click((portland[0] - 70, portland[1] - 60))
        hand.click((portland[0] - 90, portland[1] - 130))
        page.keyboard.press("Backspace")
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Undo: Extend line")).to_be_enabled()
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+z")
        expect(page.get_by_role("button", name="Redo: Add line Albany - Burlington of SHORE")).to_be_enabled()
        assert session.document == before


def test_ctrl_follows_track_and_alt_does_not_snap(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        hand = Hand(page, served)
        tool(page, "d")
        page.get_by_label("Railroad", exact=True).select_option("shore")
        hand.click(hand.of("Albany"))
        hand.click(hand.of("Boston"), "Control")
        hand.click(hand.of("Boston"))
        done(page, "Add line Albany - Boston of SHORE")
        expected = ["Albany", "Pittsfield MA", "Springfield", "Worcester MA", "Boston"]
        assert [place for place, _ in stops(session.document, "shore")] == expected
        x, y = hand.of("Albany")
        hand.click((x + 4, y), "Alt")
        hand.click((x - 40, y - 40))
        page.get_by_role("button", name="Finish").click()
        expect(page.get_by_role("button", name="Undo: Add line Milepost 1 - Milepost 2 of SHORE")).to_be_enabled()
        assert "Albany" not in [place for place, _ in stops(session.document, "shore")]


def test_a_line_joined_to_its_own_railroad_between_places_makes_a_junction_there(
    editing: Editing, served: Served
) -> None:
    session = served.session
    with editing(served) as page:
        hand = Hand(page, served)
        tool(page, "d")
        page.get_by_label("Railroad", exact=True).select_option("valley")
        hand.click(hand.between("Brattleboro VT", "Springfield"))
        hand.click(hand.of("Boston"))
        hand.click(hand.of("Boston"))
        done(page, "Draw Milepost 1 - Boston of VALLEY")
        assert ("Milepost 1", "milepost") in stops(session.document, "valley", 0)
        assert [place for place, _ in stops(session.document, "valley")] == ["Milepost 1", "Boston"]


def test_parallel_track_for_two_railroads_in_one_gesture(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        hand = Hand(page, served)
        tool(page, "p")
        page.get_by_role("group", name="Railroads that get the track").get_by_label("VALLEY").check()
        page.get_by_role("group", name="Railroads that get the track").get_by_label("SHORE").check()
        page.get_by_role("group", name="Railroads that get the track").get_by_label("CROSS").uncheck()
        hand.drag(hand.of("Boston"), hand.of("Worcester MA"), hand.of("Springfield"), hand.of("Albany"))
        expect(page.get_by_role("button", name="Undo: Lay")).to_be_enabled()
        way = ["Boston", "Worcester MA", "Springfield", "Pittsfield MA", "Albany"]
        for railroad in ("shore", "valley"):
            assert stops(session.document, railroad) == [(place, "milepost") for place in way]
        assert session.revision == 1


def test_a_freehand_stroke_becomes_a_few_bends(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        hand = Hand(page, served)
        tool(page, "f")
        page.get_by_label("Railroad", exact=True).select_option("cross")
        x, y = hand.of("Boston")
        u, v = hand.of("Portland")
        hand.drag((x, y), ((x + u) / 2 + 40, (y + v) / 2), (u, v))
        expect(page.get_by_role("button", name="Undo: Extend line Boston - Albany to Portland")).to_be_enabled()
        # Boston is an open end of this railroad: its line goes on
        found = stops(served.session.document, "cross", 0)
        fresh = found[: found.index(("Boston", "milepost"))]
        assert fresh[0] == ("Portland", "milepost")
        assert 1 <= len(fresh) - 1 <= 3
        assert all(kind == "via" for _, kind in fresh[1:])


def test_lines_are_bent_split_joined_turned_and_cut(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        hand = Hand(page, served)
        tool(page, "e")
        x, y = hand.between("Providence RI", "New London CT")
        hand.drag((x, y), (x + 20, y + 25))
        done(page, "Add bend on line Portland - New Haven of SHORE")
        bend = stops(session.document, "shore")[5]
        assert bend[0].startswith("@")
        # dragging it moves it, Delete takes it away
        hand.drag((x + 20, y + 25), (x + 40, y + 40))
        done(page, "Move bend")
        assert stops(session.document, "shore")[5] != bend
        page.keyboard.press("Delete")
        expect(page.get_by_role("button", name="Undo: Delete the bend")).to_have_count(0)
        expect(page.get_by_role("button", name="Undo: Delete bend from line Portland - New Haven")).to_be_enabled()
        hand.click(hand.of("Boston"))
        expect(page.locator(".toolcard")).to_contain_text("Boston")
        hand.click(hand.of("Providence RI"))
        page.keyboard.press("x")
        done(page, "Split line Portland - New Haven at Providence RI")
        assert len([line for line in session.document.lines.values() if line.railroad == "shore"]) == 2
        page.keyboard.press("j")
        expect(page.get_by_role("button", name="Undo: Join lines")).to_be_enabled()
        # two lines to join with: the part that was just cut off stands first
        for place in ("Providence RI", "New London CT"):
            hand.click(hand.of("Boston"))
            hand.click(hand.between("Providence RI", "New London CT"))
            hand.click(hand.of(place))
            page.keyboard.press("x")
            expect(page.get_by_role("button", name=f"at {place}").first).to_be_enabled()
        page.keyboard.press("j")
        choice = page.get_by_role("dialog", name="Join with which line?")
        options = choice.get_by_label("Line").locator("option")
        expect(options).to_have_count(2)
        assert [text[:40] for text in options.all_text_contents()] == [
            "Track of SHORE from New London CT to New",
            "Track of SHORE from Portland to Providen",
        ]
        choice.get_by_role("button", name="Join", exact=True).click()
        expect(page.get_by_role("button", name="Undo: Join lines")).to_be_enabled()
        assert len([line for line in session.document.lines.values() if line.railroad == "shore"]) == 2
        page.keyboard.press("j")
        until(page, lambda: len([line for line in session.document.lines.values() if line.railroad == "shore"]) == 1)
        page.keyboard.press("Shift+R")
        expect(page.get_by_role("button", name="Undo: Reverse line")).to_be_enabled()
        assert {stops(session.document, "shore")[n][0] for n in (0, -1)} == {"Portland", "New Haven"}
        # a section: from Providence to New London
        hand.click(hand.of("Providence RI"))
        hand.click(hand.of("New London CT"), "Shift")
        page.keyboard.press("Delete")
        expect(page.get_by_role("button", name="Undo: Delete Providence RI - New London CT")).to_have_count(0)
        expect(page.get_by_role("button", name="Undo: Delete").first).to_be_enabled()
        pairs = {
            frozenset((a[0], b[0]))
            for line in session.document.lines.values()
            if line.railroad == "shore"
            for a, b in zip(line.stops, line.stops[1:], strict=False)
        }
        assert frozenset(("Providence RI", "New London CT")) not in pairs
        assert frozenset(("Boston", "Providence RI")) in pairs
        assert frozenset(("New London CT", "New Haven")) in pairs


def test_mileposts_cities_and_regions(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        hand = Hand(page, served)
        tool(page, "m")
        hand.click(hand.between("Boston", "Worcester MA"))
        done(page, "Add milepost Milepost 1 on line Boston - Albany of CROSS")
        assert ("Milepost 1", "milepost") in stops(session.document, "cross", 0)
        hand.click(hand.between("Boston", "Worcester MA"))
        page.keyboard.press("F2")
        page.get_by_label("Name", exact=True).fill("Framingham")
        page.keyboard.press("Enter")
        done(page, "Rename Milepost 1 to Framingham")
        tool(page, "c")
        hand.click(hand.of("Worcester MA"))
        expect(page.get_by_label("Name of the city")).to_have_value("Worcester")
        page.keyboard.press("Enter")
        page.get_by_label("Region", exact=True).select_option("inland")
        page.get_by_role("button", name="Add the city").click()
        done(page, "Make Worcester a city")
        assert session.document.cities["worcester"].region == "inland"
        assert "Worcester" in [place for place, _ in stops(session.document, "cross", 0)]
        tool(page, "g")
        page.get_by_label("Region to paint").select_option("inland")
        x, y = hand.of("Boston")
        hand.drag((x - 15, y - 15), (x + 25, y - 15), (x + 25, y + 15), (x - 15, y + 15))
        done(page, "Move Boston to Inland")
        assert session.document.cities["boston"].region == "inland"


def test_respacing_is_shown_before_it_is_done(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        hand = Hand(page, served)
        tool(page, "Shift+M")
        hand.click(hand.between("Boston", "Worcester MA"))
        card = page.locator(".toolcard")
        expect(card).to_contain_text("Mileposts: 14 now")
        card.get_by_label("Miles between mileposts").fill("12")
        page.keyboard.press("Enter")
        expect(card.locator("tbody tr").first).to_be_visible()
        assert session.revision == 0
        page.get_by_role("button", name="Space them so").click()
        expect(page.get_by_role("button", name="Undo: Space Boston - Albany about every 12 miles")).to_be_enabled()
        assert len(stops(session.document, "cross", 0)) > 10


def test_copied_track_is_pasted_to_another_railroad_and_a_selection_is_deleted(
    editing: Editing, served: Served
) -> None:
    session = served.session
    with editing(served) as page:
        hand = Hand(page, served)
        hand.click(hand.between("Boston", "Worcester MA"))
        hand.click(hand.between("Worcester MA", "Springfield"), "Shift")
        page.keyboard.press("Control+c")
        page.keyboard.press("Control+v")
        dialog = page.get_by_role("dialog")
        if dialog.count():
            dialog.get_by_label("Railroad").select_option("shore")
            dialog.get_by_role("button", name="Paste").click()
        done(page, "Paste 1 line to SHORE")
        assert [place for place, _ in stops(session.document, "shore")] == ["Boston", "Worcester MA", "Springfield"]
        hand.click(hand.of("Pittsfield MA"))
        page.keyboard.press("Alt+ArrowUp")
        page.keyboard.press("Alt+ArrowUp")
        done(page, "Move Pittsfield MA")
        assert session.revision == 2
        page.keyboard.press("Delete")
        expect(page.get_by_role("button", name="Undo: Delete Pittsfield MA")).to_be_enabled()
        places = [place for place, _ in stops(session.document, "cross", 0)]
        assert "Pittsfield MA" not in places
        assert any(place.startswith("@") for place in places)


def look_elsewhere(page: Page) -> None:
    """Zoom in on the middle of the page."""
    for _ in range(6):
        page.keyboard.press("+")
    still(page)


def test_what_is_out_of_sight_or_takes_more_along_is_named_before_it_is_deleted(
    editing: Editing, served: Served
) -> None:
    session = served.session
    payoffs = sum("albany" in key.split("|") for key in session.document.payoffs)
    with editing(served) as page:
        dialog = page.get_by_role("dialog")
        Hand(page, served).click(Hand(page, served).of("Albany"))
        expect(page.get_by_role("heading", name="Albany", exact=True)).to_be_visible()
        look_elsewhere(page)
        page.keyboard.press("Delete")
        expect(dialog).to_contain_text("Delete Albany?")
        expect(dialog).to_contain_text(f"Albany, with {payoffs} payoffs")
        expect(dialog).to_contain_text("It is not in sight now.")
        dialog.get_by_role("button", name="Keep it").click()
        expect(dialog).to_have_count(0)
        page.locator(BOARD).press("Delete")
        dialog.get_by_role("button", name="Show it").click()
        expect(dialog).to_have_count(0)
        assert session.revision == 0
        page.locator(BOARD).press("Delete")
        expect(dialog).to_contain_text("Undo brings all of it back.")
        expect(dialog).not_to_contain_text("not in sight")
        dialog.get_by_role("button", name="Delete", exact=True).click()
        expect(page.get_by_role("button", name="Undo: Delete Albany")).to_be_enabled()
        assert "albany" not in session.document.cities


def test_a_new_milepost_is_selected_and_delete_takes_it_alone(editing: Editing, served: Served) -> None:
    session = served.session
    before = session.document
    with editing(served) as page:
        hand = Hand(page, served)
        hand.click(hand.of("Albany"))
        expect(page.get_by_role("heading", name="Albany", exact=True)).to_be_visible()
        tool(page, "m")
        hand.click(hand.between("Boston", "Worcester MA"))
        done(page, "Add milepost Milepost 1 on line Boston - Albany of CROSS")
        expect(page.get_by_role("heading", name="Milepost 1", exact=True)).to_be_visible()
        page.keyboard.press("Delete")
        done(page, "Delete Milepost 1 from 1 line")
        expect(page.get_by_role("toolbar", name="What can be done with it")).to_have_count(0)
        assert session.document.cities == before.cities
        # track just drawn is selected too, and several segments are asked about
        hand.click(hand.of("Albany"))
        tool(page, "p")
        hand.click(hand.of("Boston"))
        hand.click(hand.of("Springfield"))
        expect(page.get_by_role("button", name="Undo: Lay")).to_be_enabled()
        expect(page.get_by_role("heading", name="Albany", exact=True)).to_have_count(0)
        laid = session.revision
        page.locator(BOARD).press("Delete")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Boston to Springfield")
        dialog.get_by_role("button", name="Delete", exact=True).click()
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("toolbar", name="What can be done with it")).to_have_count(0)
        assert session.revision == laid + 1
        assert session.document.cities == before.cities


def test_twins_stay_selected_and_can_be_taken_apart(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        hand = Hand(page, served)
        hand.click(hand.of("Albany"))
        hand.click(hand.of("Burlington"), "Shift")
        pane = page.get_by_role("region", name="Inspector")
        apart = pane.get_by_role("button", name="Give the city a milepost of its own")
        pane.get_by_role("button", name="Make the selected cities twins").click()
        expect(pane.get_by_text("City: Albany, Burlington")).to_be_visible()
        apart.click()
        expect(pane.get_by_role("heading", name="Burlington", exact=True)).to_be_visible()
        # undo and redo keep what was made selected, never an id that is gone
        both = pane.get_by_role("listitem").filter(has_text=re.compile("^(Albany|Burlington)$"))
        for key, twins in (("z", True), ("z", False), ("y", True), ("y", False), ("z", True)):
            page.keyboard.press(f"Control+{key}")
            if twins:
                expect(pane.get_by_text("City: Albany, Burlington")).to_be_visible()
                expect(apart).to_be_enabled()
            else:
                expect(both).to_have_count(2)
                expect(pane.get_by_role("button", name="Make the selected cities twins")).to_be_enabled()
            expect(pane.get_by_text("is selected")).to_have_count(0)
        page.keyboard.press("Control+z")
        expect(both).to_have_count(2)
        assert session.position == 0
        # the same by the menu of the board
        page.mouse.click(*hand.of("Burlington"), button="right")
        page.get_by_role("menuitem", name="Make the selected cities twins").click()
        expect(pane.get_by_text("City: Albany, Burlington")).to_be_visible()
        (x1, y1), (x2, y2) = hand.of("Albany"), hand.of("Burlington")
        page.mouse.click((x1 + x2) / 2, (y1 + y2) / 2, button="right")
        page.get_by_role("menuitem", name="Give the city a milepost of its own").click()
        expect(pane.get_by_role("heading", name="Burlington", exact=True)).to_be_visible()


def test_a_line_is_drawn_by_keyboard_alone(editing: Editing, served: Served) -> None:
    session = served.session
    with editing(served) as page:
        page.keyboard.press("d")
        expect(page.locator(".toolcard")).to_be_visible()
        page.keyboard.press("Enter")
        for _ in range(6):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        for _ in range(6):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Undo:")).to_be_enabled()
        assert session.revision == 1
        assert len(stops(session.document, "shore")) == 3


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_serious_fault_in_the_tools(editing: Editing, served: Served, dark: bool) -> None:  # noqa: FBT001
    with editing(served, dark=dark) as page:
        hand = Hand(page, served)
        check: Callable[[], list[tuple[str, str]]] = lambda: [  # noqa: E731
            (v["id"], v["nodes"][0]["html"])
            for v in Axe().run(page).response["violations"]
            if v["impact"] in ("serious", "critical")
        ]
        for key in ("d", "p", "e", "Shift+M", "c", "g"):
            tool(page, key)
            expect(page.locator(".toolcard")).to_be_visible()
            hand.click(hand.between("Boston", "Worcester MA"))
            if key == "c":
                page.keyboard.press("Escape")
                expect(page.locator("dialog")).to_have_count(0)
            assert check() == []


def test_drawings_are_placed_again_after_what_would_change_is_shown(editing: Editing, tmp_path: Path) -> None:
    folder = tmp_path / "sources" / "portugal"
    shutil.copytree(ROOT / "sources" / "portugal", folder)
    with serving(folder) as served, editing(served) as page:
        served.session.do({"kind": "edit-city", "id": "braga", "lon": -8.0845, "lat": 41.5478})
        before = served.session.document
        page.get_by_role("button", name="Draw", exact=True).click()
        page.get_by_role("menuitem", name="Place drawings again …").click()
        dialog = page.get_by_role("dialog", name="Place the drawings again?")
        expect(dialog).to_contain_text("Mileposts that move:")
        assert served.session.document == before
        dialog.get_by_role("button", name="Place again").click()
        expect(page.get_by_role("button", name="Undo: Place 1 drawing again")).to_be_enabled()
        assert served.session.document != before
        page.keyboard.press("Control+z")
        expect(page.get_by_role("button", name="Undo: Move Braga")).to_be_enabled()
        assert served.session.document == before
