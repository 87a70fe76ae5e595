"""The printed file: its pages, windows on the board, cards and backs, and the same bytes."""

import io
import re
import subprocess
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from optional import pdftotext
from press_samples import cards, drawing, page
from test_press_pictures import embedded, shown_text

from mapkit.core.errors import ChoiceError, PrintError
from mapkit.drawing.text_width import text_width
from mapkit.drawing.words.languages import LANGUAGES, Language
from mapkit.kinds.rail.render.layout import clear_layout_cache
from mapkit.kinds.rail.render.words import words_in
from mapkit.press.job import PrintJob, Printout
from mapkit.press.paper import PAPERS
from mapkit.press.printout import assembly_steps, print_and_play

BOARD = drawing(
    500,
    300,
    "Board",
    "#d0e4f0",
    "".join(
        f'<text x="{x}" y="{y}" font-size="4">x{x}y{y}</text>' for x in range(20, 480, 40) for y in range(60, 300, 40)
    ),
)


def printed(job: PrintJob, *, board: str | None = BOARD, sheets: int = 0, few: int = 0) -> Printout:
    return print_and_play(
        board, [*(page(f"p{n}") for n in range(sheets)), *cards(few)], job, title="Test & Co", progress=lambda _: None
    )


def sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Return width and height of the pages in millimetres."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        boxes = [[float(value) * 25.4 / 72 for value in one.mediabox] for one in document.pages]
    return [(box[2] - box[0], box[3] - box[1]) for box in boxes]


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_every_page_has_the_very_size_of_the_paper(paper: str) -> None:
    done = printed(PrintJob(paper), sheets=1, few=3)
    for size in sizes(done.pdf):
        assert sorted(size) == pytest.approx(sorted(PAPERS[paper]), abs=0.0005)
    assert len(sizes(done.pdf)) == done.pages


def test_sections_follow_each_other_and_are_bookmarks() -> None:
    done = printed(PrintJob(), sheets=2, few=10)
    assert [(s.title, s.first, s.pages) for s in done.sections] == [
        ("Assembly plan", 1, 1),
        ("Ruler", 2, 1),
        ("Board", 3, 4),
        ("Sheets", 7, 2),
        ("Cards", 9, 2),
    ]
    with pikepdf.open(io.BytesIO(done.pdf)) as pdf, pdf.open_outline() as outline:
        marks = []
        for item in outline.root:
            assert isinstance(item.destination, pikepdf.Array)
            marks.append((item.title, pdf.pages.index(pikepdf.Page(item.destination[0]))))
        assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
        assert str(pdf.docinfo["/Title"]) == "Test & Co"
    assert marks == [(s.title, s.first - 1) for s in done.sections]


def test_a_tile_shows_its_part_of_the_board_in_its_place() -> None:
    done = printed(PrintJob())
    plan = done.plan
    assert plan is not None
    for number, tile in enumerate(plan.tiles, start=3):
        with pikepdf.open(io.BytesIO(done.pdf)) as pdf:
            words = pdf.pages[number - 1].Contents
            text = (words[0] if isinstance(words, pikepdf.Array) else words).read_bytes().decode("latin-1")
        found = re.match(r"q (\S+) (\S+) (\S+) (\S+) re W n (\S+) 0 0 \S+ (\S+) (\S+) cm /\S+ Do Q", text)
        assert found is not None
        left, low, wide, high, scale, x, y = (float(value) * 25.4 / 72 for value in found.groups())
        corner = plan.corner(tile)
        assert (wide, high) == pytest.approx((tile.width, tile.height), abs=1e-4)
        assert (left, low + high) == pytest.approx((corner[0], plan.paper[1] - corner[1]), abs=1e-4)
        assert scale * 72 / 25.4 == pytest.approx(1)
        assert left - x == pytest.approx(tile.left, abs=1e-4)
        assert (y + 300) - (low + high) == pytest.approx(tile.top, abs=1e-3)


