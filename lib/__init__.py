"""Privacy of aggregate location data: attacks, defenses and bounds behind one vocabulary.

Importing this package defines names and does nothing else; each submodule is imported when it is
first used (`lib.metrics.auc(...)`).
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what editors and type checkers see
    from lib import (
        accounting,
        aggregation,
        audit,
        chapters,
        datasets,
        execution,
        localization,
        mechanisms,
        membership,
        metrics,
        papers,
        randomness,
        reading,
        reconstruction,
        threats,
        ties,
        traces,
        validation,
    )

__version__ = "0.2.0"
__all__ = [
    "accounting",
    "aggregation",
    "audit",
    "chapters",
    "datasets",
    "execution",
    "localization",
    "mechanisms",
    "membership",
    "metrics",
    "papers",
    "randomness",
    "reading",
    "reconstruction",
    "threats",
    "ties",
    "traces",
    "validation",
]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'lib' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
