"""`mapkit variant diff` and `mapkit variant rebase`."""

import json
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.core.jsontext import json_text
from mapkit.kinds.rail.model.board import Board

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("keeping")]

USA = REPOSITORY / "build" / "usa" / "board.json"


@pytest.fixture(scope="module")
def changed(usa: Board, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the file of the United States, two things changed."""
    data = usa.model_dump(mode="json")
    next(r for r in data["railroads"] if r["id"] == "pa")["price"] = 48000
    next(m for m in data["mileposts"] if m["id"] == "altoona-pa")["name"] = "Horseshoe Curve"
    folder = tmp_path_factory.mktemp("changed")
    (folder / "new.json").write_text(json_text(Board.model_validate(data)), encoding="utf-8")
    return folder


def test_diff(usa: Board, changed: Path, run: Run) -> None:
    new = changed / "new.json"
    assert run("variant", "diff", USA, new).out == (
        "United States: before -> after\n"
        "- milepost Altoona is now Horseshoe Curve\n"
        "- railroad PA: costs $48,000, not $30,000\n"
        "added: nothing; removed: nothing; changed: 1 milepost, 1 railroad\n"
    )
    ran = run("variant", "diff", USA, new, "--json")
    assert (ran.code, ran.out) == (0, json_text(mapkit.diff_boards(usa, mapkit.load(new))))
    assert run("variant", "diff", USA, USA).out == "no difference\n"


def test_diff_of_variants(run: Run) -> None:
    assert "- Wilmington DE stands between Baltimore and Philadelphia on B&O and PA\n" in (
        run("variant", "diff", "usa", "first-printing").out
    )
    ran = run("variant", "diff", "first-printing", "usa+b-and-o-extension")
    assert ran.out.splitlines()[1] == "- B&O gets the line New York - Trenton NJ - Philadelphia (2 segments), beside PA"
    assert "- Wilmington DE no longer stands between Baltimore and Philadelphia on B&O and PA\n" in ran.out


def test_diff_as_variant_and_as_drawing(changed: Path, run: Run) -> None:
    ran = run(
        *("variant", "diff", USA, changed / "new.json"),
        *("--as-variant", changed / "variants" / "mine.toml", "--svg", changed / "mine.svg"),
    )
    assert ran.code == 0
    assert "2 operations in" in ran.err
    assert (changed / "mine.svg").read_text(encoding="utf-8").startswith("<?xml")
    made = run("variant", "diff", f"usa+{changed / 'variants' / 'mine.toml'}", changed / "new.json")
    assert made.out == "no difference\n"


def test_what_no_operation_says_is_reported(changed: Path, run: Run) -> None:
    data = json.loads(USA.read_text(encoding="utf-8"))
    data["units"]["symbol"] = "£"
    other = changed / "pounds.json"
    other.write_text(json.dumps(data), encoding="utf-8")
    ran = run("variant", "diff", USA, other, "--as-variant", changed / "pounds.toml")
    assert ran.code == 1
    assert "no operation says this: units.symbol: $ -> £" in ran.err


def test_rebase(changed: Path, run: Run) -> None:
    new = changed / "new.json"
    ran = run("variant", "rebase", "b-and-o-extension", "--from", USA, "--onto", new, "--out", changed / "bo.toml")
    assert ran.code == 0
    assert ran.out == "no.  operation  fate\n  1  add-line   fits\n"
    assert run("variant", "diff", f"usa+{changed / 'bo.toml'}", "b-and-o-extension").out == "no difference\n"
    ran = run("variant", "rebase", "pennsylvania-48000", "--from", USA, "--onto", new)
    assert ran.code == 0
    assert "1  edit-railroad  done already  the new base already has it" in ran.out


def test_rebase_to_what_lacks_the_target(changed: Path, run: Run) -> None:
    ran = run("variant", "rebase", "b-and-o-extension", "--from", USA, "--onto", "western-us", "--json")
    assert ran.code == 1
    (fate,) = json.loads(ran.out)["operations"]
    assert fate["fate"] == "no longer fits"
    assert "there is no railroad 'bo'" in fate["text"]
    assert changed.is_dir()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("diff", "usa", "first-prining"), "or a variant (did you mean 'first-printing'?)"),
        (("diff", "tournament", "quick"), "change rules alone"),
        (("diff", "usa", "missing.json"), "missing.json"),
        (("diff", "usa", "usa+nothing"), "'nothing'"),
        (("rebase", "tournament", "--from", "usa"), "is a variant for any board; name one with --onto BOARD"),
        (("rebase", "first-printing", "--from", "western-us"), "does not fit the base that it was made for"),
    ],
)
def test_mistakes(words: tuple[str, ...], message: str, run: Run) -> None:
    ran = run("variant", *words)
    assert ran.code == (2 if "--onto" in message else 1)
    assert ran.out == ""
    assert ran.err.startswith("mapkit: ")
    assert message in ran.err
    assert "Traceback" not in ran.err
