"""Pieces of VASSAL as text: traits nested in each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.exchange.vassal.tree import Component

_TAB: Final = "\t"


@dataclass(frozen=True)
class Trait:
    """A capability of a piece: the fields of its type, and of its state."""

    kind: Sequence[str]
    state: Sequence[str] = ("",)


def deletable_trait(command: str) -> Trait:
    """Return the trait that deletes a piece by Ctrl-D, or by a command of its menu."""
    return Trait(("delete", command, "68,130", ""))


def trail_trait(command: str) -> Trait:
    """Return the trait that shows a piece's trail by Ctrl-T, or by a command of its menu: the route of a trip."""
    return Trait(
        (
            *("footprint", "84,130", command, "false", "false", "10", "255,255,255", "0,0,0", "100", "50", "20", "30"),
            *("1.0", "", "", "", "", "true"),
        ),
        ("false", ""),
    )


def flip_trait(command: str, back: str, name: str) -> Trait:
    """Return the trait that flips a piece by Ctrl-F, or by a command of its menu.

    Args:
        command: In the menu.
        back: The file of the picture of its back.
        name: What it is called while it lies face down.
    """
    return Trait(("obs", "70,130", back, command, "B", name, ""), ("null",))


def prototype_trait(prototype: str) -> Trait:
    """Return all traits of a prototype."""
    return Trait(("prototype", prototype))


def constant_property(name: str, value: str) -> Trait:
    """Return a constant property."""
    return Trait(("mark", name), (value,))


def encode_sequence(tokens: Sequence[str], delimiter: str) -> str:
    """Return a list in the encoding of the engine's SequenceEncoder.

    The delimiter inside a token has a backslash in front. Quotes stand around a token that would be misread otherwise:
    with a backslash at its start (as the engine writes it) or its end (which the engine writes so that it cannot read
    it again), or with quotes around it.
    """
    return delimiter.join(_escape_token(token, delimiter) for token in tokens)


def _escape_token(token: str, delimiter: str) -> str:
    escaped_token = token.replace(delimiter, "\\" + delimiter)
    is_quoted = token.startswith("'") and token.endswith("'")
    return f"'{escaped_token}'" if is_quoted or token.startswith("\\") or token.endswith("\\") else escaped_token


def piece_name(name: str) -> str:
    """Return a usable name of a piece: the engine loses tabs, and the text after a backslash at the end."""
    clean_name = "".join(" " if character in "\t\r\n" else character for character in name)
    return f"{clean_name} " if clean_name.endswith("\\") else clean_name


def piece_text(traits: Sequence[Trait], *, image: str = "", name: str = "", gpid: str = "") -> str:
    """Return a piece: its traits, the outermost first, around a basic piece with a picture and a name.

    Args:
        traits: What it can do.
        image: The file of its picture.
        name: What it is called, as of `piece_name`.
        gpid: The id of its slot; empty in prototypes.
    """
    type_text = encode_sequence(
        (encode_sequence(("piece", "", "", image, name), ";"),), _TAB
    )  # read as a list too, of one
    state_text = encode_sequence(("null", "0", "0", gpid, "0"), ";")
    for trait in reversed(traits):
        type_text = encode_sequence((encode_sequence(trait.kind, ";"), type_text), _TAB)
        state_text = encode_sequence((encode_sequence(trait.state, ";"), state_text), _TAB)
    return encode_sequence(("+", "null", type_text, state_text), "/")


class Slots:
    """Slots of a module, each with its own number, in order of creation."""

    def __init__(self) -> None:
        self.next = 1

    def slot(
        self, name: str, image: str, size: tuple[int, int], traits: Sequence[Trait], *, card: bool = False
    ) -> Component:
        """Return a slot with one piece, `size` in pixels; cards are in decks."""
        gpid, self.next = str(self.next), self.next + 1
        name = piece_name(name)
        return Component(
            "widget.CardSlot" if card else "widget.PieceSlot",
            {"entryName": name, "gpid": gpid, "height": size[1], "width": size[0]},
            text=piece_text(traits, image=image, name=name, gpid=gpid),
        )


def prototype(name: str, traits: Sequence[Trait], about: str) -> Component:
    """Return a prototype with traits for pieces."""
    return Component("module.PrototypeDefinition", {"description": about, "name": name}, text=piece_text(traits))
