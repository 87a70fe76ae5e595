"""Mileposts by rule are counted first: very many are placed only if somebody asks for them."""

import json
from pathlib import Path

import pytest
from conftest import Run

import mapkit
from mapkit.core.errors import SourceError
from mapkit.kinds.rail.trace.spacing.types import MANY_MILEPOSTS


@pytest.fixture
def fine(example: Path) -> Path:
    """The example with a drawn line of 52 miles and a gap that makes 1,040 mileposts of it; returns its workspace."""
    workspace = example.parents[1]
    (example / "lines" / "shore.csv").unlink()
    config = example / "board.toml"
    config.write_text(config.read_text(encoding="utf-8") + "\n[spacing]\ngap_mi = 0.05\n", encoding="utf-8")
    line = {"type": "LineString", "coordinates": [[-70.2589, 43.6574], [-70.2589, 42.9055]]}
    drawing = {"type": "Feature", "properties": {}, "geometry": line}
    (workspace / "shore.geojson").write_text(json.dumps(drawing), encoding="utf-8")
    return workspace


def test_very_many_mileposts_want_yes(fine: Path, run: Run) -> None:
    before = {path: path.read_bytes() for path in fine.rglob("*") if path.is_file()}
    refused = run("import", fine / "shore.geojson", "--into", "example", "--workspace", fine)
    assert refused.code == 1
    assert "spacing: the rule gives 1,037 mileposts" in refused.err
    assert "choose a larger gap, or give --yes if you want them" in refused.err
    assert {path: path.read_bytes() for path in fine.rglob("*") if path.is_file()} == before
    done = run("import", fine / "shore.geojson", "--into", "example", "--yes", "--workspace", fine)
    assert done.code == 0, done.err
    assert "mileposts placed by rule: 1,038\n" in done.err
    assert " more notes; mapkit check --all lists them\n" in done.err
    assert run("trace", "example", "--workspace", fine).code == 1
    row = (fine / "sources" / "example" / "board.toml").read_text(encoding="utf-8").splitlines().index("gap_mi = 0.05")
    with pytest.raises(SourceError, match=rf"^board\.toml:{row + 1}: spacing: the rule gives"):
        mapkit.trace("example", workspace=fine)


def test_a_few_mileposts_are_counted(fine: Path, run: Run) -> None:
    config = fine / "sources" / "example" / "board.toml"
    config.write_text(config.read_text(encoding="utf-8").replace("gap_mi = 0.05", "gap_mi = 10"), encoding="utf-8")
    done = run("import", fine / "shore.geojson", "--into", "example", "--workspace", fine)
    assert done.code == 0, done.err
    assert "mileposts placed by rule: 5\n" in done.err
    assert mapkit.place_again("example", workspace=fine).by_rule == 5
    assert MANY_MILEPOSTS == 1_000
