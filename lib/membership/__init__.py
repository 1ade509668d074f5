"""Membership inference attacks on aggregate location data.

All attacks are scikit-learn estimators with `fit(aggregates, members)` and
`decision_function(aggregates)`. Each is imported when it is first used.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what editors and type checkers see
    from lib.membership.correlated import CorrelatedRatio
    from lib.membership.knock_knock import KnockKnock
    from lib.membership.likelihood_ratio import LikelihoodRatio
    from lib.membership.meta_classifier import MetaClassifier
    from lib.membership.predictive import PredictiveRatio
    from lib.membership.thresholds import OneThreshold, ReferenceAttack, TwoThreshold
    from lib.membership.zero_knowledge import KnockKnockLR, ZeroKnowledge

_HOME = {  # name -> the module that defines it
    "KnockKnock": "knock_knock",
    "KnockKnockLR": "zero_knowledge",
    "ZeroKnowledge": "zero_knowledge",
    "OneThreshold": "thresholds",
    "TwoThreshold": "thresholds",
    "ReferenceAttack": "thresholds",
    "LikelihoodRatio": "likelihood_ratio",
    "CorrelatedRatio": "correlated",
    "MetaClassifier": "meta_classifier",
    "PredictiveRatio": "predictive",
}
__all__ = [
    "CorrelatedRatio",
    "KnockKnock",
    "KnockKnockLR",
    "LikelihoodRatio",
    "MetaClassifier",
    "OneThreshold",
    "PredictiveRatio",
    "ReferenceAttack",
    "TwoThreshold",
    "ZeroKnowledge",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    if name in {module.name for module in iter_modules(__path__)}:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
