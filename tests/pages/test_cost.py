"""What `make bench` kept, and the page that is drawn from it."""

import numpy as np
import pandas as pd

from tests.bench import __main__ as bench
from tests.bench import cost, kernels


def test_the_committed_page_is_what_the_table_gives():
    table = cost.read()
    assert table.columns.tolist() == bench.COLUMNS
    written = (cost.ROOT / "book" / "cost.md").read_text(encoding="utf-8")
    assert written == cost.page(table), "run `python -m tests.bench.cost` and commit"
    assert cost.FIGURE.stat().st_size < 150_000


def test_every_kernel_of_the_benchmark_is_kept():
    table = cost.read()
    assert set(kernels.KERNELS) <= set(table["what"])
    grown = {(kernel, by) for kernel, (_, _, grows) in kernels.SIZED.items() for by in grows}
    assert grown <= set(zip(table["what"], table["by"], strict=True))


def test_slopes_and_figure(tmp_path):
    rows = [bench.shown("k", "users", n, np.nan, 3e-3 * n**2, "") for n in (10, 20, 40)]
    table = pd.DataFrame(rows, columns=bench.COLUMNS)
    assert cost.slopes(table).loc["k", "users"] == "2.00"
    cost.draw(table, tmp_path / "cost.png")
    assert (tmp_path / "cost.png").read_bytes().startswith(b"\x89PNG")


def test_rows_keep_four_digits_and_leave_out_what_is_no_number():
    row = bench.shown("what", None, None, 12345.6, 0.25, 30)
    assert row == ["what", "", "", "12346", "0.25", "49382", "30"]
    assert bench.shown("memory", None, None, np.nan, np.nan, "1.5 GB")[3:] == ["", "", "", "1.5 GB"]
