"""`mapkit variant` on boards that are no railroad boards: every command, from the line."""

import json
from pathlib import Path

import pytest
from conftest import Run

from mapkit.core.findings import Severity
from mapkit.document.workspace import Workspace
from mapkit.kinds.cards.kind import CARDS

SHIPPED = ("rotors-hex", "mines-hex", "fewer-markers-hex")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """A workspace with a board of hexagons; the current folder."""
    monkeypatch.chdir(tmp_path)
    assert run("new", "valleys", "--kind", "hex").code == 0
    return tmp_path


def test_variants_of_all_kinds_are_listed_and_shown(here: Path, run: Run) -> None:
    names = {row["name"] for row in json.loads(run("variant", "list", "--json").out)["variants"]}
    assert {*SHIPPED, "united-states-hex", "tournament"} <= names
    fitting = {
        row["name"] for row in json.loads(run("variant", "list", "--board", "valleys", "--json").out)["variants"]
    }
    assert fitting == {*SHIPPED}
    assert "based on: board eastern-us-hex" in run("variant", "show", "united-states-hex").out
    assert here.is_dir()


def test_a_new_variant_is_checked_and_applied(here: Path, run: Run) -> None:
    assert run("variant", "new", "mine", "--board", "valleys").code == 0
    assert "docs/how-to/hex.md#commands" in (here / "variants" / "mine.toml").read_text(encoding="utf-8")
    assert run("variant", "new", "copied", "--from", "mines-hex").code == 0
    checked = run("variant", "check", "mine")
    assert (checked.code, "A new title with mine" in checked.err) == (0, True)
    applied = run("variant", "apply", "mine", "copied", "--out", "out/board.json", "--json")
    assert json.loads(applied.out)["variants"] == ["mine", "copied"]
    assert json.loads((here / "out" / "board.json").read_text(encoding="utf-8"))["title"] == "A new title"
    assert run("build", "valleys", "--variant", "mine").code == 0
    assert run("report", "valleys", "--variant", "mine").code == 0
    assert "A new title" in run("draw", "valleys", "--variant", "mine").out + next(here.glob("*.svg")).read_text(
        "utf-8"
    )


def test_a_difference_becomes_a_variant_that_makes_it(here: Path, run: Run) -> None:
    operations: list[dict[str, object]] = [
        {"op": "paint-hexes", "hexes": ["1-1", "2-1"], "terrain": "mountain"},
        {"op": "recolour-city", "id": "fir", "colours": ["black"]},
        {"op": "set-edges", "edges": ["3-3--3-4"], "kinds": ["ridge"]},
        {"op": "add-city", "name": "Juniper", "hex": "5-1", "colours": ["red"]},
        {"op": "set-setting", "key": "rules.rotors.enabled", "value": True},
    ]
    lines = ['name = "own"', 'board = "valleys"']
    for one in operations:
        lines += ["[[operations]]", *(f"{key} = {json.dumps(value)}" for key, value in one.items()), 'reason = "why"']
    (here / "variants").mkdir()
    (here / "variants" / "own.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = run("variant", "diff", "valleys", "own", "--as-variant", "variants/made.toml")
    assert found.code == 0, found.err
    assert "- cities, juniper: added" in found.out
    assert '- cities, fir: colours ["blue"]' in found.out or "- cities, fir: colours " in found.out
    assert run("variant", "diff", "valleys+own", "valleys+made").out == "no difference\n"
    moved = run("variant", "rebase", "own", "--from", "valleys", "--onto", "valleys+made", "--json")
    assert {one["fate"] for one in json.loads(moved.out)["operations"]} == {"done already"}


def test_a_rebase_names_what_no_longer_fits(here: Path, run: Run) -> None:
    variants = here / "variants"
    variants.mkdir()
    head = 'board = "valleys"\n[[operations]]\nreason = "why"\n'
    (variants / "gone.toml").write_text(f'name = "gone"\n{head}op = "remove-city"\nid = "fir"\n', encoding="utf-8")
    (variants / "red.toml").write_text(
        f'name = "red"\n{head}op = "recolour-city"\nid = "fir"\ncolours = ["red"]\n', encoding="utf-8"
    )
    (variants / "black.toml").write_text(
        f'name = "black"\n{head}op = "recolour-city"\nid = "fir"\ncolours = ["black"]\n', encoding="utf-8"
    )
    lost = run("variant", "rebase", "red", "--from", "valleys", "--onto", "valleys+gone", "--out", "variants/new.toml")
    assert (lost.code, "no longer fits" in lost.out) == (1, True)
    kept = run("variant", "rebase", "red", "--from", "valleys", "--onto", "valleys+black")
    assert (kept.code, "overrides" in kept.out) == (0, True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("variant", "apply", "mines-hexx", "--board", "valleys"), "did you mean 'mines-hex'?"),
        (("variant", "check", "united-states-hex", "--board", "valleys"), "is for the board 'eastern-us-hex'"),
        (("variant", "diff", "valleys", "barons"), "compare two of one"),
        (("variant", "diff", "valleys", "nowhere"), "board 'nowhere' is neither"),
    ],
)
def test_mistakes_are_named(here: Path, run: Run, line: tuple[str, ...], said: str) -> None:
    found = run(*line)
    assert found.code in (1, 2)
    assert said in found.err
    assert here.is_dir()


CARD_VARIANTS = {
    "only-8a": {"faces": 12},
    "only-8b": {"faces": 12},
    "three-holdings": {"holdings": 3, "certificates": 12, "tokens": 6},
    "surplus-tokens": {"holdings": 5, "tokens": 10},
    "example-ladder": {"track": 15},
    "steep-ladder": {"track": 11},
}


def test_variants_of_card_games_are_shipped_applied_compared_and_rebased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = json.loads(run("variant", "list", "--board", "barons", "--json").out)["variants"]
    assert {row["name"] for row in rows} == {*CARD_VARIANTS}
    for name, counts in CARD_VARIANTS.items():
        made = CARDS.load(Workspace(Path()), "barons", [name])[0]
        assert made.problems == ()
        assert {table: len(made.document.table(table)) for table in counts} == counts
        assert not any(one.severity == Severity.ERROR for one in CARDS.check(made).findings)
    surplus = CARDS.load(Workspace(Path()), "barons", ["surplus-tokens"])[0].board
    assert [one.operators for one in surplus.holdings] == [6, 6, 5, 5, 5]
    ladder = CARDS.load(Workspace(Path()), "barons", ["steep-ladder"])[0].board
    values = [one.value or 0 for one in ladder.track]
    assert (values, ladder.track_is_example) == (sorted(values), True)
    found = run("variant", "diff", "barons", "barons+three-holdings", "--as-variant", "variants/made.toml")
    assert "- decks, shares: count 20 to 12" in found.out
    assert run("variant", "diff", "barons+three-holdings", "barons+made").out == "no difference\n"
    moved = run("variant", "rebase", "surplus-tokens", "--from", "barons", "--onto", "barons+only-8a", "--json")
    assert {one["fate"] for one in json.loads(moved.out)["operations"]} == {"fits"}
