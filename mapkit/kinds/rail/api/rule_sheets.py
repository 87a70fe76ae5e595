"""Writing the rule sheet."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.rules import rules
from mapkit.kinds.rail.render.rule_sheet.page import sheet_html, sheet_markdown
from mapkit.kinds.rail.render.rule_sheet.sheet import rule_sheet
from mapkit.kinds.rail.rules.rules import PRESETS


def rules_sheet(
    target: str | Path = "ah",
    *,
    options: Iterable[str] = (),
    settings: Mapping[str, object] | None = None,
    form: Literal["md", "html"] = "md",
    workspace: str | Path | None = None,
) -> str:
    """Return the rule sheet for the players at the table, for exactly the options chosen.

    Args:
        target: As for `rules`; a board gives its name, its currency and its groups.
        options: As for `rules`.
        settings: As for `rules`.
        form: Markdown, or one printable page of HTML (A4 or Letter).
        workspace: As for `load`.

    Raises:
        MapkitError: As for `rules`.
    """
    name = str(target)
    chosen = rules(name, options=options, settings=settings, workspace=workspace)
    board = None if name in PRESETS or name.endswith(".toml") else load(name, workspace=workspace)
    sheet = rule_sheet(chosen, board=board)
    return sheet_html(sheet) if form == "html" else sheet_markdown(sheet)
