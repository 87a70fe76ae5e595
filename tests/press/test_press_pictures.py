"""PNG, PDF and SVG from one drawing: their size, their fonts, the same bytes, and what is refused."""

import io
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pikepdf
import pytest
from conftest import REPOSITORY
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st
from optional import pdftotext
from PIL import Image
from press_samples import drawing
from svg_client import read_board_svg

import mapkit
from mapkit.core.errors import ChoiceError, PrintError
from mapkit.drawing.embedded_fonts import _LATIN_LETTERS, embed_fonts, missing_in_embedded
from mapkit.drawing.picture_files import write_picture
from mapkit.drawing.shipped_fonts import font_path
from mapkit.drawing.svg_file import missing_letters, read_picture
from mapkit.drawing.text_width import FACES, FAMILIES
from mapkit.kinds.rail.render.board import render_board
from mapkit.press.bleed import add_bleed
from mapkit.press.outline import replace_text_by_outlines
from mapkit.press.raster import svg_to_png
from mapkit.press.vector import svg_to_pdf

SHAPES = drawing(
    80,
    50,
    more='<defs><clipPath id="c"><rect x="40" y="0" width="20" height="20"/></clipPath></defs>'
    '<g clip-path="url(#c)"><rect x="30" y="5" width="40" height="40" fill="#ff0000"/></g>'
    '<rect x="5" y="30" width="10" height="10" fill="#0000ff" fill-opacity="0.5"/>'
    '<path d="M20,35 L60,35" stroke="#000000" stroke-width="4" stroke-dasharray="10 10" fill="none"/>',
)
HALO = drawing(
    80,
    50,
    more='<g aria-hidden="true" stroke="#ffffff" stroke-width="1" fill="#ffffff" font-size="6">'
    '<text x="5" y="40">Oakland</text></g><text x="5" y="40" font-size="6">Oakland</text>',
)


def pixels(png: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.int16)


def embedded(pdf: bytes) -> dict[str, bool]:
    """Return base font -> whether its file is embedded, of all fonts in the PDF."""
    found: dict[str, bool] = {}
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for item in document.objects:
            if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/FontDescriptor":
                found[str(item.FontName).partition("+")[2]] = "/FontFile2" in item or "/FontFile3" in item
    return found


def shown_text(pdf: bytes, tmp_path: Path) -> str:
    path = tmp_path / "shown.pdf"
    path.write_bytes(pdf)
    return subprocess.run(
        [pdftotext(), "-raw", str(path), "-"], capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout


@pytest.mark.parametrize("dpi", [96, 150, 254])
def test_a_png_has_the_pixels_of_its_size_and_says_its_resolution(dpi: int) -> None:
    png = svg_to_png(SHAPES, dpi)
    with Image.open(io.BytesIO(png)) as image:
        assert image.size == pytest.approx((80 / 25.4 * dpi, 50 / 25.4 * dpi), abs=1)
        assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.1)
        image.verify()


def test_a_png_may_be_asked_for_by_width() -> None:
    with Image.open(io.BytesIO(svg_to_png(SHAPES, width=1000))) as image:
        assert image.size == (1000, 625)


def test_clips_opacity_and_dashes_are_drawn() -> None:
    shown = pixels(svg_to_png(SHAPES, 254))  # ten dots to the millimetre
    assert tuple(shown[100, 500]) == (255, 0, 0)
    assert tuple(shown[100, 350]) == (255, 255, 255)  # clipped away
    assert tuple(shown[250, 500]) == (255, 255, 255)
    assert tuple(shown[350, 100]) == pytest.approx((127, 127, 255), abs=2)
    assert tuple(shown[350, 250]) == (0, 0, 0)
    assert tuple(shown[350, 350]) == (255, 255, 255)


def test_a_pdf_has_the_very_size_of_the_drawing() -> None:
    for width, height in ((80, 50), (841, 594), (1000, 730)):
        with pikepdf.open(io.BytesIO(svg_to_pdf(drawing(width, height, "Size")))) as pdf:
            box = [float(value) for value in pdf.pages[0].mediabox]
            assert len(pdf.pages) == 1
        assert box == pytest.approx([0, 0, width * 72 / 25.4, height * 72 / 25.4], abs=0.001)


def test_a_pdf_embeds_the_shipped_fonts_and_no_others(tmp_path: Path) -> None:
    pdf = svg_to_pdf(drawing(80, 50, "São José"))
    assert embedded(pdf) == {
        "FiraSansCondensed-Regular": True,
        "FiraSansCondensed-Bold": True,
        "FiraSansCondensed-Italic": True,
    }
    assert shown_text(pdf, tmp_path).split("\n")[:3] == ["São José"] * 3


def test_halos_are_not_selected_twice(tmp_path: Path) -> None:
    assert shown_text(svg_to_pdf(HALO), tmp_path).split() == ["Oakland"]


