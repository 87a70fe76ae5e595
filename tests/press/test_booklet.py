"""Booklets: every page once, in the order that folds right, with the board across the middle."""

import io
import re
from pathlib import Path

import pikepdf
import pytest
from conftest import REPOSITORY, Run
from hypothesis import given
from hypothesis import strategies as st
from press_samples import cards, drawing, page
from test_press_pictures import shown_text

from mapkit.core.errors import PrintError
from mapkit.core.progress import quiet
from mapkit.drawing.theme.files import find_theme
from mapkit.kinds.operations import read_options
from mapkit.kinds.rail.render.words import words_in
from mapkit.kinds.registry import operations_of
from mapkit.press.booklet import MOST_PAGES, booklet_sides, make_booklet
from mapkit.press.job import PrintJob, Printout
from mapkit.press.paper import paper_size
from mapkit.press.parts import PrintedParts
from mapkit.press.printout import print_and_play

A4 = (210.0, 297.0)
BOARD = drawing(500, 300, "Board", "#d0e4f0", '<text x="20" y="60" font-size="40">Across</text>')


def folded(some: list[tuple[int, int]]) -> list[int]:
    """Return the pages as a reader meets them: leaves in each other, each printed on both sides and folded."""
    before: list[int] = []
    after: list[int] = []
    for front, back in zip(some[::2], some[1::2], strict=True):
        before += [front[1], back[0]]  # turned over the short edge, the left half is behind the right one
        after = [back[1], front[0], *after]
    return before + after


def booklet(sheets: int, *, board: str | None = BOARD, few: int = 0, paper: str = "a4") -> Printout:
    some = [*(page(f"p{n}") for n in range(sheets)), *cards(few)]
    return print_and_play(board, some, PrintJob(paper, booklet=True), title="Test & Co")


def test_sides_of_twelve_pages() -> None:
    assert booklet_sides(12) == [(12, 1), (2, 11), (10, 3), (4, 9), (8, 5), (6, 7)]


