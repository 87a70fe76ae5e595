"""Random numbers by counting: each follows from seed, match, purpose and its place in that stream alone.

So a match is the same alone and in any batch, on any number of processors, and what one player draws changes nothing
for another. The generator is Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
1, 2, 3", SC11), with the seed as its key and number, purpose and match as its counter.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.playing.compiling import compiler

compiled, called = compiler(Path(__file__).parent)

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_ROUNDS = 10
_RANGE = 4294967296.0


class Streams(NamedTuple):
    """The streams of one match."""

    key: NDArray[np.uint64]
    """Seed, match."""
    drawn: NDArray[np.int64]
    """How many numbers each purpose has drawn."""


def new_streams(seed: int, purposes: int) -> Streams:
    """Return streams of a seed, at the beginning of match 0.

    Args:
        seed: 0 to 2**64 - 1.
        purposes: How many streams a match has.
    """
    return Streams(np.array([seed, 0], np.uint64), np.zeros(purposes, np.int64))


@compiled
def begin(streams: Streams, match: int) -> None:
    """Go to the beginning of a match."""
    streams.key[1] = np.uint64(match)
    streams.drawn[:] = 0


@compiled
def philox(
    c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, k0: np.uint64, k1: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return four words of 32 bits for a counter of four and a key of two, as Philox 4x32-10 makes them."""
    for _ in range(_ROUNDS):
        one, two = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (two >> _HALF) ^ c1 ^ k0, two & _LOW, (one >> _HALF) ^ c3 ^ k1, one & _LOW
        k0, k1 = (k0 + _W0) & _LOW, (k1 + _W1) & _LOW
    return c0, c1, c2, c3


@compiled
def word(streams: Streams, purpose: int) -> np.uint64:
    """Return the next 32 bits of a purpose."""
    seed, match = streams.key[0], streams.key[1]
    number = np.uint64(streams.drawn[purpose])
    streams.drawn[purpose] += 1
    high = ((number >> _HALF) << np.uint64(16)) | np.uint64(purpose)
    return philox(number & _LOW, high, match & _LOW, match >> _HALF, seed & _LOW, seed >> _HALF)[0]


@compiled
def below(streams: Streams, purpose: int, count: int) -> int:
    """Return a whole number from 0 to `count` - 1, each as likely as the others (Lemire's method)."""
    many = np.uint64(count)
    least = (_LOW - many + np.uint64(1)) % many
    product = word(streams, purpose) * many
    while (product & _LOW) < least:
        product = word(streams, purpose) * many
    return int(product >> _HALF)


@compiled
def share(streams: Streams, purpose: int) -> float:
    """Return a number from 0 to 1, without 1."""
    return float(word(streams, purpose)) / _RANGE
