"""Validation of arguments: errors that give the value, where it stands, and what is right.

`validated` checks a public function's arguments against their annotations; the `check_*`
functions check one value each.
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

MAX_CELLS = 2**31  # cells of a matrix, and visits in it, are numbered with 32 bits


class RecordError(ValueError):
    """A record that cannot be right.

    Parameters
    ----------
    row : int
        Position of the record in its table, from 0.
    problem : str
        What is wrong with it, for the message.
    """

    def __init__(self, row: int, problem: str):
        super().__init__(f"row {row}: {problem}")
        self.row = row
        self.problem = problem


_short = reprlib.Repr()
_short.maxlevel, _short.maxstring, _short.maxlong, _short.maxother = 3, 200, 200, 400
_short.maxlist = _short.maxtuple = _short.maxset = _short.maxfrozenset = _short.maxdict = 20


def format_value(value: object) -> str:
    """Format a value for a message, in at most 80 characters plus the name of its type.

    Parameters
    ----------
    value : object
        Anything, however large; a `__repr__` that fails is replaced by the type's name.

    Returns
    -------
    str
        The abbreviated representation.
    """
    try:
        text = _short.repr(value.item() if isinstance(value, np.number) else value)
    except Exception:  # __repr__ may run anybody's code
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 80 else f"{text[:60]}... ({type(value).__name__})"


def format_names(names: Iterable[Any]) -> str:
    """Join names with commas for a message, abbreviated after 800 characters.

    Parameters
    ----------
    names : iterable
        Names, or anything with a text form.

    Returns
    -------
    str
        The comma-separated list.
    """
    text = ", ".join(map(str, names))
    return text if len(text) <= 800 else f"{text[:800]}..."


def check_real(name: str, value: Any, expected: str = "a number") -> float:
    """Return the value if it is one real number within the range of floats.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    value : object
        The value to check; text, None, lists and booleans are rejected.
    expected : str
        What would be right, for the message.

    Returns
    -------
    float or int
        The value, unchanged.

    Raises
    ------
    ValueError
        If the value is not a real number, or is an integer beyond the largest float.
    """
    try:
        numeric = isinstance(value, int | float | np.integer | np.floating)
        if numeric and not isinstance(value, bool):
            float(value)
            return value
    except OverflowError:
        raise ValueError(
            f"{name} is an integer beyond any float; {expected} was expected"
        ) from None
    raise ValueError(f"{name} is {format_value(value)}; {expected} was expected")


def check_integer(name: str, value: Any, least: int = 0) -> int:
    """Return the value as an int if it is a whole number of at least `least`.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    value : object
        The value to check; booleans and floats are rejected.
    least : int
        Smallest valid value.

    Returns
    -------
    int
        The value.

    Raises
    ------
    ValueError
        If the value is not a whole number, or is too small.
    """
    integral = isinstance(value, Integral) and not isinstance(value, bool | np.timedelta64)
    if not integral or value < least:
        raise ValueError(
            f"{name} is {format_value(value)}; a whole number from {least} was expected"
        )
    return int(value)


def check_numbers(name: str, values: Any) -> np.ndarray:
    """Convert values to an array of floats; NaN and infinities are allowed.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    values : array_like
        Real numbers; text, times, complex numbers and None are rejected.

    Returns
    -------
    ndarray of float
        The values.

    Raises
    ------
    ValueError
        If the values are not real numbers.
    """
    try:
        array = np.asarray(values)
        if values is None or array.dtype.kind in "cSUmMV":
            raise TypeError
        return np.asarray(array, float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is {format_value(values)}; real numbers were expected") from None


def check_finite(
    name: str, values: Any, least: float = -np.inf, most: float = np.inf
) -> np.ndarray:
    """Convert values to an array of finite floats within a range.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    values : array_like
        Real numbers.
    least, most : float
        Bounds of the range, both included.

    Returns
    -------
    ndarray of float
        The values.

    Raises
    ------
    ValueError
        If a value is not a real number, is NaN or infinite, or is out of range; the message
        gives its index.
    """
    array = check_numbers(name, values)
    wrong = ~(np.isfinite(array) & (array >= least) & (array <= most))
    if wrong.any():
        place = ", ".join(str(int(i)) for i in np.argwhere(wrong)[0])
        limits = [f" {word} {x:g}" for word, x in (("from", least), ("to", most)) if np.isfinite(x)]
        raise ValueError(
            f"{name}[{place}] is {array[wrong][0]}; finite numbers{''.join(limits)} were expected"
        )
    return array


def check_positions(name: str, values: Any, n: int) -> np.ndarray:
    """Convert values to a one-dimensional array of positions from 0 to n - 1.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    values : array_like, shape (n_positions,)
        Whole numbers; floats are accepted if they are whole.
    n : int
        Number of positions there are.

    Returns
    -------
    ndarray of int64, shape (n_positions,)
        The positions.

    Raises
    ------
    ValueError
        If the values are not one-dimensional, not whole numbers, or out of range.
    """
    try:
        array = np.asarray(values)
    except ValueError:  # rows of several lengths
        array = np.empty((0, 0))
    if array.ndim != 1 or (len(array) and array.dtype.kind not in "iuf"):
        raise ValueError(
            f"{name}: {format_value(values)}; a row of positions (integers) was expected"
        )
    wrong = ~((array >= 0) & (array < n))  # NaN is wrong too
    if array.dtype.kind == "f":
        wrong |= array != np.floor(array)
    if wrong.any():
        first = array[wrong][0]
        raise ValueError(f"{name}: no position {first}; whole numbers from 0 to {n - 1}")
    return array.astype(np.int64, copy=False)


def check_generator(rng: Any) -> None:
    """Check that an argument is a numpy random generator.

    Parameters
    ----------
    rng : object
        The argument `rng`.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        If it is not a `numpy.random.Generator`.
    """
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng is {format_value(rng)}; a numpy.random.Generator was expected: "
            "numpy.random.default_rng(seed)"
        )


def check_instance(name: str, value: Any, kind: type, advice: str = "") -> None:
    """Check that a value is an instance of a class.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    value : object
        The value to check.
    kind : type
        The class expected.
    advice : str
        How to get such an instance, for the message.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        If the value is of another type.
    """
    if not isinstance(value, kind):
        raise ValueError(
            f"{name} is {format_value(value)}; a {kind.__name__} was expected"
            f"{advice and ': '}{advice}"
        )


# -- a function's annotations ----------------------------------------------------------------------

Function = TypeVar("Function", bound=Callable[..., Any])


class _Rule(NamedTuple):
    """An annotation's conversion, which raises TypeError for a wrong value, and its description."""

    convert: Callable[[Any], Any]
    words: str


