"""Was she in the crowd? Membership inference on aggregate location data.

The attacks' names are here; each is imported when it is first used.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

_HOME = {  # which module an attack lives in
    "KnockKnock": "knock_knock",
    "KnockKnockLR": "zero_knowledge",
    "ZeroKnowledge": "zero_knowledge",
    "OneThreshold": "thresholds",
    "TwoThreshold": "thresholds",
    "ReferenceAttack": "thresholds",
    "LikelihoodRatio": "likelihood_ratio",
    "CorrelatedRatio": "correlated",
    "MetaClassifier": "meta_classifier",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    if name in {module.name for module in iter_modules(__path__)}:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'lib.membership' has no attribute {name!r}")