@given(st.integers(1, MOST_PAGES // 4))
def test_a_folded_booklet_has_its_pages_in_order(leaves: int) -> None:
    assert folded(booklet_sides(4 * leaves)) == list(range(1, 4 * leaves + 1))


@given(st.integers(0, MOST_PAGES - 3), st.sampled_from([None, (500.0, 300.0)]))
def test_the_board_has_the_middle_and_each_sheet_a_page(count: int, board: tuple[float, float] | None) -> None:
    made = make_booklet([page(f"p{n}") for n in range(count)], board, A4, margin=5, title="Test", words=words_in("en"))
    with_board = board is not None
    assert made.pages % 4 == 0
    assert made.pages - (1 + count + 2 * with_board) in range(4)
    titles = [title for title, _ in made.numbers if title != "Board"]
    assert len(titles) == count
    numbers = [number for _, number in made.numbers]
    assert numbers == sorted({*numbers})
    middle = dict(made.numbers).get("Board")
    assert middle == (made.pages // 2 if with_board else None)
    assert [leaf.window is not None for leaf in made.leaves] == [False] * (len(made.leaves) - 1) + [with_board]


@pytest.mark.parametrize(
    ("ids", "numbers"),
    [
        ("reference rules destinations-1 destinations-2 payoffs-1 payoffs-2", [2, 3, 4, 5, 8, 9]),
        ("reference rules-1 rules-2 destinations-1 destinations-2 payoffs", [2, 3, 4, 8, 9, 10]),
        ("reference rules destinations-1 destinations-2 payoffs", [2, 3, 6, 7, 8]),
        ("pad-1 pad-2 pad-3 pad-4 pad-5", [2, 3, 6, 7, 8]),  # no paper is wasted on them
        ("rules pad-1 pad-2", [2, 6, 7]),
    ],
)
def test_the_board_parts_no_pages_of_a_chart_if_there_is_room(ids: str, numbers: list[int]) -> None:
    some = [page(ident) for ident in ids.split()]
    made = make_booklet(some, (500, 300), A4, margin=5, title="Test", words=words_in("en"))
    assert [number for title, number in made.numbers if title != "Board"] == numbers
    assert [title for title, _ in made.numbers if title != "Board"] == ids.split()


def test_the_file_has_words_where_a_reader_looks_for_them(tmp_path: Path) -> None:
    done = booklet(6, few=3)
    assert [(s.title, s.first, s.pages) for s in done.sections] == [("Booklet", 1, 6)]
    assert done.notes[0].startswith("12 pages on 3 leaves: print on both sides, turned over the short edge")
    assert "cards are not in the booklet; print them with --only cards" in done.notes
    assert "sheets are printed at 71 % and above; larger paper makes them larger" in done.notes
    with pikepdf.open(io.BytesIO(done.pdf)) as pdf:
        for one in pdf.pages:
            size = [float(value) * 25.4 / 72 for value in one.mediabox]
            assert size == pytest.approx([0, 0, 297, 210], abs=0.001)
        assert ["/Board" in (one.resources.get("/XObject") or {}) for one in pdf.pages] == [False] * 5 + [True]
    text = shown_text(done.pdf, tmp_path).split("\f")
    assert "Test & Co" in text[0]
    assert "Across" in text[5]
    shown = {number: side for side, pair in enumerate(booklet_sides(12)) for number in pair}
    for n, number in enumerate([2, 3, 4, 5, 8, 9]):
        assert f"p{n}" in text[shown[number]].split()


def test_paper_twice_as_large_needs_no_scaling() -> None:
    assert not any("printed at" in note for note in booklet(2, paper="a3").notes)


def test_the_same_booklet_has_the_same_bytes() -> None:
    assert booklet(2).pdf == booklet(2).pdf


def test_what_does_not_fold_is_refused() -> None:
    with pytest.raises(PrintError, match="a booklet of 84 pages does not fold"):
        booklet(MOST_PAGES)
    with pytest.raises(PrintError, match="nothing for a booklet"):
        booklet(0, board=None, few=2)
    for job in (PrintJob("poster", booklet=True), PrintJob(scale=0.5, booklet=True), PrintJob(bleed=3, booklet=True)):
        with pytest.raises(PrintError, match="leave out scale, size, bleed, duplex and poster"):
            job.check()


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", ["usa", "ireland", "portugal-hex", "western-us-hex", "barons", "caminhos"])
def test_rules_are_set_for_the_booklet(name: str, paper: str) -> None:
    """Texts have 7.5 points and more; they had 4.9 when pages of A4 were reduced."""
    kind = operations_of(name, REPOSITORY)
    board = kind.load(name, variants=(), workspace=REPOSITORY, progress=quiet)
    job = PrintJob(paper, booklet=True)
    options = read_options(kind.print_options, {})
    theme = kind.dress(find_theme("board", folder=REPOSITORY), board)
    pages = kind.pages(board, theme, job, PrintedParts(only=("rules",)), options).sheets
    sizes = [float(size) for sheet in pages for size in re.findall(r'font-size="([\d.]+)"', sheet.svg)]
    assert len(sizes) > 20
    assert min(sizes) >= 7.5 / 72 * 25.4 - 0.01
    words = words_in("en")
    assert make_booklet(pages, None, paper_size(paper), margin=5, title=name, words=words).scale == 1


def test_the_command_leaves_out_what_is_cut_and_written_on(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "p.pdf"
    done = run("print", REPOSITORY / "build" / "portugal" / "board.json", "--booklet", "--only", "sheets", "--out", out)
    assert (done.code, done.out) == (0, f"{out}\n")
    assert "12 pages on 3 leaves" in done.err
    assert "sheets are printed at" not in done.err, "sheets are drawn for half a page"
    words = shown_text(out.read_bytes(), tmp_path)
    assert "Destinos, página 1 de 2" in words
    assert "Fichas" not in words
