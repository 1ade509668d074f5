"""The page `book/cost.md` and its figure, from `bench.csv` and the metadata of stored results.

`make bench` writes both; `python -m tests.bench.cost` writes them from the table that is there.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from lib.execution import results
from lib.execution.durations import duration
from lib.papers import experiments as core
from lib.papers import figures, scoreboard
from tests.bench.cluster import CLUSTER, SENT
from tests.bench.pages import EXECUTING
from tests.bench.scale import PEAK, USERS

ROOT = Path(__file__).parents[2]
FIGURE = ROOT / "book" / "static" / "cost.png"
CAPTION = (
    "Time of each kernel against the size of its input, for random traces and counts. On these\n"
    "axes a line of slope 1 means that twice the size takes twice the time."
)
LARGE = FIGURE.with_name("cost-users.png")
ALT = (
    "For each kernel, the time against the number of users, ROIs, epochs or groups, relative to "
    "the middle size, on logarithmic axes; the table below gives the slopes."
)
LARGE_ALT = (
    "Time against the number of users, ten thousand to a million, on logarithmic axes, "
    "a line for each operation; the table above gives the seconds."
)
LONGEST = 8  # experiments that are named one by one

INTRODUCTION = """\
# What it costs

How long do the parts of this book take, and what happens if your data are larger? The times on
this page were measured on the machine that last ran `make bench`. That machine inverted a random
1200 x 1200 matrix in {calibration} s on one thread; `make bench` measures yours. On a shared
machine, times vary from day to day.

## Executing a page

Building a fresh copy of the book executes nothing, because the outputs come with it. The table
says how long a page takes if you run it again with parameters of about the same size. How long a
chapter takes to read stands at its head.

{pages}

## Running a paper's experiments again

The table covers the experiments behind the replication pages, at the papers' sizes. Times are
those of one core, added up over all units, so two cores take half. `make paper NAME=kk` announces
its time before it starts, and resumes after an interruption. Memory is that of the whole command
with two processes. The processes are reused from experiment to experiment and do not return freed
memory, so an experiment on its own may need less.

{papers}

All of them together take {total} on one core, and half of that on two. About half of the time of
a Knock-Knock game is spent in scikit-learn's random forest, whose trees examine every feature at
every split. A compiled forest of our own grew the same trees five times faster. It was removed,
because it saved only twenty minutes in three hours and needed a compiler and 208 MB of packages.

These experiments take the longest:

{longest}

## If your data are larger

Along each line one size grows while the others stay fixed at
{base}.
"""
SLOPES = """\
The table gives the slope of each line, fitted by least squares to {points} sizes. A slope below 1
means that the fixed cost of a call still matters. A slope above 1 means that the time grows faster
than the data.
"""
MILLION = """\
## A million users

The visits are random, over 1,000 places and a year of hours, with {by}. The groups have 1,000
users. The table also times one Knock-Knock game in a week and one threshold game on ten cells.
Records are read from a CSV file in chunks. The slope is defined as above: at a slope of 1, ten
times the users take ten times the time. The processes measured here keep freed memory, as all
processes do that `python -m lib` starts. Without the [two settings](reference/commands.md) for
this, a script of your own may take three times as long to collect visits into traces.

{table}

```{{figure}} static/{figure}
:alt: {alt}

Time against the number of users, for synthetic random traces. A flat line means that the time does
not depend on the number of users, as for counting and releasing groups.
```

The largest memory of a process, including Python and its libraries:

{peaks}
"""
MACHINES = """\
## Several machines

`python -m lib paper NAME --scheduler ADDRESS` sends an experiment's units to a Dask cluster. In
this measurement all workers share one machine, so having more workers than cores brings nothing.
The rows were the same to the last digit. Times in this table are wall-clock times; those above are
processor times. A unit that computes for a millisecond takes {sent} ms, including the transfer of
the unit and of its rows.

{table}
"""
RATIOS = """\
## Speed relative to the reference implementations

