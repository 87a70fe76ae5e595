"""Table of the commands that draw, print, export and import boards of a kind."""

from collections.abc import Mapping
from typing import Final

from mapkit.console.commands import Group, Table, hide_entries
from mapkit.console.derived import Entry

_OPERATIONS: Final = {
    "draw": ("mapkit.api.outputs:draw", "show_drawn"),
    "export": ("mapkit.api.outputs:export", "show_exported"),
    "import": ("mapkit.api.importing:import_tables", "show_imported"),
    "print": ("mapkit.api.printing:print_board", "show_printed"),
    "formats": ("mapkit.api.outputs:list_board_formats", "show_formats"),
    "themes": ("mapkit.api.outputs:list_themes", "show_themes"),
}
_ADDONS: Final = {"print": "mapkit.press"}


def output_commands(
    abouts: Mapping[str, str],
    *,
    listed: Mapping[str, str],
    options: Mapping[str, str] | None = None,
    without: Mapping[str, tuple[str, ...]] | None = None,
) -> Table:
    """Return the commands that draw, print, export and import boards of a kind.

    Args:
        abouts: Short help of each command that the kind has.
        listed: Short help of its commands in the group `list`, which also work under their names alone.
        options: Class of the options that it adds, by command.
        without: Options that a command does not have, by command.
    """
    options, without = options or {}, without or {}
    entries = {
        name: Entry(
            where,
            {**abouts, **listed}[name],
            show=f"mapkit.cli.outputs:{show}",
            options=options.get(name, ""),
            without=without.get(name, ()),
            addon=_ADDONS.get(name, ""),
        )
        for name, (where, show) in _OPERATIONS.items()
        if name in abouts or name in listed
    }
    lists = {name: entries[name] for name in listed}
    return {
        **{name: entries[name] for name in abouts},
        **hide_entries(lists),
        "list": Group("List themes, formats of export, and commands.", lists),
    }
