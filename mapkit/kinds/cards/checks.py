"""Checks of card games; each docstring is printed in `docs/reference/checks-cards.md`."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Final

from mapkit.core.checks import Check, Found
from mapkit.core.errors import did_you_mean
from mapkit.core.findings import Place, Severity
from mapkit.core.plurals import count_noun
from mapkit.drawing.colours.colour import ciede2000, lab, rgb
from mapkit.drawing.colours.vision import VISIONS, simulate_vision
from mapkit.kinds.cards.game import CardGame, CardPart, Effect
from mapkit.kinds.cards.render.cards import cut_texts
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.rules.effects import EFFECTS

_WHOLE: Final = 100
_PERCENT_STEP: Final = 10
_LEAST_COLOUR_DIFFERENCE: Final = 10.0

CardCheck = Check[CardGame]


def _part_place(part: CardPart) -> Place:
    return Place(file=part.file or None, row=part.row)


def _find_wrong_totals(game: CardGame) -> Iterator[Found]:
    """The certificates of a holding add to 100 per cent (BA-C14)."""
    for holding in game.holdings:
        total_percent = sum(share.percent for share in holding.certificates)
        if total_percent != _WHOLE:
            message = f"certificates of {holding.name} add to {total_percent} %; make them add to {_WHOLE} %"
            yield Found(message, (holding.id,), _part_place(holding))


def _find_odd_percentages(game: CardGame) -> Iterator[Found]:
    """A share value is the price of 10 per cent, so that certificates are of whole tens (BA-M03)."""
    for holding in game.holdings:
        for share in holding.certificates:
            if share.percent % _PERCENT_STEP:
                message = f"certificate {share.id} is of {share.percent} %; give it 10, 20, 30 or another whole ten"
                yield Found(message, (share.id,), _part_place(share))


def _find_director_problems(game: CardGame) -> Iterator[Found]:
    """Each holding has one Director's certificate, and it is the largest (BA-C14, BA-D01)."""
    for holding in game.holdings:
        chairs = [share for share in holding.certificates if share.director]
        if len(chairs) != 1:
            count_text = count_noun(len(chairs), "Director's certificate")
            element_ids = tuple(share.id for share in chairs) or (holding.id,)
            yield Found(
                f"{holding.name} has {count_text}; mark one",
                element_ids,
                _part_place(chairs[-1] if chairs else holding),
            )
        elif chairs[0].percent < max(share.percent for share in holding.certificates):
            message = f"the Director's certificate of {holding.name} is not its largest; mark the largest"
            yield Found(message, (chairs[0].id,), _part_place(chairs[0]))


def _find_token_mismatches(game: CardGame) -> Iterator[Found]:
    """Tokens agree with the holdings: as many operators as each says, and one marker (BA-C03)."""
    if not game.tokens:
        return
    for holding in game.holdings:
        for use, wanted in (("operator", holding.operators), ("marker", 1)):
            token_count = sum(row.count for row in game.tokens if (row.holding, row.use) == (holding.id, use))
            if token_count != wanted:
                message = (
                    f"{holding.name} needs {count_noun(wanted, use)}, tokens.csv has {token_count}; change one of them"
                )
                yield Found(message, (holding.id, use), _part_place(holding))


def _find_deck_mismatches(game: CardGame) -> Iterator[Found]:
    """Decks have as many cards as they say (BA-C02)."""
    card_counts = {
        "railroads": sum(railroad.count for railroad in game.railroads),
        "investors": len(game.investors),
        "certificates": sum(len(holding.certificates) for holding in game.holdings),
        "holdings": len(game.holdings),
    }
    for deck in game.decks:
        if deck.count is not None and deck.cards in card_counts and card_counts[deck.cards] != deck.count:
            message = (
                f"{deck.id} is to have {count_noun(deck.count, 'card')}, the tables have {card_counts[deck.cards]}"
            )
            yield Found(f"{message}; change one of them", (deck.id,), _part_place(deck))


