"""Dots and squares that are found in a picture underneath: proposed, accepted, dismissed, caught by the line tool."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from editing import Editing, Served, panel, serving
from PIL import Image, ImageDraw
from playwright.sync_api import Locator, Page, expect
from test_editor_draw import Hand, done, stops, tool

SCALE = 4.0
CITIES = ("Albany", "Boston", "Burlington", "New Haven", "Portland", "Springfield")
MILEPOSTS = ("Worcester MA", "Providence RI", "Hartford CT", "Rutland VT")
FRAMINGHAM, KEENE, CONCORD = (-71.4162, 42.2793), (-72.2782, 42.9337), (-71.5376, 43.2081)
Spot = tuple[float, float]


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def pixel(at: Spot) -> Spot:
    return SCALE * (0.9 * at[0] + 10), SCALE * (0.9 * at[1] + 20)


def scan(path: Path, hand: Hand, dots: Mapping[str, Spot], squares: Mapping[str, Spot]) -> None:
    """Draw a scan of the board with dots and squares at places of the page, and letters beside them."""
    size = hand.live.frame.page
    image = Image.new("RGB", (int(size.width * SCALE), int(size.height * SCALE)), "#f4ecd8")
    pen = ImageDraw.Draw(image)
    for name, at in (*dots.items(), *squares.items()):
        x, y = pixel(at)
        half, shape = (8, pen.rectangle) if name in squares else (5, pen.ellipse)
        shape((x - half, y - half, x + half, y + half), fill="#151515")
        pen.text((x + 12, y - 14), name, fill="#151515", font_size=12)
    image.save(path)


def place(served: Served, hand: Hand) -> None:
    """Put the picture in its place by the cities."""
    for name in CITIES:
        x, y = pixel(hand.mm_of(name))
        served.session.do({"kind": "put-control-point", "x": x, "y": y, "city": name})


def begun(page: Page, served: Served, folder: Path) -> tuple[Hand, Locator]:
    """Lay a scan underneath in which two dots and a square are new, one of them on a line, and find what it shows."""
    hand = Hand(page, served)
    known = {name: hand.mm_of(name) for name in (*CITIES, *MILEPOSTS)}
    framingham, keene, concord = hand.live.frame.to_page([FRAMINGHAM, KEENE, CONCORD])
    squares = {name: known[name] for name in CITIES} | {"Concord": concord}
    dots = {name: known[name] for name in MILEPOSTS} | {"Framingham": framingham, "Keene": keene}
    scan(folder / "scan.png", hand, dots, squares)
    place(served, hand)
    panel(page, "Background")
    page.get_by_label("Picture to put underneath").set_input_files(folder / "scan.png")
    part = page.get_by_role("region", name="Dots and squares")
    expect(page.get_by_text("Placed by a straight (affine) map.")).to_be_visible()  # what comes late moves the button
    part.get_by_role("button", name="Find dots and squares in the picture").click()
    expect(part.get_by_role("status")).to_contain_text("2 dots and 1 square proposed; 10 on the board")
    return hand, part


def test_what_is_found_is_accepted_by_clicks_and_from_the_list(
    editing: Editing, served: Served, tmp_path: Path
) -> None:
    session = served.session
    with editing(served) as page:
        hand, part = begun(page, served, tmp_path)
        table = part.get_by_role("grid", name="Dots and squares that are proposed")
        for name in ("Framingham", "Keene", "Concord"):
            expect(table).to_contain_text(name)
        # a click on the board
        framingham, keene = hand.live.frame.to_page([FRAMINGHAM, KEENE])
        hand.click(hand.screen(*framingham))
        done(page, "Add milepost Framingham MA on line Boston - Albany of CROSS")
        assert ("Framingham MA", "milepost") in stops(session.document, "cross", 0)
        expect(part.get_by_role("status")).to_contain_text("1 dot and 1 square proposed")
        # Enter in the list; a dot off any line waits for one
        table.get_by_role("row").filter(has_text="Concord").click()
        page.keyboard.press("Enter")
        done(page, "Add Concord")
        city = session.document.cities["concord"]
        assert city.region == "coast"
        assert (city.lon, city.lat) == pytest.approx(CONCORD, abs=0.03)
        part.get_by_role("button", name="Accept all dots and squares of the picture").click()
        expect(page.get_by_text("1 dot lies off any line: draw the track through")).to_be_visible()
        # the line tool catches it, and the milepost has its name
        tool(page, "d")
        page.get_by_label("Railroad", exact=True).select_option("shore")
        x, y = hand.screen(*keene)
        hand.click(hand.of("Brattleboro VT"))
        hand.click((x + 3, y + 2))
        hand.click((x + 3, y + 2))
        done(page, "Add line Brattleboro VT - Keene NH of SHORE")
        expect(part.get_by_role("status")).to_contain_text(
            "Of 13 dots and squares none is left: 13 on the board already"
        )
        for _ in range(3):
            page.get_by_role("button", name="Undo", exact=False).first.click()
        expect(part.get_by_role("status")).to_contain_text("2 dots and 1 square proposed")
        assert Axe().run(page, "section[aria-label='Dots and squares']").response["violations"] == []


def test_all_are_accepted_as_one_step_and_others_dismissed(editing: Editing, served: Served, tmp_path: Path) -> None:
    session = served.session
    before = session.document
    with editing(served) as page:
        hand, part = begun(page, served, tmp_path)
        part.get_by_label("Region of new cities").select_option("inland")
        part.get_by_role("button", name="Accept all dots and squares of the picture").click()
        done(page, "Accept 1 dot and 1 square of the picture")
        assert session.document.cities["concord"].region == "inland"
        expect(page.get_by_text("1 dot and 1 square accepted. 1 dot lies off any line")).to_be_visible()
        page.keyboard.press("Control+z")
        expect(part.get_by_role("status")).to_contain_text("2 dots and 1 square proposed")
        assert session.document.lines == before.lines
        assert session.document.cities == before.cities
        tool(page, "o")
        keene = hand.live.frame.to_page([KEENE])[0]
        hand.click(hand.screen(*keene), "Alt")
        expect(part.get_by_role("status")).to_contain_text(
            "1 dot and 1 square proposed; 10 on the board already, 1 dismissed"
        )
        part.get_by_role("button", name="Dismiss all dots and squares of the picture").click()
        expect(part.get_by_role("status")).to_contain_text("none is left: 10 on the board already, 3 dismissed")
        part.get_by_role("button", name="Bring back those dismissed").click()
        expect(part.get_by_role("status")).to_contain_text("2 dots and 1 square proposed")


def test_a_picture_without_dots_says_what_was_seen_and_changes_nothing(
    editing: Editing, served: Served, tmp_path: Path
) -> None:
    Image.new("RGB", (300, 200), "#f4ecd8").save(tmp_path / "plain.png")
    with editing(served) as page:
        panel(page, "Background")
        expect(page.get_by_role("region", name="Dots and squares")).to_have_count(0)
        page.get_by_label("Picture to put underneath").set_input_files(tmp_path / "plain.png")
        part = page.get_by_role("region", name="Dots and squares")
        part.get_by_role("button", name="Find dots and squares in the picture").click()
        said = part.get_by_role("alert")
        expect(said).to_contain_text("plain.png: no board found in this picture: 0 dots and squares")
        expect(said).to_contain_text("Seen: 300 by 200 pixels")
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()


def test_finding_is_stopped(editing: Editing, served: Served, tmp_path: Path) -> None:
    with editing(served) as page:
        scan(tmp_path / "scan.png", Hand(page, served), {}, {})
        panel(page, "Background")
        page.get_by_label("Picture to put underneath").set_input_files(tmp_path / "scan.png")
        part = page.get_by_role("region", name="Dots and squares")
        part.get_by_role("button", name="Find dots and squares in the picture").click()
        part.get_by_role("button", name="Stop").click()
        expect(part.get_by_role("status")).to_contain_text("Stopped; nothing was found.")
