"""Naming the board of a command: as its first argument, as `--board`, or not at all where there is only one.

All commands that are about one board get this here, so that each takes the same forms.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, Final, get_type_hints

import typer

from mapkit.console.options import completer
from mapkit.console.printing import talk

OwnBoards = Callable[[object], Sequence[str]]
"""Returns the boards of a workspace's own; the workspace is a folder, or None for the current one."""
OTHER_FORM: Final = "board_option"
_MOST_NAMED: Final = 10
_HELP: Final = "The board: of the workspace or a shipped one, the folder of a source package, or a board.json."
OptionalBoardArg = Annotated[
    str | None,
    typer.Argument(
        metavar="BOARD",
        help=f"{_HELP} May be left out where the workspace has one board.",
        autocompletion=completer("mapkit.cli.completion:complete_board"),
        show_default=False,
    ),
]
BoardOpt = Annotated[
    str | None,
    typer.Option(
        "--board",
        "-b",
        metavar="BOARD",
        help="The same as the argument BOARD.",
        autocompletion=completer("mapkit.cli.completion:complete_board"),
    ),
]


def _chosen_board(own: Sequence[str]) -> str:
    """Return the only board of a workspace, and say that it was chosen.

    Raises:
        typer.BadParameter: The workspace has no board of its own, or several.
    """
    if len(own) == 1:
        talk(f"board: {own[0]}")
        return own[0]
    more = ", ..." if len(own) > _MOST_NAMED else ""
    there = (
        f"this folder has {', '.join(own[:_MOST_NAMED])}{more}"
        if own
        else "this folder has none of its own; shipped is usa"
    )
    raise typer.BadParameter(f"say which board is meant: {there}", param_hint="BOARD")


def with_board(function: Callable[..., Any], own_boards: OwnBoards) -> Callable[..., Any]:
    """Return a command's function that takes its board in each form; as it is, if it is about none or several.

    Args:
        function: The function; one that needs a board has a parameter `board` without default.
        own_boards: Returns the boards of a workspace.
    """
    hints = get_type_hints(function, include_extras=True)
    parameters = signature(function).parameters
    needed = "board" in hints and parameters["board"].default is Parameter.empty
    if not needed:
        return function
    marks = getattr(hints["board"], "__metadata__", ())
    is_argument = not any(isinstance(mark, typer.models.OptionInfo) for mark in marks)

    @wraps(function)
    def with_chosen_board(**values: Any) -> object:  # noqa: ANN401 - those of any command
        named, other = values.pop("board"), values.pop(OTHER_FORM, None)
        if named and other and named != other:
            raise typer.BadParameter(f"the board is {named!r} and {other!r}; give one of them", param_hint="--board")
        return function(board=named or other or _chosen_board(own_boards(values.get("workspace"))), **values)

    changed = {name: one.replace(kind=Parameter.KEYWORD_ONLY) for name, one in parameters.items()}
    if is_argument:
        changed["board"] = changed["board"].replace(default=None, annotation=OptionalBoardArg)
        changed[OTHER_FORM] = Parameter(OTHER_FORM, Parameter.KEYWORD_ONLY, default=None, annotation=BoardOpt)
    else:
        changed["board"] = changed["board"].replace(default=None)
    setattr(with_chosen_board, "__signature__", signature(function).replace(parameters=[*changed.values()]))  # noqa: B010
    with_chosen_board.__annotations__ = {**hints, "board": OptionalBoardArg if is_argument else hints["board"]}
    if is_argument:
        with_chosen_board.__annotations__[OTHER_FORM] = BoardOpt
    return with_chosen_board