def validated(function: Function) -> Function:
    """Decorate a public function to check and convert its arguments by their annotations.

    Parameters
    ----------
    function : callable
        A function whose arguments have annotations. Those that are checked:

        - ``int``: a whole number below 2^31 in size
        - ``float``: a finite number
        - ``np.ndarray``: an array of numbers or booleans; lists, tuples and frames are converted
        - ``Sequence[X]``: a list, tuple or array of X; ``Iterable[X]``: any iterable of X
        - a class: an instance of it; a protocol: an object with its methods
        - ``X | Y``: one of them; ``Any`` and everything else: anything

        Ranges of numbers, and whether an array may hold NaN, are left to the function.

    Returns
    -------
    callable
        The function, which raises ValueError with the argument's name, the value and what was
        expected before its own code runs.
    """

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        order, rules = _rules(function)
        converted = [
            _convert(name, value, rules[name]) if name in rules else value
            for name, value in zip(order, args, strict=False)
        ]
        kwargs = {
            name: _convert(name, value, rules[name]) if name in rules else value
            for name, value in kwargs.items()
        }
        return function(*converted, *args[len(order) :], **kwargs)

    return checked  # type: ignore[return-value]


def validate_parameters(estimator: Any) -> None:
    """Check an estimator's parameters against the annotations of its constructor.

    By scikit-learn's convention the constructor checks nothing; `fit` calls this.

    Parameters
    ----------
    estimator : object
        An estimator that keeps each constructor argument under its own name.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        If a parameter does not fit its annotation.
    """
    _, rules = _rules(type(estimator).__init__)
    for name, rule in rules.items():
        _convert(name, getattr(estimator, name), rule)


