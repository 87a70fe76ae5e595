"""Table of the commands of railroad boards: module and summary of each."""

from typing import Final

from mapkit.console.commands import Group, Table, hide_entries
from mapkit.console.derived import Entry, entries_of
from mapkit.console.output_commands import output_commands
from mapkit.console.play_commands import play_commands

_HERE: Final = "mapkit.kinds.rail.cli"
_API: Final = "mapkit.kinds.rail.api"
_PLAY: Final = "mapkit.kinds.rail.api.playtesting"
_entry = entries_of(_API, _HERE)
_SCAN: Final = {
    "trace": _entry(
        "scans.tracing:trace_scan",
        "scanning:show_scan",
        "Read dots, squares and lines of railroads from a scan of a board, as a first draft.",
    ),
    "dots": _entry("scans.dots:find_dots", "scanning:show_dots", "Find the dots and squares of a scan of a board."),
    "place": _entry(
        "scans.placing:place_scan",
        "scanning:show_placed",
        "Propose control points for a scan of a board from the names in it.",
    ),
    "points": _entry(
        "tracing:georeference",
        "georeferencing:show_georeference",
        "Report how well control points place a traced picture.",
    ),
}
_FORMER: Final = {
    "trace-scan": _SCAN["trace"],
    "find-dots": _SCAN["dots"],
    "place-scan": _SCAN["place"],
    "georeference": _SCAN["points"],
}
COMMANDS: Final[Table] = {
    **output_commands(
        {
            "draw": "Draw a board in a theme, as SVG, PNG or PDF.",
            "export": "Write a board for other programs.",
            "print": "Write a board to print and play, as one PDF.",
        },
        listed={
            "themes": "List the themes that boards are drawn in.",
            "formats": "List the formats of mapkit export, with what each carries.",
        },
        options={
            "export": "mapkit.kinds.rail.operations:RailExporting",
            "draw": "mapkit.kinds.rail.operations:RailDrawing",
        },
    ),
    **hide_entries(_FORMER),
    "scan": Group(
        "Read railroads, dots and control points from a scan.",
        _SCAN,
        addon="mapkit.kinds.rail.scanning",
    ),
    "draft": _entry(
        "drafting:draft_board",
        "drafting:show_draft",
        "Draft a whole board of any region of the earth.",
        addon="mapkit.kinds.rail.drafting",
    ),
    "colours": _entry(
        "drawing:judge_colours", "drawing:show_colours", "Judge the colours of railroads, or find better ones."
    ),
    "report": _entry(
        "reports:report_board", "reports:show_report", "Report on railroads, cities and sets of railroads."
    ),
    "route": _entry("reports:find_route", "reports:show_route", "Find the route of fewest mileposts between places."),
    "place": _entry("places:find_places", "places:show_places", "Look up places by name: position and population."),
    "match": _entry("matching:match_places", "matching:show_matches", "Match all names of a board to places."),
    "lines": Group(
        "Add lines of railroads from station lists.",
        {
            "add": _entry(
                "matching:add_line", "matching:show_added_line", "Add a line to a railroad from a list of stations."
            ),
        },
    ),
    "import": _entry(
        "importing:import_into_board", "importing:show_import", "Take lines from geodata or drawings into a board."
    ),
    "trace": _entry("tracing:trace", "tracing:show_trace", "Trace a board, and say what each stage changed."),
    "sheets": _entry("sheets:write_sheets", "sheets:show_sheets", "Draw charts, deeds, cards and pads for players."),
    "picture": Entry(
        f"{_API}.paper:convert_picture",
        "Turn an SVG drawing into PDF, PNG or portable SVG.",
        show="mapkit.cli.outputs:show_picture",
        addon="mapkit.press",
    ),
    "schema": Entry(f"{_HERE}.schemas:schema", "Print the JSON Schema of files and results."),
    "payoffs": Group(
        "Read, compare, compute and check payoff charts.",
        {
            "read": _entry(
                "payoffs.reading:read_payoffs",
                "payoffs.reading:show_read",
                "Read a payoff chart from any file and say what was understood.",
            ),
            "diff": _entry(
                "payoffs.comparing:diff_payoffs",
                "payoffs.comparing:show_difference",
                "Compare payoff charts: every cell in which they disagree, with votes.",
            ),
            "check": _entry(
                "payoffs.checking:check_payoffs",
                "payoffs.checking:show_checked",
                "List the amounts of a payoff chart that are probably wrong, how, and what they should be.",
            ),
            "repair": _entry(
                "payoffs.checking:repair_payoffs",
                "payoffs.checking:show_repairs",
                "Write accepted corrections of a payoff chart as a variant, each with its reason, "
                "or into a copy of the chart.",
            ),
            "compute": _entry(
                "payoffs.computing:compute_payoffs",
                "payoffs.computing:show_computed",
                "Compute a payoff chart from distances.",
            ),
        },
    ),
    "destinations": Group(
        "Solve, read, check and compare destination charts.",
        {
            "odds": _entry(
                "odds:board_odds",
                "destinations.odds:show_odds",
                "Print how likely each region and city is, by the charts and in the long run.",
            ),
            "solve": _entry(
                "destinations:solve_destinations",
                "destinations.solving:show_solved",
                "Find the charts whose odds are nearest to weights, with proof.",
            ),
            "regions": _entry(
                "destinations:propose_regions",
                "destinations.solving:show_regions",
                "Propose regions: contiguous, of 8 to 12 cities, near wanted odds.",
            ),
            "read": _entry(
                "destinations:read_destinations",
                "destinations.files:show_read",
                "Read destination charts from any file and say what was understood.",
            ),
            "check": _entry(
                "destinations:check_destinations",
                "destinations.files:show_checked",
                "Read destination charts from any file and check them; against declared odds, too.",
            ),
            "diff": _entry(
                "destinations:diff_destinations",
                "destinations.files:show_difference",
                "Compare two destination charts: cells that differ, and the odds that change with them.",
            ),
        },
    ),
    "railroads": Group(
        "Read prices of railroads.",
        {
            "read": _entry(
                "payoffs.prices:read_prices",
                "price_lists:show_prices",
                "Read a list of prices of railroads from any file, and compare it with the board.",
            ),
        },
    ),
    "rules": Group(
        "Show, compare, check and print the rules of a game.",
        {
            "show": _entry(
                "rules:rules",
                "rules.showing:show_rules",
                "Show every setting of the rules with its value, its rows, and what the sources leave open.",
            ),
            "options": _entry(
                "rules:rule_options",
                "rules.showing:show_options",
                "List the options that can be switched on, with what each sets, needs and contradicts.",
            ),
            "diff": _entry(
                "rules:compare_rules",
                "rules.showing:show_difference",
                "Compare two sets of rules: every matter in which they disagree, in words.",
            ),
            "check": _entry(
                "rules:check_rules",
                "rules.showing:show_checked",
                "Check rules: contradictions, what the sources leave open, and whether they fit the board.",
            ),
            "sheet": _entry(
                "rule_sheets:rules_sheet",
                "rules.showing:show_sheet",
                "Write a rule sheet for the players at the table, in plain words, for exactly the options chosen.",
            ),
        },
    ),
    **play_commands(
        "mapkit.kinds.rail",
        f"{_PLAY}:PlayTest",
        f"{_HERE}.studies",
        options={
            "compare": f"{_PLAY}:ComparedRules",
        },
        files=f"{_API}.replaying:Shown",
        shown={"run": f"{_HERE}.studies:show_study", "replay": f"{_HERE}.studies:show_match"},
        without={"compare": ("rules", "dask"), "replay": ("dask",)},
        own={
            "price": _entry(
                "pricing:playtest_prices",
                "pricing:show_prices",
                "Find what railroads are worth to who buys them, alone or with all prices together.",
            ),
            "tune": _entry(
                "players.tuning:tune",
                "tuning:show_tuned",
                "Improve a computer player by play on a board, so that studies of the board rest on good players.",
            ),
            "validate": _entry(
                "validating:validate_players",
                "studies:show_validation",
                "Play the published studies of the classic board with a panel, and say which figures are missed.",
            ),
        },
    ),
    "variant": Group(
        "Apply, check, compare and move named sets of changes.",
        {
            "from": _entry(
                "exchange:variant_from",
                "exporting:show_edited",
                "Turn edits in an exported file into a variant, variants/NAME.toml.",
            ),
        },
    ),
}
