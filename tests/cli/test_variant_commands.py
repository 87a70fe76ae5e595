"""The commands of variants, as a user runs them."""

import json
import re
import shutil
from pathlib import Path

import pytest
from conftest import Run

REPOSITORY = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def here(example: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with the board `example`; the current folder."""
    root = example.parent.parent
    monkeypatch.chdir(root)
    return root


def test_list_names_the_shipped_ones_and_what_is_wrong(here: Path, run: Run) -> None:
    done = run("variant", "list")
    assert done.code == 0
    assert ["b-and-o-extension", "usa", "Baltimore", "and"] in [line.split()[:4] for line in done.out.splitlines()]
    (here / "variants").mkdir()
    (here / "variants" / "bad.toml").write_text('name = "bad"\nbord = "usa"\n', encoding="utf-8")
    done = run("variant", "list", "--json")
    assert done.code == 1
    found = json.loads(done.out)
    assert found["problems"] == ["variants/bad.toml:2: unknown key 'bord' (did you mean 'board'?)"]
    assert "tournament" in [row["name"] for row in found["variants"]]


def test_list_for_a_board_leaves_out_those_of_others(here: Path, run: Run) -> None:
    assert here.is_dir()
    names = [row["name"] for row in json.loads(run("variant", "list", "--board", "example", "--json").out)["variants"]]
    assert "own-track-free" in names
    assert "eastern-us" not in names


def test_show_lists_operations_and_reasons(here: Path, run: Run) -> None:
    assert here.is_dir()
    done = run("variant", "show", "b-and-o-extension")
    assert done.code == 0
    assert 'b-and-o-extension.toml:9: add-line railroad = "bo", stops = ["philadelphia"' in done.out
    assert "RB-C23" in done.out
    assert json.loads(run("variant", "show", "tournament", "--json").out)["rules"] == "ah-faq"
    wrong = run("variant", "show", "tournamint")
    assert wrong.code == 1
    assert "did you mean 'tournament'?" in wrong.err


def test_new_check_apply_build(here: Path, run: Run) -> None:
    assert run("variant", "new", "mine", "--board", "example", "--title", "Mine").code == 0
    text = (here / "variants" / "mine.toml").read_text(encoding="utf-8")
    assert 'board = "example"' in text
    done = run("variant", "check", "mine")
    assert done.code == 0, done.err
    assert "nothing found" in done.err
    done = run("variant", "apply", "mine", "own-track-free", "--out", "out/board.json")
    assert done.code == 0
    assert "with mine, own-track-free:" in done.out
    rules = json.loads((here / "out" / "board.json").read_text(encoding="utf-8"))["rules"]
    assert (rules["setup"]["starting_cash"], rules["fees"]["own"]) == (25000, 0)
    done = run("build", "example", "--variant", "mine", "--variant", "own-track-free")
    assert done.code == 0
    folder = here / "build" / "example+mine+own-track-free"
    assert json.loads((folder / "board.json").read_text(encoding="utf-8"))["variants"] == ["mine", "own-track-free"]
    assert not (here / "build" / "example").exists()


def test_new_copies_and_refuses(here: Path, run: Run) -> None:
    assert run("variant", "new", "mine", "--from", "eastern-us").code == 0
    assert json.loads(run("variant", "show", "mine", "--json").out)["title"] == "Eastern United States"
    again = run("variant", "new", "mine")
    assert again.code == 1
    assert "already exists" in again.err
    bad = run("variant", "new", "My Rule")
    assert bad.code == 1
    assert "'my-rule'" in bad.err
    assert sorted(p.name for p in (here / "variants").iterdir()) == ["mine.toml"]


@pytest.mark.parametrize(
    "command",
    [
        ("check", "example"),
        ("report", "example"),
        ("route", "Ashford", "Elmwood", "--board", "example"),
        ("destinations", "odds", "example"),
        ("build", "example"),
    ],
)
def test_every_command_on_a_board_takes_variants(here: Path, run: Run, command: tuple[str, ...]) -> None:
    done = run(*command, "--variant", "eastern-us")
    assert done.code == 1
    assert "'eastern-us' is for the board 'usa', not 'example'" in done.err
    assert not (here / "build").exists()


def test_the_only_board_of_a_workspace_is_meant(here: Path, run: Run) -> None:
    done = run("route", "Pittsburgh", "Chicago")
    assert done.code == 1
    assert "is not a city or milepost of" in done.err
    assert "United States" not in done.err
    shutil.copytree(here / "sources" / "example", here / "sources" / "second")
    done = run("route", "Pittsburgh", "Chicago")
    assert done.code == 2
    assert "say which board is meant, such as --board carrow; there are carrow, example" in re.sub(
        r"[\s│]+", " ", done.err
    )


def test_check_with_a_variant_reports_what_it_does(here: Path, run: Run) -> None:
    """A railroad left without track is a finding of the checks, not a crash."""
    board = json.loads(run("variant", "apply", "own-track-free", "--board", "example", "--out", "b.json", "--json").out)
    assert board["file"] == "b.json"
    data = json.loads((here / "b.json").read_text(encoding="utf-8"))
    railroad = data["railroads"][0]["id"]
    segments = [s["id"] for s in data["segments"] if s["railroad"] == railroad]
    (here / "variants").mkdir()
    (here / "variants" / "bare.toml").write_text(
        f'name = "bare"\n[[operations]]\nop = "remove-segments"\nsegments = {json.dumps(segments)}\nreason = "r"\n',
        encoding="utf-8",
    )
    done = run("check", "example", "--variant", "bare", "--json")
    assert done.code == 1
    assert f"N13:{railroad}" in [f"{f['code']}:{f['elements'][0]}" for f in json.loads(done.out)["findings"]]
    assert run("variant", "check", "bare", "--board", "example").code == 1


def test_variants_for_different_boards_are_refused(here: Path, run: Run) -> None:
    run("variant", "new", "mine", "--board", "example")
    done = run("variant", "check", "mine", "eastern-us")
    assert done.code == 1
    assert "for different boards: mine for example, eastern-us for usa" in done.err
    assert here.is_dir()


def test_an_imported_chart_is_read_beside_the_variant(here: Path, run: Run) -> None:
    (here / "variants").mkdir()
    text = 'name = "chart"\n[[operations]]\nop = "import-payoffs"\nfile = "FILE"\nreason = "r"\n'
    (here / "variants" / "chart.toml").write_text(text.replace("FILE", "mine.csv"), encoding="utf-8")
    chart = (here / "sources" / "example" / "charts" / "payoffs.csv").read_text(encoding="utf-8")
    (here / "variants" / "mine.csv").write_text(chart, encoding="utf-8")
    assert run("variant", "apply", "chart", "--board", "example").code == 0
    (here / "variants" / "chart.toml").write_text(text.replace("FILE", "../secret.csv"), encoding="utf-8")
    done = run("variant", "apply", "chart", "--board", "example")
    assert done.code == 1
    assert "lies outside" in done.err
    (here / "variants" / "chart.toml").write_text(text.replace("FILE", "none.csv"), encoding="utf-8")
    assert run("variant", "apply", "chart", "--board", "example").code == 1
