"""Writing the rule sheet."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

from mapkit.core.errors import OutputError
from mapkit.core.output import write_files
from mapkit.drawing.words.language import OWN, known_language
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.rules import rules
from mapkit.kinds.rail.render.rule_sheet.page import sheet_html, sheet_markdown
from mapkit.kinds.rail.render.rule_sheet.sheet import rule_sheet
from mapkit.kinds.rail.rules.rules import PRESETS

_FORMS: Final = {".md": "md", ".html": "html", ".htm": "html"}


def rules_sheet(
    target: str | Path = "ah",
    *,
    options: Iterable[str] = (),
    settings: Mapping[str, object] | None = None,
    language: str = OWN,
    form: Literal["md", "html"] | None = None,
    out: str | Path | None = None,
    workspace: str | Path | None = None,
) -> str:
    """Return the rule sheet for the players at the table, for exactly the options chosen.

    Args:
        target: As for `rules`; a board gives its name, its currency and its groups.
        options: As for `rules`.
        settings: As for `rules`.
        language: As in `Look`; without a board the usual language is English.
        form: Markdown, or HTML to print on a page or two (A4 or Letter). By default as the name of `out` ends, else
            Markdown.
        out: A file in which to write it too; its name ends in `.md`, `.html` or `.htm`.
        workspace: As for `load`.

    Raises:
        ChoiceError: mapkit does not print in that language.
        MapkitError: As for `rules`.
        OutputError: The name of the file is not valid for a rule sheet, or the file cannot be written.
    """
    path = None if out is None else Path(out)
    wanted = "md" if path is None else _FORMS.get(path.suffix.lower())
    if wanted is None:
        raise OutputError(f"{path}: rule sheets are written as .md or .html; give such a name")
    name = str(target)
    chosen = rules(name, options=options, settings=settings, workspace=workspace)
    board = None if name in PRESETS or name.endswith(".toml") else load(name, workspace=workspace)
    sheet = rule_sheet(chosen, board=board, language=known_language(language))
    text = sheet_html(sheet) if (form or wanted) == "html" else sheet_markdown(sheet)
    if path is not None:
        write_files(path.parent, {path.name: text})
    return text
