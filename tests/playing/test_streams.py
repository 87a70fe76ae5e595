"""Random numbers by counting."""

from collections import Counter

import numpy as np
import pytest

from mapkit.playing.streams import begin, below, new_streams, philox, share

# from the test vectors of the authors' library, Random123 (kat_vectors, philox4x32 of 10 rounds)
KNOWN = {
    "0" * 48: "6627e8d5e169c58dbc57ac4c9b00dbd8",
    "f" * 48: "408f276d41c83b0ea20bc7c66d5451fd",
    "243f6a8885a308d313198a2e03707344a4093822299f31d0": "d16cfe0994fdcceb5001e42024126ea1",
}


def words(text: str) -> list[np.uint64]:
    return [np.uint64(int(text[k : k + 8], 16)) for k in range(0, len(text), 8)]


@pytest.mark.parametrize("given", KNOWN)
def test_the_generator_is_the_published_one(given: str) -> None:
    assert list(philox(*words(given))) == words(KNOWN[given])


def test_a_number_follows_from_its_place_alone() -> None:
    streams = new_streams(7, 4)
    begin(streams, 12)
    alone = [below(streams, 2, 6) for _ in range(50)]
    begin(streams, 12)
    mixed = []
    for _ in range(50):
        below(streams, 0, 1000)
        share(streams, 3)
        mixed.append(below(streams, 2, 6))
    assert mixed == alone
    begin(streams, 13)
    assert [below(streams, 2, 6) for _ in range(50)] != alone
    other = new_streams(8, 4)
    begin(other, 12)
    assert [below(other, 2, 6) for _ in range(50)] != alone


def test_seeds_and_matches_of_64_bits_are_told_apart() -> None:
    streams = [new_streams(seed, 1) for seed in (1, 1 + (1 << 32), 2**64 - 1)]
    first = []
    for one in streams:
        for match in (0, 1 << 32):
            begin(one, match)
            first.append(tuple(below(one, 0, 1 << 20) for _ in range(3)))
    assert len(set(first)) == len(first)


def test_dice_are_fair() -> None:
    streams = new_streams(3, 1)
    begin(streams, 0)
    rolls = Counter(below(streams, 0, 6) for _ in range(6_000))
    # 99.9 % of fair dice have less than 20.5 (chi-squared, 5 degrees of freedom)
    assert sum((rolls[k] - 1_000) ** 2 / 1_000 for k in range(6)) < 20.5
    shares = [share(streams, 0) for _ in range(2_000)]
    assert 0 <= min(shares) < 0.01
    assert 0.99 < max(shares) < 1
