"""Words of card games: their own texts beside those of every kind."""

from mapkit.drawing.words.language import Words, find_language, words_in
from mapkit.drawing.words.languages import LANGUAGES


def card_words(language: str = LANGUAGES[0]) -> Words:
    """Return the words of a language by its tag; English for `board`.

    Raises:
        ChoiceError: As for `known_language`.
    """
    return words_in(find_language(language) or LANGUAGES[0], __package__)
