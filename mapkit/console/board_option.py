"""Board of a command: its first argument, `--board`, or left out where the workspace has only one.

All commands about one board get these forms here.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, Final, get_type_hints

import typer

from mapkit.console.printing import print_message
from mapkit.core.plurals import join_some

OwnBoards = Callable[[object], Sequence[str]]
"""Returns the own boards of a workspace: a folder, or None for the current one."""
BOARD_OPTION: Final = "board_option"
_HELP: Final = "The board: of the workspace or a shipped one, the folder of a source package, or a board.json."
OptionalBoardArg = Annotated[
    str | None,
    typer.Argument(
        metavar="BOARD",
        help=f"{_HELP} May be left out where the workspace has one board.",
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
    ),
]


def _choose_only_board(own: Sequence[str]) -> str:
    """Return the only board of a workspace, and name it on stderr.

    Raises:
        typer.BadParameter: The workspace has no board of its own, or several.
    """
    if len(own) == 1:
        print_message(f"board: {own[0]}")
        return own[0]
    there = f"this folder has {join_some(own)}" if own else "this folder has none of its own; shipped is usa"
    raise typer.BadParameter(f"say which board is meant: {there}", param_hint="BOARD")


def with_board(function: Callable[..., Any], own_boards: OwnBoards) -> Callable[..., Any]:
    """Let the function of a command take its board in each form; return others unchanged.

    Args:
        function: The function; one that needs a board has a parameter `board` without default, one with a default may
            do without.
        own_boards: Returns the boards of a workspace.
    """
    hints = get_type_hints(function, include_extras=True)
    parameters = signature(function).parameters
    marks = getattr(hints.get("board"), "__metadata__", ())
    is_argument = not any(isinstance(mark, typer.models.OptionInfo) for mark in marks)
    needed = "board" in hints and parameters["board"].default is Parameter.empty
    if not needed and ("board" not in hints or not is_argument):
        return function

    @wraps(function)
    def with_chosen_board(**values: Any) -> object:  # noqa: ANN401 - those of any command
        named, other = values.pop("board"), values.pop(BOARD_OPTION, None)
        if named and other and named != other:
            raise typer.BadParameter(f"the board is {named!r} and {other!r}; give one of them", param_hint="--board")
        chosen = named or other
        if needed and not chosen:
            chosen = _choose_only_board(own_boards(values.get("workspace")))
        return function(board=chosen, **values)

    changed = {name: one.replace(kind=Parameter.KEYWORD_ONLY) for name, one in parameters.items()}
    argument = OptionalBoardArg if needed else hints["board"]
    if is_argument:
        changed["board"] = changed["board"].replace(default=None, annotation=argument)
        changed[BOARD_OPTION] = Parameter(BOARD_OPTION, Parameter.KEYWORD_ONLY, default=None, annotation=BoardOpt)
    else:
        changed["board"] = changed["board"].replace(default=None)
    setattr(with_chosen_board, "__signature__", signature(function).replace(parameters=[*changed.values()]))  # noqa: B010
    with_chosen_board.__annotations__ = {**hints, "board": argument if is_argument else hints["board"]}
    if is_argument:
        with_chosen_board.__annotations__[BOARD_OPTION] = BoardOpt
    return with_chosen_board
