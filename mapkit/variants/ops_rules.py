"""Operations on the rules, and on what is accepted, applied to a board in work."""

from mapkit.errors import RulesError, did_you_mean
from mapkit.model.rules_options import OPTIONS, switches
from mapkit.model.variant import AcceptFinding, ChoosePreset, SetRule, SwitchOption
from mapkit.variants.work import OperationError, Work


def set_rule(work: Work, op: SetRule) -> None:
    """Set a parameter, table or choice."""
    _set(work, op.path, op.value, was=op.was)


def switch_option(work: Work, op: SwitchOption) -> None:
    """Switch an option on, or a switch on or off."""
    if op.option in OPTIONS:
        _switch(work, op)
        return
    if "." not in op.option:
        raise OperationError(f"there is no option {op.option!r}{did_you_mean(op.option, OPTIONS)}")
    if op.amount is not None:
        raise OperationError(f"{op.option!r} has no amount; use set-rule")
    try:
        now = work.rules.value(op.option)
    except RulesError as error:
        raise OperationError(str(error)) from error
    if not isinstance(now, bool):
        raise OperationError(f"{op.option!r} is no switch, it is {now!r}; use set-rule")
    _set(work, op.option, op.on, was=None)


def _switch(work: Work, op: SwitchOption) -> None:
    """Set what an option of the rules stands for."""
    if op.amount is not None and OPTIONS[op.option].amount is None:
        raise OperationError(f"option {op.option!r} has no amount; leave it out")
    settings: dict[str, object] = dict(switches(op.option))
    if not op.on:
        if any(value is not True for value in settings.values()):
            raise OperationError(f"option {op.option!r} cannot be switched off, it is a choice; set the other side")
        settings = dict.fromkeys(settings, False)
    if op.amount is not None:
        settings[OPTIONS[op.option].amount or ""] = op.amount
    for path, value in settings.items():
        _set(work, path, value, was=None)


def _set(work: Work, path: str, value: object, *, was: object) -> None:
    try:
        now = work.rules.value(path)
        if was is not None and _plain(now) != _plain(was):
            raise OperationError(f"rule {path!r} is {now!r}, not {was!r}; correct `was`")
        work.rules.set(path, value, work.origin)
    except RulesError as error:
        raise OperationError(str(error)) from error
    work.wrote("rules", *path.split("."), value=("is", value))


def _plain(value: object) -> object:
    """Return lists for tuples, all the way down."""
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def choose_preset(work: Work, op: ChoosePreset) -> None:
    """Start the rules from a preset; what variants set stays on top."""
    choose(work, op.preset)


def choose(work: Work, name: str) -> None:
    """Start the rules from a preset.

    Raises:
        OperationError: There is none of that name, or it may not be chosen.
    """
    try:
        work.rules.choose(name)
    except RulesError as error:
        raise OperationError(str(error)) from error
    work.wrote("preset", value=name)


def accept_finding(work: Work, op: AcceptFinding) -> None:
    """Accept a finding."""
    work.accepted[op.finding] = op.reason
    work.wrote("accepted", op.finding, value=op.reason)
