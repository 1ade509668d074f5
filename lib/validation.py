"""Checks at the library's doors: what came, and what would have been right, in a ValueError.

`door` holds a public function to the annotations of its arguments; the others check one value each.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from inspect import Parameter, signature
from math import isfinite
from numbers import Integral, Real
from types import UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin

import numpy as np

MOST_CELLS = 2**31  # cells of a matrix, and visits in it, are numbered with 32 bits


class RecordError(ValueError):
    """A record that cannot be right. `row` is its position in the table, from 0."""

    def __init__(self, row: int, problem: str):
        super().__init__(f"row {row}: {problem}")
        self.row = row
        self.problem = problem


_short = reprlib.Repr()
_short.maxlevel, _short.maxstring, _short.maxlong, _short.maxother = 3, 200, 200, 400
_short.maxlist = _short.maxtuple = _short.maxset = _short.maxfrozenset = _short.maxdict = 20


def shown(value: object) -> str:
    """What came, short enough for a message, however large it is."""
    try:
        text = _short.repr(value.item() if isinstance(value, np.number) else value)
    except Exception:  # what it says of itself is anybody's code
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 80 else f"{text[:60]}... ({type(value).__name__})"


def named(names: Iterable[Any]) -> str:
    """Names as a list for a message, short however many and long they are."""
    text = ", ".join(map(str, names))
    return text if len(text) <= 800 else f"{text[:800]}..."


def real(name: str, value: Any, expected: str = "a number") -> float:
    """The value, if it is one real number that a float can hold: no text, None, list or truth."""
    try:
        known = isinstance(value, int | float | np.integer | np.floating)
        if known and not isinstance(value, bool):
            float(value)
            return value  # as it came: an int stays one
    except OverflowError:
        raise ValueError(
            f"{name} is an integer beyond any float; {expected} was expected"
        ) from None
    raise ValueError(f"{name} is {shown(value)}; {expected} was expected")


def whole(name: str, value: Any, least: int = 0) -> int:
    """The value, if it is a whole number of at least `least`."""
    known = isinstance(value, Integral) and not isinstance(value, bool | np.timedelta64)
    if not known or value < least:
        raise ValueError(f"{name} is {shown(value)}; a whole number from {least} was expected")
    return int(value)


def numbers(name: str, values: Any) -> np.ndarray:
    """The values as floats; text, times, complex numbers and None are no numbers."""
    try:
        array = np.asarray(values)
        if values is None or array.dtype.kind in "cSUmMV":
            raise TypeError
        return np.asarray(array, float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is {shown(values)}; real numbers were expected") from None


def finite(name: str, values: Any, least: float = -np.inf, most: float = np.inf) -> np.ndarray:
    """The values as floats, none of them NaN, infinite or out of range."""
    array = numbers(name, values)
    wrong = ~(np.isfinite(array) & (array >= least) & (array <= most))
    if wrong.any():
        place = ", ".join(str(int(i)) for i in np.argwhere(wrong)[0])
        limits = [f" {word} {x:g}" for word, x in (("from", least), ("to", most)) if np.isfinite(x)]
        raise ValueError(
            f"{name}[{place}] is {array[wrong][0]}; finite numbers{''.join(limits)} were expected"
        )
    return array


def positions(name: str, values: Any, n: int) -> np.ndarray:
    """One row of whole numbers from 0 to n - 1, as int64; fractions and NaN are none."""
    try:
        array = np.asarray(values)
    except ValueError:  # rows of several lengths
        array = np.empty((0, 0))
    if array.ndim != 1 or (len(array) and array.dtype.kind not in "iuf"):
        raise ValueError(f"{name}: {shown(values)}; a row of positions (integers) was expected")
    wrong = ~((array >= 0) & (array < n))  # NaN is wrong too
    if array.dtype.kind == "f":
        wrong |= array != np.floor(array)
    if wrong.any():
        first = array[wrong][0]
        raise ValueError(f"{name}: no position {first}; whole numbers from 0 to {n - 1}")
    return array.astype(np.int64, copy=False)


def generator(rng: Any) -> None:
    """Raises ValueError for what is no numpy.random.Generator."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng is {shown(rng)}; a numpy.random.Generator was expected: "
            "numpy.random.default_rng(seed)"
        )


def instance(name: str, value: Any, kind: type, advice: str = "") -> None:
    """Refuses a value of another type, naming both."""
    if not isinstance(value, kind):
        raise ValueError(
            f"{name} is {shown(value)}; a {kind.__name__} was expected{advice and ': '}{advice}"
        )


# -- a function's annotations ----------------------------------------------------------------------

Function = TypeVar("Function", bound=Callable[..., Any])


class _Rule(NamedTuple):
    """What an annotation asks for: the value as the function gets it, or TypeError; in words."""

    taken: Callable[[Any], Any]
    words: str


def door(function: Function) -> Function:
    """Holds a public function to the annotations of its arguments.

    int          a whole number of less than 2^31 in size
    float        a finite number
    np.ndarray   an array of numbers or truth values; lists, tuples and frames become one
    Sequence[X]  a list, a tuple or an array, each of it X; Iterable[X] anything to go through
    a class      an instance; a protocol: what has its methods
    X | Y        one of them; Any, and what is not in this list: anything

    Which numbers are in range, and whether an array may hold NaN, stays the function's business.
    Raises ValueError naming argument, value and what was expected, before the function begins.
    """

    @wraps(function)
    def opened(*given: Any, **named: Any) -> Any:
        order, rules = _rules(function)
        taken = list(given)
        for position, (name, value) in enumerate(zip(order, given, strict=False)):
            if name in rules:
                taken[position] = _held(name, value, rules[name])
        for name, value in named.items():
            if name in rules:
                named[name] = _held(name, value, rules[name])
        return function(*taken, **named)

    return opened  # type: ignore[return-value]


