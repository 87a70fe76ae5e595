"""Update of accepted findings when their elements change."""

from mapkit.kinds.rail.commands.command import Draft


def drop_accepted(draft: Draft, ident: str) -> None:
    """Drop acceptances of findings about a deleted element."""
    for key in [key for key in draft.table("accepted") if ident in key.split(":")[1:]]:
        draft.drop("accepted", key)


def rename_accepted(draft: Draft, old: str, new: str) -> None:
    """Keep acceptances of findings about a renamed element."""
    if not old or not new or old == new:
        return
    for key in [key for key in draft.table("accepted") if old in key.split(":")[1:]]:
        code, *elements = key.split(":")
        new_key = ":".join([code, *sorted(new if element_id == old else element_id for element_id in elements)])
        draft.put("accepted", new_key, draft.table("accepted")[key])
        draft.drop("accepted", key)
