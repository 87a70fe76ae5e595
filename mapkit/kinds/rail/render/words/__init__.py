"""Words of railroad boards: their own texts beside those of every kind."""

from mapkit.drawing.words import language as frame
from mapkit.drawing.words.language import Words, find_language
from mapkit.drawing.words.languages import LANGUAGES, Language
from mapkit.kinds.rail.model.board import Board


def words_in(language: Language) -> Words:
    """Return the words of a language."""
    return frame.words_in(language, __package__)


def in_language(board: Board, language: str) -> Board:
    """Return a board with its words in a language; `board` keeps the language that its author chose.

    Raises:
        ChoiceError: As for `known_language`.
    """
    language_code = find_language(language)
    if language_code is None:
        return board
    return board.model_copy(update={"drawing": board.drawing.model_copy(update={"language": language_code})})


def words_of(board: Board | None) -> Words:
    """Return the words of a board's language; English without a board."""
    return words_in(board.drawing.language if board else LANGUAGES[0])
