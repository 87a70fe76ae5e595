"""The text of `docs/reference/rules.md`: every row of the rules, where it lives, and its value in each preset."""

from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.gaps import gaps
from mapkit.kinds.rail.rules.options import option_exclusions, shown_value
from mapkit.kinds.rail.rules.paths import get_setting
from mapkit.kinds.rail.rules.rows import row_places, settings_of
from mapkit.kinds.rail.rules.rules import PRESETS, Rules
from mapkit.kinds.rail.rules.tables import Condition, RuleRow, Wording
from mapkit.kinds.rail.rules.words import value_words

COUNT = len(book.rows())
_THOUSANDS = 10_000

HEAD = f"""\
# Rules

Written by `tools/make_docs.py` from the rules model and the files in `mapkit/kinds/rail/rules/`; do not edit.

The rules of a game are data: the field `rules` of the board file, with a setting for every parameter, table, choice
and option. Every row of the printed rules has an id, such as `RB-F03`, and a place where it lives. {COUNT} rows.

```sh
mapkit rules show ici                          # every setting
mapkit rules diff ah ici                       # where two rule sets disagree
mapkit rules check usa -O half-time            # contradictions, gaps, and whether they fit the board
mapkit rules options                           # what can be switched on
mapkit rules sheet usa -O half-time -o sheet.html   # for the players at the table
mapkit rules sheet mexico --language es-MX          # in Spanish; also en, es and pt
```

In Python: `mapkit.rules("ici", options=["half-time"], settings={{"fees.own": 0}})`,
`mapkit.compare_rules("ah", "ici")`, `mapkit.check_rules("usa", options=["half-time"])`,
`mapkit.rules_sheet("usa", form="html")`. The JSON Schema is `mapkit schema rules`.

## Choosing rules

In `board.toml`, or in a file of their own (without the word `rules`):

```toml
[rules]
preset = "ici"                          # ah if none is named
options = ["half-time", "extra-cash=10000"]

[rules.fees]
own = 500                               # any single setting, by its group

[[rules.group_purchase.groups]]         # merged groups of this board
name = "Coast lines"
members = ["acl", "sal"]
price = 26000

[[rules.house.words]]                   # what no setting says, in your own words
title = "Ferry"
text = "On Sundays the ferry to the islands is free."
```

The preset comes first, then the options, then single settings. What contradicts itself is refused, and the message
names both sides. Settings of the group `options` may be given as a table `[rules.options]` in place of the list.

House rules in words stand last on the rule sheet and travel in the board file; no program plays by them. The panel
*Rules* of the editor writes them, and so does a variant, a rule at a time:

```toml
[[operations]]
op = "add-house-rule"
title = "Ferry"
text = "On Sundays the ferry to the islands is free."
reason = "We like the islands."
```
"""


def rules_text() -> str:
    """Return `docs/reference/rules.md`."""
    parts = [HEAD, "## Presets", "", "| preset | rule set |", "| --- | --- |"]
    parts += [f"| `{name}` | {book.preset_titles()[name]} |" for name in PRESETS]
    parts += [
        "",
        "## Options",
        "",
        "| option | what it does | rows | sets | needs |",
        "| --- | --- | --- | --- | --- |",
    ]
    for option in book.options().values():
        sets = ", ".join(f"`{path}` {shown_value(value)}" for path, value in option.settings)
        inside = ", ".join(f"option `{ident}`" for ident in option.includes)
        needs = ", ".join(f"`{ident}`" for ident in option.needs)
        parts.append(f"| `{option.id}` | {option.title} | {' '.join(option.rows)} | {sets or inside} | {needs} |")
    parts += ["", f"Options with an amount, as in `extra-cash=10000`: {_with_amount()}.", "", *_relations()]
    parts += ["", *_settings(), "", *_numbers(), "", *_gaps(), "", *_kinds()]
    for letter, topic in book.topics().items():
        head = f"| row | rule | where | {' | '.join(PRESETS)} |"
        parts += ["", f"## {topic}", "", head, "| --- | --- | --- |" + " --- |" * len(PRESETS)]
        parts += [_row(row) for row in book.rows() if row.id[3] == letter]
    return "\n".join(parts) + "\n"


def _with_amount() -> str:
    return ", ".join(f"`{o.id}`" for o in book.options().values() if o.amount)


def _relations() -> list[str]:
    pairs = [f"| `{one}` | `{other}` | both set `{path}` |" for one, other, path in option_exclusions()]
    between = [
        f"| {' and '.join(map(_condition, r.when))} | {_condition(r.must)} | {r.why} ({', '.join(r.rows)}) |"
        for r in book.relations()
    ]
    return [
        "## What depends on what, and what excludes what",
        "",
        "| where | must be | why |",
        "| --- | --- | --- |",
        *between,
        "",
        "| option | not with | why |",
        "| --- | --- | --- |",
        *pairs,
    ]


def _condition(condition: Condition) -> str:
    words = {"is": "=", "is-not": "is not", "at-least": "at least", "at-most": "at most"}
    return f"`{condition.setting}` {words[condition.test]} {shown_value(condition.value)}"