def test_a_pdf_carries_no_time() -> None:
    with pikepdf.open(io.BytesIO(svg_to_pdf(SHAPES))) as pdf:
        times = {str(pdf.docinfo.get(key)) for key in ("/CreationDate", "/ModDate")}
    assert times <= {"None", "D:19700101000000Z"}


def test_the_same_drawing_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    source = tmp_path / "halo.svg"
    source.write_text(HALO, encoding="utf-8")
    code = (
        "import sys, hashlib; from pathlib import Path\n"
        "from mapkit.drawing.picture_files import picture_bytes\n"
        "svg = Path(sys.argv[1]).read_text(encoding='utf-8')\n"
        "for kind, fonts in (('png', 'name'), ('pdf', 'name'), ('svg', 'embed'), ('svg', 'paths')):\n"
        "    print(hashlib.sha256(picture_bytes(svg, kind, fonts=fonts)[0]).hexdigest())\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code, str(source)],
            capture_output=True,
            text=True,
            check=True,
            cwd=REPOSITORY,
            env={"PYTHONHASHSEED": seed, "TZ": zone, "FONTCONFIG_FILE": fonts, "PYTHONPATH": str(REPOSITORY)},
            encoding="utf-8",
        ).stdout.split()
        for seed, zone, fonts in (("1", "UTC", "/nowhere"), ("2", "Asia/Tokyo", "/etc/fonts/fonts.conf"))
    ]
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 4


def test_no_font_of_the_system_is_used() -> None:
    """A text whose family the system has, and ours lacks, is drawn in ours; a letter ours lacks is not borrowed."""
    ours = drawing(80, 50, "Harbour")
    for family in ("DejaVu Serif", "Liberation Sans", "serif", "monospace"):
        other = re.sub(r'font-family="[^"]*"', f'font-family="{family}"', ours)
        styled = re.sub(r'font-family="[^"]*"', f'style="font-family: {family}"', ours)
        assert svg_to_png(other, 100) == svg_to_png(styled, 100) == svg_to_png(ours, 100)
        assert set(embedded(svg_to_pdf(other))) == set(embedded(svg_to_pdf(ours)))
    borrowed = svg_to_pdf(drawing(80, 50, "漢字"))
    assert all("Fira" in name for name in embedded(borrowed))


def test_outlines_look_like_the_text() -> None:
    """Kerning included (`AVATo`), anchors, spans, letter spacing, diacritics that must be composed."""
    more = "".join(
        f'<text x="40" y="{30 + 5 * row}" font-size="4" text-anchor="{anchor}">{words}</text>'
        for row, (anchor, words) in enumerate(
            (
                ("start", "AVATo office fi"),
                ("middle", 'São <tspan font-weight="bold">Tomé</tspan> et al'),
                ("end", "Ville\u0301 &amp; LTd"),
                ("middle", '<tspan letter-spacing="0.5">SPACED</tspan>'),
            )
        )
    )
    svg = drawing(80, 50, more=more)
    outlined = replace_text_by_outlines(svg)
    assert "<text" not in outlined
    assert 'aria-label="São Tomé et al"' in outlined
    as_text, as_paths = pixels(svg_to_png(svg, 254)), pixels(svg_to_png(outlined, 254))
    assert (as_text < 128).sum() > 3000
    assert np.abs(as_text - as_paths).max() < 100


def test_outlining_keeps_ids_and_data(tiny: mapkit.Board) -> None:
    svg = render_board(tiny)
    outlined = replace_text_by_outlines(svg)
    before, after = (
        {element.get("id") for element in ET.fromstring(text).iter() if element.get("id")}  # noqa: S314
        for text in (svg, outlined)
    )
    assert before == after
    assert read_board_svg(outlined) == read_board_svg(svg)


def test_a_text_along_a_path_is_not_outlined_but_noted() -> None:
    svg = drawing(
        80,
        50,
        more='<defs><path id="p" d="M0,0 L50,0"/></defs><text><textPath href="#p">Santa Fe</textPath></text>',
    )
    with pytest.raises(PrintError, match="'Santa Fe' runs along a path"):
        replace_text_by_outlines(svg)


def test_embedding_adds_the_faces_that_are_used_and_changes_nothing_else(tiny: mapkit.Board) -> None:
    svg = render_board(tiny)
    carried = embed_fonts(svg)
    style = re.search(r'<style type="text/css">(.*?)</style>', carried)
    assert style is not None
    assert carried.replace(style.group(), "") == svg
    rules = style.group(1).split("@font-face")[1:]
    assert ["bold" in rule[:90] for rule in rules][:2] == [False, True]
    assert read_board_svg(carried) == read_board_svg(svg)
    assert len(carried) - len(svg) < 70_000
    assert embed_fonts(drawing(80, 50)) == drawing(80, 50)


