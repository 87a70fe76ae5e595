"""`mapkit scan trace`: what it prints and writes, and what it refuses."""

import json
import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from PIL import Image
from scanned import COLOURS, LINKS, SIZE, SPOTS, drawn

import mapkit
from mapkit.core.names import slug
from mapkit.kinds.rail.api.scans.tracing import _doubt_of_links
from mapkit.kinds.rail.cli.scanning import report_text
from mapkit.kinds.rail.scanning.scan import ScannedLink

pytestmark = pytest.mark.slow

CONTROL = "".join(f"{x - 0.5},{y - 0.5},{-100 + x / 50},{42 - y / 60},{name}\n" for name, (x, y) in SPOTS.items())


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """A workspace with a board of four railroads and no lines, and a picture of a board."""
    monkeypatch.chdir(tmp_path)
    assert run("new", "ink", "--from", "usa").code == 0
    board = tmp_path / "sources" / "ink"
    for path in sorted((board / "lines").iterdir()):
        path.unlink()
    rows = "".join(f"{n},{n.title()} Line,{n[:3].upper()},4000,false,{c},solid\n" for n, c in COLOURS.items())
    (board / "railroads.csv").write_text(f"id,name,short,price,public,colour,pattern\n{rows}", encoding="utf-8")
    Image.fromarray(drawn()).save(tmp_path / "old.png")
    return board


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_scan_becomes_a_drawing_that_waits_for_control_points(space: Path, run: Run) -> None:
    ran = run("trace-scan", "old.png", "--board", "ink")
    assert ran.code == 0
    assert "old.png: 4 dots, 3 squares, 10 links; a dot is" in ran.out
    assert "1 dot or square that no railroad serves: dot at 39" in ran.out
    assert "drawings/old.svg: a drawing in pixels waits for control_points.csv" in ran.err
    layer = mapkit.import_lines(space / "drawings" / "old.svg").files[0]
    assert {key.key: key.lines for key in layer.keys if key.key} == {"black": 1, "blue": 2, "green": 3, "red": 3}
    assert (layer.points, layer.named_points, layer.pixels) == (7, 7, True)


def test_control_points_place_what_was_scanned(space: Path, run: Run) -> None:
    (space / "control_points.csv").write_text(f"x,y,lon,lat,note\n{CONTROL}", encoding="utf-8")
    ran = run("trace-scan", "old.png", "--board", "ink", "--json")
    assert ran.code == 0
    report = json.loads(ran.out)
    assert report["placed"]
    assert len({milepost["name"] for milepost in report["mileposts"]}) == 7
    lines = sorted(path.name for path in (space / "lines").iterdir())
    assert lines == ["black.csv", "blue.csv", "green.csv", "red.csv"]
    board = mapkit.load("ink")
    assert sorted(s.railroad for s in board.segments) == sorted(railroad for railroad, *_ in LINKS)
    assert len(board.junctions) == 1


@pytest.mark.usefixtures("space")
def test_of_many_dots_that_no_railroad_serves_the_first_are_named() -> None:
    report = mapkit.trace_scan("old.png", board="ink", dry_run=True)
    many = report.model_copy(update={"stray": report.stray * 14})
    (line,) = [line for line in report_text(many).splitlines() if "no railroad serves" in line]
    assert line.startswith("14 dots and squares that no railroad serves: dot at 39")
    assert line.count("dot at") == 12
    assert line.endswith("; and 2 more, which --json lists")


def test_a_dry_run_writes_nothing(space: Path, run: Run) -> None:
    before = contents(space)
    ran = run("trace-scan", "old.png", "--board", "ink", "--dry-run")
    assert (ran.code, contents(space)) == (0, before)
    assert "nothing written; leave out --dry-run to import the lines" in ran.err


@pytest.fixture
def gap(space: Path) -> Path:
    """The workspace with a picture in which the red line from B to C has a gap; where it lies is known."""
    pixels = drawn().copy()
    pixels[50:80, 300:313] = (245, 241, 230)
    Image.fromarray(pixels).save("gap.png")
    (space / "control_points.csv").write_text(f"x,y,lon,lat,note\n{CONTROL}", encoding="utf-8")
    return space


@pytest.mark.usefixtures("gap")
def test_a_doubtful_link_has_a_crop(run: Run, tmp_path: Path) -> None:
    ran = run("trace-scan", "gap.png", "--board", "ink", "--crops", "crops", "--json")
    assert ran.code == 0
    doubtful = [link for link in json.loads(ran.out)["links"] if link["crop"]]
    assert [(link["railroad"], link["drawn"]) for link in doubtful] == [("red", True)]
    assert "has no ink" in doubtful[0]["why"]
    page = (tmp_path / "crops" / "index.html").read_text(encoding="utf-8")
    assert page.count("<li ") == 1
    assert f'<img src="{doubtful[0]["crop"]}"' in page
    assert "Links in doubt: gap.png" in page
    assert "1 of 10 links, the least sure first." in page
    with Image.open(tmp_path / "crops" / doubtful[0]["crop"]) as crop:
        assert 200 < crop.width <= SIZE[0]


