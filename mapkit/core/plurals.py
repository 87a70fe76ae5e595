"""Counts in sentences: `1 city`, `5 cities`."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 line`, `2 lines`, `1,020 cities`.

    Args:
        number: How many.
        one: The noun for one.
        many: The noun for any other number; `one` with an s by default.
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
