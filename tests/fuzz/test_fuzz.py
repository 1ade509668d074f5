"""Nothing wrong gets through, nothing valid breaks: what `tests.fuzz` thinks of, in five kinds.

`make test` tries a few of each, `make test-fuzz` more, `FUZZ_CASES=5000` that many of each kind;
it also says how many were refused and accepted (`pytest -rP` shows it). The cases are always the
same, unless `TEST_SEED` asks for others.
"""

import os
import resource
import sys
import warnings
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from sklearn.exceptions import NotFittedError

from lib.validation import format_value
from tests import fuzz
from tests.fuzz import audits, parameters, public_functions, records, sweeps

CASES = int(os.environ.get("FUZZ_CASES", "0"))
MOST_MEMORY = 2_000  # MB, of this process in all
NO_MORE = 8 << 30  # bytes of addresses: what asks for more fails alone
KINDS = {
    "records": records,
    "parameters": parameters,
    "sweeps": sweeps,
    "public_functions": public_functions,
    "audits": audits,
}


@pytest.fixture
def folder(tmp_path):
    return sweeps.house(tmp_path / "house")


@pytest.fixture(autouse=True)
def bounded():
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (NO_MORE, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def tried(module, folder, cases):
    """How many of so many cases were refused and accepted; the first that is neither fails."""
    found = Counter()

    @settings(max_examples=cases, suppress_health_check=list(HealthCheck))
    @given(module.cases())
    def each(case):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found[module.judge(case, folder)] += 1

    each()
    unit = 1e6 if sys.platform == "darwin" else 1e3
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    print(f"{module.__name__}: {sum(found.values())} cases, {dict(found)}, {peak:.0f} MB at most")
    assert not CASES or peak < MOST_MEMORY
    return found


@pytest.mark.parametrize(
    ("kind", "cases"), [("records", 40), ("sweeps", 20), ("public_functions", 60), ("audits", 60)]
)
def test_a_few_cases_are_refused_with_advice_or_right(kind, cases, folder):
    assert tried(KINDS[kind], folder, cases)["refused"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "cases"),
    [
        ("records", 300),
        ("parameters", 120),
        ("sweeps", 200),
        ("public_functions", 600),
        ("audits", 800),
    ],
)
def test_cases_are_refused_with_advice_or_right(kind, cases, folder):
    found = tried(KINDS[kind], folder, CASES or cases)
    assert min(found["refused"], found["accepted"]) > 0.02 * sum(found.values())


@pytest.mark.parametrize("text", sweeps.EXAMPLES, ids=range(len(sweeps.EXAMPLES)))
def test_sweep_files_of_no_use_are_refused(text, folder):
    assert sweeps.judge(text, folder) == "refused"


@pytest.mark.parametrize("name", public_functions.DOORS)
def test_what_is_right_is_let_in(name):
    expected = "refused" if name == "not fitted" else "accepted"
    assert public_functions.judge((name, {})) == expected


def _named(examples):
    return [f"{name}: {argument} {change}" for name, argument, change in examples]


@pytest.mark.parametrize(
    ("name", "argument", "change"), public_functions.REFUSED, ids=_named(public_functions.REFUSED)
)
def test_what_once_got_through_a_door_is_refused(name, argument, change):
    assert public_functions.judge((name, {argument: change})) == "refused"


@pytest.mark.parametrize(
    ("name", "argument", "change"), public_functions.TAKEN, ids=_named(public_functions.TAKEN)
)
def test_what_a_door_once_stumbled_over_is_taken(name, argument, change):
    assert public_functions.judge((name, {argument: change})) == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize("name", public_functions.DOORS)
def test_every_change_of_one_argument_is_refused_with_advice_or_right(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for argument, good in public_functions.DOORS[name].good.items():
            for change in public_functions.fixed(good):
                try:
                    public_functions.judge((name, {argument: change}))
                except fuzz.WrongError as error:
                    pytest.fail(f"{name}: {argument} {change}: {error}")


# -- the judge itself ------------------------------------------------------------------------------


def test_what_stumbles_is_told_from_what_is_refused():
    shapes = lambda: np.zeros(2) + np.zeros(3)  # noqa: E731
    for call in (shapes, lambda: int("x"), lambda: {}["x"], lambda: 1 / 0):
        with pytest.raises(fuzz.WrongError):
            fuzz.judged(call, fuzz.not_finite)
    with pytest.raises(fuzz.WrongError, match="accepted, but the result holds nan"):
        fuzz.judged(lambda: [np.array([1, np.nan])], fuzz.not_finite)
    with pytest.raises(fuzz.WrongError, match="5000 characters"):
        fuzz.check_refusal(NotFittedError("x" * 5000))


class Silent:
    def __repr__(self):
        raise RuntimeError


def test_what_came_is_shown_shortly_however_large_or_odd_it_is():
    nested = ["x"] * 9
    for _ in range(9):
        nested = [nested] * 9
    many = {i: i for i in range(999)}
    for value in (nested, "x" * 10**6, 10**5000, [10**5000], b"x" * 10**6, many, Silent()):
        assert len(format_value(value)) < 100
