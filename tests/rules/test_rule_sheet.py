"""The rule sheet says every setting that plays a part, and none that does not."""

import re
from html.parser import HTMLParser
from typing import get_args

import pytest
from pydantic import BaseModel
from tiny import tiny_board

import mapkit
from mapkit.core.errors import RulesError
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.rule_sheet.page import sheet_html, sheet_markdown
from mapkit.kinds.rail.render.rule_sheet.sheet import rule_sheet
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.paths import get_setting, setting_paths
from mapkit.kinds.rail.rules.rules import PRESETS, Group, Rules, preset

EVERYTHING = (
    "half-time", "group-purchase", "net-worth", "two-players", "balanced-fees", "home-swap", "bonus-either-way",
    "take-back-until-lifted", "freight-card", "auctioned-full-fee",
)  # fmt: skip
FULL = apply_rule_changes(Rules(), {"net_worth.target.two": 350_000}, options_on=EVERYTHING)


def body(rules: Rules) -> str:
    """Return the sections alone: the head names what was chosen, which is not yet what it means."""
    return "\n".join(point for section in rule_sheet(rules).sections for point in section.points)


def annotation(path: str) -> object:
    model: type[BaseModel] = Rules
    *groups, leaf = path.split(".")
    for key in groups:
        kind = model.model_fields[key].annotation
        assert isinstance(kind, type)
        model = kind
    return model.model_fields[leaf].annotation


def other_values(path: str, value: object) -> list[object]:
    """Return values that the setting could have instead."""
    if path == "group_purchase.groups":
        return [(Group(name="Coast", members=("acl", "sal"), price=26_000),)]
    if path == "house.words":
        return [[{"title": "Ferry", "text": "Free on Sundays."}]]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, str):
        return [choice for choice in get_args(annotation(path)) if choice != value]
    small = {"setup.max_players": 5, "setup.min_players": 3}
    return [small.get(path, value + 1 if isinstance(value, int) else 3)]


@pytest.mark.parametrize("path", [p for p in setting_paths(Rules) if p not in ("preset", "fees.per")])
def test_every_setting_changes_the_sheet(path: str) -> None:
    """Of a plain game or of one with every option on: another value, another sentence."""
    changed = 0
    for base in (Rules(), FULL):
        for value in other_values(path, get_setting(base, path)):
            try:
                changed += body(apply_rule_changes(base, {path: value})) != body(base)
            except RulesError:
                continue  # a contradiction is refused, so there is no sheet
    assert changed >= len(other_values(path, get_setting(Rules(), path)))


def test_the_figures_of_each_preset() -> None:
    ah, ici, faq = (body(preset(name)) for name in PRESETS)
    for text in (ah, ici, faq):
        for figure in (
            "$20,000",
            "$4,000",
            "$40,000",
            "$1,000",
            "$5,000",
            "$10,000",
            "$150,000",
            "$200,000",
            "$50,000",
        ):
            assert figure in text
        assert "net worth" not in text
        assert "third owner" not in text
        assert "merged" not in text
        assert "software" not in text
    assert "To the bank: $1,000 in all for riding bank-held and public railroads or your own, or both." in ah
    assert "Your own are free." in ici
    assert "Several players may have the same home." in ici
    assert "If somebody lives there already, roll region and city again. Twin cities count as one home." in ah
    assert "exchange your home and your first destination" in ici
    assert "exchange" not in ah + faq
    assert "You may redo your move until you begin to pay fees." in faq
    assert "Once your pawn has moved, it does not go back." in ah
    assert "SuperChief rolls it together with the white dice." in ici
    assert "The first time your cash reaches $150,000, say so." in ici
    assert "Every time your cash goes over $150,000, say so." in ah
    assert "The first time your cash goes over $150,000, say so." in faq


def test_the_options_say_their_figures() -> None:
    text = body(FULL)
    assert "Each starts with $40,000 ($20,000 and $20,000 extra), a Freight engine with its Freight card" in text
    assert (
        "3 players $40,000, 4 players $36,000, 5 players $32,000, 6 players $28,000; with 2 the usual $40,000." in text
    )
    assert "2 players $350,000, 3 players $300,000, 4 players $250,000, 5 players $225,000, 6 players $200,000." in text
    assert "Penn Central (NYC, NYNHH, PA) $62,000; Friendly (ACL, LN, SAL) $44,000; C & O (BO, CO) $44,000" in text
    assert "after four purchases in all, then after every further two" in text
    assert "half to the bank, half to the other player" in text
    assert "Whenever your cash is over $50,000, tell your net worth." in text
    assert "$200,000 in cash" not in text


@pytest.mark.parametrize("ident", book.options())
def test_an_option_that_is_on_is_named_unless_the_preset_has_it(ident: str) -> None:
    named: list[str] = []
    for name in PRESETS:
        before = preset(name)
        after = apply_rule_changes(before, options_on=[*book.options()[ident].needs, ident])
        options = rule_sheet(after).options
        assert bool(options) == (after != before)
        named += options
    own = {book.options()[ident].title, *(book.options()[i].title for i in book.options()[ident].needs)}
    same = {
        o.title
        for o in book.options().values()
        if o.settings and set(o.settings) <= set(book.options()[ident].settings)
    }
    assert set(named) <= own | same


