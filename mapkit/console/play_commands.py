"""Table of the commands that play boards of a kind and judge logs."""

from collections.abc import Mapping
from typing import Final

from mapkit.console.commands import Group, Table
from mapkit.console.derived import Entry

_API: Final = "mapkit.api.playtesting"
_GAME: Final = "mapkit.playing.game"
_SHOW: Final = "mapkit.playing.tables"
_WITHOUT: Final[Mapping[str, tuple[str, ...]]] = {"ladder": ("styles",), "replay": ("styles",)}
"""Options of games that a command of no kind has."""


def play_commands(
    kind: str,
    how: str,
    text: str,
    *,
    options: Mapping[str, str] | None = None,
    files: str = "",
    shown: Mapping[str, str] | None = None,
    without: Mapping[str, tuple[str, ...]] | None = None,
    own: Mapping[str, Entry] | None = None,
) -> Table:
    """Return the commands `playtest` and `referee` for boards of a kind.

    Args:
        kind: Package of the kind.
        how: Class of its options of games, `module:name`.
        text: Module with `show_comparison`.
        options: Class of the options that it adds, by command.
        files: Class of its files of a replay.
        shown: Functions that print results, by command, in place of the common ones.
        without: Options that a command does not have, by command.
        own: Commands of `playtest` that only this kind has.
    """
    options = {"run": f"{_GAME}:StudyFiles", "replay": f"{_GAME}:ReplayedLog", **(options or {})}
    without = without or {}
    entries = {
        "run": (
            "playtest",
            f"{_SHOW}:show_study",
            "Play many games: who wins, how long it takes, what is earned and used.",
        ),
        "replay": ("replay", f"{_SHOW}:show_replay", "Tell one game step by step, or write its log."),
        "compare": (
            "playtest_compare",
            f"{text}:show_comparison",
            "Play the same games on two boards and say what differs, with intervals.",
        ),
        "ladder": (
            "ladder",
            f"{_SHOW}:show_ladder",
            "Let computer players play each other in pairs, and say who is best.",
        ),
    }
    commands = {
        name: Entry(
            f"{_API}:{function}",
            about,
            show=(shown or {}).get(name, show),
            options=options.get(name, ""),
            classes=(("how", how), *((("show", files),) if name == "replay" and files else ())),
            without=(*without.get(name, ()), *_WITHOUT.get(name, ())),
        )
        for name, (function, show, about) in entries.items()
    }
    policies = Entry(
        f"{_API}:list_policies", "List the computer players, and what each weighs.", show=f"{_SHOW}:show_policies"
    )
    return {
        "playtest": Group(
            "Play many games on a board by computer players.",
            {**commands, **(own or {}), "policies": policies},
            otherwise="run",
            addon=f"{kind}.playing",
        ),
        "referee": Entry(
            "mapkit.api.refereeing:referee",
            "Find the first step of a game that breaks a rule.",
            show="mapkit.cli.refereeing:show_judgement",
            addon=f"{kind}.refereeing",
        ),
    }
