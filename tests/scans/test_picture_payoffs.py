"""Payoff charts in pictures: every cell is read or called doubtful, and knows where it stands."""

from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from optional import recogniser
from PIL import Image, ImageDraw, ImageFont
from sampling import sample

from mapkit.core.errors import ChoiceError, SourceError
from mapkit.document.workspace import open_workspace
from mapkit.formats.page_files import cut_crops
from mapkit.formats.recognising import engine
from mapkit.kinds.rail.api.payoffs.checking import check_payoffs
from mapkit.kinds.rail.api.payoffs.reading import write_doubts, write_payoffs
from mapkit.kinds.rail.cli.payoffs.checking import _doubts_text
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.rail.sources.board_cities import board_cities
from mapkit.kinds.rail.sources.payoffs.file_content import ReadOptions
from mapkit.kinds.rail.sources.payoffs.files import read_payoff_file
from scans.chart_pages import LAYOUTS, Chart, chart_of
from scans.pictures_of import LOOKS, Grey, page_pictures, taken
from scans.scores import REPOSITORY, score

pytestmark = pytest.mark.slow
COUNT = 8
"""Cities of the charts here; tests/bench/bench_charts.py reads whole ones."""
CASES = [
    ("portugal", "square_with_standing_names", "scan-150"),
    ("mexico", "slanted_names", "photo-150"),
]


def last(board: str) -> Chart:
    chart = chart_of(board)
    return Chart(chart.names[-COUNT:], tuple(row[-COUNT:] for row in chart.amounts[-COUNT:]))


@cache
def picture(board: str, layout: str, look: str) -> Grey:
    return taken(page_pictures(LAYOUTS[layout](last(board)), LOOKS[look].dpi)[0], LOOKS[look])


@cache
def quarters() -> tuple[Chart, list[Image.Image]]:
    chart = chart_of("portugal")
    small = Chart(chart.names[:16], tuple(row[:16] for row in chart.amounts[:16]))
    clean = page_pictures(LAYOUTS["four_quarters"](small), 250)
    return small, [Image.fromarray(taken(page, LOOKS["photo-250"], seed)) for seed, page in enumerate(clean)]


def read(path: Path, board: str, options: ReadOptions | None = None) -> PayoffsRead:
    known = board_cities(open_workspace(REPOSITORY), board)
    return read_payoff_file(path, file=str(path), board=board, cities=known.cities, options=options)


@pytest.mark.parametrize(("board", "layout", "look"), CASES)
def test_every_cell_is_read(board: str, layout: str, look: str, tmp_path: Path) -> None:
    recogniser()
    path = tmp_path / "chart.png"
    Image.fromarray(picture(board, layout, look)).save(path)
    found = read(path, board)
    scored = score(found, last(board), board, square=layout != "slanted_names")
    assert (scored.right, scored.silent) == (scored.cells, 0)
    assert (found.kind, found.missing, found.not_read) == ("picture", (), ())
    high, wide = picture(board, layout, look).shape
    for reading in found.chart.readings:
        assert reading.spot is not None
        left, top, right, bottom = reading.spot.box
        assert 0 <= left < right <= wide
        assert 0 <= top < bottom <= high
        assert reading.spot.how == "picture"


@pytest.mark.parametrize("how", sample(["pictures", "pdf"], 0, always=["pdf"]))
def test_quarters_of_a_square_are_joined(how: str, tmp_path: Path, run: Run) -> None:
    """Four pages, two of them on their heads."""
    recogniser()
    small, pages = quarters()
    files = [tmp_path / f"{k}.png" for k in range(4)]
    if how == "pictures":
        for page, file in zip(pages, files, strict=True):
            page.save(file, compress_level=1)
    else:
        files = [tmp_path / "chart.pdf"]
        pages[0].save(files[0], save_all=True, append_images=pages[1:], resolution=250)
    found = read(files[0], "portugal", ReadOptions(more=tuple(files[1:])))
    scored = score(found, small, "portugal")
    assert (scored.right, scored.silent) == (scored.cells, 0)
    assert {r.spot.page for r in found.chart.readings if r.spot is not None} == {1, 2, 3, 4}
    shown = tmp_path / "doubts.html"
    write_doubts(found, shown)
    assert shown.read_text(encoding="utf-8").count("data:image/png;base64,") == len(found.in_doubt)
    other = tmp_path / "other.csv"
    other.write_text("a,b", encoding="utf-8")
    done = run("payoffs", "read", str(files[0]), str(other))
    assert done.code == 1
    assert "not a picture; several files are pages of one chart, each a picture" in done.err


