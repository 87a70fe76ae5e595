"""What a referee says of the first step of a log that breaks a rule, for every kind of board."""

from typing import NoReturn

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import SourceError


class Ruling(Frozen):
    """First step of a log that breaks a rule."""

    line: int = Field(description="Line of the log, from 1 on")
    rule: str = Field(description="Row of the rules, such as RB-M07; empty where the log itself is not in order")
    message: str = Field(description="What is wrong, and what would be right")


def refuse_broken(broken: Ruling | None, file: str) -> None:
    """Refuse a log in which a step breaks a rule.

    Raises:
        SourceError: With the line.
    """
    if broken is not None:
        raise SourceError(f"{file}:{broken.line}: {broken.message}; logs of legal games are shown")


class FoulError(Exception):
    """Step that breaks a rule: its row and what is wrong."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule, self.message = rule, message


def raise_foul(rule: str, message: str) -> NoReturn:
    """Raise because a step breaks a rule.

    Args:
        rule: Row of the rules; empty where the log itself is not in order.
        message: What is wrong, and what would be right.

    Raises:
        FoulError: Always.
    """
    raise FoulError(rule, message)
