"""The kinds of boards by name: the only module outside a kind's own folder that imports from it.

Nothing of a kind is imported before it is needed, so that `mapkit --help` starts at once. Installed packages add kinds
by entry points of the group `mapkit.kinds`, programs by `register("points", "my_kinds.points:POINTS")`.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mapkit.console.commands import with_own
from mapkit.core.addons import select_present
from mapkit.core.errors import ChoiceError, MapkitError, SourceError, WorkspaceError, did_you_mean
from mapkit.core.names import board_stem, slug
from mapkit.document.workspace import Workspace, open_workspace, shipped_folder
from mapkit.formats.files import read_bytes, read_text
from mapkit.formats.toml_reading import parse_toml

if TYPE_CHECKING:
    from mapkit.console.commands import Table
    from mapkit.document.session import Session
    from mapkit.kinds.kind import Kind
    from mapkit.kinds.operations import BoardOperations
    from mapkit.playing.game import BoardGame

DEFAULT: Final = "rail"
"""The kind of a board that does not say one."""
_PACKAGE: Final = "mapkit.kinds"
_KINDS: dict[str, str] = select_present(
    {
        DEFAULT: "mapkit.kinds.rail.kind:RAIL",
        "hex": "mapkit.kinds.hex.kind:HEX",
        "cards": "mapkit.kinds.cards.kind:CARDS",
    },
    _PACKAGE,
)
_COMMAND_TABLES: Final = select_present(
    {
        DEFAULT: "mapkit.kinds.rail.cli.commands:COMMANDS",
        "hex": "mapkit.kinds.hex.cli.commands:COMMANDS",
        "cards": "mapkit.kinds.cards.cli.commands:COMMANDS",
    },
    _PACKAGE,
)
"""Where the tables are of the commands that kinds bring; the default kind is first."""
_OPERATIONS: dict[str, str] = select_present(
    {
        DEFAULT: "mapkit.kinds.rail.operations:RAIL_OPERATIONS",
        "hex": "mapkit.kinds.hex.operations:HEX_OPERATIONS",
        "cards": "mapkit.kinds.cards.operations:CARD_OPERATIONS",
    },
    _PACKAGE,
)
"""Where the operations of kinds are: what each adds to export, draw, print and import."""
_FILE_SIGNS: Final = select_present(
    {
        "hex": "mapkit.kinds.hex.exchange.sniffing:looks_like_hexes",
        "cards": "mapkit.kinds.cards.sniffing:looks_like_cards",
    },
    _PACKAGE,
)
"""Kind -> what tells files of other programs that hold one of its boards."""


def register(name: str, where: str, commands: str = "", operations: str = "") -> None:
    """Make a kind known.

    Args:
        name: As `kind` in `board.toml` has it.
        where: Module and name of the `Kind`, `my_kinds.points:POINTS`.
        commands: Module and name of the table of commands that it brings, `my_kinds.cli:COMMANDS`. One that another
            kind has too is chosen by the board that a line names.
        operations: Module and name of its `BoardOperations`.
    """
    _KINDS[name] = where
    if operations:
        _OPERATIONS[name] = operations
    if commands:
        _COMMAND_TABLES[name] = commands


def kind_names() -> tuple[str, ...]:
    """Return the names of all kinds, sorted."""
    return tuple(sorted(_KINDS | _installed_kinds()))


def _installed_kinds() -> dict[str, str]:
    found: dict[str, str] = _load("mapkit.core.addons.plugins:list_plugins")("mapkit.kinds")  # reading them takes time
    return found


def get_kind(name: object, *, file: str = "board.toml") -> "Kind[Any, Any]":
    """Return a kind by its name.

    Args:
        name: The name.
        file: Where it stands, for messages.

    Raises:
        SourceError: There is no such kind.
    """
    where = (_KINDS.get(name) or _installed_kinds().get(name)) if isinstance(name, str) else None
    if where is None:
        hint = did_you_mean(name, kind_names()) if isinstance(name, str) else ""
        known = ", ".join(kind_names())
        raise SourceError(f"{file}: kind is {name!r}, which is not a kind of board{hint}; the kinds are {known}")
    found: Kind[Any, Any] = _load(where)
    return found


def get_operations(kind: str) -> "BoardOperations[Any]":
    """Return the operations of a kind.

    Raises:
        ChoiceError: Its boards are not exported, drawn in themes, or printed.
    """
    if kind not in _OPERATIONS:
        raise ChoiceError(f"boards of kind {kind!r} are not exported, drawn in themes or printed")
    found: BoardOperations[Any] = _load(_OPERATIONS[kind])
    return found


def get_game(kind: str) -> "BoardGame[Any, Any]":
    """Return the game of a kind, for computer players.

    Raises:
        ChoiceError: Its boards are not played.
    """
    where = get_operations(kind).game
    if not where:
        raise ChoiceError(f"boards of kind {kind!r} are not played by computer players")
    found: BoardGame[Any, Any] = _load(where)
    return found


def get_referee(kind: str) -> "Callable[..., Any]":
    """Return the function of a kind that judges logs.

    Raises:
        ChoiceError: Logs of its games are not judged.
    """
    where = get_operations(kind).referee
    if not where:
        raise ChoiceError(f"logs of games on boards of kind {kind!r} are not judged")
    found: Callable[..., Any] = _load(where)
    return found


def kind_of_file(file: Path) -> str:
    """Return the kind of the board that a file of another program holds."""
    return next((kind for kind, where in _FILE_SIGNS.items() if _load(where)(file)), DEFAULT)


def operations_of(board: object, workspace: str | Path | None = None) -> "BoardOperations[Any]":
    """Return the operations for a board, or for the name, folder or file of one.

    Raises:
        UnknownNameError: There is no such board.
        ChoiceError: As for `get_operations`.
    """
    if isinstance(board, str | Path):
        space = open_workspace(workspace)
        is_file = space.is_board_file(str(board))
        return get_operations(DEFAULT if is_file else kind_of(space.board_folder(str(board))).name)
    for kind in _OPERATIONS:
        if isinstance(board, (found := get_operations(kind)).board_type):
            return found
    raise ChoiceError(f"{type(board).__name__} is not a board")


def kind_of(folder: Path) -> "Kind[Any, Any]":
    """Return the kind of a source package, as its `board.toml` says; `rail` where it does not say.

    Raises:
        SourceError: It names a kind that there is not.
    """
    try:
        data = parse_toml(read_text(folder / "board.toml", name="board.toml"), file="board.toml")
    except (ValueError, SourceError, WorkspaceError):  # the kind's reader says what is wrong with the file
        data = {}
    return get_kind(data.get("kind", DEFAULT))


def open_session(folder: Path) -> "Session[Any]":
    """Open a source package of any kind, with the unsaved steps of its journal.

    Raises:
        SourceError: Its files are wrong, or it is of no known kind.
        WorkspaceError: It is missing.
        JournalError: The journal cannot be used.
    """
    session: type[Session[Any]] = _load("mapkit.document.session:Session")
    return session.open(folder, kind_of(folder))


def command_tables(of_each: "Table | None" = None) -> Iterator[tuple[str, "Table"]]:
    """Yield the commands that kinds add to the command line, each with the name of its kind.

    Args:
        of_each: Commands that each kind has, unless it has its own.
    """
    for kind in (*_COMMAND_TABLES, *(kind for kind in _KINDS if of_each and kind not in _COMMAND_TABLES)):
        table: Table = _load(_COMMAND_TABLES[kind]) if kind in _COMMAND_TABLES else {}
        yield kind, with_own(of_each, table) if of_each else table


def kind_named(values: Mapping[str, object]) -> str | None:
    """Return the kind of the first board, or file of one, that the arguments of a command name; None if they name none.

    Args:
        values: Arguments by name, in order; `workspace` is the folder where boards are looked up by name. `board`
            counts first; if the line leaves it out, the only board of the workspace is meant.
    """
    root = values.get("workspace")
    space = Workspace(root if isinstance(root, Path) else Path.cwd())
    named = [values["board"], *values.values()] if "board" in values else [*values.values()]
    for name in (one for value in named for one in (value if isinstance(value, list) else [value])):
        if isinstance(name, str):
            with suppress(MapkitError):
                return kind_of(space.board_folder(name.split("+")[0])).name
            if found := variant_kind(space, name):
                return found
    files = [file for value in named for file in (value if isinstance(value, list) else [value])]
    for kind, where in _FILE_SIGNS.items():
        if any(isinstance(file, Path) and file is not root and _load(where)(file) for file in files):
            return kind
    if named[:1] == [None] and (only := space.only_board()) is not None:
        return kind_of(space.board_folder(only)).name
    return None


def own_boards(workspace: object) -> tuple[str, ...]:
    """Return the names of a workspace's own boards; of the current folder without one."""
    return Workspace(workspace if isinstance(workspace, Path) else Path.cwd()).own_boards()


