"""Writing the rule sheet."""

from pathlib import Path
from typing import Annotated, Final, Literal

from mapkit.core.errors import OutputError
from mapkit.core.output import write_files
from mapkit.drawing.words.language import OWN, find_language
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.rules import RuleOptions, RulePreset, RuleSettings, RulesTarget, rules
from mapkit.kinds.rail.render.rule_sheet.page import format_html, format_markdown
from mapkit.kinds.rail.render.rule_sheet.sheet import make_rule_sheet
from mapkit.kinds.rail.rules.rules import PRESETS
from mapkit.operations.options import Hidden, Language, Output, Workspace

_FORMS: Final = {".md": "md", ".html": "html", ".htm": "html"}


def rules_sheet(
    target: RulesTarget = "usa",
    *,
    preset: RulePreset = None,
    options: RuleOptions = (),
    settings: RuleSettings = None,
    language: Language = OWN,
    form: Annotated[Literal["md", "html"] | None, Hidden] = None,
    out: Annotated[str | Path | None, Output("-o", "FILE.md|FILE.html")] = None,
    workspace: Workspace = None,
) -> str:
    """Write a rule sheet for the players at the table, in plain words, for exactly the options chosen.

    Markdown, or with --out FILE.html a page or two to print on A4 or Letter.

    Args:
        target: As for `rules`; a board gives its name, its currency and its groups.
        form: Markdown or HTML; by default as the name of `out` ends, else Markdown.
        out: Write it there; HTML is for printing.

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
    chosen = rules(name, preset=preset, options=options, settings=settings, workspace=workspace)
    board = None if name in PRESETS or name.endswith(".toml") else load(name, workspace=workspace)
    sheet = make_rule_sheet(chosen, board=board, language=find_language(language))
    text = format_html(sheet) if (form or wanted) == "html" else format_markdown(sheet)
    if path is not None:
        write_files(path.parent, {path.name: text})
    return text
