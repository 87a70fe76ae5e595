"""The command `mapkit doctor`."""

import sys
from typing import TYPE_CHECKING

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt
from mapkit.console.printing import print_message, print_result, table

if TYPE_CHECKING:
    from mapkit.api.doctor import InstalledPart

_MOST = 4


def doctor(as_json: JsonOpt = False) -> None:
    """List what is installed and what commands lack.

    Each missing part is listed with the command that installs it in this environment. Exits 1 if a required package
    is missing or has a version that does not fit; optional parts may be missing.
    """
    found = mapkit.doctor()
    if as_json:
        print_result(texts.json_text(found))
    else:
        rows = ((part.name, part.state, _packages(part), _commands(part)) for part in found.parts)
        print_result(table(("part", "state", "packages", "commands"), rows))
        print_message(f"mapkit {found.version}, Python {found.python}, in {found.environment}")
        for part in found.parts:
            if part.install:
                print_message(f"{part.name}: install what is missing with: {part.install}")
    sys.exit(0 if found.ok else 1)


def _packages(part: "InstalledPart") -> str:
    shown = [package for package in part.packages if not package.fits] or list(part.packages)
    if len(shown) > _MOST:
        return f"{len(shown)} packages"
    return ", ".join(f"{package.name} {package.version or package.needed}" for package in shown)


def _commands(part: "InstalledPart") -> str:
    return ", ".join(part.commands) or "all"