def _find_wrong_obsolescence(game: CardGame) -> Iterator[Found]:
    """A railroad goes at a level that comes, and that is higher than its own (BA-X01 to BA-X03)."""
    known_levels = {face.number for railroad in game.railroads for face in railroad.faces}
    for railroad in game.railroads:
        for face in railroad.faces:
            if face.gone_at is None:
                continue
            if face.gone_at <= face.number:
                message = f"{face.id} goes at level {face.gone_at}, and is itself of level {face.level}"
                yield Found(f"{message}; give a higher level", (face.id,), _part_place(face))
            elif face.gone_at not in known_levels:
                message = f"{face.id} goes at level {face.gone_at}, which no railroad has"
                yield Found(f"{message}; give a level of a face, or leave it empty", (face.id,), _part_place(face))


def _find_effect_problems(game: CardGame) -> Iterator[Found]:
    """Effects are words of the vocabulary, with the values that they need (BA-C28 to BA-C30)."""
    all_effects: list[Effect] = [
        *game.unassigned,
        *(effect for investor in game.investors for effect in investor.effects),
    ]
    for effect in all_effects:
        effect_kind = EFFECTS.get(effect.kind)
        if effect_kind is None:
            known = ", ".join(EFFECTS)
            message = f"effect {effect.kind!r} is not known{did_you_mean(effect.kind, EFFECTS)}; write one of {known}"
            yield Found(message, (effect.id,), _part_place(effect))
            continue
        missing_columns = [name for name in effect_kind.needs if getattr(effect, name) in (None, "")]
        if missing_columns:
            message = f"effect {effect.kind} of {effect.id} needs {', '.join(missing_columns)}; fill the column"
            yield Found(message, (effect.id,), _part_place(effect))


def _find_falling_values(game: CardGame) -> Iterator[Found]:
    """Share values rise from line to line (BA-C05)."""
    spaces_with_value = [(space, space.value) for space in game.track if space.value is not None]
    for (below, lower_value), (above, upper_value) in pairwise(spaces_with_value):
        if upper_value <= lower_value:
            message = f"{above.id} is worth {upper_value}, {below.id} below it {lower_value}; let values rise"
            yield Found(message, (below.id, above.id), _part_place(above))


def _find_missing_ends(game: CardGame) -> Iterator[Found]:
    """The track has spaces to start from, and one where the game ends (BA-B09, BA-R06)."""
    if not any(space.start and space.value is not None for space in game.track):
        yield Found("no space of the track is one to start from; mark some in track.csv", ("start",))
    if sum(space.end for space in game.track) != 1 or not game.track[-1].end:
        yield Found("the last space of the track, and it alone, ends the game; mark it in track.csv", ("end",))


def _find_missing_values(game: CardGame) -> Iterator[Found]:
    """Spaces without a value: the source gives none (BA-C05). A variant may fill in an example."""
    empty_spaces = [space for space in game.track if space.value is None]
    if empty_spaces:
        message = (
            f"{count_noun(len(empty_spaces), 'space')} of the track without a value; give values, or take the example"
        )
        yield Found(message, tuple(space.id for space in empty_spaces), _part_place(empty_spaces[0]))


def _find_example_values(game: CardGame) -> Iterator[Found]:
    """Values of the track are an example, not those of the published game."""
    if game.track_is_example:
        yield Found("share values are an example of mapkit's; name them so where you publish", ("track",))


def _find_cheaper_railroads_that_earn_more(game: CardGame) -> Iterator[Found]:
    """Dearer railroads earn more; the published last face does not, see D43."""
    all_faces = [face for railroad in game.railroads for face in railroad.faces]
    for cheaper_face, dearer_face in pairwise(sorted(all_faces, key=lambda face: (face.cost, face.income))):
        if cheaper_face.cost < dearer_face.cost and cheaper_face.income > dearer_face.income:
            message = (
                f"{dearer_face.id} costs {dearer_face.cost} and earns {dearer_face.income}, "
                f"{cheaper_face.id} costs {cheaper_face.cost} and earns"
            )
            yield Found(
                f"{message} {cheaper_face.income}; check both",
                (cheaper_face.id, dearer_face.id),
                _part_place(dearer_face),
            )


def _find_disorder(game: CardGame) -> Iterator[Found]:
    """The stack is in order of categories, A on top (BA-C27)."""
    for above, below in pairwise(game.railroads):
        if above.category > below.category:
            message = f"{below.id} of category {below.category} lies under {above.id} of {above.category}"
            yield Found(f"{message}; move its row up", (above.id, below.id), _part_place(below))


