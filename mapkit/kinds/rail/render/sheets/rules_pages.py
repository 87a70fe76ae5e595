"""Rule sheet as pages: the same words as `mapkit rules sheet`, in two columns."""

from mapkit.drawing.columns import ColumnText, column_sheets
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.rail.render.rule_sheet.page import about, left_open
from mapkit.kinds.rail.render.rule_sheet.sheet import rule_sheet
from mapkit.kinds.rail.render.sheets.job import SheetJob


def rule_sheets(job: SheetJob) -> list[Sheet]:
    """Return the rule sheet as pages."""
    rules_sheet = rule_sheet(job.board.rules, board=job.board)
    column_text = ColumnText(about(rules_sheet), rules_sheet.sections, left_open(rules_sheet))
    return column_sheets(job, "rules", job.words("rules.title"), column_text)