def test_the_board_is_in_the_file_once_and_its_fonts_too(tmp_path: Path) -> None:
    small, large = printed(PrintJob(paper="poster")), printed(PrintJob(paper="a4", scale=2))
    assert large.plan is not None
    assert len(large.plan.tiles) > 12
    with pikepdf.open(io.BytesIO(large.pdf)) as pdf:
        forms = {one.Resources.XObject["/Board"].objgen for one in pdf.pages if "/XObject" in one.Resources}
        drawn = [one for one in pdf.objects if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form"]
    assert len(drawn) == len(forms) == 1
    assert all(embedded(large.pdf).values())
    assert {name.partition("-")[0] for name in embedded(large.pdf)} == {"FiraSansCondensed"}
    assert "x20y60" in shown_text(small.pdf, tmp_path)


def test_the_same_job_gives_the_same_bytes() -> None:
    job = PrintJob(bleed=3, duplex=True)
    first = printed(job, sheets=1, few=4)
    clear_layout_cache()
    assert first == printed(job, sheets=1, few=4)
    assert b"CreationDate" not in first.pdf


@pytest.mark.parametrize(("bleed", "size"), [(0.0, (500, 300)), (3.0, (500 + 6 + 12, 300 + 6 + 12))])
def test_a_poster_has_the_size_of_the_board_and_states_its_trim(bleed: float, size: tuple[float, float]) -> None:
    done = printed(PrintJob(paper="poster", bleed=bleed))
    assert sizes(done.pdf) == [pytest.approx(size, abs=0.0005)]
    assert done.notes == (
        "the poster is one page of 500 x 300 mm"
        if not bleed
        else "the poster is 500 x 300 mm when it is cut; its page is 518 x 318 mm, with 3 mm of bleed, and crop marks",
    )
    with pikepdf.open(io.BytesIO(done.pdf)) as pdf:
        trim = [float(value) * 25.4 / 72 for value in pdf.pages[0].TrimBox]
        bled = [float(value) * 25.4 / 72 for value in pdf.pages[0].BleedBox]
    assert (trim[2] - trim[0], trim[3] - trim[1]) == pytest.approx((500, 300), abs=0.0005)
    assert np.subtract(trim, bled) == pytest.approx([bleed, bleed, -bleed, -bleed], abs=0.0005)


def test_a_poster_with_sheets_has_a_ruler_on_their_paper() -> None:
    done = printed(PrintJob(paper="poster"), sheets=1)
    assert [(s.title, s.first) for s in done.sections] == [("Board", 1), ("Ruler", 2), ("Sheets", 3)]
    assert sizes(done.pdf)[1] == pytest.approx(PAPERS["a4"], abs=0.0005)


@pytest.mark.parametrize(
    ("job", "size"),
    [(PrintJob(paper="poster", scale=0.5), (250, 150)), (PrintJob(paper="poster", size=420), (420, 252))],
)
def test_a_board_is_scaled_as_asked(job: PrintJob, size: tuple[float, float]) -> None:
    assert sizes(printed(job).pdf)[0] == pytest.approx(size, abs=0.0005)


def test_backs_follow_their_fronts_mirrored_on_an_even_page(tmp_path: Path) -> None:
    done = printed(PrintJob(duplex=True), sheets=1, few=11)
    section = done.sections[-1]
    assert (section.title, section.first % 2, section.pages) == ("Cards", 1, 4)
    assert f"print pages {section.first} to {section.first + 3} on both sides" in done.notes[-1]
    with pikepdf.open(io.BytesIO(done.pdf)) as pdf:
        for number, order in ((0, "Front 0 Front 1 Front 2"), (1, "Back 2 Back 1 Back 0")):
            one = pikepdf.new()
            one.pages.append(pdf.pages[section.first - 1 + number])
            out = io.BytesIO()
            one.save(out)
            words = _by_place(out.getvalue(), tmp_path)
            assert words[:3] == [order.split()[0] + " " + n for n in order.split()[1::2]]


def _by_place(pdf: bytes, tmp_path: Path) -> list[str]:
    """Return the words of a page from the left to the right of its first row, two and two together."""
    path = tmp_path / "page.pdf"
    path.write_bytes(pdf)
    done = subprocess.run(
        [pdftotext(), "-bbox", str(path), "-"], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    found = re.findall(r'xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>([^<]+)</word>', done.stdout)
    top = min(float(y) for _, y, _ in found)
    row = sorted((float(x), word) for x, y, word in found if float(y) < top + 5)
    return [f"{a[1]} {b[1]}" for a, b in zip(row[::2], row[1::2], strict=True)]


def test_without_duplex_backs_are_left_out_and_that_is_noted(tmp_path: Path) -> None:
    done = printed(PrintJob(), board=None, few=2)
    assert done.notes == ("the backs of cards are left out; --duplex prints them",)
    words = shown_text(done.pdf, tmp_path)
    assert "Front 1" in words
    assert "Back" not in words


def test_sheets_of_the_paper_keep_their_size_and_larger_ones_are_scaled_and_noted() -> None:
    a4 = print_and_play(None, [page("a"), page("b", 297, 210)], PrintJob(), title="T")
    assert a4.notes == ()
    assert sizes(a4.pdf)[1:] == [pytest.approx((210, 297)), pytest.approx((297, 210))]
    letter = print_and_play(None, [page("a")], PrintJob(paper="letter"), title="T")
    assert letter.notes == ("printed at 91 % to fit the paper (210 x 297 mm): a",)
    two = print_and_play(None, [page("a"), page("b")], PrintJob(paper="a3"), title="T")
    assert sizes(two.pdf)[1:] == [pytest.approx((420, 297))]


def test_letters_that_are_not_printed_are_reported() -> None:
    done = print_and_play(drawing(100, 80, "漢字"), [], PrintJob(), title="T")
    assert "字 漢" in done.notes[0]


@pytest.mark.parametrize(
    ("job", "words"),
    [
        (PrintJob(overlap=100), "overlap 100 mm: too much for paper 210 x 297 mm"),
        (PrintJob(overlap=-3), "overlap -3 mm"),
        (PrintJob(margin=90), "margin 90 mm: choose from 0 to 52.5 mm"),
        (PrintJob(bleed=50), "bleed 50 mm: choose from 0 to 10 mm"),
        (PrintJob(scale=0.01), "printed at 1 %, 5 mm wide; choose from 10 to 400 %, which is 50 to 2000 mm"),
        (PrintJob(size=9000), "printed at 1800 %, 9000 mm wide"),
        (PrintJob(scale=float("nan")), "choose from 10 to 400 %"),
        (PrintJob(bleed=float("nan")), "choose from 0 to 10 mm"),
        (PrintJob(overlap=float("nan")), "overlap nan mm"),
    ],
)
def test_a_job_that_cannot_be_printed_is_refused(job: PrintJob, words: str) -> None:
    with pytest.raises(PrintError, match=re.escape(words)):
        printed(job)


def test_nothing_to_print_is_refused() -> None:
    with pytest.raises(PrintError, match="nothing to print"):
        print_and_play(None, [], PrintJob(), title="T")


@pytest.mark.parametrize(
    ("job", "words"),
    [
        (PrintJob(paper="a5"), "paper 'a5' is unknown; papers are a4, letter, a3, tabloid, poster"),
        (
            PrintJob(sheet_paper="poster"),
            "paper 'poster' is not for sheets and cards; theirs are a4, letter, a3, tabloid",
        ),
    ],
)
def test_a_paper_that_there_is_not_is_a_wrong_choice(job: PrintJob, words: str) -> None:
    with pytest.raises(ChoiceError, match=re.escape(words)):
        printed(job)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_around_the_board_is_in_the_language_and_on_the_paper(language: Language, tmp_path: Path) -> None:
    words = words_in(language)
    job = PrintJob(bleed=3, margin=10)
    done = print_and_play(BOARD, [page("p")], job, title="Test & Co", words=words)
    names = ("plan", "ruler", "board", "sheets")
    assert [section.title for section in done.sections] == [words(f"printout.{name}") for name in names]
    text = " ".join(shown_text(done.pdf, tmp_path).split())
    for name in ("every_page", "rows", "cut_marks", "full_size", "actual", "measure"):
        assert words(f"printout.{name}") in text
    assert words("printout.tile", board="Test & Co", row=1, rows=2, column=2, columns=2) in text
    plan = done.plan
    assert plan is not None
    for paper in (PAPERS["a4"], PAPERS["letter"]):
        lines = [line for _, line in assembly_steps(plan, paper, 3, words)]
        assert max(text_width(line, 3.4) for line in lines) <= paper[0] - 2 * 14 - 4
        assert words("printout.strips") in " ".join(lines)
