"""Turning traced lines into station lists, so that the editor can change them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from mapkit.editor.commands.command import Command, CommandError, Draft, command
from mapkit.editor.commands.naming import count
from mapkit.editor.commands.stops import put_place
from mapkit.editor.document import Line
from mapkit.errors import MapkitError
from mapkit.sources.config import FILE as CONFIG_FILE
from mapkit.sources.places import coordinate_name


@command("lines")
class TakeOverLines(Command):
    """Make station lists of all track as it is compiled now, and drop the traced files.

    Mileposts placed by rule get rows in `places.csv`, bends are written as coordinates. Undo brings the files back.
    """

    kind: Literal["take-over-lines"] = "take-over-lines"

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        from mapkit.editor.compiling import board_of  # noqa: PLC0415 - compiles the whole board
        from mapkit.editor.opening import document_of  # noqa: PLC0415
        from mapkit.exchange.board_source import board_to_source_files  # noqa: PLC0415

        if not draft.table("files"):
            raise CommandError("there are no traced files; all lines are station lists already")
        try:
            board = board_of(draft.document, "board")
            made = document_of(board_to_source_files(board, file=CONFIG_FILE))
        except MapkitError as error:
            raise CommandError(f"the traced lines cannot be compiled: {error}") from error
        for table in ("lines", "files"):
            for key in list(draft.table(table)):
                draft.drop(table, key)
        at = {key: coordinate_name(place.lon, place.lat) for key, place in made.places.items()}
        kept = _kept(made.lines.values(), at)
        named: set[str] = set()
        for key, line in made.lines.items():
            stops = tuple((place if place in kept else at.get(place, place), kind) for place, kind in line.stops)
            draft.put("lines", key, line.model_copy(update={"stops": stops}))
            named |= {place for place, _ in stops}
        for key, place in made.places.items():
            if key in named:
                put_place(draft, key, place.lon, place.lat)
        return f"Take over {count(len(made.lines), 'line')} from traced files"


def _kept(lines: Iterable[Line], at: Mapping[str, str]) -> set[str]:
    """Return the places that keep their names: ends of lines, and bends that would coincide with another."""
    rows = list(lines)
    out = {place for line in rows for place, kind in line.stops if kind == "milepost"}
    out |= {line.stops[index][0] for line in rows for index in (0, -1)}
    spots = Counter((line.railroad, at.get(place)) for line in rows for place, _ in line.stops)
    return out | {place for line in rows for place, _ in line.stops if spots[line.railroad, at.get(place)] > 1}
