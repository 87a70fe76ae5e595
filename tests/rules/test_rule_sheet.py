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
from mapkit.kinds.rail.render.rule_sheet.page import format_html, format_markdown
from mapkit.kinds.rail.render.rule_sheet.sheet import make_rule_sheet
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.gaps import gaps
from mapkit.kinds.rail.rules.paths import get_setting, setting_paths
from mapkit.kinds.rail.rules.rules import PRESETS, Group, Rules, preset

EVERYTHING = (
    "half-time", "group-purchase", "net-worth", "home-swap", "bonus-either-way", "take-back-until-lifted",
    "freight-card", "auctioned-full-fee",
)  # fmt: skip
FULL = apply_rule_changes(Rules(), {"net_worth.target.two": 350_000}, options_on=EVERYTHING)
PAIR = apply_rule_changes(Rules(), options_on=["two-players", "balanced-fees", "seller-pays-bank-fee"])


def body(rules: Rules, board: Board | None = None) -> str:
    """Return the sections alone: the head names what was chosen, which is not yet what it means."""
    return "\n".join(point for section in make_rule_sheet(rules, board=board).sections for point in section.points)


def changed(name: str, *options: str, **settings: object) -> Rules:
    """Return the rules of a preset with options on; of a setting `fees__own` stands for `fees.own`."""
    return apply_rule_changes(
        preset(name), {key.replace("__", "."): value for key, value in settings.items()}, options_on=options
    )


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


@pytest.mark.slow
@pytest.mark.parametrize("path", [p for p in setting_paths(Rules) if p not in ("preset", "fees.per")])
def test_every_setting_changes_the_sheet(path: str) -> None:
    """Of a plain game, of one with every option on, or of one for two: another value, another sentence."""
    others = 0
    for base in (Rules(), FULL, PAIR):
        for value in other_values(path, get_setting(base, path)):
            try:
                others += body(apply_rule_changes(base, {path: value})) != body(base)
            except RulesError:
                continue  # a contradiction is refused, so there is no sheet
    assert others >= len(other_values(path, get_setting(Rules(), path)))


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
    assert "For riding bank-held or public railroads, your own, or both, pay the bank $1,000 in all." in ah
    assert "Your own are free." in ici
    assert "Several players may have the same home." in ici
    assert "If another player has that home already, roll region and city again. Twin cities count as one home." in ah
    assert "exchange your home and your first destination" in ici
    assert "exchange" not in ah + faq
    assert "You may redo your move until you begin to pay fees." in faq
    assert "Once your pawn has moved, you may not take the move back." in ah
    assert "SuperChief rolls it together with the white dice" in ici
    assert "The first time your cash reaches $150,000, say so." in ici
    assert "Whenever your cash goes over $150,000, say so." in ah
    assert "The first time your cash goes over $150,000, say so." in faq


def test_the_options_say_their_figures() -> None:
    text = body(FULL)
    assert (
        "takes a pawn, two chips and $40,000 ($20,000 and $20,000 extra), and starts with a Freight engine and" in text
    )
    assert (
        "3 players $40,000, 4 players $36,000, 5 players $32,000, 6 players $28,000; with 2, agree on a price or "
        "take the usual $40,000." in text
    )
    assert "2 players $350,000, 3 players $300,000, 4 players $250,000, 5 players $225,000, 6 players $200,000." in text
    assert "Penn Central (NYC, NYNHH, PA) $62,000; Friendly (ACL, LN, SAL) $44,000; C & O (BO, CO) $44,000" in text
    assert "Whenever your cash is over $50,000, tell your net worth." in text
    assert "$200,000 in cash" not in text
    pair = body(PAIR)
    assert "After four purchases of the two players in all, and then after every further two" in pair
    assert "half of it goes to the bank, half to the other player" in pair


@pytest.mark.parametrize("ident", book.options())
def test_an_option_that_is_on_is_named_unless_the_preset_has_it(ident: str) -> None:
    named: list[str] = []
    for name in PRESETS:
        before = preset(name)
        after = apply_rule_changes(before, options_on=[*book.options()[ident].needs, ident])
        options = make_rule_sheet(after).options
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
    sheet = make_rule_sheet(FULL, board=tiny)
    assert sheet.title == "Rules: A <small> *board*"
    assert "£20,000" in format_markdown(sheet)
    assert "$" not in format_markdown(sheet)
    assert "merged" not in "".join(p for s in sheet.sections for p in s.points), "the board has none of these railroads"
    assert format_markdown(sheet).startswith("# Rules: A \\<small\\> \\*board\\*\n")
    assert "<h1>Rules: A &lt;small&gt; *board*</h1>" in format_html(sheet)
    assert "Penn Central (NYC, NYNH&H, PA) $62,000" in format_markdown(make_rule_sheet(FULL, board=usa))
    assert "public railroads" not in format_markdown(make_rule_sheet(Rules(), board=usa)), "the board has none"


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