@pytest.mark.usefixtures("gap")
def test_a_doubtful_link_is_a_finding_with_its_pictures(run: Run) -> None:
    read = json.loads(run("trace-scan", "gap.png", "--board", "ink", "--crops", "out/crops", "--json").out)
    link = next(link for link in read["links"] if link["why"])
    (finding,) = read["findings"]
    assert finding["code"] == "T01"
    assert finding["elements"] == ["red", slug(link["a"]), slug(link["b"])]
    assert link["finding"] == ":".join(("T01", *sorted(finding["elements"])))
    assert finding["place"]["file"] == "gap.png"
    assert (finding["place"]["lon"], finding["place"]["lat"]) == pytest.approx((-93.3, 40.9), abs=1)
    assert finding["data"] == {"confidence": link["confidence"], "drawn": True, "why": link["why"]}
    assert finding["message"] == (
        f"red, {link['a']} - {link['b']}: {link['confidence']:.0%} sure, {link['why']}; look at out/crops/"
        f"{link['crop']}, and delete it if it is not there"
    )
    crop, scan = finding["attachments"]
    assert crop["file"] == f"out/crops/{link['crop']}"
    left, top, right, bottom = scan["box"]
    assert (scan["file"], left < 235, top < 60, right > 435, bottom > 70) == ("gap.png", True, True, True, True)


@pytest.mark.usefixtures("space")
def test_a_railroad_without_links_is_a_finding(tmp_path: Path) -> None:
    rows = "".join(f"{name},{'#d01ee0' if name == 'red' else colour}\n" for name, colour in COLOURS.items())
    (tmp_path / "colours.csv").write_text(f"railroad,colour\n{rows}", encoding="utf-8")
    report = mapkit.trace_scan("old.png", board="ink", options=mapkit.ScanOptions(colours="colours.csv"), dry_run=True)
    assert [(one.railroad, one.links) for one in report.railroads if not one.links] == [("red", 0)]
    (finding,) = report.findings
    assert (finding.code, finding.name, finding.elements) == ("T02", "railroad-without-links", ("red",))
    assert finding.message == (
        "red: no link is found in its colour #d01ee0; give a pixel on its line: --colours FILE.csv with the columns "
        "railroad,x,y"
    )


@pytest.mark.usefixtures("gap")
def test_findings_on_links_as_sarif(run: Run) -> None:
    read = json.loads(run("trace-scan", "gap.png", "--board", "ink", "--dry-run", "--crops", "crops", "--json").out)
    ran = run("trace-scan", "gap.png", "--board", "ink", "--dry-run", "--crops", "crops", "--format", "sarif")
    assert ran.code == 0
    (log,) = json.loads(ran.out)["runs"]
    assert [rule["id"] for rule in log["tool"]["driver"]["rules"]] == ["T01", "T02"]
    (result,) = log["results"]
    (finding,) = read["findings"]
    assert (result["ruleId"], result["level"]) == ("T01", "warning")
    assert result["message"]["text"] == finding["message"]
    assert result["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "gap.png"}}}]
    left, top, right, bottom = finding["attachments"][1]["box"]
    assert [picture["artifactLocation"]["uri"] for picture in result["attachments"]] == [
        finding["attachments"][0]["file"],
        "gap.png",
    ]
    assert result["attachments"][1]["rectangles"] == [{"top": top, "left": left, "bottom": bottom, "right": right}]


def test_an_accepted_link_is_counted_and_not_listed(gap: Path, run: Run, tmp_path: Path) -> None:
    ran = run("trace-scan", "gap.png", "--board", "ink", "--crops", "crops", "--dry-run")
    assert ("has no ink" in ran.out, "accepted" in ran.out) == (True, False)
    page = (tmp_path / "crops" / "index.html").read_text(encoding="utf-8")
    key = re.search(r'data-key="([^"]*)"', page)
    assert key is not None
    config = gap / "board.toml"
    text = config.read_text(encoding="utf-8")
    accepted = text.replace("[accepted]\n", f"[accepted]\n\"{unescape(key[1])}\" = 'a ferry'\n")
    config.write_text(accepted, encoding="utf-8")
    ran = run("trace-scan", "gap.png", "--board", "ink", "--crops", "crops", "--dry-run")
    assert "has no ink" not in ran.out
    assert ran.out.endswith("\n1 finding accepted in board.toml\n")
    page = (tmp_path / "crops" / "index.html").read_text(encoding="utf-8")
    assert "No link is in doubt but 1 that you have accepted." in page
    ran = run("trace-scan", "gap.png", "--board", "ink", "--dry-run", "--format", "sarif")
    (result,) = json.loads(ran.out)["runs"][0]["results"]
    assert result["suppressions"] == [{"kind": "external", "justification": "a ferry"}]


def test_links_that_are_mostly_in_doubt_are_said_to_be(space: Path) -> None:
    assert mapkit.trace_scan("old.png", board=space, dry_run=True).warnings == ()
    links = [ScannedLink("pa", 0, 1, sure, None, np.zeros((2, 2))) for sure in (0.95, 0.6, 0.7)]  # type: ignore[arg-type]
    assert _doubt_of_links(links).startswith("of 3 links, 2 are in doubt: is this a board, ")
    assert _doubt_of_links(links[:2]) == _doubt_of_links([]) == ""


def test_an_earlier_scan_is_not_written_over_unasked(space: Path, run: Run) -> None:
    assert run("trace-scan", "old.png", "--board", "ink").code == 0
    before = contents(space)
    ran = run("trace-scan", "old.png", "--board", "ink")
    assert (ran.code, contents(space)) == (1, before)
    assert "drawings/old.svg already exists; give --replace to overwrite it" in ran.err
    assert run("trace-scan", "old.png", "--board", "ink", "--replace").code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--symbols", "black"), "colour 'black' is not one; write it as #rrggbb"),
        (("--symbols", "#00ff00"), "no board found in this picture: 0 dots and squares of colour #00ff00"),
        (("--least", "2"), "least sure 2: give a number from 0 to 1"),
        (("--colours", "inks.csv"), "inks.csv:2: no railroad 'sp' in railroads.csv"),
        (("--colours", "grey.csv"), "no line of a railroad's colour runs into them; give the colours"),
    ],
)
def test_what_it_refuses(options: tuple[str, ...], said: str, space: Path, run: Run) -> None:
    Path("inks.csv").write_text("railroad,colour\nsp,#112233\n", encoding="utf-8")
    Path("grey.csv").write_text("railroad,colour\nred,#00ff00\n", encoding="utf-8")
    before = contents(space)
    ran = run("trace-scan", "old.png", "--board", "ink", *options)
    assert (ran.code, contents(space)) == (1, before)
    assert said in ran.err


