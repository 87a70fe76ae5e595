"""Commands by kind; `read_command` makes one of JSON."""

from mapkit.editor.commands import (
    batch,
    cities,
    destinations,
    findings,
    line_edits,
    lines,
    ordering,
    payoffs,
    pictures,
    places,
    railroads,
    regions,
    respace,
    restoring,
    rows,
    rules,
    settings,
    take_over,
)
from mapkit.editor.commands.command import COMMANDS, Command, CommandError, Draft, Plan, read_command

__all__ = ["COMMANDS", "TOPICS", "Command", "CommandError", "Draft", "Plan", "read_command"]

TOPICS = (
    batch,
    cities,
    destinations,
    findings,
    line_edits,
    lines,
    ordering,
    payoffs,
    pictures,
    places,
    railroads,
    regions,
    respace,
    restoring,
    rows,
    rules,
    settings,
    take_over,
)
"""The modules that register commands."""
