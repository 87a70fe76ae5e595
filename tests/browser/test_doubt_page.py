"""The page of cells in doubt in a browser: what is clicked or typed are lines that the command takes."""

from pathlib import Path

import pytest
from browsing import Opened
from playwright.sync_api import Browser, expect

from mapkit.kinds.rail.api.scans.tracing import parse_link_answers
from mapkit.kinds.rail.model.board_scan import BoardScan, LinkFound, RailroadFound
from mapkit.kinds.rail.model.payoffs.chart import CellInDoubt, NameMatched, PayoffChart, PayoffsRead
from mapkit.kinds.rail.render.doubt_page.page import render_doubt_page
from mapkit.kinds.rail.render.link_page.page import render_link_page
from mapkit.kinds.rail.sources.payoffs.typed_options import parse_accepted_cities, part_cells

CROP = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001"
    "a5f645400000000049454e44ae426082"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the page of two cells in doubt, with a name that must not be taken for markup."""
    names = {"albany": "Albany", "boston": "Bos<b>ton", "chicago": "Chicago"}
    cells = [
        CellInDoubt(
            a="albany", b=b, where=f"page 1, row 2, column {k}", text="1", why="two readings", page=1,
            candidates=("1", "7"), box=(1, 2, 3, 4),
        )
        for k, b in enumerate(("boston", "chicago"), start=3)
    ]  # fmt: skip
    found = PayoffsRead(
        chart=PayoffChart(name="chart", file="chart.png", cities=tuple(names), readings=()), kind="picture",
        layout="square", diagonal=False, unit=1000, unit_why="", decimal=".", lacking=(), missing=(), blanks=(),
        names=tuple(NameMatched(typed=name, city=city, how="exact", where="") for city, name in names.items()),
        not_read=(), doubted=(), in_doubt=tuple(cells), asymmetric=(), notes=(),
    )  # fmt: skip
    out = tmp_path / "doubts.html"
    out.write_text(render_doubt_page(found, [CROP, CROP]), encoding="utf-8")
    return out


def test_what_is_clicked_and_typed_are_lines_for_accept(opened: Opened, file: Path, tmp_path: Path) -> None:
    with opened(file) as page:
        expect(page.locator("#count")).to_have_text("0 of 2 settled")
        one, other = page.locator("li[data-key]").all()
        expect(one.get_by_role("heading")).to_have_text("Albany - Bos<b>ton")
        one.get_by_role("button", name="7").click()
        expect(one.get_by_role("button", name="7")).to_have_attribute("aria-pressed", "true")
        other.get_by_label("Other").fill("12.5")
        expect(page.locator("#count")).to_have_text("2 of 2 settled")
        lines = page.get_by_label("What you settled")
        expect(lines).to_have_value("albany:boston=7\nalbany:chicago=12.5\n")
        one.get_by_role("button", name="7").click()
        expect(lines).to_have_value("albany:chicago=12.5\n")
        one.get_by_role("button", name="1", exact=True).click()
        saved = tmp_path / "settled.txt"
        saved.write_text(lines.input_value(), encoding="utf-8")
    taken = part_cells(parse_accepted_cities([f"@{saved}"]))
    assert taken == ({}, {("albany", "boston"): "1", ("albany", "chicago"): "12.5"})


def test_links_of_a_scan_are_settled_by_keys(browser: Browser, tmp_path: Path) -> None:
    links = tuple(
        LinkFound(
            railroad=railroad, a="Albany", b="Bos<b>ton", confidence=sure, why="it turns back", drawn=sure > 0.5,
            crop=f"{railroad}-{number}.png", finding=f"T01:albany:boston:{railroad}",
        )
        for number, (railroad, sure) in enumerate((("nyc", 0.3), ("pa", 0.6), ("bm", 0.7)))
    )  # fmt: skip
    found = BoardScan(
        picture="old.png", width=9, height=9, dot_width=1, square_width=2, placed=False, mileposts=(), stray=(),
        railroads=tuple(RailroadFound(railroad=i, colour="#123456", links=1, doubtful=1) for i in ("bm", "nyc", "pa")),
        links=links, findings=(), warnings=(),
    )  # fmt: skip
    out = tmp_path / "index.html"
    out.write_text(render_link_page(found), encoding="utf-8")
    for link in links:
        (tmp_path / link.crop).write_bytes(CROP)
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(out.as_uri())
        expect(page.locator("#count")).to_have_text("0 of 3 settled")
        lines = page.get_by_label("What you settled")
        page.keyboard.press("ArrowDown")  # to the first, the least sure
        page.keyboard.press("1")  # right, and on
        page.keyboard.press("2")  # not there, and on
        page.keyboard.press("3")
        page.keyboard.type("nyc")
        page.keyboard.press("Enter")
        expect(page.locator("#count")).to_have_text("3 of 3 settled")
        answers = "T01:albany:boston:nyc=+\nT01:albany:boston:pa=-\nT01:albany:boston:bm=nyc\n"
        expect(lines).to_have_value(answers)
        page.keyboard.press("ArrowUp")
        page.keyboard.press("2")  # again: taken back
        expect(lines).to_have_value(answers.replace("T01:albany:boston:pa=-\n", ""))
    assert parse_link_answers(answers.splitlines()) == {
        "T01:albany:boston:nyc": "+", "T01:albany:boston:pa": "-", "T01:albany:boston:bm": "nyc",
    }  # fmt: skip
