"""Commands of the command line that are loaded when they are called.

A table says of each command where its function is and what it does, in one sentence. So `mapkit --help` and the
completion of names in a shell load no command's module, and a command's module imports all that it needs at its top.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


@dataclass(frozen=True)
class Entry:
    """A command in a table.

    Attributes:
        where: Module and name of its function, `mapkit.cli.boards:build`; its docstring is the help.
        short: The first sentence of that help.
    """

    where: str
    short: str


@dataclass(frozen=True)
class Group:
    """A group of commands in a table.

    Attributes:
        about: Its help.
        commands: Its commands by name.
        otherwise: The command that is meant where none is named: `mapkit playtest usa` is `mapkit playtest run usa`.
    """

    about: str
    commands: Mapping[str, Entry]
    otherwise: str = ""


Table = Mapping[str, Entry | Group]


class NotLoaded(TyperCommand):
    """What stands for a command until it is called."""

    def __init__(self, name: str, entry: Entry) -> None:
        super().__init__(name, help=entry.short)
        self.where = entry.where

    def load(self) -> Any:  # noqa: ANN401 - Typer does not export the type of its commands
        """Return the command itself."""
        module, _, function = self.where.partition(":")
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(self.name)(getattr(import_module(module), function))
        return typer.main.get_command(alone)


class LoadingGroup(TyperGroup):
    """A group whose commands are loaded when they are called, or asked for their own help."""

    def __init__(self, *, table: Table, otherwise: str = "", **settings: Any) -> None:  # noqa: ANN401 - of any group
        super().__init__(**settings)
        self.otherwise = otherwise
        for name, entry in table.items():
            if isinstance(entry, Entry):
                self.commands[name] = NotLoaded(name, entry)
            else:
                self.commands[name] = LoadingGroup(
                    table=entry.commands,
                    otherwise=entry.otherwise,
                    name=name,
                    help=entry.about,
                    no_args_is_help=True,
                    rich_markup_mode=None,
                )

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 - as above
        """Return the command that is called, loaded; completion of its options comes here too."""
        if self.otherwise and args[0] not in self.commands:
            args = [self.otherwise, *args]
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, NotLoaded) else command, rest
