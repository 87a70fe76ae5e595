"""Table of the commands of railroad boards: module and summary of each."""

from typing import Final

from mapkit.console.commands import Group, Table, hide_entries
from mapkit.console.derived import Entry
from mapkit.console.play_commands import play_commands

_HERE: Final = "mapkit.kinds.rail.cli"
_API: Final = "mapkit.kinds.rail.api"
_PLAY: Final = "mapkit.kinds.rail.api.playtesting"
_OUT: Final = "mapkit.api.outputs"
_SHOW: Final = "mapkit.cli.outputs"
_SCAN: Final = {
    "trace": Entry(
        f"{_API}.scans.tracing:trace_scan",
        "Read dots, squares and lines of railroads from a scan of a board, as a first draft.",
        show=f"{_HERE}.scanning:show_scan",
    ),
    "dots": Entry(
        f"{_API}.scans.dots:find_dots",
        "Find the dots and squares of a scan of a board.",
        show=f"{_HERE}.scanning:show_dots",
    ),
    "place": Entry(
        f"{_API}.scans.placing:place_scan",
        "Propose control points for a scan of a board from the names in it.",
        show=f"{_HERE}.scanning:show_placed",
    ),
    "points": Entry(
        f"{_API}.tracing:georeference",
        "Report how well control points place a traced picture.",
        show=f"{_HERE}.georeferencing:show_georeference",
    ),
}
_LIST: Final = {
    "themes": Entry(
        f"{_OUT}:list_themes",
        "List the themes that boards are drawn in.",
        show=f"{_SHOW}:show_themes",
    ),
    "formats": Entry(
        f"{_OUT}:list_board_formats",
        "List the formats of mapkit export, with what each carries.",
        show=f"{_SHOW}:show_formats",
    ),
}
_FORMER: Final = {
    "trace-scan": _SCAN["trace"],
    "find-dots": _SCAN["dots"],
    "place-scan": _SCAN["place"],
    "georeference": _SCAN["points"],
    **_LIST,
}
COMMANDS: Final[Table] = {
    **hide_entries(_FORMER),
    "scan": Group(
        "Read railroads, dots and control points from a scan.",
        _SCAN,
        addon="mapkit.kinds.rail.scanning",
    ),
    "list": Group("List themes, formats of export, and commands.", _LIST),
    "draft": Entry(
        f"{_API}.drafting:draft_board",
        "Draft a whole board of any region of the earth.",
        show=f"{_HERE}.drafting:show_draft",
        addon="mapkit.kinds.rail.drafting",
    ),
    "draw": Entry(
        f"{_OUT}:draw",
        "Draw a board in a theme, as SVG, PNG or PDF.",
        show=f"{_SHOW}:show_drawn",
    ),
    "colours": Entry(
        f"{_API}.drawing:judge_colours",
        "Judge the colours of railroads, or find better ones.",
        show=f"{_HERE}.drawing:show_colours",
    ),
    "report": Entry(
        f"{_API}.reports:report_board",
        "Report on railroads, cities and sets of railroads.",
        show=f"{_HERE}.reports:show_report",
    ),
    "route": Entry(
        f"{_API}.reports:find_route",
        "Find the route of fewest mileposts between places.",
        show=f"{_HERE}.reports:show_route",
    ),
    "place": Entry(
        f"{_API}.places:find_places",
        "Look up places by name: position and population.",
        show=f"{_HERE}.places:show_places",
    ),
    "match": Entry(
        f"{_API}.matching:match_places",
        "Match all names of a board to places.",
        show=f"{_HERE}.matching:show_matches",
    ),
    "lines": Group(
        "Add lines of railroads from station lists.",
        {
            "add": Entry(
                f"{_API}.matching:add_line",
                "Add a line to a railroad from a list of stations.",
                show=f"{_HERE}.matching:show_added_line",
            ),
        },
    ),
    "import": Entry(f"{_HERE}.importing:import_", "Take lines from geodata or drawings into a board."),
    "trace": Entry(
        f"{_API}.tracing:trace",
        "Trace a board, and say what each stage changed.",
        show=f"{_HERE}.tracing:show_trace",
    ),
    "export": Entry(
        f"{_OUT}:export",
        "Write a board for other programs.",
        show=f"{_SHOW}:show_exported",
        options="mapkit.kinds.rail.operations:RailExporting",
    ),
    "sheets": Entry(
        f"{_API}.sheets:write_sheets",
        "Draw charts, deeds, cards and pads for players.",
        show=f"{_HERE}.sheets:show_sheets",
    ),
    "print": Entry(
        "mapkit.api.printing:print_board",
        "Write a board to print and play, as one PDF.",
        show=f"{_SHOW}:show_printed",
        addon="mapkit.press",
    ),
    "picture": Entry(
        f"{_API}.paper:convert_picture",
        "Turn an SVG drawing into PDF, PNG or portable SVG.",
        show=f"{_SHOW}:show_picture",
        addon="mapkit.press",
    ),
    "schema": Entry(f"{_HERE}.schemas:schema", "Print the JSON Schema of files and results."),
    "payoffs": Group(
        "Read, compare, compute and check payoff charts.",
        {
            "read": Entry(
                f"{_HERE}.payoffs.reading:read", "Read a payoff chart from any file and say what was understood."
            ),
            "diff": Entry(
                f"{_HERE}.payoffs.comparing:diff",
                "Compare payoff charts: every cell in which they disagree, with votes.",
            ),
            "check": Entry(
                f"{_HERE}.payoffs.checking:check",
                "List the amounts of a payoff chart that are probably wrong, how, and what they should be.",
            ),
            "repair": Entry(
                f"{_API}.payoffs.checking:repair_payoffs",
                "Write accepted corrections of a payoff chart as a variant, each with its reason, "
                "or into a copy of the chart.",
                show=f"{_HERE}.payoffs.checking:show_repairs",
            ),
            "compute": Entry(
                f"{_API}.payoffs.computing:compute_payoffs",
                "Compute a payoff chart from distances.",
                show=f"{_HERE}.payoffs.computing:show_computed",
            ),
        },
    ),
    "destinations": Group(
        "Solve, read, check and compare destination charts.",
        {
            "odds": Entry(
                f"{_API}.odds:board_odds",
                "Print how likely each region and city is, by the charts and in the long run.",
                show=f"{_HERE}.destinations.odds:show_odds",
            ),
            "solve": Entry(
                f"{_API}.destinations:solve_destinations",
                "Find the charts whose odds are nearest to weights, with proof.",
                show=f"{_HERE}.destinations.solving:show_solved",
            ),
            "regions": Entry(
                f"{_API}.destinations:propose_regions",
                "Propose regions: contiguous, of 8 to 12 cities, near wanted odds.",
                show=f"{_HERE}.destinations.solving:show_regions",
            ),
            "read": Entry(
                f"{_API}.destinations:read_destinations",
                "Read destination charts from any file and say what was understood.",
                show=f"{_HERE}.destinations.files:show_read",
            ),
            "check": Entry(
                f"{_API}.destinations:check_destinations",
                "Read destination charts from any file and check them; against declared odds, too.",
                show=f"{_HERE}.destinations.files:show_checked",
            ),
            "diff": Entry(
                f"{_API}.destinations:diff_destinations",
                "Compare two destination charts: cells that differ, and the odds that change with them.",
                show=f"{_HERE}.destinations.files:show_difference",
            ),
        },
    ),
    "railroads": Group(
        "Read prices of railroads.",
        {
            "read": Entry(
                f"{_API}.payoffs.prices:read_prices",
                "Read a list of prices of railroads from any file, and compare it with the board.",
                show=f"{_HERE}.price_lists:show_prices",
            ),
        },
    ),
    "rules": Group(
        "Show, compare, check and print the rules of a game.",
        {
            "show": Entry(
                f"{_API}.rules:rules",
                "Show every setting of the rules with its value, its rows, and what the sources leave open.",
                show=f"{_HERE}.rules.showing:show_rules",
            ),
            "options": Entry(
                f"{_API}.rules:rule_options",
                "List the options that can be switched on, with what each sets, needs and contradicts.",
                show=f"{_HERE}.rules.showing:show_options",
            ),
            "diff": Entry(
                f"{_API}.rules:compare_rules",
                "Compare two sets of rules: every matter in which they disagree, in words.",
                show=f"{_HERE}.rules.showing:show_difference",
            ),
            "check": Entry(
                f"{_API}.rules:check_rules",
                "Check rules: contradictions, what the sources leave open, and whether they fit the board.",
                show=f"{_HERE}.rules.showing:show_checked",
            ),
            "sheet": Entry(
                f"{_API}.rule_sheets:rules_sheet",
                "Write a rule sheet for the players at the table, in plain words, for exactly the options chosen.",
                show=f"{_HERE}.rules.showing:show_sheet",
            ),
        },
    ),
    **play_commands(
        "mapkit.kinds.rail",
        f"{_PLAY}:PlayTest",
        f"{_HERE}.studies",
        options={
            "run": f"{_PLAY}:StudyFiles",
            "compare": f"{_PLAY}:ComparedRules",
            "replay": f"{_PLAY}:ReplayedLog",
        },
        files=f"{_API}.replaying:Shown",
        replay_text=f"{_HERE}.studies:show_match",
        without={"compare": ("rules", "dask"), "ladder": ("styles",), "replay": ("styles", "dask")},
        own={
            "price": Entry(
                f"{_API}.pricing:playtest_prices",
                "Find what railroads are worth to who buys them, alone or with all prices together.",
                show=f"{_HERE}.pricing:show_prices",
            ),
            "tune": Entry(
                f"{_API}.players.tuning:tune",
                "Improve a computer player by play on a board, so that studies of the board rest on good players.",
                show=f"{_HERE}.tuning:show_tuned",
            ),
            "validate": Entry(
                f"{_API}.validating:validate_players",
                "Play the published studies of the classic board with a panel, and say which figures are missed.",
                show=f"{_HERE}.studies:show_validation",
            ),
        },
    ),
    "variant": Group(
        "Apply, check, compare and move named sets of changes.",
        {
            "from": Entry(
                f"{_API}.exchange:variant_from",
                "Turn edits in an exported file into a variant, variants/NAME.toml.",
                show=f"{_HERE}.exporting:show_edited",
            ),
        },
    ),
}
