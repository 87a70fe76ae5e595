"""Rule sheet as pages: the same words as `mapkit rules sheet`, in two columns."""

from mapkit.drawing.columns import ColumnText, column_sheets
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.rail.render.rule_sheet.page import describe_rule_set, list_open_matters
from mapkit.kinds.rail.render.rule_sheet.sheet import make_rule_sheet
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob


def rule_sheets(job: SheetJob) -> list[Sheet]:
    """Return the rule sheet as pages."""
    rules_sheet = make_rule_sheet(job.board.rules, board=job.board)
    column_text = ColumnText(describe_rule_set(rules_sheet), rules_sheet.sections, list_open_matters(rules_sheet))
    return column_sheets(job, "rules", job.words("rules.title"), column_text)