def _find_unnamed_railroads(game: CardGame) -> Iterator[Found]:
    """Railroads without a name: the source gives none (BA-C26)."""
    unnamed_count = sum(railroad.count for railroad in game.railroads if not railroad.name)
    if unnamed_count:
        yield Found(
            f"{count_noun(unnamed_count, 'railroad')} without a name; name them in railroads.csv", ("railroads",)
        )


def _find_unassigned_effects(game: CardGame) -> Iterator[Found]:
    """Effects without an investor in the source (BA-C29, D49)."""
    for effect in game.unassigned:
        message = f"effect {effect.id} belongs to no investor yet; name one in effects.csv"
        yield Found(message, (effect.id,), _part_place(effect))


def _find_similar_colours(game: CardGame) -> Iterator[Found]:
    """Colours of holdings are told apart, with full sight of colours and without one kind of cones."""
    for first_holding, second_holding in combinations(game.holdings, 2):
        for vision in VISIONS:
            seen_colours = [
                lab(simulate_vision(rgb(holding.colour), vision)) for holding in (first_holding, second_holding)
            ]
            colour_difference = float(ciede2000(*seen_colours))
            if colour_difference < _LEAST_COLOUR_DIFFERENCE:
                message = (
                    f"{first_holding.name} and {second_holding.name} are {colour_difference:.1f} apart for "
                    f"{vision} sight"
                )
                cure_text = f"have {_LEAST_COLOUR_DIFFERENCE:.0f} or more"
                yield Found(
                    f"{message}; {cure_text}", (first_holding.id, second_holding.id), _part_place(second_holding)
                )
                break


def _find_equal_names(game: CardGame) -> Iterator[Found]:
    """Holdings have names of their own."""
    count_by_name = Counter(holding.name for holding in game.holdings)
    for holding in game.holdings:
        if count_by_name[holding.name] > 1:
            yield Found(
                f"{count_noun(count_by_name[holding.name], 'holding')} called {holding.name}; rename one",
                (holding.id,),
                _part_place(holding),
            )


def _find_cut_texts(game: CardGame) -> Iterator[Found]:
    """Texts fit poker cards at 6 points or more; what does not fit is cut where it is printed."""
    part_by_face: dict[str, CardPart] = {f"holding-{part.id}": part for part in game.holdings}
    part_by_face |= {
        f"certificate-{certificate.id}": holding for holding in game.holdings for certificate in holding.certificates
    }
    part_by_face |= {f"railroad-{part.id}-{face.id}": part for part in game.railroads for face in part.faces}
    part_by_face |= {f"investor-{part.id}": part for part in game.investors}
    for face, text in cut_texts(CardJob(game)):
        part_place = _part_place(part_by_face[face]) if face in part_by_face else Place(file="board.toml")
        yield Found(f"{text[:60]!r} does not fit card {face}; shorten it", (face,), part_place)


def _find_unsure_obsolescence(game: CardGame) -> Iterator[Found]:
    """Every level that makes railroads go comes with any faces, and after they can be bought (BA-X01 to BA-X04)."""
    card_levels = [[face.number for face in railroad.faces] for railroad in game.railroads]
    for number, railroad in enumerate(game.railroads):
        for face in railroad.faces:
            if face.gone_at is None or face.gone_at <= face.number:
                continue
            first_index = next(
                (k for k, face_levels in enumerate(card_levels) if face_levels and max(face_levels) >= face.gone_at),
                None,
            )
            if first_index is not None and first_index < number:
                message = (
                    f"{face.id} goes at level {face.gone_at}, "
                    f"which {game.railroads[first_index].id} can bring before it"
                )
                yield Found(f"{message}; move its row up, or let it go later", (face.id,), _part_place(face))
            if first_index is not None and not any(
                face_levels and min(face_levels) >= face.gone_at for face_levels in card_levels
            ):
                message = f"{face.id} goes at level {face.gone_at}, which only one face of its cards has"
                yield Found(f"{message}; give a card that level on all faces", (face.id,), _part_place(face))


