"""`mapkit new --from empty`: a board of a region, or one that leaves its region open."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from optional import ON_UNIX

import mapkit
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.projections import crs_of, stretch_and_convergence, suitable_projection

if sys.platform != "win32":
    import pty


def config(workspace: Path, name: str = "fresh") -> dict[str, Any]:
    return tomllib.loads((workspace / "sources" / name / "board.toml").read_text(encoding="utf-8"))


def test_a_region_sets_projection_page_gazetteer_and_extent(tmp_path: Path, run: Run) -> None:
    ran = run("new", "fresh", "--from", "empty", "--region", "Ireland", "-w", tmp_path)
    assert ran.code == 0, ran.err
    data = config(tmp_path)
    assert data["projection"] == {"name": "transverse-mercator", "lat_0": 53.4, "lon_0": -8.1}
    assert data["gazetteer"] == {"countries": ["IE"]}
    assert data["page"] == {
        "width": 580, "height": 890, "margin": 30, "legend": 70, "extent": [-10.1, 51.6, -6.0, 55.2],
    }  # fmt: skip
    assert data["title"] == "Fresh"


@pytest.mark.parametrize(
    ("region", "countries", "projection", "extent"),
    [
        ("Russia", ["RU"], "albers", [20.5, 42.1, 158.6, 69.4]),
        ("Chile", ["CL"], "transverse-mercator", [-73.8, -53.2, -68.9, -18.5]),
        ("IE,GB-NIR", ["GB", "IE"], "transverse-mercator", [-10.0, 51.6, -5.5, 55.2]),
    ],
)
def test_a_region_may_be_large_or_several(
    region: str, countries: list[str], projection: str, extent: list[float], tmp_path: Path, run: Run
) -> None:
    assert run("new", "fresh", "--region", region, "-w", tmp_path).code == 0
    data = config(tmp_path)
    assert data["gazetteer"]["countries"] == countries
    assert data["projection"]["name"] == projection
    assert data["page"]["extent"] == pytest.approx(extent, abs=0.05)


def test_without_a_region_nothing_is_set(tmp_path: Path, run: Run) -> None:
    assert run("new", "fresh", "--from", "empty", "-w", tmp_path).code == 0
    data = config(tmp_path)
    assert not {"projection", "gazetteer"} & set(data)
    assert (
        parse_config((tmp_path / "sources" / "fresh" / "board.toml").read_text(encoding="utf-8")).projection.name
        == "auto"
    )
    found = json.loads(run("check", "fresh", "--json", "-w", tmp_path).out)["findings"]
    assert {one["code"] for one in found} == {"S01"}
    (tmp_path / "sources" / "fresh" / "cities.csv").write_text(
        "id,name,region,lon,lat\na,Dublin,region-1,,\n", encoding="utf-8"
    )
    ran = run("check", "fresh", "-w", tmp_path)
    assert "place 'Dublin' cannot be looked up: board.toml names no country; write its lon and lat" in ran.out


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--region", "Irland"], 1, "no country is called 'Irland' (did you mean 'Ireland'?)"),
        (["--region", "Ireland", "--hex-km", "5"], 2, "--hex-km, --columns, --cities and --mountains are for boards"),
        (["--region", "Ireland", "--bounds", "0,0,1,1"], 1, "has no place in Ireland; name a larger region"),
        (["--hex-km", "5"], 2, "give --region too"),
    ],
)
def test_a_wrong_region_makes_nothing(options: list[str], code: int, said: str, tmp_path: Path, run: Run) -> None:
    ran = run("new", "fresh", "--from", "empty", *options, "-w", tmp_path)
    assert ran.code == code
    assert said in " ".join(ran.err.split())
    assert not (tmp_path / "sources").exists()


@pytest.mark.slow
@ON_UNIX
@pytest.mark.parametrize(("typed", "countries"), [(b"Irland\nIreland\n", ["IE"]), (b"\n", None)])
def test_a_terminal_is_asked_for_the_region(typed: bytes, countries: list[str] | None, tmp_path: Path) -> None:
    main, side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "mapkit", "new", "fresh", "--from", "empty", "-w", str(tmp_path)],
        stdin=side,
        stdout=side,
        stderr=side,
        start_new_session=True,
    )
    os.close(side)
    os.write(main, typed)
    said = b""
    try:
        while part := os.read(main, 1000):
            said += part
    except OSError:  # the program has ended
        pass
    assert process.wait(timeout=120) == 0, said
    os.close(main)
    assert b"Which region? Countries by name or code" in said
    assert (b"no country is called 'Irland'" in said) == (countries is not None)
    assert config(tmp_path).get("gazetteer", {}).get("countries") == countries


def test_an_open_projection_is_one_that_suits(example: Path, run: Run) -> None:
    board_toml = example / "board.toml"
    text = board_toml.read_text(encoding="utf-8")
    start = text.index("[projection]")
    board_toml.write_text(text[:start] + text[text.index("[page]", start) :], encoding="utf-8")
    ran = run("build", "example", "-w", example.parents[1])
    assert ran.code == 0, ran.err
    board = mapkit.load(str(example.parents[1] / "build" / "example" / "board.json"))
    points = [(m.lon, m.lat) for m in board.mileposts]
    assert stretch_and_convergence(board.projection.crs, points)[0] < 1.01
    assert board.projection.name != "auto"


def test_a_projection_of_another_region_is_a_finding_that_names_one(example: Path, run: Run) -> None:
    board_toml = example / "board.toml"
    text = board_toml.read_text(encoding="utf-8")
    start = text.index("[projection]")
    wrong = '[projection]\nname = "albers"\nlat_1 = 43\nlat_2 = 62\nlat_0 = 30\nlon_0 = 10\n\n'
    board_toml.write_text(text[:start] + wrong + text[text.index("[page]", start) :], encoding="utf-8")
    found = json.loads(run("check", "example", "--json", "--no-drawing", "-w", example.parents[1]).out)["findings"]
    (one,) = [finding for finding in found if finding["code"] == "G10"]
    assert one["severity"] == "warning"
    assert one["place"]["file"] == "board.toml"
    assert one["message"].startswith("the projection albers turns north by ")
    name, _, values = one["message"].partition("; write ")[2].removesuffix(" under [projection]").partition(", ")
    cure = "\n".join(["[projection]", name, *values.split(", ")]) + "\n\n"
    board_toml.write_text(text[:start] + cure + text[text.index("[page]", start) :], encoding="utf-8")
    found = json.loads(run("check", "example", "--json", "--no-drawing", "-w", example.parents[1]).out)["findings"]
    assert not [finding for finding in found if finding["code"] == "G10"]


def test_suitable_projections_keep_the_scale() -> None:
    for west, south, east, north in ((-10, 51, -6, 55), (20, 42, 158, 69), (-74, -53, -69, -18), (95, -8, 140, 6)):
        points = [(west + (east - west) * i / 9, south + (north - south) * j / 9) for i in range(10) for j in range(10)]
        projection = suitable_projection(points)
        assert stretch_and_convergence(crs_of(projection), points)[0] < 1.25, projection


def test_the_ends_of_a_wide_board_are_not_taken_for_turned() -> None:
    """Most cities of Russia lie west of its middle, where north is turned in any projection of the whole."""
    cities = [(37.6, 55.8), (30.3, 59.9), (60.6, 56.8), (82.9, 55.0), (44.0, 56.3), (135.1, 48.5), (158.6, 53.0)]
    crs = "+proj=aea +lat_1=46.7 +lat_2=64.8 +lat_0=55.7 +lon_0=105 +datum=WGS84"
    assert abs(stretch_and_convergence(crs, cities)[1]) < 15