def _gaps() -> list[str]:
    lines = [
        "## What the sources leave open",
        "",
        "Each preset plays by these, though its texts do not state them. `mapkit rules check` lists those that play a",
        "part, and the rule sheet marks their sentences.",
        "",
        "| setting or row | preset | value | why |",
        "| --- | --- | --- | --- |",
    ]
    for name in PRESETS:
        start = Rules(preset=name)
        for gap in gaps(start):
            if gap.kind == "not-given":
                value = "not given"
            elif gap.about.startswith("RB-"):
                value = f"{gap.matter}, assumed"
            else:
                value = f"{value_words(gap.about, get_setting(start, gap.about))}, assumed"
            about = gap.about if gap.about.startswith("RB-") else f"`{gap.about}`"
            lines.append(f"| {about} | {name} | {value} | {gap.why} |")
    return [
        *lines,
        "",
        "Asking for a figure that is not there is an error that says so (`mapkit.kinds.rail.rules.gaps.figure`).",
    ]


def _settings() -> list[str]:
    """Return all settings with what each value of a choice means, for programs that play by them."""
    return [
        "## Settings",
        "",
        "Each setting as it stands in the field `rules` of the board file, and what the values of choices mean. The",
        "JSON Schema has types, units and limits.",
        "",
        "| setting | about | values |",
        "| --- | --- | --- |",
        *(f"| `{path}` | {words.matter} | {_meanings(words)} |" for path, words in book.wording().items()),
    ]


def _meanings(words: Wording) -> str:
    if words.path == "preset":
        return "see [presets](#presets)"
    if words.unit:
        return {"money": "currency units", "percent": "per cent"}[words.unit]
    flags = {"on": "true", "off": "false"}
    return "; ".join(f"`{flags.get(value, value)}`: {meaning}" for value, meaning in words.words.items())


def _numbers() -> list[str]:
    """Return the key to the numbers D and G, which checks have too."""
    return [
        "## Numbers",
        "",
        "`RB-` and a letter number the rows of the rules. `D` and `G`, on this page and in what `mapkit rules` prints,",
        "number the matters below. They are not the codes of [checks.md](checks.md), where `D` stands for checks of",
        "destination charts and `G` for checks of drawings.",
        "",
        "| number | the rule sets disagree on, or one of them with itself |",
        "| --- | --- |",
        *(f"| {ident} | {matter} |" for ident, matter in book.disagreements().items()),
        "",
        "| number | no source settles |",
        "| --- | --- |",
        *(f"| {ident} | {matter} |" for ident, matter in book.open_matters().items()),
    ]


def _kinds() -> list[str]:
    kinds = [f"| {kind} | {meaning} |" for kind, meaning in book.place_kinds().items()]
    procedures = [f"| {name} | {meaning} |" for name, meaning in book.procedures().items()]
    return [
        "## Where rows live",
        "",
        "| place | what it is |",
        "| --- | --- |",
        *kinds,
        "",
        "| procedure | what it does |",
        "| --- | --- |",
        *procedures,
        "",
        "`mapkit playtest` carries out procedures ([how](../explanation/play.md)): `code` names the function of",
        "`mapkit/kinds/rail/playing` that does it, `test` what shows it in `tests/playing`. Studies are held to the",
        "targets.",
    ]


def _row(row: RuleRow) -> str:
    where = [_place(place) for place in row_places(row)]
    where += [f"code `{row.code}`"] if row.code else []
    where += [f"test `{name}`" for name in row.tests]
    own = settings_of(row.id)
    values = [_values(row, own, Rules(preset=name)) for name in PRESETS]
    figures = "; ".join(f"{name}: {_figure(value)}" for name, value in row.figures.items())
    title = f"{row.title}<br>{figures}" if figures else row.title
    return f"| {row.id} | {title} | {'<br>'.join(where)} | {' | '.join(values)} |"


def _figure(value: int | str) -> str:
    """Return a figure as text; a year has no comma."""
    return f"{value:,}" if isinstance(value, int) and value >= _THOUSANDS else str(value)


def _is_procedure(row: RuleRow) -> bool:
    return any(place.startswith("procedure:") for place in row.places)


def _place(place: str) -> str:
    kind, _, name = place.partition(":")
    if kind == "setting":
        return f"`{name}`"
    if kind == "check":
        return f"check [{name}](checks.md#{name.lower()})"
    return f"{kind} {name}" if kind in ("procedure", "target", "display", "table") else f"{kind} `{name}`"


def _values(row: RuleRow, settings: tuple[str, ...], rules: Rules) -> str:
    group = next((g for g in rules.group_purchase.groups if g.name == row.title), None)
    if group is not None:
        return f"{', '.join(group.members)}: {group.price:,}"
    if not settings and (_is_procedure(row) or any(row.id in of for of in book.assumed_procedures().values())):
        return "not stated, assumed" if row.id in book.assumed_procedures()[rules.preset] else "yes"
    said = []
    for path in settings:
        words = value_words(path, get_setting(rules, path)).replace("|", "\\|")
        said.append(words if len(settings) == 1 else f"{book.wording()[path].matter}: {words}")
    return "<br>".join(said)
