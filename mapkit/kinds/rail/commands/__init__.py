"""Commands by kind; `read_command` makes one from JSON."""

from mapkit.kinds.rail.commands.command import COMMANDS, Command, CommandError, Draft, Plan, read_command

__all__ = ["COMMANDS", "Command", "CommandError", "Draft", "Plan", "read_command"]
