"""Changed ids: whatever names the element follows, and the board is otherwise the same."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.kinds.rail.model.board import Board


def changed(tmp_path: Path, run: Run, name: str, **command: str) -> Board:
    """Change an id of a copy of a shipped board, and return the copy."""
    if not (tmp_path / "sources" / name).exists():
        shutil.copytree(REPOSITORY / "sources" / name, tmp_path / "sources" / name)
    done = run("do", name, json.dumps({"kind": "change-id", **command}), "-w", tmp_path)
    assert done.code == 0, done.err
    return mapkit.load(name, workspace=tmp_path)


def test_a_railroad_with_its_track_spacing_and_accepted_findings(tmp_path: Path, run: Run) -> None:
    before = mapkit.load("ireland", workspace=REPOSITORY)
    after = changed(tmp_path, run, "ireland", railroad="gswr", to="southern")
    miles = {old.id: sum(s.miles for s in before.segments if s.railroad == old.id) for old in before.railroads}
    assert sum(s.miles for s in after.segments if s.railroad == "southern") == pytest.approx(miles["gswr"])
    assert {r.id for r in after.railroads} == {r.id for r in before.railroads} - {"gswr"} | {"southern"}
    assert not [f for f in mapkit.check(after).findings if f.severity != "note" and f.accepted is None]
    assert "N17:palace-east:southern:wexford" in (tmp_path / "sources/ireland/board.toml").read_text(encoding="utf-8")
    assert run("undo", "ireland", "-w", tmp_path).code == 0
    assert mapkit.load("ireland", workspace=tmp_path) == before


@pytest.mark.parametrize("name", ["usa", "portugal"])
def test_a_city_and_a_region_with_charts_and_payoffs(tmp_path: Path, run: Run, name: str) -> None:
    before = mapkit.load(name, workspace=REPOSITORY)
    city, region = before.cities[3], before.regions[1]
    changed(tmp_path, run, name, city=city.id, to="elsewhere")
    after = changed(tmp_path, run, name, region=region.id, to="yonder")
    new = {city.id: "elsewhere", region.id: "yonder"}
    assert {new.get(c.id, c.id): new.get(c.region, c.region) for c in before.cities} == {
        c.id: c.region for c in after.cities
    }
    assert [new.get(one, one) for one in before.payoffs.cities] == list(after.payoffs.cities)
    assert before.payoffs.thousands == after.payoffs.thousands
    for chart, cells in before.destinations.items():
        renamed = after.destinations[new.get(chart, chart)]
        assert [[new.get(item or "", item) for item in row] for row in (cells.odd, cells.even)] == [
            list(renamed.odd),
            list(renamed.even),
        ]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ({"railroad": "pa", "to": "nyc"}, "there is 'nyc' already; choose another id"),
        ({"railroad": "paa", "to": "penn"}, "there is no railroad 'paa' (did you mean 'pa'?)"),
        ({"city": "chicago", "region": "plains", "to": "x"}, "give one of city, railroad and region"),
        ({"region": "plains", "to": "regions"}, "'regions' is the id of the region chart; choose another"),
    ],
)
def test_wrong_ids_are_refused(tmp_path: Path, run: Run, command: dict[str, str], message: str) -> None:
    done = run("do", "usa", json.dumps({"kind": "change-id", **command}), "-w", tmp_path)
    assert done.code == 1
    assert message in done.err
