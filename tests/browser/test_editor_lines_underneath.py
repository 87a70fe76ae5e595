"""Lines of a file under the board: added, seen, snapped to, followed, hidden, and taken away again."""

import json
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import shapely
from axe_playwright_python.sync_playwright import Axe
from browsing import until
from editing import Editing, Served, panel, serving
from PIL import Image
from playwright.sync_api import Page, expect
from test_editor_draw import Hand, Spot, done, tool

from mapkit.kinds.rail.editing.line_files import LineFiles
from mapkit.kinds.rail.queries import Asked, answer
from mapkit.kinds.rail.tables import RailDocument

SHAPE: tuple[Spot, ...] = ((190.0, 60.0), (220.0, 60.0), (240.0, 75.0), (270.0, 75.0), (300.0, 60.0))
"""Where nothing of the example is, nor a tool's card over it, in page millimetres."""
BRANCH: tuple[Spot, ...] = ((240.0, 75.0), (240.0, 100.0))
PIXELS = 6
LABEL = "Add line Milepost 1 - Milepost 2 of SHORE"


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def rails(path: Path, hand: Hand) -> Path:
    """Write a file with the shape in two pieces and a branch, in degrees."""
    pieces = (SHAPE[:3], SHAPE[2:][::-1], BRANCH)
    found = [
        json.loads(answer("degrees", json.dumps({"points": piece}).encode(), Asked(revision=0, live=hand.live)).text())[
            "points"
        ]
        for piece in pieces
    ]
    path.write_text(json.dumps({"type": "MultiLineString", "coordinates": found}), encoding="utf-8")
    return path


def drawn(hand: Hand, document: RailDocument) -> list[Spot]:
    """Return where the places of the railroad's last line are, in page millimetres."""
    line = max((line for line in document.lines.values() if line.railroad == "shore"), key=lambda line: line.rank)
    at = []
    for place, _ in line.stops:
        if place.startswith("@"):
            lon, lat = map(float, place[1:].split(","))
        else:
            row = document.places[place]
            lon, lat = row.lon, row.lat
        at.append((lon, lat))
    return list(hand.live.frame.to_page(at))


def colour(page: Page, at: Spot) -> tuple[int, int, int]:
    image = Image.open(BytesIO(page.screenshot())).convert("RGB")
    red, green, blue = image.getpixel((round(at[0]), round(at[1])))  # type: ignore[misc]
    return int(red), int(green), int(blue)


def near(hand: Hand, at: Spot, right: float = 0, down: float = 0) -> Spot:
    x, y = hand.screen(*at)
    return x + right, y + down


def same(found: list[Spot], expected: list[Spot]) -> bool:
    return bool(np.array(found) == pytest.approx(np.array(expected), abs=0.1))  # about a pixel


def add(page: Page, file: Path) -> None:
    panel(page, "Background")
    page.get_by_label("File of lines to put underneath").set_input_files(file)
    expect(page.get_by_label("Show rails.geojson")).to_be_checked()
    expect(page.get_by_text("What you draw snaps to them")).to_be_visible()


def line_of_shore(page: Page, hand: Hand, start: Spot, end: Spot, *keys: str) -> None:
    """Click a line of two clicks."""
    tool(page, "d")
    page.get_by_label("Railroad", exact=True).select_option("shore")
    hand.click(start)
    hand.click(end, *keys)
    page.get_by_role("button", name="Finish").click()
    done(page, LABEL)


def undo(page: Page) -> None:
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name=f"Redo: {LABEL}")).to_be_enabled()


