"""Fields are judged together: positions against lines, mileposts and the page; digits and line breaks against names."""

import json
from pathlib import Path

import pytest
from conftest import Run
from edited import small_board

import mapkit
from mapkit.core.errors import SourceError
from mapkit.core.findings import Finding
from mapkit.document.command import CommandError
from mapkit.kinds.registry import open_session


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def findings(workspace: Path, run: Run, code: str) -> list[Finding]:
    report = json.loads(run("check", "example", "--no-drawing", "--json", "--workspace", workspace).out)
    return [Finding.model_validate(one) for one in report["findings"] if one["code"] == code]


def test_a_city_far_from_its_lines_is_a_warning_that_can_be_accepted(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    for file in [*example.rglob("*.csv")]:  # a name that no gazetteer has
        file.write_text(file.read_text(encoding="utf-8").replace("Boston", "Zorkton"), encoding="utf-8", newline="\n")
    edit(example / "cities.csv", "-71.0598", "-121.0598")
    (found,) = findings(workspace, run, "G07")
    assert (found.id, found.severity, found.place.file, found.place.row) == ("G07:boston", "warning", "cities.csv", 3)
    assert found.message.startswith(
        "Zorkton lies 2,517 miles from the nearest milepost on its lines, where 48 are usual"
    )
    board = example / "board.toml"
    board.write_text(board.read_text(encoding="utf-8") + '"G07:boston" = "meant"\n', encoding="utf-8", newline="\n")
    (accepted,) = findings(workspace, run, "G07")
    assert accepted.accepted == "meant"


def test_a_city_far_from_its_milepost_is_a_finding(example: Path, run: Run) -> None:
    edit(example / "cities.csv", "boston,", "zorkton,Zorkton,coast,-121.1,42.1,Boston,\nboston,")
    found = {one.id: one.message for one in findings(example.parents[1], run, "G07")}
    assert found["G07:zorkton"].startswith("Zorkton lies 2,529 miles from Boston, its milepost")


@pytest.mark.parametrize("field", ["x", "lon"])
def test_a_page_position_that_does_not_fit_is_refused(field: str, tmp_path: Path) -> None:
    small_board(tmp_path)
    board = mapkit.load("mymap", workspace=tmp_path)
    first = board.mileposts[0]
    moved = first.model_copy(update={field: getattr(first, field) + 30})
    path = tmp_path / "board.json"
    path.write_text(board.model_copy(update={"mileposts": (moved, *board.mileposts[1:])}).model_dump_json(), "utf-8")
    with pytest.raises(SourceError, match=rf"mileposts: {first.id}: x and y are .* is at .*; correct one of the two"):
        mapkit.load(path)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("railroads.csv", "8000", "८०००", "railroads.csv:2: price is '८०००', which is not a number"),
        ("railroads.csv", "8000", "8_000", "railroads.csv:2: price is '8_000', which is not a number"),
        ("cities.csv", "-71.0598", "-७१.0598", "cities.csv:3: lon is '-७१.0598', which is not a number"),
        ("charts/payoffs.csv", "12.5", "१२", "which is not an amount"),
        (
            "cities.csv",
            ",Boston,",
            ',"Bos\nton",',
            r"cities.csv:4: name is 'Bos\nton', which holds a tab or a line break",
        ),
        ("board.toml", '"Coast"', r'"Co\tast"', r"board.toml:29: regions.name is 'Co\tast', which holds a tab"),
    ],
)
def test_digits_and_names_of_tables_are_plain(file: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    edit(small_board(tmp_path) / file, old, new)
    with pytest.raises(SourceError) as refused:
        mapkit.load("mymap", workspace=tmp_path)
    assert said in str(refused.value)


def test_a_command_gives_no_name_of_two_lines(tmp_path: Path) -> None:
    session = open_session(small_board(tmp_path))
    with pytest.raises(CommandError, match=r"name is .*, which holds a tab or a line break; replace it by a space"):
        session.do({"kind": "edit-city", "id": "boston", "name": "Bos\nton"})
    assert session.position == 0