The reference implementations follow the papers' listings loop by loop; the tests compare our
results with theirs. *Times faster* is the reference's time divided by ours. Slow references were
timed on a part of the work and scaled up, so a ratio above a few thousand is an order of magnitude
only. *L1* is the logistic regression of the attack without auxiliary knowledge on 400
aggregates; *everything* includes its releases and its test.
"""


def read(file=ROOT / "bench.csv"):
    return pd.read_csv(file, keep_default_na=False, dtype=str)


def sized(bench, users=False):
    """Rows measured at several sizes: of ten thousand users and more, or all others."""
    rows = bench[(bench["by"] != "") & ((bench["by"] == USERS) == users)]
    return rows.assign(size=rows["size"].astype(int), here=rows["here"].astype(float))


def slopes(bench):
    """Kernel x what grows: the exponent of the size in the time."""
    found = {}
    for (kernel, by), rows in sized(bench).groupby(["what", "by"], sort=False):
        found.setdefault(kernel, {})[by] = slope(rows)
    return pd.DataFrame.from_dict(found, orient="index").fillna("")


def slope(rows):
    return f"{np.polyfit(np.log(rows['size']), np.log(rows['here']), 1)[0]:.2f}"


def million(bench):
    """The section on many users: a row for each operation, with its seconds at each size."""
    table = []
    for what, rows in sized(bench, users=True).groupby("what", sort=False):
        sizes = zip(rows["size"], rows["here"], strict=True)
        seconds = {f"{n:,}": f"{took:.3g}" for n, took in sizes}
        table.append({"seconds, by users": what} | seconds | {"slope": slope(rows)})
    peaks = bench["what"].str.split(PEAK, n=1, expand=True, regex=False).dropna()
    peaks["seconds"] = [f"{took:.3g}" for took in bench.loc[peaks.index, "here"].astype(float)]
    return MILLION.format(
        by=USERS.removeprefix("users of ") + " a user",
        table=markdown(pd.DataFrame(table)),
        figure=LARGE.name,
        alt=LARGE_ALT,
        peaks=markdown(peaks.set_axis(["operation", "memory", "seconds"], axis=1)),
    )


def machines(rows):
    """The section on clusters: workers, seconds, times faster than one."""
    found = rows[rows["what"].str.startswith(CLUSTER)]
    what = found["what"].str.removeprefix(CLUSTER).str.split(": ", n=1, expand=True)
    table = pd.DataFrame(
        {
            "workers": what[0],
            "units": what[1],
            "seconds": found["here"],
            "times as fast as one": found["ratio"],
        }
    )
    (sent,) = rows.loc[rows["what"] == SENT, "here"].astype(float)
    return MACHINES.format(table=markdown(table), sent=f"{1000 * sent:.0f}")


def middles(bench):
    rows = sized(bench)
    return rows.groupby(["what", "by"], sort=False)["size"].median().astype(int)


def markdown(frame):
    lines = [list(frame.columns), ["---"] * len(frame.columns), *frame.to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def page(bench):
    """The page (MyST), from the table and from the metadata of stored results."""
    middle = middles(bench).groupby("by", sort=False).max()
    rows = bench[bench["by"] == ""]
    (calibration,) = rows.loc[rows["what"].str.startswith("calibration"), "here"]
    made = recorded()
    introduction = INTRODUCTION.format(
        calibration=calibration,
        pages=markdown(executed(rows)),
        papers=markdown(by_paper(made)),
        total=duration(made["seconds"].sum()),
        longest=markdown(longest(made)),
        base=", ".join(f"{size} {by}" for by, size in middle.items()),
    )
    points = sized(bench).groupby(["what", "by"]).size().max()
    return "\n".join(
        [
            introduction,
            f"```{{figure}} static/{FIGURE.name}\n:alt: {ALT}\n\n{CAPTION}\n```\n",
            SLOPES.format(points=points),
            markdown(slopes(bench).rename_axis("kernel").reset_index()),
            "",
            million(bench),
            machines(rows),
            RATIOS,
            markdown(compared(rows)),
            "",
        ]
    )


def executed(rows):
    """Page, and seconds to execute it."""
    found = rows[rows["what"].str.startswith(EXECUTING)]
    table = []
    for what, seconds in zip(found["what"], found["here"], strict=True):
        name = what.removeprefix(EXECUTING)
        table.append([f"[](/book/{name}.ipynb)", f"{float(seconds):.0f}"])
    return pd.DataFrame(table, columns=["page", "to execute, seconds"])


def recorded():
    """Time and memory of the stored results, one row for each experiment on a dataset."""
    return pd.DataFrame(
        [
            {"paper": each.paper, **results.provenance(each.name, data)}
            for each in core.all_experiments().values()
            for data in each.at_paper
        ]
    )


def by_paper(made):
    table = made.groupby("paper", sort=False).agg(
        experiments=("experiment", "nunique"),
        units=("units", "sum"),
        seconds=("seconds", "sum"),
        memory=("peak_memory_mb", "max"),
    )
    table["time of one core"] = table.pop("seconds").map(duration)
    table["most memory of all processes, GB"] = (table.pop("memory") / 1000).map("{:.1f}".format)
    table["units"] = table["units"].map("{:,}".format)
    return table.rename(lambda each: scoreboard.NAMES.get(each, "the book's own")).reset_index()


def longest(made):
    table = made.nlargest(LONGEST, "seconds")[["experiment", "data", "units", "seconds"]]
    table["time of one core"] = table.pop("seconds").map(duration)
    return table


def compared(rows):
    found = rows[(rows["reference"] != "") & (rows["ratio"] != "")]
    found = found[~found["what"].str.startswith(CLUSTER)]
    names = {"reference": "reference, s", "here": "here, s", "ratio": "times faster"}
    return found[["what", *names]].rename(columns=names)


def time(seconds):
    """A power of ten: 10 us, 100 ms, 1 s."""
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor > 0.99:
            return f"{seconds * factor:g} {unit}"
    return f"{seconds:g} s"


def draw(bench, file=FIGURE):
    rows, middle = sized(bench), middles(bench)
    kernels, grows = rows["what"].unique(), rows["by"].unique().tolist()
    n_rows = -(-len(kernels) // 2)
    figure, axes = _blank(n_rows, 2, figsize=(6, 2.2 * n_rows), sharex=True, squeeze=False)
    for panel, kernel in zip(axes.flat, kernels, strict=False):
        for by, line in rows[rows["what"] == kernel].groupby("by", sort=False):
            _line(panel, line["size"] / middle[kernel, by], line["here"], grows.index(by), by)
        panel.set_title(kernel, fontsize=10)
        low, high = np.log10(rows.loc[rows["what"] == kernel, "here"].agg(["min", "max"]))
        decades = np.arange(np.floor(low), np.ceil(high) + 1)
        panel.set_ylim(10.0 ** decades[0], 10.0 ** decades[-1])
        _ticks(panel, decades)
    for panel in axes.flat[len(kernels) :]:
        panel.set_axis_off()
    ticks = [0.25, 1, 4]
    axes[0, 0].set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes[0, 0].minorticks_off()
    figure.supylabel("time", fontsize=11)
    figure.supxlabel("size, relative to the middle", fontsize=11)
    _finish(figure, axes.flat, 4, file)


def draw_users(bench, file=LARGE):
    rows = sized(bench, users=True)
    figure, panel = _blank(figsize=(6, 4.6))
    for n, (what, line) in enumerate(rows.groupby("what", sort=False)):
        _line(panel, line["size"], line["here"], n, what)
    panel.set(xlabel="users", ylabel="time")
    sizes = sorted(rows["size"].unique())
    panel.set_xticks(sizes, [f"{size:,}" for size in sizes])
    low, high = np.log10(rows["here"].agg(["min", "max"]))
    _ticks(panel, np.arange(np.floor(low), np.ceil(high) + 1))
    panel.set_ylim(10.0**low / 2, 10.0**high * 2)
    _finish(figure, [panel], 2, file)


def _blank(*shape, **options):
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figures.use_style()
    return plt.subplots(*shape, **options)


def _line(panel, sizes, seconds, n, label):
    look = {"color": figures.COLORS[n], "marker": figures.MARKERS[n], "ls": figures.LINES[n]}
    panel.loglog(sizes, seconds, **look, ms=5, label=label)


def _ticks(panel, decades):
    panel.set_yticks(10.0**decades, [time(10.0**each) for each in decades])
    panel.minorticks_off()


def _finish(figure, panels, columns, file):
    """The legend above all panels, and the file."""
    import matplotlib.pyplot as plt

    named = {}
    for panel in panels:
        named |= dict(zip(*reversed(panel.get_legend_handles_labels()), strict=True))
    figure.legend(named.values(), named, loc="outside upper center", ncols=columns, fontsize=10)
    figure.savefig(file, dpi=100, metadata={"Software": None})
    plt.close(figure)


def write():
    bench = read()
    draw(bench)
    draw_users(bench)
    (ROOT / "book" / "cost.md").write_text(page(bench), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
