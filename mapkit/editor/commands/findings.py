"""Findings that are right as they are."""

from typing import Literal

from pydantic import Field

from mapkit.editor.commands.command import Command, Draft, command
from mapkit.editor.document import Accepted


@command("findings")
class AcceptFinding(Command):
    """Accept a finding, with the reason."""

    kind: Literal["accept-finding"] = "accept-finding"
    finding: str = Field(min_length=1, max_length=1000)
    reason: str = Field(min_length=1, max_length=2000)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        draft.put("accepted", self.finding, Accepted(reason=self.reason))
        return f"Accept {self.finding}"


@command("findings")
class UnacceptFinding(Command):
    """Take an acceptance back."""

    kind: Literal["unaccept-finding"] = "unaccept-finding"
    finding: str

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        draft.need("accepted", self.finding, "accepted finding")
        draft.drop("accepted", self.finding)
        return f"No longer accept {self.finding}"


def drop_accepted(draft: Draft, ident: str) -> None:
    """Drop acceptances of findings about an element that is gone."""
    for key in [key for key in draft.table("accepted") if ident in key.split(":")[1:]]:
        draft.drop("accepted", key)


def rename_accepted(draft: Draft, old: str, new: str) -> None:
    """Keep acceptances of findings about an element that has another id."""
    if not old or not new or old == new:
        return
    for key in [key for key in draft.table("accepted") if old in key.split(":")[1:]]:
        code, *elements = key.split(":")
        renamed = ":".join([code, *sorted(new if one == old else one for one in elements)])
        draft.put("accepted", renamed, draft.table("accepted")[key])
        draft.drop("accepted", key)
