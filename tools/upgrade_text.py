"""The text of `docs/reference/upgrade-0.3.md`: every former name of a command, key and function, and its successor."""

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from board_file_text import MARK, filled

import mapkit
from mapkit.cli.app import OF_ANY_KIND, OF_EACH_KIND
from mapkit.console.derived import Entry
from mapkit.document.frame_commands import FORMER_COMMON
from mapkit.kinds.rail.commands import COMMANDS
from mapkit.kinds.rail.commands.former_names import FORMER
from mapkit.kinds.registry import command_tables

PUBLISHED: Final[dict[str, list[str]]] = json.loads(
    (Path(__file__).parent / "names_0_2.json").read_text(encoding="utf-8")
)
"""Names of 0.2: functions and classes of Python, commands of the program, commands that change a board."""
GONE: Final = {"CheckedVariants": "CheckedVariedBoard", "ComparedTables": "ComparedBoards"}
"""Names of Python without an alias, and their successors."""


def upgrade_text() -> str:
    """Return `docs/reference/upgrade-0.3.md`."""
    return filled(
        "upgrade-0.3",
        {
            "mark": MARK.format(page="upgrade-0.3"),
            "program": _table("former | today", _program()),
            "commands": _table("former | today | other keys and values", _commands()),
            "python": _table("former | today | state", _python()),
        },
    )


def _table(head: str, rows: Iterator[str]) -> str:
    return "\n".join([f"| {head} |", f"|{' --- |' * (head.count('|') + 1)}", *rows])


def _program() -> Iterator[str]:
    """Yield each hidden command of the program, with the shown one that runs the same function."""
    shown: dict[str, str] = {}
    hidden: dict[str, str] = {}
    for _, table in command_tables(OF_EACH_KIND):
        for name, part in {**OF_ANY_KIND, **table}.items():
            for inner, entry in [("", part)] if isinstance(part, Entry) else part.commands.items():
                (hidden if entry.hidden else shown)[f"{name} {inner}".strip()] = entry.where
    today = {where: name for name, where in shown.items()}
    return (f"| `mapkit {name}` | `mapkit {today[where]}` |" for name, where in sorted(hidden.items()))


def _commands() -> Iterator[str]:
    """Yield each former command with its name today, and what else its translation changes."""
    for name, former in sorted({**FORMER, **FORMER_COMMON}.items()):
        keys = [f"`{old}` is `{new}`" for old, new in former.keys.items()]
        values = [f"`{key}` is {json.dumps(value)}" for key, value in former.defaults.items()]
        having = [f"where it has `{key}`" for key in sorted(former.having)]
        extra = [] if former.convert is None or keys or values else ["values are translated"]
        yield f"| `{name}` | `{former.name}` | {'; '.join([*having, *keys, *values, *extra])} |"


def _python() -> Iterator[str]:
    """Yield each alias of a function, each deprecated name, and each name that went."""
    for name in sorted(dir(mapkit)):
        thing = getattr(mapkit, name)
        own = getattr(thing, "__name__", name)
        about = inspect.getdoc(thing) or ""
        if own != name and hasattr(mapkit, own):
            yield f"| `{name}` | `{own}` | deprecated |"
        elif "deprecated" in about and "`" in about:
            yield f"| `{name}` | `{about.split('`')[1]}` | deprecated |"
    yield from (f"| `{old}` | `{new}` | gone |" for old, new in GONE.items())


def unexplained(text: str) -> list[str]:
    """Return the names of 0.2 that neither exist nor stand in the upgrade notes."""
    shown = {
        f"{name} {inner}".strip()
        for _, table in command_tables(OF_EACH_KIND)
        for name, part in {**OF_ANY_KIND, **table}.items()
        for inner in ([""] if isinstance(part, Entry) else ["", *part.commands])
    }
    left = [name for name in PUBLISHED["python"] if not hasattr(mapkit, name)]
    left += [f"mapkit {name}" for name in PUBLISHED["program"] if name not in shown]
    left += [name for name in PUBLISHED["commands"] if name not in COMMANDS]
    return [name for name in left if f"| `{name}` |" not in text]
