"""`mapkit print`, `mapkit picture` and the picture formats of `mapkit export`."""

import io
import json
from pathlib import Path

import pikepdf
import pytest
from conftest import REPOSITORY, Run
from PIL import Image
from svg_client import read_board_svg
from tiny import tiny_board

import mapkit
from mapkit.core.jsontext import json_text
from mapkit.kinds.rail.render.layout import clear_layout_cache

pytestmark = pytest.mark.slow

CHOICES = ("papers are", "no theme is", "part '", "kind of picture")
"""What is said of a choice that there is not, which ends with 2."""


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A board file of the small board."""
    path = tmp_path / "tiny.json"
    path.write_text(json_text(tiny_board()), encoding="utf-8")
    return path


def test_print_writes_one_pdf_and_says_what_is_on_its_pages(run: Run, board: Path, tmp_path: Path) -> None:
    out = tmp_path / "made" / "tiny.pdf"
    done = run("print", board, "--only", "board", "--out", out)
    assert (done.code, done.out) == (0, f"{out}\n")
    assert "Assembly plan  1\nRuler          2\nBoard          3" in done.err
    assert "making the PDF" in done.err
    with pikepdf.open(out) as pdf:
        pages = len(pdf.pages)
    summary = json.loads(run("print", board, "--only", "board", "--out", out, "--json").out)
    assert summary["pages"] == pages == sum(section["pages"] for section in summary["sections"])
    assert summary["tiles"]["columns"] * summary["tiles"]["rows"] == pages - 2
    assert summary["tiles"]["overlap"] == 10
    assert summary["board"] == tiny_board().id


def test_print_twice_gives_the_same_bytes(run: Run, board: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.pdf", "two.pdf")]
    for out in files:
        clear_layout_cache()
        assert run("print", board, "--paper", "letter", "--bleed", "3", "--low-ink", "--out", out).code == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_low_ink_takes_little_ink(run: Run, board: Path, tmp_path: Path) -> None:
    ink = []
    for more in ((), ("--low-ink",)):
        out = tmp_path / "board.pdf"
        assert run("print", board, "--only", "board", "--paper", "poster", "--dpi", "30", *more, "--out", out).code == 0
        with Image.open(tmp_path / "board-board.png") as image:
            histogram = image.convert("L").histogram()
        ink.append(sum((255 - shade) * count for shade, count in enumerate(histogram)))
    assert ink[1] < ink[0] / 2


def test_a_poster_takes_its_size_from_the_board(run: Run, board: Path, tmp_path: Path) -> None:
    out = tmp_path / "poster.pdf"
    assert run("print", board, "--only", "board", "--paper", "poster", "--size", "500", "--out", out).code == 0
    page = tiny_board().page
    with pikepdf.open(out) as pdf:
        box = [float(value) * 25.4 / 72 for value in pdf.pages[0].mediabox]
    assert box[2:] == pytest.approx([500, 500 * page.height / page.width], abs=0.001)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--paper", "a5"), "; papers are a4, letter, a3, tabloid, poster"),
        (("--overlap", "150"), "overlap 150 mm: too much for paper"),
        (("--theme", "clasic"), "no theme is named 'clasic' (did you mean 'classic'?)"),
        (("--only", "bord"), "part 'bord' is unknown (did you mean 'board'?)"),
        (("--scale", "big"), "scale 'big': give a percentage"),
        (("--scale", "1"), "the board would be printed at 1 %"),
        (("--dpi", "100000"), "dots per inch; choose from 10 to 2400"),
        (("--out", "board.png"), "the name of the printout ends in .pdf"),
    ],
)
def test_what_cannot_be_printed_is_said_and_nothing_written(
    run: Run, board: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(board.parent)
    done = run("print", board, *arguments)
    assert done.code == (2 if any(said in words for said in CHOICES) else 1)
    assert words in done.err
    assert "Traceback" not in done.err
    assert [path.name for path in board.parent.iterdir()] == ["tiny.json"]


def test_a_theme_may_be_a_file_of_the_workspace(run: Run, board: Path, tmp_path: Path) -> None:
    """`print` and `sheets` take what `draw` takes."""
    (tmp_path / "sepia.toml").write_text('land = "#f1e7d0"\nink = "#3b2a1a"\n', encoding="utf-8")
    done = run("sheets", board, "--only", "reference", "--theme", "sepia.toml", "-w", tmp_path, "-o", tmp_path / "s")
    assert done.code == 0, done.err
    assert "#3b2a1a" in (tmp_path / "s" / "reference.svg").read_text(encoding="utf-8")
    out = tmp_path / "sepia.pdf"
    assert run("print", board, "--only", "board", "-t", "sepia.toml", "-w", tmp_path, "--out", out).code == 0
    assert out.stat().st_size > 1000
    done = run("print", board, "--only", "board", "--theme", "gone.toml", "-w", tmp_path, "--out", out)
    assert done.code == 1
    assert "gone.toml: cannot be read" in done.err


def test_scale_and_size_together_are_a_wrong_use(run: Run, board: Path) -> None:
    assert run("print", board, "--scale", "50", "--size", "300").code == 2


def test_picture_makes_pdf_png_and_svg(run: Run, tmp_path: Path) -> None:
    svg = tmp_path / "board.svg"
    svg.write_text(mapkit.render_board(tiny_board()), encoding="utf-8")
    assert run("picture", svg).out == f"{tmp_path / 'board.pdf'}\n"
    assert run("picture", svg, "--to", "png", "--dpi", "60").code == 0
    with Image.open(tmp_path / "board.png") as image:
        assert image.size[0] == pytest.approx(tiny_board().page.width / 25.4 * 60, abs=1)
    out = tmp_path / "paths.svg"
    assert json.loads(run("picture", svg, "--to", "svg", "--fonts", "paths", "--out", out, "--json").out) == {
        "file": str(out),
        "notes": [],
    }
    assert "<text" not in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("missing.svg",), "missing.svg: cannot be read"),
        (("a.svg", "--to", "jpg"), "'jpg' is not a kind of picture"),
        (("a.svg", "--to", "svg"), "this is the file that is read"),
        (("a.svg", "--out", "a.png"), "the name of a PDF ends in .pdf"),
        (("a.svg",), "a.svg: not an SVG file"),
        (("bytes.svg",), "is not UTF-8"),
    ],
)
def test_a_file_that_is_no_drawing_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.svg").write_text("a drawing", encoding="utf-8")
    (tmp_path / "bytes.svg").write_bytes(b"<svg \xff/>")
    done = run("picture", *arguments)
    assert done.code == (2 if any(said in words for said in CHOICES) else 1)
    assert words in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.svg", "bytes.svg"]


def test_a_board_is_exported_as_pictures(run: Run, board: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("export", board, "--to", "svg,png,pdf", "--out", out).code == 0
    ident, page = tiny_board().id, tiny_board().page
    svg = (out / "svg" / f"{ident}.svg").read_text(encoding="utf-8")
    assert "@font-face" in svg
    assert read_board_svg(svg) == read_board_svg(mapkit.render_board(tiny_board()))
    with Image.open(out / "png" / f"{ident}.png") as image:
        assert image.size[0] == pytest.approx(page.width / 25.4 * 150, abs=1)
    with pikepdf.open(io.BytesIO((out / "pdf" / f"{ident}.pdf").read_bytes())) as pdf:
        assert float(pdf.pages[0].mediabox[2]) == pytest.approx(page.width * 72 / 25.4, abs=0.001)
    summary = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["losses"]
    assert summary["pdf"] == ["everything but the looks"]


def test_the_shipped_board_prints_with_letters_for_every_name(run: Run, tmp_path: Path) -> None:
    portugal = REPOSITORY / "build" / "portugal" / "board.json"
    done = run("print", portugal, "--only", "board", "--paper", "a3", "--out", tmp_path / "p.pdf")
    assert done.code == 0
    assert "lack these letters" not in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("draw", "--theme", "foo"),
        ("draw", "--fonts", "foo"),
        ("draw", "--out", "x.foo"),
        ("export", "--to", "foo", "--out", "x"),
        ("print", "--paper", "foo", "--out", "x.pdf"),
        ("print", "--only", "foo", "--out", "x.pdf"),
        ("sheets", "--paper", "foo"),
        ("sheets", "--only", "foo"),
        ("payoffs", "compute", "--model", "foo"),
        ("georeference", "--model", "foo"),
    ],
)
def test_a_choice_that_there_is_not_is_a_usage_error(
    run: Run, board: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    at = next(n for n, word in enumerate(arguments) if word.startswith("-"))
    done = run(*arguments[:at], board, *arguments[at:])
    assert (done.code, "Traceback" in done.err) == (2, False), done.err