def test_a_blot_is_in_doubt_until_it_is_settled(tmp_path: Path) -> None:
    """The mirror image, which is clear, does not settle it."""
    recogniser()
    path, page, out = tmp_path / "chart.png", tmp_path / "doubts.html", tmp_path / "payoffs.csv"
    clean = picture("portugal", "square_with_standing_names", "scan-150")
    Image.fromarray(clean).save(path)
    first = read(path, "portugal")
    target = next(r for r in first.chart.readings if r.value is not None and r.row < r.col and r.value >= 10)
    assert target.spot is not None
    left, top, right, bottom = (round(side) for side in target.spot.box)
    blotted = clean.copy()
    blotted[top - 1 : bottom + 2, left - 2 : (left + right) // 2 + 2] = 30
    Image.fromarray(blotted).save(path)
    pair = first.chart.cities[target.row], first.chart.cities[target.col]
    found = read(path, "portugal")
    assert pair in {(cell.a, cell.b) for cell in found.in_doubt}
    with pytest.raises(SourceError, match=r"in doubt; settle them with --accept|could not be read"):
        write_payoffs(found, out)
    assert not out.exists()
    write_doubts(found, page)
    text = page.read_text(encoding="utf-8")
    assert f'data-key="{pair[0]}:{pair[1]}"' in text
    assert text.count("data:image/png;base64,") == len(found.in_doubt)
    checked = check_payoffs(path, board="portugal", workspace=REPOSITORY)
    assert [(c.a, c.b, c.why) for c in checked.in_doubt] == [(c.a, c.b, c.why) for c in found.in_doubt]
    assert "in doubt, judged as first read" in _doubts_text(checked)
    assert f"{pair[0]}:{pair[1]}" in _doubts_text(checked)
    settled = read(path, "portugal", ReadOptions(settled={pair: target.text}))
    assert pair not in {(cell.a, cell.b) for cell in settled.in_doubt}
    value = {(r.row, r.col): r.value for r in settled.chart.readings}[target.row, target.col]
    assert value == target.value
    with pytest.raises(ChoiceError, match="--accept Faro:Paris=3: the chart has no such cell"):
        read(path, "portugal", ReadOptions(settled={("Faro", "Paris"): "3"}))


def test_something_else_is_no_chart(tmp_path: Path) -> None:
    recogniser()
    path = tmp_path / "noise.png"
    noise = np.random.default_rng(1).integers(0, 256, (150, 200), dtype=np.uint8)
    Image.fromarray(noise).save(path)
    with pytest.raises(SourceError, match=r"no chart found|no amounts; is this a payoff chart"):
        read(path, "portugal")
    ImageDraw.Draw(page := Image.new("L", (700, 300), "white")).multiline_text(
        (20, 20), "Moors 7 12 9\nHills 3 4 15\nWoods 8 2 11\nLakes 5 6 14", "black", ImageFont.load_default(36)
    )
    page.save(path)
    with pytest.raises(SourceError, match=r"no chart found: \d+ words \(.*\), and none is a city of portugal"):
        read(path, "portugal")
    Image.new("RGB", (300, 200), "white").save(path)
    with pytest.raises(SourceError, match="no chart found: no table of clear text was seen in its pictures; scan it"):
        read(path, "portugal")


def test_without_the_extra_one_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_NEEDED_PACKAGES", ("no_such_library",))
    path = tmp_path / "chart.png"
    Image.new("RGB", (300, 200), "white").save(path)
    with pytest.raises(ChoiceError, match=r"chart\.png: a picture; to read it, install .*: "):
        read(path, "portugal")


@pytest.mark.parametrize("kind", ["cmyk", "deep", "clear", "turned"])
def test_any_kind_of_picture_is_seen(kind: str, tmp_path: Path) -> None:
    """Pieces are cut from the picture as its viewer shows it."""
    recogniser()
    pixels = np.full((60, 100), 255, dtype=np.uint8)
    pixels[20:40, 40:60] = 0
    plain = Image.fromarray(pixels)
    path = tmp_path / ("chart.jpg" if kind in ("cmyk", "turned") else "chart.png")
    if kind == "cmyk":
        plain.convert("CMYK").save(path, quality=100)
    elif kind == "deep":
        Image.fromarray(pixels.astype(np.uint16) * 257).save(path)
    elif kind == "clear":
        clear = Image.new("RGBA", plain.size, (0, 0, 0, 0))
        clear.paste((0, 0, 0, 255), (40, 20, 60, 40))
        clear.save(path)
    else:
        exif = Image.Exif()
        exif[0x0112] = 6
        plain.rotate(90, expand=True).save(path, exif=exif, quality=100)
    (crop,) = cut_crops(path, [(1, (40, 20, 60, 40))], file="chart")
    seen = np.asarray(Image.open(BytesIO(crop)).convert("L"), dtype=float)
    assert seen[seen.shape[0] // 2, seen.shape[1] // 2] < 60
    assert seen[1, 1] > 200


def test_a_huge_picture_is_refused_before_it_is_decoded(tmp_path: Path, run: Run) -> None:
    recogniser()
    path = tmp_path / "huge.png"
    Image.new("1", (100_000, 100_000 // 100)).save(path)
    done = run("payoffs", "read", str(path))
    assert done.code == 1
    assert "huge.png: 100000 by 1000 pixels; at most 60,000,000 in all" in done.err


def test_large_letters_of_a_title_are_no_names(tmp_path: Path) -> None:
    """They are as high as short standing names; names of two words stand in the order in which they are read."""
    recogniser()
    chart = chart_of("usa")
    at = [k for k, name in enumerate(chart.names) if " " in name or name in ("Fargo", "Reno", "Tampa")]
    small = Chart(tuple(chart.names[k] for k in at), tuple(tuple(chart.amounts[i][j] for j in at) for i in at))
    path = tmp_path / "chart.png"
    clean = page_pictures(LAYOUTS["square_with_standing_names"](small), 200)[0]
    Image.fromarray(taken(clean, LOOKS["scan-200"])).save(path)
    found = read(path, "usa")
    scored = score(found, small, "usa")
    assert (scored.right, scored.silent) == (scored.cells, 0)
    assert found.chart.cities[:3] == ("des-moines", "el-paso", "fargo")
