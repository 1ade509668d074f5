"""The page `book/cost.md` and its figure, drawn from `bench.csv`. `make bench` writes both."""

from pathlib import Path

import numpy as np
import pandas as pd

from lib import plots

ROOT = Path(__file__).parents[1]
FIGURE = ROOT / "book" / "static" / "cost.png"
ALT = ("For each kernel, the time against the number of users, ROIs, epochs or groups, relative to "
       "the middle size, on logarithmic axes; the table below gives the slopes.")  # fmt: skip

INTRODUCTION = """\
# What it costs

How long do the parts of this book take, and what happens if your data are larger? Every number here
is measured by `make bench`, on one thread, and kept in `bench.csv`. Seconds are those of the
machine that ran it last. It inverted a random 1200 x 1200 matrix in {calibration} s; `make bench`
tells how long yours takes.

## Cost against size

Each line lets one number grow and keeps the others in the middle, at
{base}. On these axes a line of slope 1 says that twice the size takes twice the time.
"""
SLOPES = """\
The slope of each line, by least squares through its {points} sizes. Below 1, the fixed cost of a
call still counts; above 1, the time grows faster than the data.
"""
RATIOS = """\
## Against the plain loops

The reference reads as the papers' listings do, loop by loop, and is the oracle of the tests.
*Ratio* is its time over ours, *asked* the least ratio, or the most time or memory, that the work on
the chapter aimed at.
"""


def read(file=ROOT / "bench.csv"):
    return pd.read_csv(file, keep_default_na=False, dtype=str)


def sized(bench):
    rows = bench[bench["by"] != ""]
    return rows.assign(size=rows["size"].astype(int), here=rows["here"].astype(float))


def slopes(bench):
    """Kernel x what grows: the exponent of the size in the time."""
    found = {}
    for (kernel, by), rows in sized(bench).groupby(["what", "by"], sort=False):
        slope = np.polyfit(np.log(rows["size"]), np.log(rows["here"]), 1)[0]
        found.setdefault(kernel, {})[by] = f"{slope:.2f}"
    return pd.DataFrame.from_dict(found, orient="index").fillna("")


def middles(bench):
    rows = sized(bench)
    return rows.groupby(["what", "by"], sort=False)["size"].median().astype(int)


def markdown(frame):
    lines = [list(frame.columns), ["---"] * len(frame.columns), *frame.to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def page(bench):
    """The page (MyST), all of it from the table."""
    middle = middles(bench).groupby("by", sort=False).max()
    base = ", ".join(f"{size} {by}" for by, size in middle.items())
    rows = bench[bench["by"] == ""]
    (calibration,) = rows.loc[rows["what"].str.startswith("calibration"), "here"]
    table = slopes(bench).rename_axis("kernel").reset_index()
    ratios = rows.loc[
        ~rows["what"].str.startswith("calibration"), ["what", "reference", "here", "ratio", "asked"]
    ]
    points = sized(bench).groupby(["what", "by"]).size().max()
    return "\n".join(
        [
            INTRODUCTION.format(calibration=calibration, base=base),
            f"```{{image}} static/{FIGURE.name}\n:alt: {ALT}\n```\n",
            SLOPES.format(points=points), markdown(table), "", RATIOS,
            markdown(ratios.rename(columns={"reference": "reference, s", "here": "here, s"})), "",
        ]
    )  # fmt: skip


def time(seconds):
    """A power of ten: 10 us, 100 ms, 1 s."""
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor > 0.99:
            return f"{seconds * factor:g} {unit}"
    return f"{seconds:g} s"


def draw(bench, file=FIGURE):
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    plots.use_style()
    rows, middle = sized(bench), middles(bench)
    kernels, grows = rows["what"].unique(), rows["by"].unique().tolist()
    figure, axes = plt.subplots(-(-len(kernels) // 2), 2, figsize=(6, 2.2 * -(-len(kernels) // 2)),
                                sharex=True, squeeze=False)  # fmt: skip
    for panel, kernel in zip(axes.flat, kernels, strict=False):
        for by, line in rows[rows["what"] == kernel].groupby("by", sort=False):
            n = grows.index(by)
            look = {"color": plots.COLORS[n], "marker": plots.MARKERS[n], "ls": plots.LINES[n]}
            panel.loglog(line["size"] / middle[kernel, by], line["here"], **look, ms=5, label=by)
        panel.set_title(kernel, fontsize=10)
        low, high = np.log10(rows.loc[rows["what"] == kernel, "here"].agg(["min", "max"]))
        decades = np.arange(np.floor(low), np.ceil(high) + 1)
        panel.set_ylim(10.0 ** decades[0], 10.0 ** decades[-1])
        panel.set_yticks(10.0**decades, [time(10.0**each) for each in decades])
        panel.yaxis.minorticks_off()
    for panel in axes.flat[len(kernels) :]:
        panel.set_axis_off()
    ticks = [0.25, 1, 4]
    axes[0, 0].set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes[0, 0].minorticks_off()
    figure.supylabel("time", fontsize=11)
    figure.supxlabel("size, relative to the middle", fontsize=11)
    named = {}
    for panel in axes.flat:
        named |= dict(zip(*reversed(panel.get_legend_handles_labels()), strict=True))
    figure.legend(named.values(), named, loc="outside upper center", ncols=4, fontsize=10)
    figure.savefig(file, dpi=100, metadata={"Software": None})
    plt.close(figure)


def write():
    bench = read()
    draw(bench)
    (ROOT / "book" / "cost.md").write_text(page(bench), encoding="utf-8", newline="\n")
