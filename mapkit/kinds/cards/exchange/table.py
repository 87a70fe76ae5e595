"""Contents of a virtual table: decks, the track and tokens."""

from dataclasses import dataclass

from mapkit.drawing.sheet import Sheet
from mapkit.kinds.cards.render.cards import card_groups
from mapkit.kinds.cards.render.job import CardJob


@dataclass(frozen=True)
class CardDeck:
    """Deck of cards.

    Args:
        id: `railroad`; of certificates one for each holding, `certificate-marley`.
        title: What players see.
        cards: From the top.
    """

    id: str
    title: str
    cards: tuple[Sheet, ...]


def make_decks(job: CardJob) -> list[CardDeck]:
    """Return the decks: certificates by holding, the others by sort."""
    card_decks = []
    holding_by_card = {
        f"certificate-{certificate.id}": holding
        for holding in job.game.holdings
        for certificate in holding.certificates
    }
    for kind, sheets in card_groups(job):
        if kind != "certificate":
            card_decks.append(CardDeck(kind, job.words(f"deck.{kind}"), tuple(sheets)))
            continue
        for holding in job.game.holdings:
            holding_cards = tuple(sheet for sheet in sheets if holding_by_card[sheet.id].id == holding.id)
            if holding_cards:
                card_decks.append(CardDeck(f"certificate-{holding.id}", holding.name, holding_cards))
    return card_decks
