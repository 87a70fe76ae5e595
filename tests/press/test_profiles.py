"""Print orders: each profile of three kinds of boards, measured in the files that a print shop gets."""

import io
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

import numpy as np
import pikepdf
import pytest
from conftest import REPOSITORY, Run
from PIL import Image
from press_samples import drawing
from test_press_pictures import shown_text

import mapkit
from mapkit.drawing.sheet import Sheet
from mapkit.press.job import PrintJob, Printout
from mapkit.press.preflight import preflight
from mapkit.press.profiles import PROFILES, find_profile

MM = 72 / 25.4
KINDS = {"ireland": (25, (63, 88)), "portugal-hex": (114, (63, 44)), "barons": (60, (63.5, 88.9))}
"""A board of each kind: its cards, and the size of the smallest."""
DPI = 60.0


@cache
def ordered(board: str, profile: str) -> dict[str, bytes]:
    """Return the files of a print order, with coarse pictures."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "order.zip"
        parts = mapkit.PrintedParts(dpi=DPI if profile == "card-service" else None)
        done = mapkit.print_board(board, PrintJob(profile=profile), parts=parts, out=path, workspace=REPOSITORY)
        assert done.files == (path,)
        with ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


def boxes(pdf: bytes) -> list[tuple[tuple[float, ...], tuple[float, ...]]]:
    """Return the media and trim box of each page in millimetres."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        return [
            (tuple(float(side) / MM for side in page.mediabox), tuple(float(side) / MM for side in page.trimbox))
            for page in opened.pages
        ]


@pytest.mark.parametrize("board", KINDS)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_at_home_everything_is_on_one_paper(board: str, paper: str) -> None:
    files = ordered(board, f"home-{paper}")
    assert sorted(files) == ["order.pdf", "preflight.txt"]
    sizes = {tuple(sorted(round(side, 1) for side in media[2:])) for media, _ in boxes(files["order.pdf"])}
    assert sizes == {(210.0, 297.0) if paper == "a4" else (215.9, 279.4)}


@pytest.mark.parametrize("board", ["ireland", "portugal-hex"])
@pytest.mark.parametrize(
    ("profile", "size"), [("poster-a0", (841, 1189)), ("poster-a1", (594, 841)), ("poster-a2", (420, 594))]
)
def test_a_poster_fills_its_paper_and_has_bleed(board: str, profile: str, size: tuple[float, float]) -> None:
    [(media, trim)] = boxes(ordered(board, profile)["order.pdf"])
    width, height = trim[2] - trim[0], trim[3] - trim[1]
    assert max(width - size[0], height - size[1]) == pytest.approx(0, abs=0.01), "one side is that of the paper"
    edges = (trim[0], trim[1], media[2] - trim[2], media[3] - trim[3])
    assert edges == pytest.approx((9, 9, 9, 9), abs=0.01)
    report = ordered(board, profile)["preflight.txt"].decode()
    points, percent = map(float, re.findall(r"smallest text of the board: ([\d.]+) pt at (\d+) %", report)[0])
    assert percent == pytest.approx(100 * width / drawing_size(board)[0], abs=0.6)
    assert 5 < points / percent * 100 < 8


@pytest.mark.parametrize("board", ["ireland", "portugal-hex"])
def test_a_folding_board_has_its_size_and_its_folds(board: str) -> None:
    files = ordered(board, "folding-board")
    [(media, trim)] = boxes(files["order.pdf"])
    picture = drawing_size(board)
    assert (trim[2] - trim[0], trim[3] - trim[1]) == pytest.approx(picture, abs=0.01)
    plain = mapkit_pdf(board, PrintJob("poster", bleed=6.0))
    with_folds, without = (page_operators(pdf) for pdf in (files["order.pdf"], plain))
    assert with_folds - without == 4
    assert media[2] > trim[2]


def drawing_size(board: str) -> tuple[float, float]:
    [(_, trim)] = boxes(mapkit_pdf(board, PrintJob("poster")))
    return trim[2] - trim[0], trim[3] - trim[1]


@cache
def mapkit_pdf(board: str, job: PrintJob) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "board.pdf"
        mapkit.print_board(board, job, parts=mapkit.PrintedParts(only=("board",)), out=path, workspace=REPOSITORY)
        return path.read_bytes()


