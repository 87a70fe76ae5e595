"""Commands by kind; `read_command` makes one of JSON."""

from importlib import import_module
from pkgutil import iter_modules

from mapkit.editor.commands.command import COMMANDS, Command, CommandError, Draft, Plan, read_command

__all__ = ["COMMANDS", "Command", "CommandError", "Draft", "Plan", "read_command"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")  # a module registers its commands
