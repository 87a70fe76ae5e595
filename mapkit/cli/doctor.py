"""Table of installed and missing parts."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result, table

if TYPE_CHECKING:
    from mapkit.api.doctor import Installation, InstalledPart

_MOST = 4


def show_installation(found: "Installation") -> None:
    """Print each part, with the command that installs a missing one."""
    rows = ((part.name, part.state, _packages(part), _commands(part)) for part in found.parts)
    print_result(table(("part", "state", "packages", "commands"), rows))
    print_message(f"mapkit {found.version}, Python {found.python}, in {found.environment}")
    for part in found.parts:
        if part.install:
            print_message(f"{part.name}: install what is missing with: {part.install}")
    if found.board:
        faults = ((fault.part, fault.path, fault.text, "repaired" if fault.repaired else "") for fault in found.faults)
        print_result(
            table(("part", "where", "fault", ""), faults) if found.faults else f"{found.board}: nothing is damaged"
        )
    if any(not fault.repaired for fault in found.faults):
        print_message(f"repair it with: mapkit doctor --board {found.board} --repair")


def _packages(part: "InstalledPart") -> str:
    shown = [package for package in part.packages if not package.fits] or list(part.packages)
    if len(shown) > _MOST:
        return f"{len(shown)} packages"
    return ", ".join(f"{package.name} {package.version or package.needed}" for package in shown)


def _commands(part: "InstalledPart") -> str:
    return ", ".join(part.commands) or "all"
