"""Localization against the plain loops: London's size, and how time grows with users."""

import resource
import time

import numpy as np
import pandas as pd

from lib import localization as loc
from lib.traces import Traces
from tests.reference import localization as reference

ROIS, WEEKS = 582, 4
FEW, FEW_ROIS = 3, 40  # what the loops are timed on


def population(n_users, n_rois=ROIS, visits=43 * WEEKS, seed=0):
    """Users with a few favourite ROIs, seen at random hours; null counted."""
    rng = np.random.default_rng(seed)
    n_epochs = 168 * WEEKS
    user = np.repeat(np.arange(n_users), visits)
    favourite = (n_rois * rng.random((n_users, 20)) ** 3).astype(int)
    roi = favourite[user, rng.integers(0, 20, len(user))]
    epoch = rng.integers(0, n_epochs, len(user))
    rois = pd.DataFrame({"lat": np.nan, "lon": np.nan}, index=pd.RangeIndex(n_rois, name="roi"))
    epochs = pd.date_range("2010-03-01", periods=n_epochs, freq="1h", tz="UTC", name="epoch")
    return Traces.from_codes(user, roi, epoch, range(n_users), rois, epochs).with_null()


def everything(traces):
    """Two priors, three strategies, both errors."""
    truth = loc.inference_period(traces)
    counts = truth.matrix.sum(axis=0).reshape(truth.n_rois, truth.n_epochs)
    for kind in ("FREQ_ROI", "ROI_DAY_WEEK"):
        known = loc.prior(traces, kind)
        posterior = loc.bayes(known, counts)
        loc.profiling_error(posterior, truth)
        loc.localization_error(loc.all_rois(posterior), truth)
        for greedy in (loc.max_roi(known, counts), loc.max_user(known, counts)):
            loc.profiling_error(greedy, truth)
            loc.localization_error(greedy, truth)


def loops(traces):
    """The same with the plain loops; the weekly prior as often as the other."""
    cube = traces.matrix.toarray().reshape(traces.n_users, traces.n_rois, traces.n_epochs)
    observed, truth = cube[:, :, :-168], cube[:, :, -168:]
    counts, reports = truth.sum(axis=0), observed[:, :-1].sum(axis=(1, 2))
    for known in (reference.freq_roi(observed, 168), reference.roi_season(observed, 168, 168)):
        posterior = reference.bayes(known, counts)
        reference.profiling_error(posterior, truth)
        reference.localization_error(reference.all_rois(posterior), truth)
        for greedy in (reference.max_roi, reference.max_user):
            assigned = greedy(known, counts, reports)
            reference.profiling_error(assigned, truth)
            reference.localization_error(assigned, truth)


def seconds(function, *arguments):
    """Seconds of the processor, which other processes do not stretch; everything is one thread."""
    start = time.process_time()
    function(*arguments)
    return time.process_time() - start


def rows():
    """(what, reference seconds, seconds here, what is asked). The loops run on a part, scaled up.

    Scaled by users x ROIs; sorting and the search for capacity grow faster, in the loops' favour.
    """
    part = seconds(loops, population(FEW, FEW_ROIS - 1)) / (FEW * FEW_ROIS)
    for n, asked in ((10_000, 100), (100_000, "at most ten times the seconds of 10,000")):
        here = seconds(everything, population(n))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # kB on Linux
        what = f"{n:,} users x 583 x 168, two priors, {peak:.2f} GB"
        yield what, part * n * (ROIS + 1), here, asked


if __name__ == "__main__":
    for row in rows():
        print(*row, flush=True)
