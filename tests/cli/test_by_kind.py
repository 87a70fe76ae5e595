"""Commands of one name in several kinds: the board that a line names chooses, with that kind's own options."""

from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from mapkit.console.commands import Group, LoadingGroup, Table, merged
from mapkit.console.derived import Entry
from mapkit.kinds import registry

HERE = __name__


def draw_rail(
    board: str,
    theme: Annotated[str, typer.Option()] = "plain",
    workspace: Annotated[Path | None, typer.Option()] = None,
) -> None:
    """Draw lines."""
    typer.echo(f"lines of {board}, {theme}, {workspace is not None}")


def draw_points(
    board: str, dots: Annotated[int, typer.Option()] = 1, workspace: Annotated[Path | None, typer.Option()] = None
) -> None:
    """Draw points."""
    typer.echo(f"{dots} dots of {board}, {workspace is not None}")


def join(lines: list[str]) -> None:
    """Join lines."""
    typer.echo("+".join(lines))


RAIL: Table = {
    "draw": Entry(f"{HERE}:draw_rail", "Draw lines."),
    "join": Entry(f"{HERE}:join", "Join lines."),
    "play": Group("Play.", {"run": Entry(f"{HERE}:draw_rail", "Draw lines.")}, otherwise="run"),
}
POINTS: Table = {
    "draw": Entry(f"{HERE}:draw_points", "Draw points."),
    "play": Group("Play points.", {"run": Entry(f"{HERE}:draw_points", "Draw points.")}, otherwise="run"),
}


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(registry, "_KINDS", {**registry._KINDS, "points": "points:POINTS"})
    for name, kind in (("lined", "rail"), ("dotted", "points")):
        folder = tmp_path / "sources" / name
        folder.mkdir(parents=True)
        (folder / "board.toml").write_text(f'title = "Board"\nkind = "{kind}"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answered(*line: str) -> tuple[int, str]:
    group: Any = LoadingGroup(
        table=merged((("rail", RAIL), ("points", POINTS)), registry.kind_named), name="mapkit", rich_markup_mode=None
    )
    ran = CliRunner().invoke(_App(group), list(line))
    return ran.exit_code, ran.output


class _App(typer.Typer):
    """What Typer's runner runs: a group as it stands."""

    def __init__(self, group: Any) -> None:
        super().__init__()
        self.group = group


@pytest.fixture(autouse=True)
def _as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.testing._get_command", lambda app: app.group)


@pytest.mark.usefixtures("space")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("draw", "lined", "--theme", "dark"), "lines of lined, dark, False"),
        (("draw", "dotted", "--dots", "7"), "7 dots of dotted, False"),
        (("draw", "--dots", "7", "dotted"), "7 dots of dotted, False"),
        (("draw", "nowhere"), "lines of nowhere, plain, False"),
        (("play", "dotted"), "1 dots of dotted, False"),
        (("play", "run", "lined"), "lines of lined, plain, False"),
        (("join", "dotted", "lined"), "dotted+lined"),
    ],
)
def test_the_board_on_the_line_chooses_the_command(line: tuple[str, ...], said: str) -> None:
    assert answered(*line) == (0, f"{said}\n")


def test_the_board_is_looked_up_in_the_workspace_of_the_line(
    space: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert answered("draw", "dotted") == (0, "lines of dotted, plain, False\n")
    assert answered("draw", "dotted", "--workspace", str(space)) == (0, "1 dots of dotted, True\n")


@pytest.mark.usefixtures("space")
def test_an_option_of_another_kind_is_refused() -> None:
    code, said = answered("draw", "dotted", "--theme", "dark")
    assert code == 2
    assert "No such option: --theme; it is for boards of kind rail" in said


@pytest.mark.usefixtures("space")
def test_help_is_that_of_the_board_and_names_other_kinds() -> None:
    code, said = answered("draw", "--help")
    assert code == 0
    assert "Draw lines." in said
    assert "Boards of other kinds (points) have options of their own" in said
    code, said = answered("draw", "dotted", "--help")
    assert code == 0
    assert "Draw points." in said
    assert "other kinds" not in said


def test_a_command_may_not_be_a_group_of_another_kind() -> None:
    with pytest.raises(TypeError, match="a command of one kind is a group of another"):
        merged((("rail", {"draw": RAIL["draw"]}), ("points", {"draw": POINTS["play"]})), registry.kind_named)