def settings(estimator: Any) -> None:
    """Holds an estimator to the annotations of its constructor, which by custom checks nothing."""
    _, rules = _rules(type(estimator).__init__)
    for name, rule in rules.items():
        _held(name, getattr(estimator, name), rule)


def _held(name: str, value: Any, rule: _Rule) -> Any:
    try:
        return rule.taken(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is {shown(value)}; {rule.words} was expected") from None


@cache
def _rules(function: Callable[..., Any]) -> tuple[list[str], dict[str, _Rule]]:
    """The positional arguments' names, and the rule of every argument that has one."""
    order, rules = [], {}
    for parameter in signature(function).parameters.values():
        if parameter.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD):
            order.append(parameter.name)
        if parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            continue
        kind = parameter.annotation
        if isinstance(kind, str):
            try:
                kind = eval(kind, function.__globals__)
            except (NameError, TypeError):  # a name for the type checker alone
                continue
        rule = _rule(kind)
        if rule is not None:
            rules[parameter.name] = rule
    return order, rules


def _rule(kind: Any) -> _Rule | None:
    """The rule of an annotation; None where anything goes."""
    if kind in _KNOWN:
        return _KNOWN[kind]
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _one_of([_rule(each) for each in get_args(kind)])
    if origin in (Sequence, Iterable, list):
        return _several(origin, _rule((*get_args(kind), Any)[0]))
    if origin is tuple and ... not in get_args(kind):
        return _tuple([_rule(each) for each in get_args(kind)])
    if origin is Mapping:
        kind = Mapping
    if origin is Callable:
        return _Rule(_taken_if(callable), "a function")
    if not isinstance(kind, type) or kind in (Any, object, Parameter.empty):
        return None
    if getattr(kind, "_is_protocol", False):
        methods = [name for name in vars(kind) if not name.startswith("_")]
        has = _taken_if(lambda x: not isinstance(x, type) and all(hasattr(x, m) for m in methods))
        return _Rule(has, f"a {kind.__name__} (with .{methods[0]})")
    return _Rule(_taken_if(lambda x: isinstance(x, kind)), f"a {kind.__name__}")


def _taken_if(right: Callable[[Any], bool]) -> Callable[[Any], Any]:
    def taken(value: Any) -> Any:
        if not right(value):
            raise TypeError
        return value

    return taken


def _one_of(rules: list[_Rule | None]) -> _Rule | None:
    if None in rules:
        return None
    known = [rule for rule in rules if rule is not None]

    def taken(value: Any) -> Any:
        for rule in known:
            try:
                return rule.taken(value)
            except (TypeError, ValueError, OverflowError):
                continue
        raise TypeError

    return _Rule(taken, " or ".join(rule.words for rule in known))


def _tuple(rules: list[_Rule | None]) -> _Rule:
    """A rule for so many things, each with its own."""

    def taken(value: Any) -> Any:
        if not isinstance(value, (tuple, list)) or len(value) != len(rules):
            raise TypeError
        return tuple(rule.taken(x) if rule else x for rule, x in zip(rules, value, strict=True))

    words = ", ".join(rule.words if rule else "anything" for rule in rules)
    return _Rule(taken, f"a tuple ({words})")


def _several(kind: Any, each: _Rule | None) -> _Rule:
    """A rule for lists and the like, of things with a rule or of anything."""

    def taken(value: Any) -> Any:
        listed = isinstance(value, Sequence) or (isinstance(value, np.ndarray) and value.ndim)
        goes = kind is Iterable and hasattr(value, "__iter__") and not isinstance(value, np.ndarray)
        if isinstance(value, (str, bytes)) or not (listed or goes):
            raise TypeError
        if isinstance(value, np.ndarray) and each is _KNOWN[int]:  # at once, they may be many
            if value.size and value.dtype.kind not in "iu":
                raise TypeError
        elif listed and each is not None:
            held = [each.taken(one) for one in value]
            return held if isinstance(value, list) else value
        return value

    return _Rule(taken, f"a list, each of it {each.words}," if each else "a list")


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or abs(int(value)) >= MOST_CELLS:
        raise TypeError
    return int(value)


def _finite(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
        raise TypeError
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**53):
        return value
    return float(value)  # numpy has no numbers for larger integers


def _array(value: Any) -> np.ndarray:
    if isinstance(value, np.ma.MaskedArray):  # what is masked would count
        raise TypeError
    array = value if type(value) is np.ndarray else np.asarray(value)
    if array.dtype.kind == "O" and all(isinstance(x, Real) for x in array.flat):
        array = array.astype(float)
    if not array.ndim or array.dtype.kind not in "biuf":
        raise TypeError
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        array = array.astype(float)  # half precision counts to 2,048, and no further
    return array


_KNOWN = {
    int: _Rule(_whole, "a whole number, below 2^31 in size,"),
    float: _Rule(_finite, "a finite number"),
    bool: _Rule(_taken_if(lambda x: isinstance(x, bool | np.bool_)), "True or False"),
    str: _Rule(_taken_if(lambda x: isinstance(x, str)), "text"),
    type(None): _Rule(_taken_if(lambda x: x is None), "None"),
    np.ndarray: _Rule(_array, "an array of real numbers"),
    np.random.Generator: _Rule(
        _taken_if(lambda x: isinstance(x, np.random.Generator)),
        "a numpy.random.Generator (numpy.random.default_rng(seed))",
    ),
}
