"""The kept corpus through every target: a result, or an error that says what is wrong. Needs no atheris."""

import pytest
from sampling import sample

from fuzz.targets import CORPUS, TARGETS

pytestmark = pytest.mark.slow

SEEDS = sorted(p.relative_to(CORPUS).as_posix() for p in CORPUS.glob("*/*"))


@pytest.mark.parametrize("seed", sample(SEEDS, 90))
def test_every_kept_file_is_read_or_refused(seed: str) -> None:
    """A target raises on anything but a MapkitError with a message."""
    TARGETS[seed.partition("/")[0]].accepts((CORPUS / seed).read_bytes())


@pytest.mark.parametrize("name", sample(list(TARGETS), 10))
def test_a_target_sees_good_and_bad_files(name: str) -> None:
    ends = {TARGETS[name].accepts(path.read_bytes()) for path in (CORPUS / name).iterdir()}
    assert ends == {True, False}


def test_the_corpus_is_small() -> None:
    assert {seed.partition("/")[0] for seed in SEEDS} == set(TARGETS)
    sizes = {seed: (CORPUS / seed).stat().st_size for seed in SEEDS}
    assert max(sizes.values()) <= 1500
    assert sum(sizes.values()) <= 80_000


def test_a_defect_is_not_taken_for_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise IndexError("list index out of range")

    monkeypatch.setattr("fuzz.targets.read_any", broken)
    with pytest.raises(IndexError):
        TARGETS["svg"].accepts(b"<svg/>")
