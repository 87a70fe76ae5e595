"""`mapkit verify`: the files of a bundle belong together, and to their sources."""

import json
from pathlib import Path

import pytest
from edited import ROOT, small_board

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.document.bundle_manifest import MANIFEST, read_manifest, write_bundle
from mapkit.kinds.rail.package import PACKAGE

FILES = {"board.json": "{}\n", "payoffs.csv": "a,b\n"}


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    folder, source = tmp_path / "build" / "mymap", small_board(tmp_path)
    write_bundle(folder, FILES, board="mymap", variants=("quick",), source=source, package=PACKAGE)
    return folder


def test_a_bundle_belongs_together_and_to_its_sources(tmp_path: Path, bundle: Path) -> None:
    found = mapkit.verify(bundle, workspace=tmp_path)
    assert (found.exit_code, found.board, found.variants) == (0, "mymap", ("quick",))
    assert (found.source_folder, found.changed_sources) == (str(tmp_path / "sources" / "mymap"), ())
    table = tmp_path / "sources" / "mymap" / "cities.csv"
    text = table.read_text(encoding="utf-8")
    table.write_text(text, encoding="utf-8", newline="\r\n")  # as on Windows
    assert mapkit.verify(bundle, workspace=tmp_path).changed_sources == ()
    table.write_text(text.replace("42.6526", "42.7"), encoding="utf-8")
    found = mapkit.verify(bundle, workspace=tmp_path)
    assert (found.exit_code, found.changed_sources) == (0, ("cities.csv",))


def test_files_of_two_builds_are_named(tmp_path: Path, bundle: Path) -> None:
    (bundle / "payoffs.csv").write_text("a,c\n", encoding="utf-8")
    (bundle / "board.json").unlink()
    found = mapkit.verify(bundle, workspace=tmp_path)
    assert (found.exit_code, found.missing, found.changed) == (1, ("board.json",), ("payoffs.csv",))
    (bundle / "board.json").mkdir()
    assert mapkit.verify(bundle, workspace=tmp_path).changed == ("board.json", "payoffs.csv")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"files": 1}', "null"])
def test_a_damaged_manifest_is_an_error(tmp_path: Path, bundle: Path, text: str) -> None:
    (bundle / MANIFEST).write_text(text, encoding="utf-8")
    with pytest.raises(MapkitError, match="build the bundle again"):
        mapkit.verify(bundle, workspace=tmp_path)
    (bundle / MANIFEST).unlink()
    with pytest.raises(MapkitError, match="give the folder of a bundle"):
        mapkit.verify(bundle, workspace=tmp_path)


def test_names_of_a_manifest_lead_nowhere_else(tmp_path: Path, bundle: Path) -> None:
    manifest = json.loads((bundle / MANIFEST).read_bytes())
    manifest["files"] = {"../../outside.txt": "0" * 64}
    (tmp_path / "outside.txt").write_text("", encoding="utf-8")
    (bundle / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    assert mapkit.verify(bundle, workspace=tmp_path).missing == ("../../outside.txt",)


@pytest.mark.parametrize("folder", sorted((ROOT / "build").iterdir()), ids=lambda folder: folder.name)
def test_shipped_bundles_belong_together(folder: Path) -> None:
    assert not mapkit.verify(folder, workspace=ROOT).exit_code
    assert set(read_manifest(folder).files) | {MANIFEST} == {path.name for path in folder.iterdir()}