def test_lines_of_a_file_are_seen_snapped_to_hidden_and_removed(
    editing: Editing, served: Served, tmp_path: Path
) -> None:
    session = served.session
    before = session.document
    with editing(served, dark=True) as page:
        hand = Hand(page, served)
        panel(page, "Background")
        pane = page.get_by_role("tabpanel")
        expect(pane).to_contain_text("Natural Earth (its railroads; public domain)")
        found = Axe().run(page, context=".middle").response["violations"]
        assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []
        middle = near(hand, (205.0, 60.0))
        paper = colour(page, middle)
        add(page, rails(tmp_path / "rails.geojson", hand))
        expect(pane).to_contain_text("3 lines with 8 vertices.")
        page.get_by_label("Colour of rails.geojson").select_option("red")

        def is_red() -> bool:
            seen = colour(page, middle)
            return min(seen[0] - paper[0], seen[0] - seen[2]) > 30

        until(page, is_red)
        # a click near a vertex takes it, one near the line between two takes the line
        line_of_shore(page, hand, near(hand, SHAPE[0], PIXELS, -PIXELS), near(hand, (255.0, 75.0), 0, PIXELS))
        assert same(drawn(hand, session.document), [SHAPE[0], (255.0, 75.0)])
        undo(page)
        assert session.document == before
        # hidden, it is neither seen nor caught; that is kept in the browser
        page.get_by_label("Show rails.geojson").uncheck()
        page.reload()
        panel(page, "Background")
        expect(page.get_by_label("Show rails.geojson")).not_to_be_checked()
        expect(page.get_by_label("Colour of rails.geojson")).to_have_value("red")
        until(page, lambda: colour(page, middle) == paper)
        line_of_shore(page, hand, near(hand, SHAPE[0], PIXELS), near(hand, SHAPE[1], PIXELS))
        beside = [(x + PIXELS * hand.mm, y) for x, y in SHAPE[:2]]
        assert np.array(drawn(hand, session.document)) == pytest.approx(np.array(beside), abs=0.5 * hand.mm)
        undo(page)
        page.get_by_label("Show rails.geojson").check()
        until(page, is_red)  # else its lines may be asked for when they are gone
        page.get_by_role("button", name="Remove …").click()
        page.get_by_role("button", name="Remove it").click()
        expect(pane).to_contain_text("Public rail lines underneath")
        until(page, lambda: colour(page, middle) == paper)
        assert session.document == before


def test_lines_of_a_file_are_followed_and_end_strokes_by_hand(editing: Editing, served: Served, tmp_path: Path) -> None:
    session = served.session
    with editing(served) as page:
        hand = Hand(page, served)
        add(page, rails(tmp_path / "rails.geojson", hand))
        # by its bends, past where the branch leaves it
        line_of_shore(page, hand, near(hand, (205.0, 60.0), 0, PIXELS), near(hand, SHAPE[4], PIXELS, PIXELS), "Control")
        assert same(drawn(hand, session.document), [(205.0, 60.0), *SHAPE[1:]])
        undo(page)
        tool(page, "f")
        hand.drag(near(hand, BRANCH[1], -PIXELS, PIXELS), near(hand, (225.0, 90.0)), near(hand, SHAPE[1], 0, PIXELS))
        done(page, LABEL)
        ends = drawn(hand, session.document)
        assert same([ends[0], ends[-1]], [BRANCH[1], SHAPE[1]])


def test_a_coordinate_system_is_asked_for_and_a_file_elsewhere_is_reported(
    editing: Editing, served: Served, tmp_path: Path
) -> None:
    lines = [shapely.LineString([(10.0, 50.0), (11.0, 50.0)])]
    gpd.GeoDataFrame({"n": [1]}, geometry=lines, crs=4326).to_file(tmp_path / "rails.shp", engine="pyogrio")
    with zipfile.ZipFile(tmp_path / "rails.zip", "w") as archive:
        for suffix in (".shp", ".shx", ".dbf"):
            archive.write(tmp_path / f"rails{suffix}", f"rails{suffix}")
    with editing(served) as page:
        panel(page, "Background")
        page.get_by_label("File of lines to put underneath").set_input_files(tmp_path / "rails.zip")
        expect(page.get_by_role("dialog")).to_contain_text("rails.zip does not say its coordinate system")
        expect(page.get_by_label("Coordinate system (EPSG:4326 is degrees)")).to_have_value("EPSG:4326")
        page.keyboard.press("Enter")
        expect(page.get_by_role("tabpanel")).to_contain_text("1 line with 2 vertices. None of them lies on this page.")
        assert [one.name for one in LineFiles.of_board(session_folder(served)).listed()] == ["rails.zip"]


def session_folder(served: Served) -> Path:
    folder = served.session.folder
    assert folder is not None
    return folder
