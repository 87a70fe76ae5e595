"""Files of other boards and variants are not replaced without --force; the same board is written again."""

import json
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

from mapkit.core.errors import OutputError
from mapkit.core.output import write_files
from mapkit.core.outputs.owners import RECORD, OutputGuard, guard_outputs
from mapkit.kinds.registry import owner_named

BUNDLES = REPOSITORY / "build"
BOARDS = frozenset({"usa", "portugal", "portugal-hex"})


def write(path: Path, owner: str, text: str = "new", *, force: bool = False) -> None:
    """Write a file as a command does, whose line names it."""
    guard = OutputGuard(owner, BOARDS, (path.absolute(),), force)
    with guard_outputs(guard):
        write_files(path.parent, {path.name: text})


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("map.svg", "usa", "portugal"),
        ("map.svg", "usa", "usa+quick"),
        ("map.svg", "usa+quick", "usa"),
        ("usa.vmod", "usa", "usa+quick"),
        ("usa+quick.vmod", "usa+quick", "usa"),
        ("portugal-hex.svg", "portugal-hex", "portugal"),
        ("usa.svg", "portugal", "usa"),
    ],
)
def test_a_file_of_another_board_stays(name: str, first: str, second: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write(path, first, "first")
    write(path, first, "again")
    with pytest.raises(OutputError, match="nothing was written") as refused:
        write(path, second)
    assert f"belongs to {first}, not to {second}" in str(refused.value)
    assert "--force" in str(refused.value)
    assert path.read_text(encoding="utf-8") == "again"
    write(path, second, "forced", force=True)
    write(path, second, "once more")
    assert path.read_text(encoding="utf-8") == "once more"


def test_the_name_alone_tells_the_owner(tmp_path: Path) -> None:
    path = tmp_path / "usa+quick-dark.svg"
    write(path, "usa+quick")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    path.with_name("portugal.svg").write_text("of whom", encoding="utf-8")
    with pytest.raises(OutputError, match="belongs to portugal"):
        write(tmp_path / "portugal.svg", "usa")


def test_a_file_of_nobody_is_replaced_and_a_damaged_record_is_none(tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    path.write_text("drawn by hand", encoding="utf-8")
    (tmp_path / RECORD).write_text("[broken", encoding="utf-8")
    write(path, "usa")
    assert json.loads((tmp_path / RECORD).read_text(encoding="utf-8")) == {"map.svg": "usa"}


def test_records_of_files_that_are_gone_go_too(tmp_path: Path) -> None:
    write(tmp_path / "map.svg", "usa")
    (tmp_path / "map.svg").unlink()
    write(tmp_path / "other.svg", "usa")
    assert json.loads((tmp_path / RECORD).read_text(encoding="utf-8")) == {"other.svg": "usa"}
    (tmp_path / "other.svg").unlink()
    write(tmp_path / "usa.svg", "usa")
    assert [file.name for file in tmp_path.iterdir()] == ["usa.svg"]


@pytest.mark.parametrize(
    ("line", "owner"),
    [
        ({"board": "usa", "variants": None}, "usa"),
        ({"board": "usa", "variants": ["quick", "mine/extra.toml"]}, "usa+quick+extra"),
        ({"board": "usa", "names": ["western-us"]}, "usa+western-us"),
        ({"board": str(BUNDLES / "portugal" / "board.json"), "variants": ["quick"]}, "portugal+quick"),
        ({"board": "some/where/france", "variants": None}, "france"),
        ({"board": "work/usa+quick.gpkg"}, "usa+quick"),
        ({"a": "usa", "b": "usa+quick"}, "usa--usa+quick"),
        ({"files": []}, None),
    ],
)
def test_the_line_names_the_owner(line: dict[str, object], owner: str | None, tmp_path: Path) -> None:
    found = owner_named({**line, "workspace": tmp_path})
    assert (found and found[0]) == owner


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            ("export", "portugal", "--to", "lookup", "--out", "{}"),
            ("export", "mexico", "--to", "lookup", "--out", "{}"),
        ),
        (
            ("export", "portugal", "--to", "lookup,graph", "--out", "{}"),
            ("export", "portugal", "--to", "lookup,graph", "--variant", "quick", "--out", "{}"),
        ),
        (("draw", "portugal-hex", "--out", "{}/a.svg"), ("draw", "mexico-hex", "--out", "{}/a.svg")),
        (("draw", "barons", "--out", "{}/a.svg"), ("draw", "caminhos", "--out", "{}/a.svg")),
        (("export", "barons", "--to", "bga", "--out", "{}"), ("export", "caminhos", "--to", "bga", "--out", "{}")),
        (("rules", "sheet", "usa", "--out", "{}/r.md"), ("rules", "sheet", "mexico", "--out", "{}/r.md")),
        (("payoffs", "compute", "usa", "--out", "{}/p.csv"), ("payoffs", "compute", "mexico", "--out", "{}/p.csv")),
    ],
)
@pytest.mark.usefixtures("small_pictures")
def test_commands_of_every_kind_refuse(
    first: tuple[str, ...], second: tuple[str, ...], tmp_path: Path, run: Run
) -> None:
    first, second = (tuple(word.format(tmp_path / "o") for word in line) for line in (first, second))
    ran = run(*first)
    assert ran.code == 0, ran.err
    made = {path: path.read_bytes() for path in sorted((tmp_path / "o").rglob("*")) if path.is_file()}
    ran = run(*second)
    assert ran.code == 1
    assert "nothing was written. Choose another file, or replace this one with --force" in ran.err
    assert {path: path.read_bytes() for path in sorted((tmp_path / "o").rglob("*")) if path.is_file()} == made
    assert run(*first).code == 0
    assert run(*second, "--force").code == 0
    assert run(*second).code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "form", "variant", "end"),
    [
        ("portugal", "geojson", "quick", "geojson"),
        ("eastern-us-hex", "hexjson", "rotors-hex", "hexjson"),
        ("barons", "json", "only-8a", "json"),
    ],
)
def test_an_export_of_a_variant_has_a_name_of_its_own(
    board: str, form: str, variant: str, end: str, tmp_path: Path, run: Run
) -> None:
    for line in ((), ("--variant", variant)):
        ran = run("export", board, "--to", form, "--out", tmp_path, *line)
        assert ran.code == 0, ran.err
    assert {path.name for path in tmp_path.iterdir()} >= {f"{board}.{end}", f"{board}+{variant}.{end}"}