def _convert(name: str, value: Any, rule: _Rule) -> Any:
    try:
        return rule.convert(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is {format_value(value)}; {rule.words} was expected") from None


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
    if kind in _RULES:
        return _RULES[kind]
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _union([_rule(each) for each in get_args(kind)])
    if origin in (Sequence, Iterable, list):
        return _collection(origin, _rule((*get_args(kind), Any)[0]))
    if origin is tuple and ... not in get_args(kind):
        return _tuple([_rule(each) for each in get_args(kind)])
    if origin is Mapping:
        kind = Mapping
    if origin is Callable:
        return _Rule(_only_if(callable), "a function")
    if not isinstance(kind, type) or kind in (Any, object, Parameter.empty):
        return None
    if getattr(kind, "_is_protocol", False):
        methods = [name for name in vars(kind) if not name.startswith("_")]
        has = _only_if(lambda x: not isinstance(x, type) and all(hasattr(x, m) for m in methods))
        return _Rule(has, f"a {kind.__name__} (with .{methods[0]})")
    return _instance_rule(kind, f"a {kind.__name__}")


def _only_if(valid: Callable[[Any], bool]) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        if not valid(value):
            raise TypeError
        return value

    return convert


def _instance_rule(kind: Any, words: str) -> _Rule:
    return _Rule(_only_if(lambda x: isinstance(x, kind)), words)


def _union(rules: list[_Rule | None]) -> _Rule | None:
    """A rule for a value to which one of several rules applies."""
    if None in rules:
        return None
    strict = [rule for rule in rules if rule is not None]

    def convert(value: Any) -> Any:
        for rule in strict:
            try:
                return rule.convert(value)
            except (TypeError, ValueError, OverflowError):
                continue
        raise TypeError

    return _Rule(convert, " or ".join(rule.words for rule in strict))


def _tuple(rules: list[_Rule | None]) -> _Rule:
    """A rule for a tuple of fixed length whose elements have one rule each."""

    def convert(value: Any) -> Any:
        if not isinstance(value, (tuple, list)) or len(value) != len(rules):
            raise TypeError
        return tuple(rule.convert(x) if rule else x for rule, x in zip(rules, value, strict=True))

    words = ", ".join(rule.words if rule else "anything" for rule in rules)
    return _Rule(convert, f"a tuple ({words})")


def _collection(kind: Any, each: _Rule | None) -> _Rule:
    """A rule for sequences or iterables whose elements share one rule, or have none."""

    def convert(value: Any) -> Any:
        is_array = isinstance(value, np.ndarray)
        listed = isinstance(value, Sequence) or (is_array and value.ndim)
        iterable = kind is Iterable and hasattr(value, "__iter__") and not is_array
        if isinstance(value, (str, bytes)) or not (listed or iterable):
            raise TypeError
        if is_array and each is _RULES[int]:  # by type alone, as there may be many
            if value.size and value.dtype.kind not in "iu":
                raise TypeError
        elif listed and each is not None:
            elements = [each.convert(one) for one in value]
            return elements if isinstance(value, list) else value
        return value

    return _Rule(convert, f"a list, each of it {each.words}," if each else "a list")


def _to_integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or abs(int(value)) >= MAX_CELLS:
        raise TypeError
    return int(value)


def _to_finite(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
        raise TypeError
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**53):
        return value
    return float(value)  # numpy has no numbers for larger integers


def _to_array(value: Any) -> np.ndarray:
    if isinstance(value, np.ma.MaskedArray):  # its masked values would count
        raise TypeError
    array = value if type(value) is np.ndarray else np.asarray(value)
    if array.dtype.kind == "O" and all(isinstance(x, Real) for x in array.flat):
        array = array.astype(float)
    if not array.ndim or array.dtype.kind not in "biuf":
        raise TypeError
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        array = array.astype(float)  # half precision is exact up to 2,048 only
    return array


_RULES = {
    int: _Rule(_to_integer, "a whole number, below 2^31 in size,"),
    float: _Rule(_to_finite, "a finite number"),
    bool: _instance_rule(bool | np.bool_, "True or False"),
    str: _instance_rule(str, "text"),
    type(None): _instance_rule(type(None), "None"),
    np.ndarray: _Rule(_to_array, "an array of real numbers"),
    np.random.Generator: _instance_rule(
        np.random.Generator, "a numpy.random.Generator (numpy.random.default_rng(seed))"
    ),
}
