"""`mapkit rules`, rules files, and the rules of board.toml; bad input is refused with file, row and nearest name."""

import json
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.core.errors import SourceError, UnknownNameError
from mapkit.core.jsontext import json_text
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.paths import descriptions
from mapkit.kinds.rail.rules.rules import PRESETS, Rules, preset
from mapkit.kinds.rail.sources.config import parse_config, read_rules

USA = REPOSITORY / "build" / "usa" / "board.json"
MINE = """\
preset = "ici"
options = ["half-time", "extra-cash=10000"]

[fees]
own = 500

[[group_purchase.groups]]
name = "Coast"
members = ["acl", "sal"]
price = 26000
"""


def test_a_rules_file_is_preset_options_and_settings(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    rules = read_rules(path, name="mine.toml")
    assert rules.group_purchase.groups[0].price == 26_000
    expected = apply_rule_changes(
        preset("ici"),
        {"fees.own": 500, "group_purchase.groups": rules.group_purchase.groups},
        options_on=["half-time", "extra-cash=10000"],
    )
    assert rules == expected
    inside = "[rules]\n" + MINE.replace("[fees]", "[rules.fees]").replace("[[group", "[[rules.group")
    path.write_text(inside, encoding="utf-8")
    assert mapkit.rules(path) == rules


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "mine.toml:1: the file is empty"),
        ("preset = ", "mine.toml:1: not valid TOML: invalid value at the end; correct it"),
        ("x = " + "[" * 20_000, "mine.toml: "),
        ("# " + "x" * 2**20, "mine.toml: more than 1,048,576 characters"),
        (
            "preset = 'ich'",
            "mine.toml:1: preset is 'ich': write 'ah', 'ici' or 'ah-faq' (did you mean 'ici'?)",
        ),
        ("\n[fees]\nownn = 3", "mine.toml:3: no setting 'fees.ownn' in the rules (did you mean 'fees.own'?)"),
        ("own = 3", "mine.toml:1: no setting 'own' in the rules (did you mean 'fees.own'?)"),
        ("optoins = []", "mine.toml:1: no setting 'optoins' in the rules (did you mean 'options'?)"),
        ("[fees]\nown = -1", "mine.toml:2: fees.own is -1: write 0 or more"),
        ("[fees]\nown = 'free'", "mine.toml:2: fees.own is 'free': write a whole number"),
        ("[fees]\nsell_out = 'bank-soldout'", "(did you mean 'bank-sold-out'?)"),
        ("options = ['half-tme']", "mine.toml:1: no option 'half-tme' (did you mean 'half-time'?)"),
        ("options = ['own-track-free', 'own-track-pays']", "option own-track-free contradicts option own-track-pays"),
        ("options = ['own-track-free']\nfees.own = 3", "option own-track-free contradicts fees.own = 3"),
        ("options = ['two-players', 'net-worth']", "net_worth.enabled = on with two_players.third_owner = on"),
        ("options = ['balanced-fees']", "option balanced-fees needs option two-players"),
        ("options = 'half-time'", "options is 'half-time': write a list of their names"),
        ("fees = 3", "mine.toml:1: fees is 3: write keys with values"),
    ],
)
def test_bad_rules_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        read_rules(path, name="mine.toml")
    assert message in str(caught.value)
    assert "\n  " not in str(caught.value)


def test_rules_of_board_toml(example: Path) -> None:
    plain = (example / "board.toml").read_text(encoding="utf-8")
    rules = parse_config(
        plain + '\n[rules]\npreset = "ici"\noptions = ["free-upgrade"]\n\n[rules.fees]\nown = 500\n'
    ).rules
    assert rules == apply_rule_changes(preset("ici"), {"fees.own": 500}, options_on=["free-upgrade"])
    row = len(plain.splitlines()) + 2
    with pytest.raises(SourceError, match=rf"board\.toml:{row + 2}: no setting 'fees.onw' .*did you mean 'fees.own'"):
        parse_config(plain + '\n[rules]\npreset = "ah"\nfees.onw = 3\n')
    with pytest.raises(SourceError, match=rf"board\.toml:{row}: no option 'fre-upgrade' .*'free-upgrade'"):
        parse_config(plain + '\n[rules]\npreset = "ah"\noptions = ["fre-upgrade"]\n')


def test_show(run: Run) -> None:
    assert run("rules", "show", "ici", "--json").out == json_text(mapkit.rules("ici"))
    got = run(
        "rules", "show", "ici", "--json", "-O", "half-time", "--set", "fees.own=500", "-s", "setup.home_swap=false"
    )
    expected = mapkit.rules("ici", options=["half-time"], settings={"fees.own": 500, "setup.home_swap": False})
    assert got.out == json_text(expected)
    assert Rules.model_validate(json.loads(got.out)) == expected
    text = run("rules", "show", USA, "--verbose").out.splitlines()
    assert len(text) == 1 + len(descriptions(Rules))
    assert any(
        line.split() == ["fees.own", "fee", "for", "own", "railroads", "1,000", "RB-F03", "RB-V16"] for line in text
    )
    assert any(line.startswith("setup.reroll_ties* ") for line in text)


def test_options(run: Run) -> None:
    found = json.loads(run("rules", "options", "--json").out)
    assert [one["id"] for one in found] == list(book.options())
    lines = run("rules", "options").out.splitlines()
    assert len(lines) == 1 + len(book.options())
    assert any(line.startswith("own-track-free ") and line.endswith(" own-track-pays") for line in lines)


