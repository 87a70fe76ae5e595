"""What people do wrong: the message names file and row, the exit code is 1, nothing is written."""

import errno
import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest
from conftest import Run
from optional import ON_UNIX
from patience import HANG_S

from mapkit.cli.app import main

pytestmark = pytest.mark.slow

if sys.platform != "win32":
    import resource

Edit = Callable[[Path], object]


def replace(name: str, old: str, new: str) -> Edit:
    def edit(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text, f"the example has no {old!r} in {name}"
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return edit


def content(name: str, data: bytes) -> Edit:
    return lambda folder: (folder / name).write_bytes(data)


def remove(name: str) -> Edit:
    return lambda folder: (folder / name).unlink()


def payoff(old: str, new: str) -> Edit:
    return replace("charts/payoffs.csv", old, new)


BAD = {
    "unknown place": (
        replace("lines/shore.csv", "Portsmouth NH", "Portsmuth NH"),
        r"lines/shore\.csv:3: place 'Portsmuth NH' is not in the gazetteer; the nearest names are Portsmouth NH",
    ),
    "ambiguous place": (
        replace("lines/shore.csv", "Portsmouth NH", "Portsmouth"),
        r"lines/shore\.csv:3: place 'Portsmouth' is one of 4 places: Portsmouth NH .* 19 miles away.*; write the name",
    ),
    "latitude outside the world": (
        replace("cities.csv", "42.6526", "142.6526"),
        r"cities\.csv:2: lon -73\.7562, lat 142\.653 is outside the world .*exchange them if they are swapped",
    ),
    "longitude outside the world": (
        replace("cities.csv", "-73.7562", "-273.7562"),
        r"cities\.csv:2: lon -273\.756, lat 42\.6526 is outside the world",
    ),
    "coordinates empty in places.csv": (
        content("places.csv", b"place,lon,lat\nPortsmouth NH,,43.08\n"),
        r"places\.csv:2: lon is empty",
    ),
    "coordinates empty": (
        replace("cities.csv", "-73.7562,42.6526", ",42.6526"),
        r"cities\.csv:2: lon is empty",
    ),
    "unknown railroad in a line": (
        replace("lines/valley.csv", "VALLEY,New Haven - Burlington,2", "VALEY,New Haven - Burlington,2"),
        r"lines/valley\.csv:3: railroad 'VALEY' is not in railroads\.csv \(did you mean 'VALLEY'\?\)",
    ),
    "city in an unknown region": (
        replace("cities.csv", "Boston,coast", "Boston,cost"),
        r"cities\.csv:3: region 'cost' of 'Boston' is not in board\.toml \(did you mean 'Coast'\?\)",
    ),
    "two cities of one id": (
        replace("cities.csv", "boston,Boston", "albany,Boston"),
        r"cities\.csv:3: id 'albany' is already in row 2",
    ),
    "chart cell that names no city": (
        replace("charts/destinations.csv", "coast,2,Portland,Boston", "coast,2,Portlnd,Boston"),
        r"charts/destinations\.csv:13: odd cell 'Portlnd' is not a city .*did you mean 'Portland'",
    ),
    "payoff that is text": (
        payoff("Albany,0,7.5", "Albany,0,abc"),
        r"charts/payoffs\.csv:2: payoff Albany - Boston is 'abc'",
    ),
    "payoff that is negative": (
        payoff("Albany,0,7.5", "Albany,0,-15"),
        r"charts/payoffs\.csv:2: payoff Albany - Boston is -15",
    ),
    "payoff that is missing": (
        payoff("Albany,0,7.5", "Albany,0,"),
        r"charts/payoffs\.csv:2: P02 error: the payoff Albany - Boston is empty in the row of Albany, but 7\.5",
    ),
    "payoff that is not finite": (
        payoff("Albany,0,7.5", "Albany,0,nan"),
        r"charts/payoffs\.csv:2: payoff Albany - Boston is 'nan'",
    ),
    "payoff of no city": (
        payoff("Boston,7.5,0", "Bosten,7.5,0"),
        r"charts/payoffs\.csv:3: 'Bosten' is not a city of this board \(did you mean 'Boston'\?\)",
    ),
    "ragged chart": (
        payoff("Albany,0,7.5,", "Albany,0,"),
        r"charts/payoffs\.csv:2: row 'Albany' has 5 amounts, but the header names 6 cities",
    ),
    "asymmetric chart": (
        payoff("Albany,0,7.5", "Albany,0,25"),
        r"charts/payoffs\.csv:2: P03 error: the payoff Albany - Boston is 25 .* but 7\.5 in the row of Boston",
    ),
    "line with one place": (
        content("lines/spur.csv", b"railroad,line,seq,place,kind\nSHORE,Spur,1,Boston,milepost\n"),
        r"lines/spur\.csv:2: line 'Spur' of 'shore' has only one place",
    ),
    "unknown key in board.toml": (
        replace("board.toml", "margin = 40", "margins = 40"),
        r"board\.toml:20: unknown key 'page\.margins' \(did you mean 'margin'\?\)",
    ),
    "wrong value in board.toml": (
        replace("board.toml", "width = 400", 'width = "wide"'),
        r"board\.toml:18: page\.width is 'wide'",
    ),
    "broken TOML": (replace("board.toml", "[page]", "[page"), r"board\.toml:17: not valid TOML: .* at column"),
    "not UTF-8": (
        content("cities.csv", b"id,name,region,lon,lat\nmunster,M\xfcnster,coast,7.6,51.9\n"),
        r"cities\.csv:2: byte 0xfc is not UTF-8",
    ),
    "0 bytes": (content("railroads.csv", b""), r"railroads\.csv:1: the file is empty"),
    "header only": (
        content("railroads.csv", b"id,name,short,price,public,colour,pattern\n"),
        r"railroads\.csv:1: no rows below the header",
    ),
    "NUL bytes": (content("railroads.csv", b"id,name\n\x00\n"), r"railroads\.csv:2: a NUL byte"),
    "unknown column": (
        replace("railroads.csv", "colour", "color"),
        r"railroads\.csv:1: unknown column 'color' \(did you mean 'colour'\?\)",
    ),
    "missing column": (
        replace("railroads.csv", "price,public", "price"),
        r"railroads\.csv:1: column 'public'",
    ),
    "price that is text": (replace("railroads.csv", "8000", "cheap"), r"railroads\.csv:2: price is 'cheap'"),
    "unknown pattern": (
        replace("railroads.csv", "solid", "sold"),
        r"railroads\.csv:2: .*did you mean 'solid'",
    ),
    "unclosed quote": (
        replace("railroads.csv", "Shore Line", '"Shore Line'),
        r"railroads\.csv:\d+: .*check the quotes",
    ),
    "via at the end": (
        replace("lines/cross.csv", "3,Rutland VT,milepost", "3,Rutland VT,via"),
        r"lines/cross\.csv:9: line 'Albany - Rutland' ends at 'Rutland VT', which is a via",
    ),
    "milepost and via": (
        replace(
            "lines/valley.csv",
            "Hartford CT,milepost",
            "Hartford CT,milepost\nVALLEY,x,1,Hartford CT,via\nVALLEY,x,2,Albany,milepost",
        ),
        r"lines/valley\.csv:4: 'Hartford CT' is a via here, but a milepost",
    ),
    "order of a line": (
        replace("lines/valley.csv", "Burlington,3,Springfield", "Burlington,9,Springfield"),
        r"lines/valley\.csv:5: seq 4 follows 9",
    ),
    "missing file": (remove("charts/destinations.csv"), r"charts/destinations\.csv: cannot be read"),
    "a city in no chart": (
        replace("charts/destinations.csv", "regions,2,Coast,Inland", "regions,2,,Inland"),
        r"charts/destinations\.csv:2: D01 error: the region chart: odd 2 is empty",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_explained_and_nothing_is_written(name: str, example: Path, run: Run) -> None:
    edit, message = BAD[name]
    edit(example)
    workspace = example.parent.parent
    ran = run("build", "example", "--workspace", workspace)
    assert ran.code == 1, ran
    assert re.search(message, ran.err), ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""
    assert not (workspace / "build").exists()


def test_the_example_itself_builds(example: Path, run: Run) -> None:
    workspace = example.parent.parent
    ran = run("build", "example", "--workspace", workspace)
    assert (ran.code, len(ran.out.splitlines())) == (0, 7), ran
    assert sorted(p.name for p in (workspace / "build" / "example").iterdir()) == [
        "board.json", "board.svg", "bundle.json", "destinations.csv", "findings.json", "payoffs.csv", "report.json",
    ]  # fmt: skip


def test_byte_order_mark_and_crlf_change_nothing(example: Path, run: Run) -> None:
    """Spreadsheets and Windows write both; the board is the same byte for byte."""
    workspace = example.parent.parent
    run("build", "example", "--workspace", workspace)
    plain = (workspace / "build" / "example" / "board.json").read_bytes()
    for path in example.rglob("*.csv"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert run("build", "example", "--workspace", workspace).code == 0
    assert (workspace / "build" / "example" / "board.json").read_bytes() == plain


def test_missing_folders(tmp_path: Path, run: Run) -> None:
    ran = run("build", "usaa", "--workspace", tmp_path)
    assert ran.code == 1
    assert "board 'usaa' is neither in" in ran.err
    assert "(did you mean 'usa'?)" in ran.err
    ran = run("build", "usa", "--workspace", tmp_path / "nowhere")
    assert (ran.code, ran.err) == (
        1,
        f"mapkit: {tmp_path / 'nowhere'}: no such folder; make it, or give another --workspace\n",
    )
    ran = run("check", tmp_path / "sources" / "gone")
    assert ran.code == 1
    assert "no board.toml there" in ran.err
    ran = run("check", tmp_path / "gone.json")
    assert ran.code == 1
    assert "cannot be read" in ran.err


def test_board_file_that_is_none(tmp_path: Path, run: Run) -> None:
    (tmp_path / "board.json").write_text('{"format": "other"}', encoding="utf-8")
    ran = run("check", tmp_path / "board.json")
    assert ran.code == 1
    assert "not a board file: format" in ran.err


def test_a_board_file_of_another_kind_is_imported_to_be_used(tmp_path: Path, run: Run) -> None:
    assert run("new", "valleys", "--kind", "hex", "-w", tmp_path).code == 0
    assert run("build", "valleys", "-w", tmp_path).code == 0
    file = tmp_path / "build" / "valleys" / "board.json"
    for command in (("playtest", file), ("check", file), ("draw", file, "--out", tmp_path / "board.svg")):
        refused = run(*command, "-w", tmp_path)
        assert refused.code == 1
        assert "board.json: is a board of kind hex, which is read from its folder" in " ".join(refused.err.split())
    assert run("import", file, "--into", "copied", "-w", tmp_path).code == 0
    assert run("playtest", "copied", "-n", 1, "-p", 2, "-w", tmp_path).code == 0


def test_used_wrongly_is_exit_code_2(run: Run) -> None:
    assert run("build").code == 2
    assert run("chek", "usa").code == 2
    assert run("check", "usa", "--format", "xml").code == 2
    assert run("schema", "bord").code == 2


def test_a_folder_one_may_not_write_to(example: Path, run: Run) -> None:
    """A file in the folder's place refuses everybody, root too."""
    workspace = example.parent.parent
    (workspace / "build").write_text("a file", encoding="utf-8")
    ran = run("build", "example", "--workspace", workspace)
    assert ran.code == 1
    assert f"cannot be written, because {workspace / 'build'} is a file; remove it, or name a folder" in ran.err
    assert (workspace / "build").read_text(encoding="utf-8") == "a file"


TRACING_FOR_LONG = """
import time
import mapkit.cli
from mapkit.kinds.rail.api import loading

loading.compile_folder = lambda folder, *, stored: time.sleep(3600)
mapkit.cli.program()
"""


def build_in_subprocess(
    workspace: Path, *, limit: int | None = None, stderr: IO[str] | int = subprocess.PIPE, program: str = ""
) -> subprocess.Popen[str]:
    def lower() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background job ignores it
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.Popen(
        [sys.executable, *(("-c", program) if program else ("-m", "mapkit")), "build", "example", "-w", str(workspace)],
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        preexec_fn=lower,  # noqa: PLW1509 - a single thread
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        encoding="utf-8",
    )


def bundle(workspace: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted((workspace / "build" / "example").iterdir())}


@ON_UNIX
def test_a_disk_that_fills_up_leaves_the_old_bundle_whole(example: Path, run: Run) -> None:
    """The kernel refuses to let any file grow past 4 kB."""
    workspace = example.parent.parent
    assert run("build", "example", "--workspace", workspace).code == 0
    before = bundle(workspace)
    replace("board.toml", "My board", "Another title")(example)
    process = build_in_subprocess(workspace, limit=4096)
    _, err = process.communicate(timeout=HANG_S)
    assert process.returncode == 1, err
    assert "nothing was changed there" in err
    assert "Traceback" not in err
    assert bundle(workspace) == before


def test_an_interrupt_that_a_library_wraps_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrapped() -> None:
        raise ValueError("Error building `literal` serializer:\nKeyboardInterrupt: ")

    monkeypatch.setattr("mapkit.cli.app.app", wrapped)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "mapkit: interrupted; nothing was left half-written\n"


def test_a_reader_that_ends_early_is_no_defect_on_windows_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows says so by `EINVAL`."""

    def closed() -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr("mapkit.cli.app.app", closed)
    with pytest.raises(OSError, match="Invalid argument"):
        main()
    monkeypatch.setattr("mapkit.cli.app._NOBODY_READS", {errno.EPIPE, errno.EINVAL})
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1


@ON_UNIX
def test_interrupted_leaves_the_old_bundle_whole(example: Path, run: Run) -> None:
    workspace = example.parent.parent
    assert run("build", "example", "--workspace", workspace).code == 0
    before = bundle(workspace)
    replace("board.toml", "My board", "Another title")(example)
    said = workspace / "stderr.txt"
    with said.open("w", encoding="utf-8") as stream:
        process = build_in_subprocess(workspace, stderr=stream, program=TRACING_FOR_LONG)
        while "tracing the lines" not in said.read_text(encoding="utf-8"):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=HANG_S)
    err = said.read_text(encoding="utf-8")
    assert process.returncode == 130, err
    assert err.endswith("mapkit: interrupted; nothing was left half-written\n")
    assert "Traceback" not in err
    assert bundle(workspace) == before