def _find_unaffordable_railroads(game: CardGame) -> Iterator[Found]:
    """Every railroad can be bought some time: all money there can be by then is enough (BA-O11, BA-O15)."""
    if game.holdings and not any(holding.operators for holding in game.holdings):
        holding_ids = tuple(holding.id for holding in game.holdings)
        yield Found(
            "no holding can buy a railroad without an operator; give holdings some",
            holding_ids,
            _part_place(game.holdings[0]),
        )
    start_values = [space.value for space in game.track if space.start and space.value is not None]
    rules = game.rules
    if not start_values or rules.setup.bids == "free":  # where any value may be named, the bank pays any amount
        return
    most_money = rules.setup.players * rules.setup.cash + 2 * sum(investor.value for investor in game.investors)
    lowest_price = rules.market.sold_to_operate * min(start_values) // _PERCENT_STEP
    if most_money < lowest_price:
        yield Found(
            f"players have ${most_money:,} at most, and no holding operates for less than ${lowest_price:,}", ("start",)
        )
        return
    most_money += len(game.holdings) * rules.market.capital * max(start_values)
    yield from _find_dear_faces(game, most_money)


def _find_dear_faces(game: CardGame, money: int) -> Iterator[Found]:
    """Yield the faces that cost more than all money when they come to the top, if no card is bought before."""
    most_income = rounds_before = 0
    network_income = sum(holding.operators for holding in game.holdings) * game.rules.operating.network_income
    for railroad in game.railroads:
        most_money = money + rounds_before * (most_income + network_income)
        for face in railroad.faces:
            if face.cost > most_money:
                message = f"{face.id} costs ${face.cost:,}, and there are ${most_money:,} at most when it can be bought"
                yield Found(f"{message}; make it cheaper, or move its row down", (face.id,), _part_place(face))
        most_income += railroad.count * max((face.income for face in railroad.faces), default=0)
        rounds_before += railroad.count * game.rules.rounds.operating


def _find_unequal_incomes(game: CardGame) -> Iterator[Found]:
    """A card of two levels has one income, unless D42 is settled otherwise (BA-C17, BA-C19, BA-C21)."""
    if game.rules.disputes.income == "by-face":
        return
    for railroad in game.railroads:
        first_face, *other_faces = railroad.faces
        for face in other_faces:
            if face.number != first_face.number and face.income != first_face.income:
                message = (
                    f"{face.id} earns {face.income}, {first_face.id} on the same card {first_face.income}; "
                    "make them equal"
                )
                cure_text = "set rules.disputes.income to by-face"
                yield Found(f"{message}, or {cure_text}", (first_face.id, face.id), _part_place(face))


CHECKS: Final[tuple[CardCheck, ...]] = (
    Check("K01", "certificates of a holding add to 100 %", Severity.ERROR, _find_wrong_totals),
    Check("K02", "certificates are of whole tens", Severity.ERROR, _find_odd_percentages),
    Check("K03", "each holding has one Director's certificate", Severity.ERROR, _find_director_problems),
    Check("K04", "tokens agree with the holdings", Severity.ERROR, _find_token_mismatches),
    Check("K05", "decks have the cards that they say", Severity.ERROR, _find_deck_mismatches),
    Check("K06", "railroads go at a level that comes", Severity.ERROR, _find_wrong_obsolescence),
    Check("K07", "effects are known, and complete", Severity.ERROR, _find_effect_problems),
    Check("K08", "share values rise", Severity.ERROR, _find_falling_values),
    Check("K09", "the track has a start and an end", Severity.ERROR, _find_missing_ends),
    Check("K10", "spaces of the track have values", Severity.WARNING, _find_missing_values),
    Check("K11", "share values are the game's own", Severity.NOTE, _find_example_values),
    Check("K12", "dearer railroads earn more", Severity.WARNING, _find_cheaper_railroads_that_earn_more),
    Check("K13", "the stack is in order", Severity.ERROR, _find_disorder),
    Check("K14", "railroads have names", Severity.NOTE, _find_unnamed_railroads),
    Check("K15", "effects belong to investors", Severity.NOTE, _find_unassigned_effects),
    Check("K16", "colours of holdings are told apart", Severity.WARNING, _find_similar_colours),
    Check("K17", "holdings have names of their own", Severity.WARNING, _find_equal_names),
    Check("K18", "texts fit their cards", Severity.WARNING, _find_cut_texts),
    Check("K19", "obsolescence closes", Severity.WARNING, _find_unsure_obsolescence),
    Check("K20", "every railroad can be bought", Severity.WARNING, _find_unaffordable_railroads),
    Check("K21", "cards of two levels have one income", Severity.ERROR, _find_unequal_incomes),
)
"""All checks of card games."""
