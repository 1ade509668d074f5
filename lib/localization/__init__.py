"""Profiling and localization of every user from counts and priors (aggregation privacy)."""

from lib.localization.errors import (
    localization_error,
    privacy_gain_from_errors,
    privacy_loss_from_errors,
    profiling_error,
    profiling_error_by_epoch,
)
from lib.localization.joint import max_entropy, most_likely
from lib.localization.priors import (
    KINDS,
    LAST,
    PROBABILISTIC,
    all_rois,
    inference_period,
    popular,
    prior,
)
from lib.localization.profiles import Profile, from_array
from lib.localization.strategies import aggregate_profile, bayes, count_unupdated, max_roi, max_user

__all__ = [
    "KINDS",
    "LAST",
    "PROBABILISTIC",
    "Profile",
    "aggregate_profile",
    "all_rois",
    "bayes",
    "count_unupdated",
    "from_array",
    "inference_period",
    "localization_error",
    "max_entropy",
    "max_roi",
    "max_user",
    "most_likely",
    "popular",
    "prior",
    "privacy_gain_from_errors",
    "privacy_loss_from_errors",
    "profiling_error",
    "profiling_error_by_epoch",
]
