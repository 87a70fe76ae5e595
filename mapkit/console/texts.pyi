# Each name with the module that it is imported from when it is first used; see texts.py.
from mapkit.console.moving_line import MovingLine as MovingLine
from mapkit.core.findings import count_findings as count_findings
from mapkit.core.findings import finding_lines as finding_lines
from mapkit.core.jsontext import json_text as json_text
from mapkit.formats.sarif import file_sarif as file_sarif
from mapkit.formats.sarif import sarif as sarif
