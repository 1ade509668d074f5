"""How reading and attacking a population grow with it: 1,000 places, a year of hours.

Codes are drawn a million visits at a time, so that only the traces themselves are held; records are
written as CSV into a temporary folder, and read back. Every size has a process of its own, whose
peak memory is told. A visit more a user is a visit more of everything: sizes keep 48 a user, and
`python -m tests.bench.scale records 1000000 480` measures one size alone.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from lib.aggregation import aggregate, sample_groups
from lib.datasets import load
from lib.mechanisms import Laplace, PostProcess, release
from lib.membership import KnockKnock, OneThreshold, game, shadows
from lib.reading.chunks import Visits
from lib.traces import Traces

ROIS, HOURS, VISITS = 1000, 8760, 48
SIZES = 10_000, 100_000, 1_000_000
USERS = f"users of {VISITS} visits"  # what grows; `tests.bench.cost` tells these sizes apart by it
PEAK = ": at most "  # GB, in the name of a row
MOST_VISITS = 480  # of each of a million users: half a billion visits
AT_ONCE = 1 << 20
EPOCHS = pd.date_range("2013-01-01", periods=HOURS, freq="1h", tz="UTC", name="epoch")
PLACES = pd.DataFrame({"lat": np.nan, "lon": np.nan}, index=pd.RangeIndex(ROIS, name="roi"))


def drawn(n_users, n_visits):
    """User, place and hour of n_users * n_visits visits, a million at a time."""
    rng = np.random.default_rng(0)
    for first in range(0, n_users * n_visits, AT_ONCE):
        at = np.arange(first, min(first + AT_ONCE, n_users * n_visits))
        yield at // n_visits, rng.integers(0, ROIS, len(at)), rng.integers(0, HOURS, len(at))


def seconds(function, *arguments):
    """Seconds of the processor, which other processes do not stretch, and what was found."""
    start = time.process_time()
    found = function(*arguments)
    return time.process_time() - start, found


def gathered(n_users, n_visits):
    """Traces from codes; the seconds that drawing them takes are counted too."""
    visits = Visits(ROIS * HOURS)
    for user, roi, hour in drawn(n_users, n_visits):
        visits.add(user, roi * HOURS + hour)
    return Traces(visits.matrix(np.arange(n_users)), range(n_users), PLACES, EPOCHS)


def write(file, n_users, n_visits):
    """Records as CSV, each line as wide as the others."""
    parts = {
        "user": np.array([f"{i}," for i in range(10**6, 10**6 + n_users)], "S"),
        "time": np.array([f"{each:%Y-%m-%dT%H:%MZ}," for each in EPOCHS], "S"),
        "roi": np.array([f"{i}\n" for i in range(1000, 1000 + ROIS)], "S"),
    }
    with open(file, "wb") as out:
        out.write(b"user,time,roi\n")
        for user, roi, hour in drawn(n_users, n_visits):
            lines = np.empty(len(user), [(name, known.dtype) for name, known in parts.items()])
            for name, chosen in (("user", user), ("time", hour), ("roi", roi)):
                lines[name] = parts[name][chosen]
            out.write(lines.tobytes())


def knocking(traces):
    """One game of Knock-Knock in a week, on groups of 1,000: 40 to learn from, 20 to guess."""
    rng = np.random.default_rng(0)
    week = range(168 * 10, 168 * 11)
    target = int(np.flatnonzero(traces.select(epochs=np.asarray(week)).visits())[0])
    task = game.subset_task(traces, target, 0.5, 1000, week, rng, 40, 20)
    attack = KnockKnock(ROIS, len(week), "LR", n_features=60)
    attack.fit(task.train.reshape(40, -1), task.train_members)
    return attack.decision_function(task.test.reshape(20, -1))


def thresholding(traces):
    """One threshold game on ten cells of a target: 2,000 shadow sums of groups of 1,000."""
    rng = np.random.default_rng(0)
    cells = shadows.positive_cells(traces, 0, 10, rng)
    pools = shadows.split_users(traces, 0, rng)
    counts = shadows.sample_counts(shadows.visits_at(traces, pools.train, cells), 2000, 999, rng)
    members = np.arange(2000) % 2
    return OneThreshold().fit(counts + members[:, None] + rng.laplace(size=counts.shape), members)


def attacked(traces):
    """Seconds of each thing that is done with traces."""
    groups = sample_groups(np.arange(traces.n_users), 10, 1000, np.random.default_rng(0))
    noise = [Laplace(1.0), PostProcess()]
    return {
        "aggregating 10 groups of 1,000": seconds(aggregate, traces, groups)[0],
        "one release": seconds(release, traces, groups[:1], noise, np.random.default_rng(0))[0],
        "a Knock-Knock game": seconds(knocking, traces)[0],
        "a threshold game": seconds(thresholding, traces)[0],
    }


def measured(kind, n_users, n_visits):
    """What one size takes: seconds, by what is done; "peak", in GB; rows as `kind` says."""
    if kind == "codes":
        took, traces = seconds(gathered, n_users, n_visits)
        found = {"gathering traces from codes": took} | attacked(traces)
    else:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "records.csv"
            write(file, n_users, n_visits)
            before = peak()
            took, traces = seconds(load, str(file))
            found = {"reading records, CSV": took, "before": before}
    assert traces.n_users == n_users
    return found | {"peak": peak(), "visits": traces.matrix.nnz}


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # kB on Linux


def apart(kind, n_users, n_visits=VISITS):
    """`measured` in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.scale", kind, str(n_users), str(n_visits)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def kernel():
    """600 groups of 1,000 over 360,000 cells: the product alone, and `aggregate`."""
    rng = np.random.default_rng(0)
    codes = (rng.integers(0, n, 600_000) for n in (5000, 500, 720))
    traces = Traces.from_codes(*codes, range(5000), PLACES[:500], EPOCHS[:720])
    groups = sample_groups(np.arange(5000), 600, 1000, rng)
    inside = np.zeros((5000, 600), np.int16)
    inside[groups, np.arange(600)[:, None]] = 1
    by_cell = traces.matrix.T.tocsr().astype(np.int16)
    pairs = [
        (seconds(lambda: by_cell @ inside)[0], seconds(aggregate, traces, groups)[0])
        for _ in range(5)
    ]
    return (min(each) for each in zip(*pairs, strict=True))


SIZED = {}  # what was measured for `rows`, for `sizes` to tell


def rows():
    """(what, seconds of the reference, seconds here, what is asked)."""
    for kind in ("codes", "records"):
        for n in SIZES:
            SIZED[kind, n] = apart(kind, n)
            yield _told(kind, n, VISITS, SIZED[kind, n])
    for kind in ("codes", "records"):  # the records are a file of 15 GB, read in seven minutes
        yield _told(kind, SIZES[-1], MOST_VISITS, apart(kind, SIZES[-1], MOST_VISITS))
    # Last: a process begins with the most memory of the one that began it
    yield "600 groups of 1,000 x 360,000 cells (reference: the product)", *kernel(), 0.77


def _told(kind, n, visits, found):
    what = f"{n:,} users x {visits} visits, {kind}{PEAK}{found['peak']:.2f} GB"
    return what, float("nan"), next(iter(found.values())), "6 GB"


def sizes():
    for (_, n), found in SIZED.items():
        for what, took in found.items():
            if what not in ("peak", "before", "visits"):
                yield what, USERS, n, took


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])), default=float))