def test_a_shipped_board_is_not_written_to(space: Path, run: Run) -> None:
    ran = run("trace-scan", "old.png", "--board", "usa")
    assert ran.code == 1
    assert "board 'usa' is shipped with mapkit; copy it first" in ran.err
    assert space.is_dir()


@pytest.mark.usefixtures("gap")
def test_answers_settle_doubtful_links(run: Run, tmp_path: Path) -> None:
    def traced(answer: str) -> tuple[dict[str, int], int, dict[str, int]]:
        (tmp_path / "settled.txt").write_text(f"{finding}={answer}\n", encoding="utf-8")
        ran = run("trace-scan", "gap.png", "--board", "ink", "--replace", "--accept", "@settled.txt", "--json")
        assert ran.code == 0
        report = json.loads(ran.out)
        layer = mapkit.import_lines(tmp_path / "sources" / "ink" / "drawings" / "gap.svg").files[0]
        found = {one["railroad"]: one["links"] for one in report["railroads"]}
        return found, len(report["findings"]), {key.key: key.lines for key in layer.keys if key.key}

    report = json.loads(run("trace-scan", "gap.png", "--board", "ink", "--json").out)
    (finding,) = (link["finding"] for link in report["links"] if link["why"])
    links = {one["railroad"]: one["links"] for one in report["railroads"]}
    lines = {"black": 1, "blue": 2, "green": 3, "red": 3}
    assert traced("+") == (links, 0, lines)
    assert traced("-") == ({**links, "red": links["red"] - 1}, 0, {**lines, "red": 2})
    assert traced("blue") == (
        {**links, "red": links["red"] - 1, "blue": links["blue"] + 1},
        0,
        {**lines, "red": 2, "blue": 3},
    )


@pytest.mark.usefixtures("gap")
def test_answers_for_other_links_or_railroads_are_refused(run: Run, tmp_path: Path) -> None:
    report = json.loads(run("trace-scan", "gap.png", "--board", "ink", "--dry-run", "--json").out)
    (finding,) = (link["finding"] for link in report["links"] if link["why"])
    for given, words in (
        ("T01:nowhere=+", "the scan has no such link; answers fit the scan that they were given for"),
        (f"{finding}=blu", f"--accept {finding}=blu: there is no railroad 'blu' (did you mean 'blue'?)"),
        (f"{finding}=?", "there is no railroad '?'; say + (right), - (not there) or a railroad's id"),
        (finding, f"{finding!r} is not FINDING=ANSWER, such as T01:albany:boston:nyc=+"),
        ("@none.txt", "none.txt"),
    ):  # fmt: skip
        ran = run("trace-scan", "gap.png", "--board", "ink", "--accept", given)
        assert (ran.code, words in " ".join(ran.err.replace("│", " ").split())) == (2, True), ran.err
    assert not (tmp_path / "sources" / "ink" / "drawings").exists()
