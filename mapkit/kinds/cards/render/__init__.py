"""Pictures of card games: cards, the track of share values, tokens and the rule sheet."""
