"""Control points that the names in a picture propose: previewed, some left out, accepted as one step."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from editing import Editing, Served, panel, serving
from optional import recogniser
from PIL import Image, ImageDraw
from playwright.sync_api import Locator, Page, expect
from test_editor_draw import Hand, done

SCALE = 2.5
CITIES = ("Albany", "Boston", "Burlington", "New Haven", "Portland", "Springfield")
MILEPOSTS = ("Worcester MA", "Providence RI", "Hartford CT", "Rutland VT", "Brattleboro VT")


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def scan(path: Path, hand: Hand) -> None:
    """Draw a scan of the board, shifted and made larger, with a name beside each dot and square."""
    size = hand.live.frame.page
    image = Image.new("RGB", (int(size.width * SCALE), int(size.height * SCALE)), "#f4ecd8")
    pen = ImageDraw.Draw(image)
    for name in (*CITIES, *MILEPOSTS):
        x, y = (SCALE * (0.9 * v + shift) for v, shift in zip(hand.mm_of(name), (10, 20), strict=True))
        half, shape = (8, pen.rectangle) if name in CITIES else (5, pen.ellipse)
        shape((x - half, y - half, x + half, y + half), fill="#151515")
        pen.text((x + 11, y - 22), name, fill="#151515", font_size=18)
    image.save(path)


def section(page: Page, path: Path) -> Locator:
    panel(page, "Background")
    page.get_by_label("Picture to put underneath").set_input_files(path)
    return page.get_by_role("region", name="Control points")


def test_names_place_the_picture_and_a_wrong_one_is_left_out(editing: Editing, served: Served, tmp_path: Path) -> None:
    recogniser()
    session = served.session
    session.do({"kind": "put-control-point", "x": 3.0, "y": 4.0, "city": "Boston"})
    with editing(served) as page:
        scan(tmp_path / "scan.png", Hand(page, served))
        part = section(page, tmp_path / "scan.png")
        expect(part).to_contain_text("One control point: the picture is shifted only")
        part.get_by_role("button", name="Place the picture by its names").click()
        table = part.get_by_role("table", name="Proposed control points")
        expect(table.get_by_role("row").nth(1)).to_be_visible()
        count = table.get_by_role("checkbox").count()
        assert count >= 5
        expect(part).to_contain_text(f"{count} that agree are proposed; the picture lies as they would place it.")
        expect(part).to_contain_text("Placed by a straight (affine) map.")
        expect(part.get_by_label("Take away the 1 control point that there is")).to_be_checked()
        assert len(session.document.control_points) == 1
        table.get_by_role("checkbox").first.uncheck()
        expect(part).to_contain_text(f"the picture lies as the {count - 1} that you use would place it.")
        assert Axe().run(page, "section[aria-label='Control points']").response["violations"] == []
        part.get_by_role("button", name=f"Place it by {count - 1} points").click()
        done(page, f"Place scan.png by {count - 1} of its names")
        points = session.document.control_points
        assert len(points) == count - 1
        assert {row.note for row in points.values()} <= {*CITIES, *MILEPOSTS}
        expect(table).to_have_count(0)
        expect(part).to_contain_text("Placed by a straight (affine) map. Points are")
        page.keyboard.press("Control+z")
        expect(part).to_contain_text("One control point: the picture is shifted only")
        assert [row.city for row in session.document.control_points.values()] == ["Boston"]


def test_a_picture_without_names_says_so_and_changes_nothing(editing: Editing, served: Served, tmp_path: Path) -> None:
    recogniser()
    Image.new("RGB", (300, 200), "#f4ecd8").save(tmp_path / "plain.png")
    with editing(served) as page:
        part = section(page, tmp_path / "plain.png")
        part.get_by_role("button", name="Place the picture by its names").click()
        said = part.get_by_role("alert")
        expect(said).to_contain_text("plain.png: 0 dots and squares, 0 names beside them")
        expect(said).to_contain_text("fewer than 6 of these agree")
        part.get_by_role("button", name="Place the picture by its names").click()
        part.get_by_role("button", name="Stop").click()
        expect(part).to_contain_text("Stopped; nothing is proposed.")
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
