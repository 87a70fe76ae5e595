"""Acceptances of findings follow their elements."""

from mapkit.kinds.rail.commands.command import Draft


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
