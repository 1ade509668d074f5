"""Settings that several experiments of a paper have in common, declared once as a dataclass."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import wraps
from typing import Any

Function = Callable[..., Any]


def with_settings(
    settings: type[Any], *names: str, **changed: Any
) -> Callable[[Function], Function]:
    """Decorate a function of an object so that it takes fields of the object as arguments.

    Parameters
    ----------
    settings : type
        A dataclass. Its fields without defaults become the first, positional arguments.
    *names : str
        Fields that become keyword arguments. A field "data" has no default then.
    **changed
        Fields that become keyword arguments, with other defaults than the dataclass has.

    Returns
    -------
    callable
        The decorator: a function `(object, *, own) -> result` becomes a function
        `(positional fields, *, own, named fields) -> result`.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Game:
    ...     target: int
    ...     n_groups: int = 10
    ...     seed: int = 0
    >>> @with_settings(Game, "seed", n_groups=20)
    ... def evaluate(game, *, k=1):
    ...     return game, k
    >>> evaluate(3, k=2)
    (Game(target=3, n_groups=20, seed=0), 2)
    """
    first = [each.name for each in fields(settings) if each.default is MISSING]
    known = {each.name: each.default for each in fields(settings)}
    defaults = {name: known[name] for name in names} | changed

    def decorate(function: Function) -> Function:
        @wraps(function)
        def of_fields(*values: Any, **given: Any) -> Any:
            own = {name: given.pop(name, default) for name, default in defaults.items()}
            return function(settings(*values, **own), **given)

        parameter, own = inspect.Parameter, list(inspect.signature(function).parameters.values())
        positional = [parameter(name, parameter.POSITIONAL_ONLY) for name in first]
        added = [
            parameter(
                name, parameter.KEYWORD_ONLY, default=parameter.empty if name == "data" else default
            )
            for name, default in defaults.items()
        ]
        of_fields.__signature__ = inspect.Signature([*positional, *own[1:], *added])  # type: ignore[attr-defined]
        del of_fields.__wrapped__  # its source has other arguments
        return of_fields

    return decorate