def test_diff(run: Run) -> None:
    assert " RB-" not in run("rules", "diff", "ah", "ici").out
    ran = run("rules", "diff", "ah", "ici", "--verbose")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].split() == ["no", "matter", "ah", "ici"]
    assert lines[1].split() == ["D01", "fee", "for", "own", "railroads", "(RB-F03,", "RB-V16)", "1,000", "none"]
    assert len(lines) == 20
    assert run("rules", "diff", "ah", "ici", "--json").out == json_text(mapkit.compare_rules("ah", "ici"))
    assert run("rules", "diff", "ah", USA).out == f"ah and {USA} have the same rules.\n"


@pytest.mark.slow
def test_check(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run("rules", "check", USA, "--json")
    assert (ran.code, ran.out) == (0, json_text(mapkit.check_rules(USA)))
    text = run("rules", "check", "ici", "--verbose").out
    assert text.startswith("ici: preset ici; options on: none; own settings: none; nothing contradicts itself\n")
    assert "setup.engine_titles " in text
    assert "D and G number disagreements and gaps of the rule sets: docs/reference/rules.md#numbers" in text
    for given in ("ah", USA):
        chosen = run("rules", "check", given, "-O", "two-players", "--set", "fees.own=500")
        assert chosen.out.startswith(f"{given}: preset ah; options on: two-players; own settings: fees.own; ")
        assert "setup.min_players" not in chosen.out
    found = mapkit.check_rules("ah", options=["net-worth"])
    assert {"net_worth.target.two", "net_worth.undeclared_by"} <= {gap.about for gap in found.gaps if gap.on}
    wrong = run("rules", "check", USA, "--set", "setup.starting_cash=300000")
    assert (wrong.code, "V04" in wrong.out) == (0, True)
    assert run("rules", "check", USA, "-O", "net-wort").code == 1
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text("options = ['two-players', 'net-worth']", encoding="utf-8")
    ran = run("rules", "check", "mine.toml")
    assert ran.code == 1
    assert "mapkit: mine.toml:1: net_worth.enabled = on with two_players.third_owner = on contradicts" in ran.err


def test_check_exits_1_for_an_error_on_the_board(run: Run, example: Path) -> None:
    config = example / "board.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(f"{text}\n[rules]\nsetup.min_players = 6\n", encoding="utf-8")
    ran = run("rules", "check", "example", "--workspace", example.parent.parent)
    assert ran.code == 1
    assert "board.toml: V03 error: " in ran.out


def test_sheet(run: Run, tmp_path: Path) -> None:
    ran = run("rules", "sheet", "ici", "-O", "half-time")
    assert ran.out == mapkit.rules_sheet("ici", options=["half-time"])
    page = tmp_path / "new" / "sheet.html"
    assert run("rules", "sheet", USA, "--out", page).out == f"{page}\n"
    assert page.read_text(encoding="utf-8") == mapkit.rules_sheet(USA, form="html")
    assert "<h1>Rules: United States</h1>" in page.read_text(encoding="utf-8")
    ran = run("rules", "sheet", "ah", "--out", tmp_path / "sheet.docx")
    assert (ran.code, ran.out) == (1, "")
    assert "rule sheets are written as .md or .html" in ran.err
    assert not (tmp_path / "sheet.docx").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "ich"), "it is not a preset of the rules either (ah, ici, ah-faq)"),
        (("show", "-O", "own-track-fre"), "no option 'own-track-fre' (did you mean 'own-track-free'?)"),
        (("show", "-s", "fees.own"), "--set 'fees.own': write PATH=VALUE"),
        (("show", "-s", "fees.own=1", "-s", "fees.own=2"), "--set fees.own: given twice"),
        (("show", "-s", "fees.own=abc"), "fees.own is 'abc': write a whole number"),
        (("show", "-s", "fees.onw=1"), "no setting 'fees.onw' in the rules (did you mean 'fees.own'?)"),
        (("sheet", "ah", "-O", "own-track-free", "-s", "fees.own=7"), "option own-track-free contradicts fees.own = 7"),
        (("diff", "ah", "nowhere.toml"), "nowhere.toml: cannot be read"),
    ],
)
def test_used_wrongly(run: Run, arguments: tuple[str, ...], message: str) -> None:
    ran = run("rules", *arguments)
    assert (ran.code, ran.out) == (1, "")
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_rules_of_presets_files_and_boards() -> None:
    for name in PRESETS:
        assert mapkit.rules(name) == preset(name)
    assert mapkit.rules(USA) == mapkit.rules("usa", workspace=REPOSITORY) == Rules()
    with pytest.raises(UnknownNameError, match="did you mean 'usa'"):
        mapkit.rules("usb", workspace=REPOSITORY)


def test_a_preset_takes_the_place_of_the_rules_of_a_board(run: Run) -> None:
    shown = run("rules", "sheet", "portugal", "--rules", "ici")
    assert shown.code == 0, shown.err
    assert shown.out.startswith("# Regras: Portugal\n\nRegulamento: Intersystem Concepts.")
    unknown = run("rules", "sheet", "portugal", "--rules", "icy")
    assert unknown.code == 2
    assert "no preset of the rules is named 'icy' (did you mean 'ici'?); there are ah, ici, ah-faq" in unknown.err