def owner_named(values: Mapping[str, object]) -> tuple[str, frozenset[str]] | None:
    """Return the board with its variants that the arguments of a command name, `usa+quick`, and all boards' ids.

    Args:
        values: As for `kind_named`.
    """
    root = values.get("workspace")
    space = Workspace(root if isinstance(root, Path) else Path.cwd())
    named = [str(values[key]) for key in ("board", "a", "b", "target") if values.get(key) is not None]
    if not named and (only := space.only_board()) is not None:
        named = [only]
    variants = [str(name) for key in ("names", "variants") for name in _listed(values.get(key))]
    if not named and not variants:
        return None
    return board_stem("--".join(_board_stem(space, name) for name in named), variants), frozenset(space.boards())


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _board_stem(space: Workspace, name: str) -> str:
    """Return the id of a board, with its variants; a file of a board says both, of another file the name does."""
    if not space.is_board_file(name):
        folder = Path(name).resolve().name if name in (".", "..") else Path(name).name
        return folder if "+" in folder else slug(folder)
    with suppress(MapkitError, ValueError, RecursionError):
        found = json.loads(read_bytes(space.path(name), name=name))
        if isinstance(found, dict) and isinstance(found.get("id"), str):
            return board_stem(found["id"], [str(variant) for variant in _listed(found.get("variants"))])
    return Path(name).name.partition(".")[0]


def variant_kind(space: Workspace, name: str, path: Path | None = None) -> str | None:
    """Return the kind of boards that a variant is for; None if there is no such variant.

    Args:
        space: The workspace.
        name: A variant of the workspace or a shipped one, or a file (`.toml`).
        path: Its file, if it is known.
    """
    if path is None:
        path = next((file for file in _variant_files(space, name) if file.is_file()), None)
    if path is None:
        return None
    if path.parent.name in _KINDS:
        return path.parent.name
    try:
        data = parse_toml(read_bytes(path, name=path.name).decode("utf-8-sig"), file=path.name)
        return kind_of(space.board_folder(str(data["board"]))).name
    except (ValueError, KeyError, MapkitError):  # its reader says what is wrong with the file
        return DEFAULT


def _variant_files(space: Workspace, name: str) -> Iterator[Path]:
    """Yield where the file of a variant may be, its own of a workspace first."""
    if name.endswith(".toml"):
        yield space.path(name)
        return
    folders = ("", *_KINDS)
    for root in (space.root, shipped_folder()):
        yield from (root / "variants" / folder / f"{name}.toml" for folder in folders)


def _load(where: str) -> Any:  # noqa: ANN401 - whatever is named
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)