def page_operators(pdf: bytes) -> int:
    """Return how many lines are stroked on the page around the board."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        streams: list[Any] = [opened.pages[0]]
        streams += [form for name, form in opened.pages[0].resources.get("/XObject", {}).items() if name != "/Board"]
        steps = (step for stream in streams for step in pikepdf.parse_content_stream(stream))
        return sum(str(step.operator) in ("S", "s") for step in steps)


@pytest.mark.parametrize("board", KINDS)
def test_each_card_has_pages_with_bleed_for_its_back_and_front(board: str) -> None:
    count, smallest = KINDS[board]
    pages = boxes(ordered(board, "card-service")["order.pdf"])
    assert len(pages) == 2 * count
    for media, trim in pages:
        assert all(edge == pytest.approx(3.175, abs=0.01) for edge in (trim[0], trim[1], media[2] - trim[2]))
    trims = {(trim[2] - trim[0], trim[3] - trim[1]) for _, trim in pages}
    assert min(trims) == pytest.approx(smallest, abs=0.01)


@pytest.mark.parametrize("board", KINDS)
def test_the_bleed_of_each_card_goes_on_as_its_edge(board: str) -> None:
    """Pixels near the outermost row, which covers a part of them, have the colour at the cut; deeds had white there."""
    pictures = {name: data for name, data in ordered(board, "card-service").items() if name.endswith(".png")}
    assert len(pictures) == 2 * KINDS[board][0]
    bleed = round(3.175 / 25.4 * DPI)
    for name, data in pictures.items():
        pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=int)
        inner = pixels[bleed + 1 : -bleed - 1, bleed + 1 : -bleed - 1]
        for outer, at_cut in (
            (pixels[1, bleed + 1 : -bleed - 1], inner[0]), (pixels[-2, bleed + 1 : -bleed - 1], inner[-1]),
            (pixels[bleed + 1 : -bleed - 1, 1], inner[:, 0]), (pixels[bleed + 1 : -bleed - 1, -2], inner[:, -1]),
        ):  # fmt: skip
            assert np.mean(np.abs(outer - at_cut).max(axis=1) > 40) < 0.2, name
        if board != "barons":
            assert not (pixels[1] == 255).all(), f"{name}: white at the edge"


@pytest.mark.parametrize("board", KINDS)
def test_the_preflight_finds_nothing_near_the_cut(board: str, tmp_path: Path) -> None:
    files = ordered(board, "card-service")
    report = files["preflight.txt"].decode()
    assert "texts nearer than 3.175 mm to the cut: none" in report
    assert ", 0 missing" in report
    assert PROFILES["card-service"].source in report
    assert shown_text(files["order.pdf"], tmp_path)


def test_the_preflight_names_texts_near_the_cut_and_the_smallest() -> None:
    texts = '<text x="30" y="40" font-size="3">inside</text><g font-size="4"><text x="61" y="40">ab</text></g>'
    turned = '<text x="2" y="40" font-size="2" transform="rotate(-90 2 40)">turned</text>'
    cards = [
        Sheet("right", "Right", drawing(63, 88, "r", "#ffffff", texts), 63, 88, "card", None),
        Sheet("turned", "Turned", drawing(63, 88, "t", "#ffffff", turned), 63, 88, "card", None),
        Sheet("good", "Good", drawing(63, 88, "g", "#ffffff", texts.replace("61", "31")), 63, 88, "card", None),
    ]
    profile, job = find_profile("card-service"), PrintJob("card", bleed=3.175, profile="card-service")
    printout = Printout(mapkit_pdf("ireland", PrintJob("poster")), (), None, ())
    report = preflight(profile, job, printout, None, cards, 300)
    assert "texts nearer than 3.175 mm to the cut: right, turned\n" in report
    assert "smallest text: 5.7 pt before scaling, on turned\n" in report
    assert "cards: 3 of 63 x 88 mm, 69.35 x 94.35 mm with 3.175 mm of bleed, 819 x 1114 pixels\n" in report


def test_what_is_given_goes_before_the_profile() -> None:
    profile = find_profile("card-service")
    assert profile.complete(PrintJob(bleed=2.0)) == PrintJob("card", bleed=2.0, duplex=True)
    assert find_profile("poster-a0").fit(PrintJob(scale=0.5), drawing(10, 20, "b", "#ffffff", "")).size is None


def test_the_same_order_gives_the_same_bytes() -> None:
    first = ordered("ireland", "card-service")
    ordered.cache_clear()
    assert ordered("ireland", "card-service") == first


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ireland", "--profile", "card-servce"], "did you mean 'card-service'"),
        (["ireland", "--profile", "home-a4", "--out", "x.pdf"], "x.pdf: the name of the printout ends in .zip"),
        (["barons", "--profile", "poster-a1"], "barons has no board to print; take another profile"),
        (["ireland", "--paper", "card"], "--paper card has pages for cards alone: give --only cards"),
        (["ireland", "--paper", "card", "--booklet"], "leave out scale, size, bleed, duplex"),
        (["ireland", "--panels", "4"], "give --paper poster and --bleed"),
        (["ireland", "--panels", "3"], "--panels 3: choose 2, 4, 6"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, arguments: list[str], says: str, tmp_path: Path) -> None:
    done = run("print", *arguments, "--workspace", REPOSITORY)
    assert done.code in (1, 2)
    assert says in done.err
    assert "Traceback" not in done.err
    assert not list(tmp_path.iterdir())