def test_a_board_gives_its_sign_its_name_and_its_groups(usa: Board) -> None:
    tiny = tiny_board()
    tiny = tiny.model_copy(
        update={"units": tiny.units.model_copy(update={"symbol": "£"}), "title": "A <small> *board*"}
    )
    sheet = rule_sheet(FULL, board=tiny)
    assert sheet.title == "Rules: A <small> *board*"
    assert "£20,000" in sheet_markdown(sheet)
    assert "$" not in sheet_markdown(sheet)
    assert "merged" not in "".join(p for s in sheet.sections for p in s.points), "the board has none of these railroads"
    assert sheet_markdown(sheet).startswith("# Rules: A \\<small\\> \\*board\\*\n")
    assert "<h1>Rules: A &lt;small&gt; *board*</h1>" in sheet_html(sheet)
    assert "Penn Central (NYC, NYNH&H, PA) $62,000" in sheet_markdown(rule_sheet(FULL, board=usa))
    assert "public railroads" not in sheet_markdown(rule_sheet(Rules(), board=usa)), "the board has none"


class Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("li", "h2", "h1"):
            self.text.append(data)


@pytest.mark.parametrize("rules", [*map(preset, PRESETS), FULL], ids=[*PRESETS, "full"])
def test_the_page_says_what_the_markdown_says(rules: Rules) -> None:
    sheet = rule_sheet(rules)
    page = sheet_html(sheet)
    words = Words()
    words.feed(page)
    assert words.open == []
    expected = [sheet.title]
    for section in sheet.sections:
        expected += [section.title, *section.points]
    assert words.text == expected
    text = sheet_markdown(sheet)
    assert all(f"\n## {section.title}\n" in text for section in sheet.sections)
    assert "src=" not in page
    assert "http" not in page
    assert "<script" not in page
    assert sheet_html(rule_sheet(rules)) == page


def test_type_is_as_large_as_one_page_allows() -> None:
    """Printed with weasyprint, 6,500 characters at 8 points fill a Letter page; nothing is below 6.9 points."""
    for rules in (*map(preset, PRESETS), FULL):
        sheet = rule_sheet(rules)
        found = re.search(r'<body style="font-size: ([\d.]+)pt">', sheet_html(sheet))
        assert found is not None
        size = float(found[1])
        assert 6.9 <= size <= 9.0
        assert len(sheet_markdown(sheet)) * size**2 <= 6_500 * 8.1**2
        assert size == 9.0 or len(sheet_markdown(sheet)) * size**2 >= 6_500 * 7.8**2


def test_points_are_sentences() -> None:
    for rules in (*map(preset, PRESETS), FULL):
        for section in rule_sheet(rules).sections:
            for point in section.points:
                assert point[0].isupper() or point[0].isdigit(), point
                assert point[-1] in ".:", point
                assert "  " not in point
                assert "None" not in point
                assert "not given" not in point


def test_open_points_follow_the_preset() -> None:
    assert rule_sheet(preset("ici")).open_points == ("Ties for first player", "Bidding after a pass")
    assert "Cash of a bankrupt" in rule_sheet(Rules()).open_points
    assert "Cash of a bankrupt" not in rule_sheet(preset("ah-faq")).open_points


def test_the_sheet_of_the_library() -> None:
    text = mapkit.rules_sheet("ici", options=["half-time"], settings={"fees.own": 500})
    assert text.startswith("# Rules\n\nRule set: Intersystem Concepts. Chosen: half-time play")
    assert "fee for own railroads: $500" in text
    assert mapkit.rules_sheet("ici", form="html").startswith("<!DOCTYPE html>")


def test_names_of_groups_cannot_add_points_or_sections() -> None:
    group = {"name": "Coast\n\n## Cheating\n- {{ 7 * 7 }} <b>", "members": ["aa", "bb"], "price": 5}
    changes = {"group_purchase.groups": [group], "group_purchase.enabled": True}
    usual = rule_sheet(apply_rule_changes(Rules(), {"group_purchase.enabled": True}))
    sheet = rule_sheet(apply_rule_changes(Rules(), changes))
    assert [(s.title, len(s.points)) for s in sheet.sections] == [(s.title, len(s.points)) for s in usual.sections]
    assert "Coast ## Cheating - {{ 7 * 7 }} <b> (AA, BB) $5" in body(apply_rule_changes(Rules(), changes))


def test_house_rules_stand_last_in_the_authors_words() -> None:
    words = [{"title": "Ferry", "text": "Free\non Sundays."}, {"title": "Tea", "text": "At five <b>."}]
    sheet = rule_sheet(apply_rule_changes(Rules(), {"house.words": words}))
    assert (sheet.sections[-1].title, sheet.options) == ("House rules", ())
    assert sheet.sections[-1].points == ("Ferry: Free on Sundays.", "Tea: At five <b>.")
    assert "- Ferry: Free on Sundays." in sheet_markdown(sheet)
    assert "At five &lt;b&gt;." in sheet_html(sheet)


@pytest.mark.parametrize(
    "words", [[3], [{"title": "A"}], [{"title": "", "text": "b"}], [{"title": "a\nb", "text": "b"}], "Ferry"]
)
def test_house_rules_that_are_none_are_refused(words: object) -> None:
    with pytest.raises(RulesError, match="house"):
        apply_rule_changes(Rules(), {"house.words": words})