def test_the_latin_fonts_hold_what_is_said() -> None:
    for path in (font_path(face, family) for family in FAMILIES for face in FACES):
        part = TTFont(path.with_name(f"{path.stem}-latin.woff2")).getBestCmap()
        whole = TTFont(path)
        assert {chr(code) for code in part} == _LATIN_LETTERS & {chr(code) for code in whole.getBestCmap()}
        assert set(map(chr, range(0xC0, 0x149))) - set("Ĳĳ") <= {chr(code) for code in part}


def test_letters_that_the_fonts_lack_are_reported(tmp_path: Path) -> None:
    svg = drawing(80, 50, "漢 Łódź Київ")
    assert missing_letters(svg) == "漢"
    assert missing_in_embedded(svg) == "Квиї漢"
    assert write_picture(svg, tmp_path / "a.pdf") == ("the fonts lack these letters: 漢",)
    assert write_picture(drawing(80, 50, "Łódź"), tmp_path / "b.svg", fonts="embed") == ()


@given(bleed=st.floats(0.5, 10))
def test_bleed_carries_the_ground_over_the_edge(bleed: float) -> None:
    bled = read_picture(add_bleed(drawing(63, 88, "Card", "#336699"), bleed))
    assert (bled.width, bled.height) == pytest.approx((63 + 2 * bleed, 88 + 2 * bleed), abs=0.001)
    ground = next(iter(bled.root))
    assert float(ground.get("x", "")) == pytest.approx(-bleed, abs=0.001)
    assert float(ground.get("height", "")) == pytest.approx(88 + 2 * bleed, abs=0.001)


def test_bleed_moves_nothing_and_leaves_no_white() -> None:
    svg = drawing(40, 30, "AB", "#336699", more='<rect x="0" y="20" width="40" height="4" fill="#ff0000"/>')
    plain, bled = pixels(svg_to_png(svg, 254)), pixels(svg_to_png(add_bleed(svg, 3), 254))
    assert np.array_equal(bled[30:-30, 30:-30], plain)
    assert {tuple(bled[5, 5]), tuple(bled[-5, -5])} == {(0x33, 0x66, 0x99)}
    assert tuple(bled[250, 3]) == (255, 0, 0)


@pytest.mark.parametrize(
    ("svg", "words"),
    [
        ("", "not an SVG file"),
        ("<svg", "not an SVG file"),
        ("<html/>", "is 'html', not 'svg'"),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', "states no size"),
        ('<svg xmlns="http://www.w3.org/2000/svg" width="10%" height="10%"/>', "states no size"),
        ('<svg xmlns="http://www.w3.org/2000/svg" width="9m" height="9" viewBox="0 0 nan 1"/>', "states no size"),
        ('<svg xmlns="http://www.w3.org/2000/svg" width="6000mm" height="10mm"/>', "6000 x 10 mm; a side may"),
        (
            '<svg xmlns="http://www.w3.org/2000/svg" width="9mm" height="9mm"><image href="../secret.png"/></svg>',
            "links to '../secret.png'",
        ),
        ('<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>', "not an SVG file"),
        (
            '<svg xmlns="http://www.w3.org/2000/svg" width="9mm" height="9mm">' + "<g>" * 300 + "</g>" * 300 + "</svg>",
            "200 levels",
        ),
    ],
)
def test_what_is_no_drawing_is_refused(svg: str, words: str) -> None:
    for make in (svg_to_pdf, svg_to_png, replace_text_by_outlines, embed_fonts):
        with pytest.raises(PrintError, match=re.escape(words)):
            make(svg)


def test_a_png_of_too_many_pixels_is_refused_with_what_fits() -> None:
    with pytest.raises(PrintError, match=r"452 million pixels at 2000 dpi; 150 million fit, which is 1152 dpi"):
        svg_to_png(drawing(270, 270), 2000)
    with pytest.raises(PrintError, match="5 dots per inch; choose from 10 to 2400"):
        svg_to_png(drawing(20, 20), 5)


def test_pictures_are_written_by_the_ending_of_the_name(tmp_path: Path) -> None:
    for name, start in (("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a.PDF", b"%PDF")):
        write_picture(drawing(20, 20, "Hi"), tmp_path / name, dpi=72)
        assert (tmp_path / name).read_bytes().startswith(start)
    with pytest.raises(PrintError, match=r"does not end in one of .svg, .png, .pdf"):
        write_picture(drawing(20, 20), tmp_path / "a.jpg")
    with pytest.raises(ChoiceError, match=r"fonts 'path': .* \(did you mean 'paths'\?\)"):
        write_picture(drawing(20, 20), tmp_path / "b.svg", fonts="path")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.PDF", "a.png", "a.svg"]
