"""Protection of counts, cell by cell, as the attacker of ZK simulates it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lib.mechanisms import Gaussian, Laplace, PostProcess, SuppressSmallCounts


@dataclass(frozen=True)
class CountProtection:
    """Mechanisms that treat each cell alone: optional noise first, then deterministic steps.

    Parameters
    ----------
    noise : Laplace, Gaussian or None
        The additive noise.
    rest : list
        PostProcess and SuppressSmallCounts, in order.
    floored : bool
        Whether Laplace noise is drawn rounded down, because rounding down follows it.
    """

    noise: Laplace | Gaussian | None
    rest: list[Any]
    floored: bool

    @classmethod
    def of(cls, mechanisms: Sequence[Any]) -> CountProtection:
        """Split mechanisms into noise and deterministic steps.

        Parameters
        ----------
        mechanisms : sequence of lib.mechanisms.Mechanism
            At most one Laplace or Gaussian, first; then PostProcess and SuppressSmallCounts.

        Returns
        -------
        CountProtection
            The same mechanisms, applicable to single cells.

        Raises
        ------
        ValueError
            If the mechanisms are of another kind or order.
        """
        noise = (
            mechanisms[0] if mechanisms and isinstance(mechanisms[0], Laplace | Gaussian) else None
        )
        rest = list(mechanisms[noise is not None :])
        for mechanism in rest:
            if not isinstance(mechanism, PostProcess | SuppressSmallCounts):
                raise ValueError(
                    f"{mechanism!r}: Laplace or Gaussian noise, then PostProcess and "
                    "SuppressSmallCounts were expected, so that a pair can share its noise"
                )
        floored = isinstance(noise, Laplace) and bool(rest) and rest[0] in _ROUNDING_DOWN
        if floored:
            rest[0] = PostProcess("none", rest[0].clip)
        return cls(noise, rest, floored)

    @property
    def raw(self) -> bool:
        """Whether a released 0 proves that nobody was there."""
        small = (m.threshold > 1 for m in self.rest if isinstance(m, SuppressSmallCounts))
        return self.noise is None and not any(small)

    def add_noise(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Add fresh noise.

        Parameters
        ----------
        counts : ndarray
            Raw counts of any shape.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray
            Noisy counts of the same shape.
        """
        if self.noise is None:
            return counts
        if self.floored and isinstance(self.noise, Laplace):
            noise = self.noise.sample_floor(counts.shape, rng)
            return np.add(counts, noise, out=noise if counts.dtype == noise.dtype else None)
        return self.noise.apply(counts, rng, np.array(0))

    def add_seeded_noise(self, counts: np.ndarray, cells: np.ndarray, seed: int) -> np.ndarray:
        """Add noise that is a function of seed, cell and group only.

        Parameters
        ----------
        counts : ndarray, shape (n_cells, n_groups)
            Raw counts.
        cells : ndarray of int, shape (n_cells,)
            The cells of the rows. A cell's noise does not depend on the other cells.
        seed : int
            Seed of the noise.

        Returns
        -------
        ndarray, shape (n_cells, n_groups)
            Noisy counts.
        """
        if self.noise is None:
            return counts
        noise = self.noise.quantile(_uniform(seed, cells, counts.shape[1]))
        return counts + (np.floor(noise) if self.floored else noise)

    def finish(self, counts: np.ndarray, group_size: int) -> np.ndarray:
        """Apply the deterministic steps.

        Parameters
        ----------
        counts : ndarray
            Noisy counts of any shape.
        group_size : int
            Users in a group.

        Returns
        -------
        ndarray
            Released counts of the same shape.
        """
        for mechanism in self.rest:
            counts = mechanism.apply(counts, None, group_size)
        return counts


_ROUNDING_DOWN = (PostProcess("down", True), PostProcess("down", False))


def _uniform(seed: int, cells: np.ndarray, n_groups: int) -> np.ndarray:
    """Numbers in (0, 1), (cells, n_groups), each a function of seed, cell and group: SplitMix64.

    A stream would give a cell different noise if a solver on another machine picked one cell more.
    """
    number = (cells.astype(np.uint64)[:, None] << np.uint64(24)) + np.arange(1, n_groups + 1)
    x = np.uint64(seed) + number.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # modulo 2^64
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return ((x >> np.uint64(12)) + 0.5) / (1 << 52)


def count_dtype(group_size: int) -> type[np.signedinteger[Any]]:
    """Return the integer type that holds counts of a group and the noise that is added to them.

    Parameters
    ----------
    group_size : int
        Users in a group.

    Returns
    -------
    type
        int16 for groups below 16,384 users, int32 otherwise.
    """
    return np.int16 if group_size < 1 << 14 else np.int32
