"""Mechanisms that protect a release: bounded traces, noise, suppression, post-processing.

Each mechanism is a small frozen object with one method: `apply_traces(traces, rng)` if it works on
traces, `apply(counts, rng, group_size)` if on counts. `release` applies a list of them to counts
(n_groups, n_rois, n_epochs), `release_traces` to traces, which it counts. Sources stand with each
mechanism.
"""

from lib.mechanisms.base import Mechanism, TraceMechanism
from lib.mechanisms.discrete import BACKENDS, DiscreteGaussian, DiscreteLaplace
from lib.mechanisms.fourier import (
    EnhancedFourierPerturbation,
    FourierPerturbation,
    fourier_reconstruction,
)
from lib.mechanisms.noise import CALIBRATIONS, Gaussian, Laplace, gaussian_delta
from lib.mechanisms.pipeline import apply_trace_mechanisms, release, release_traces
from lib.mechanisms.postprocessing import PostProcess, SuppressSmallCounts
from lib.mechanisms.rounding import Round
from lib.mechanisms.traces import BoundContributions, RandomizedResponse

__all__ = [
    "BACKENDS",
    "CALIBRATIONS",
    "BoundContributions",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "EnhancedFourierPerturbation",
    "FourierPerturbation",
    "Gaussian",
    "Laplace",
    "Mechanism",
    "PostProcess",
    "RandomizedResponse",
    "Round",
    "SuppressSmallCounts",
    "TraceMechanism",
    "apply_trace_mechanisms",
    "fourier_reconstruction",
    "gaussian_delta",
    "release",
    "release_traces",
]