@pytest.mark.parametrize("rules", [*map(preset, PRESETS), FULL, PAIR], ids=[*PRESETS, "full", "pair"])
def test_the_page_says_what_the_markdown_says(rules: Rules) -> None:
    sheet = make_rule_sheet(rules)
    page = format_html(sheet)
    words = Words()
    words.feed(page)
    assert words.open == []
    expected = [sheet.title]
    for section in sheet.sections:
        expected += [section.title, *section.points]
    assert words.text == expected
    text = format_markdown(sheet)
    assert all(f"\n## {section.title}\n" in text for section in sheet.sections)
    assert "src=" not in page
    assert "http" not in page
    assert "<script" not in page
    assert format_html(make_rule_sheet(rules)) == page


def test_type_is_as_large_as_the_fewest_pages_allow() -> None:
    """Printed with chromium, 6,500 characters at 8 points fill a Letter page; nothing is below 7 points."""
    for rules in (*map(preset, PRESETS), FULL, PAIR):
        sheet = make_rule_sheet(rules)
        found = re.search(r'<body style="font-size: ([\d.]+)pt">', format_html(sheet))
        assert found is not None
        size = float(found[1])
        pages = len(format_markdown(sheet)) * (size / 8) ** 2 / 6_500
        assert 7 <= size <= 9
        assert pages <= 2.01
        assert size == 9 or pages == pytest.approx(round(pages), abs=0.03)


def test_points_are_sentences() -> None:
    for rules in (*map(preset, PRESETS), FULL, PAIR):
        for section in make_rule_sheet(rules).sections:
            for point in section.points:
                assert point[0].isupper() or point[0].isdigit(), point
                assert point[-1] in ".:" or point.endswith(".*"), point
                assert "  " not in point
                assert "None" not in point
                assert "not given" not in point


@pytest.mark.slow
def test_what_is_left_open_follows_from_the_gaps_that_are_on() -> None:
    """Every gap that plays a part is listed, with a mark at its sentence where it is assumed."""
    options: tuple[str, ...] = tuple(ident for ident, option in book.options().items() if not option.needs)
    for name in PRESETS:
        for on in ((), *((ident,) for ident in options), EVERYTHING):
            rules = changed(name, *on)
            sheet = make_rule_sheet(rules)
            played = [gap for gap in gaps(rules) if gap.on]
            assert sorted(sheet.assumed) == sorted(gap.matter for gap in played if gap.kind == "assumed")
            assert sorted(sheet.not_given) == sorted(gap.matter for gap in played if gap.kind == "not-given")
            assert body(rules).count("*") == len(sheet.assumed)
    assert "cash of a bankrupt" in make_rule_sheet(Rules()).assumed
    assert "cash of a bankrupt" not in make_rule_sheet(preset("ah-faq")).assumed
    assert "cash of a bankrupt" not in make_rule_sheet(changed("ah", "bankrupt-cash-to-bank")).assumed


def test_a_board_is_described_by_what_it_has(usa: Board) -> None:
    """Without public railroads their sale is no open point; without twins or junctions nobody reads of them."""
    sheet = make_rule_sheet(preset("ici"), board=usa)
    assert "public railroads" not in make_rule_sheet(Rules(), board=usa).assumed
    assert "Twin cities (Minneapolis/St. Paul, Oakland/San Francisco) share a milepost and count as one city.*" in body(
        preset("ici"), usa
    )
    assert "twin cities as one city" in sheet.assumed
    assert "free junction" in body(Rules(), usa)
    plain = usa.model_copy(update={"cities": tuple(c for c in usa.cities if c.id != "st-paul"), "junctions": ()})
    assert "free junction" not in body(Rules(), plain)
    assert "St. Paul" not in body(Rules(), plain)


def test_no_sentence_of_one_rule_set_alone_is_on_the_sheet_of_another() -> None:
    """RB-I04, RB-I05: only ICI has these. RB-B06, RB-A17, RB-W17, RB-W23: marked where AH does not state them."""
    ah, ici, faq = (body(preset(name)) for name in PRESETS)
    for text in (ah, faq):
        assert "your home city to anybody" not in text
        assert "you may stack it" not in text
    assert "Tell your home city to anybody who asks." in ici
    assert "Keep your cash where everybody can see it; you may stack it." in ici
    for sentence in (
        "if it is thrown too early, roll it again.",
        "The last player left in the game wins.",
        "must leave and come back.",
        "and then play it in full.",
    ):
        assert f"{sentence}*" in ah
        assert sentence in ici
        assert f"{sentence}*" not in ici
        assert f"{sentence}*" not in faq
    assert make_rule_sheet(preset("ah")).not_given == make_rule_sheet(preset("ah-faq")).not_given
    assert make_rule_sheet(preset("ici")).not_given == ("how many cards of Express and SuperChief there are",)


