"""Counter-based random numbers (Philox 4x32-10), independent of the order of play.

A match draws the same numbers alone or in a batch, on any number of processors, and one player's draws do not affect
another's. The generator is Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
1, 2, 3", SC11). Its key is the seed; its counter consists of the number of the draw, the purpose and the match.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.playing.compiling import compiler

compiled, called = compiler(Path(__file__).parent)

_LOW_MASK = np.uint64(0xFFFFFFFF)
_HALF_BITS = np.uint64(32)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_PHILOX_ROUNDS = 10
_WORD_RANGE = 4294967296.0


class Streams(NamedTuple):
    """Random streams of one match."""

    key: NDArray[np.uint64]
    """Seed, and number of the match."""
    drawn: NDArray[np.int64]
    """Count of numbers drawn for each purpose."""


def new_streams(seed: int, purposes: int) -> Streams:
    """Return the streams of a seed at the beginning of match 0.

    Args:
        seed: 0 to 2**64 - 1.
        purposes: Number of streams in a match, one for each purpose.
    """
    return Streams(np.array([seed, 0], np.uint64), np.zeros(purposes, np.int64))


@compiled
def begin(streams: Streams, match: int) -> None:
    """Reset all streams to the beginning of a match."""
    streams.key[1] = np.uint64(match)
    streams.drawn[:] = 0


@compiled
def philox(
    c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, k0: np.uint64, k1: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return four 32-bit words for a counter of four words and a key of two words, by Philox 4x32-10."""
    for _ in range(_PHILOX_ROUNDS):
        first_product, second_product = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (
            (second_product >> _HALF_BITS) ^ c1 ^ k0,
            second_product & _LOW_MASK,
            (first_product >> _HALF_BITS) ^ c3 ^ k1,
            first_product & _LOW_MASK,
        )
        k0, k1 = (k0 + _W0) & _LOW_MASK, (k1 + _W1) & _LOW_MASK
    return c0, c1, c2, c3


@compiled
def word(streams: Streams, purpose: int) -> np.uint64:
    """Return the next 32 random bits for a purpose."""
    seed, match = streams.key[0], streams.key[1]
    draw_number = np.uint64(streams.drawn[purpose])
    streams.drawn[purpose] += 1
    high_word = ((draw_number >> _HALF_BITS) << np.uint64(16)) | np.uint64(purpose)
    return philox(
        draw_number & _LOW_MASK, high_word, match & _LOW_MASK, match >> _HALF_BITS, seed & _LOW_MASK, seed >> _HALF_BITS
    )[0]


@compiled
def below(streams: Streams, purpose: int, count: int) -> int:
    """Return a uniform whole number from 0 to `count` - 1 (Lemire's method)."""
    range_size = np.uint64(count)
    rejection_limit = (_LOW_MASK - range_size + np.uint64(1)) % range_size
    product = word(streams, purpose) * range_size
    while (product & _LOW_MASK) < rejection_limit:
        product = word(streams, purpose) * range_size
    return int(product >> _HALF_BITS)


@compiled
def share(streams: Streams, purpose: int) -> float:
    """Return a uniform number from 0 up to, but not including, 1."""
    return float(word(streams, purpose)) / _WORD_RANGE
