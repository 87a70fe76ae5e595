"""Command that replaces a line's mileposts by rule."""

from typing import Literal

from pydantic import Field

from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.commands._respacing import respace_lines
from mapkit.kinds.rail.commands.command import Command, Draft, command
from mapkit.kinds.rail.commands.stops import need_line


@command("lines", form="lines")
class RespaceLines(Command):
    """Replace the mileposts of lines by others, evenly about `gap_mi` miles apart, named after places beside the line.

    Cities, ends, junctions and mileposts that other lines share stay. The course of the lines stays: mileposts that
    go become bends.
    """

    kind: Literal["respace-lines"] = "respace-lines"
    lines: tuple[str, ...] = Field(min_length=1, max_length=1000)
    gap_mi: float = Field(ge=0.5, le=1000)
    reach_mi: float = Field(default=5.0, gt=0, le=100)
    many: bool = Field(default=False, description="Place more than 1,000 mileposts")

    def edit(self, draft: Draft) -> str:
        """Replace the mileposts of the lines."""
        line_ids = tuple(dict.fromkeys(self.lines))
        milepost_count = respace_lines(draft, line_ids, gap_mi=self.gap_mi, reach_mi=self.reach_mi, many=self.many)
        count_text = count_noun(milepost_count, "milepost")
        line_text = need_line(draft, line_ids[0]).name if len(line_ids) == 1 else count_noun(len(line_ids), "line")
        return f"Space {line_text} about every {self.gap_mi:g} miles ({count_text})"