def test_the_sheet_begins_with_the_goal_and_says_what_words_mean() -> None:
    for rules in (*map(preset, PRESETS), FULL, PAIR):
        sheet = make_rule_sheet(rules)
        assert [section.title for section in sheet.sections[:3]] == ["The goal", "The board", "Setting up"]
        board = " ".join(sheet.sections[1].points)
        for word in ("A milepost is", "A segment is", "Private railroads", "public railroads", "free junction", "Twin"):
            assert word in board
    text = body(Rules())
    assert "If you roll the city that you are in, you have no trip, and your turn is over" in text
    assert "One player may catch several others in one turn." in text
    assert "rolling the other means rolling the city that you are in" in text


@pytest.mark.parametrize(
    ("name", "step", "bonus"),
    [
        ("ah", "Roll the white dice and move.", "SuperChief, too, rolls it after the normal move."),
        ("ici", "Roll the white dice, and with SuperChief the coloured die too.", "together with the white dice"),
        ("ah-faq", "and with SuperChief the coloured die too, if you like.", "or after the normal move"),
    ],
)
def test_the_steps_of_a_turn_agree_with_the_bonus(name: str, step: str, bonus: str) -> None:
    sections = {section.title: section.points for section in make_rule_sheet(preset(name)).sections}
    assert step in sections["Your turn"][1]
    assert bonus in sections["The bonus"][1]
    assert ("(unless you have)" in sections["Your turn"][3]) == (name != "ah")


def test_sentences_agree_with_each_other() -> None:
    free = body(changed("ah", "own-track-free"))
    assert "Your own are free." in free
    assert "you pay nothing for it this turn, nor later" in free
    half = body(changed("ah", fees__own=500))
    assert "for your own, $500 in all; for both, only the larger sum" in half
    assert (
        "you pay for it this turn as for your own. Later, as long as you are established on it, you pay the new" in half
    )
    assert "the new owner $500." in half
    assert "you pay the bank $1,000 for it this turn" in body(changed("ici", "seller-pays-bank-fee"))
    assert "After an auction, only the seller is established" in body(preset("ah-faq"))
    assert "After an auction" not in body(preset("ah")) + body(preset("ici"))
    lifted = body(changed("ah", "take-back-until-lifted"))
    assert "Think as long as your pawn stands. Once you lift it, move it to the end without a stop." in lifted
    assert "Move as soon as you have rolled" not in lifted
    two = make_rule_sheet(changed("ah", "two-players"))
    assert "2 players. One of you" in two.sections[2].points[0]
    assert "fewest players" not in two.assumed


def test_the_sheet_of_the_library() -> None:
    text = mapkit.rules_sheet("ici", options=["half-time"], settings={"fees.own": 500})
    assert text.startswith("# Rules\n\nRule set: Intersystem Concepts. Chosen: half-time play")
    assert "fee for own railroads: $500" in text
    assert mapkit.rules_sheet("ici", form="html").startswith("<!DOCTYPE html>")


def test_names_of_groups_cannot_add_points_or_sections() -> None:
    group = {"name": "Coast\n\n## Cheating\n- {{ 7 * 7 }} <b>", "members": ["aa", "bb"], "price": 5}
    changes = {"group_purchase.groups": [group], "group_purchase.enabled": True}
    usual = make_rule_sheet(apply_rule_changes(Rules(), {"group_purchase.enabled": True}))
    sheet = make_rule_sheet(apply_rule_changes(Rules(), changes))
    assert [(s.title, len(s.points)) for s in sheet.sections] == [(s.title, len(s.points)) for s in usual.sections]
    assert "Coast ## Cheating - {{ 7 * 7 }} <b> (AA, BB) $5" in body(apply_rule_changes(Rules(), changes))


def test_house_rules_stand_last_in_the_authors_words() -> None:
    words = [{"title": "Ferry", "text": "Free\non Sundays."}, {"title": "Tea", "text": "At five <b>."}]
    sheet = make_rule_sheet(apply_rule_changes(Rules(), {"house.words": words}))
    assert (sheet.sections[-1].title, sheet.options) == ("House rules", ())
    assert sheet.sections[-1].points == ("Ferry: Free on Sundays.", "Tea: At five <b>.")
    assert "- Ferry: Free on Sundays." in format_markdown(sheet)
    assert "At five &lt;b&gt;." in format_html(sheet)


@pytest.mark.parametrize(
    "words", [[3], [{"title": "A"}], [{"title": "", "text": "b"}], [{"title": "a\nb", "text": "b"}], "Ferry"]
)
def test_house_rules_that_are_none_are_refused(words: object) -> None:
    with pytest.raises(RulesError, match="house"):
        apply_rule_changes(Rules(), {"house.words": words})
