"""Verdicts on the papers' claims: one module a paper, each predicate beside its id.

`judged("kk")` takes seconds: nothing is computed again. `python -m lib claims` judges all claims
and writes `book/claims/<paper>.csv`, and `moved.csv` with what was judged otherwise before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

import pandas as pd

from lib.papers import claims, within_paper
from lib.papers.experiments import all_experiments

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def findings(paper: str) -> Iterable[claims.Finding]:
    """Collect all findings on a paper's claims.

    Parameters
    ----------
    paper : str
        Key of `lib.papers.claims.PAPERS`.

    Returns
    -------
    iterable of Finding
        The findings.

    Raises
    ------
    ValueError
        If the paper is unknown.
    """
    if paper not in claims.PAPERS:
        raise ValueError(f"no paper {paper!r}; there are: {', '.join(claims.PAPERS)}")
    from lib.papers.aggregation_privacy import claims as crowd
    from lib.papers.fano_loss import claims as fano
    from lib.papers.knock_knock import claims as kk
    from lib.papers.threshold_attacks import claims as threshold
    from lib.papers.zero_knowledge import claims as zk  # by name: pages follow them

    of: dict[str, Callable[[], Iterable[claims.Finding]]] = {
        "kk": kk.findings,
        "zk": zk.findings,
        "crowd": crowd.findings,
        "fano": fano.findings,
        "threshold": threshold.findings,
    }
    if paper not in of:
        raise ValueError(f"paper {paper!r} has no findings: name its module in lib/papers")
    return of[paper]()


def judged(paper: str) -> pd.DataFrame:
    """Judge the claims of a paper.

    Parameters
    ----------
    paper : str
        Key of `lib.papers.claims.PAPERS`.

    Returns
    -------
    pandas.DataFrame
        A row for each claim, as `lib.papers.claims.table` returns it.

    Raises
    ------
    StoredResultsError
        If results that a claim needs are not stored.
    ValueError
        As `lib.papers.claims.table`.
    """
    return claims.table(findings(paper))


def gather(book: Path = claims.BOOK) -> dict[str, pd.DataFrame]:
    """Judge the claims of all papers.

    Parameters
    ----------
    book : Path
        Folder of the book's pages.

    Returns
    -------
    dict of str to DataFrame
        Paper to its claims, as of `judged_with_pages`.
    """
    return {paper: judged_with_pages(paper, book) for paper in claims.PAPERS}


def judged_with_pages(paper: str, book: Path = claims.BOOK) -> pd.DataFrame:
    """Judge the claims of a paper and find the page that shows each.

    Parameters
    ----------
    paper : str
        Key of `lib.papers.claims.PAPERS`.
    book : Path
        Folder of the book's pages.

    Returns
    -------
    pandas.DataFrame
        A row for each claim; the columns of `lib.papers.claims.COLUMNS`.

    Raises
    ------
    ValueError
        If a reason contradicts its verdict or names an experiment without stored results,
        or if no page has a claim's label; and as `judged`.
    """
    found = judged(paper)
    check_reasons(found)
    return placed(found.loc[claims.published(paper).index], labels())


def check_reasons(table: pd.DataFrame) -> None:
    """Check every row of a judged table.

    Parameters
    ----------
    table : pandas.DataFrame
        As `judged` gives it.

    Raises
    ------
    ValueError
        If a note or a reason contradicts its verdict, or names an experiment without stored rows.
    """
    known = all_experiments()
    for name, row in table.iterrows():
        claims.check_row(str(name), {str(key): str(value) for key, value in row.items()})
        for experiment in claims.named(row["note"]):
            if experiment not in known:
                near = get_close_matches(experiment, known, 1, 0)[0]
                raise ValueError(
                    f"claim {name}: no experiment {experiment!r}; did you mean {near!r}?"
                )
            if not any(known[experiment].is_stored(data) for data in known[experiment].at_paper):
                raise ValueError(f"claim {name}: no rows of {experiment} are stored")


# -- verdicts of the earlier rule ------------------------------------------------------------------

# An earlier verdict and the one that says the same by the present rule.
RENAMED = {"holds": "supported", "differs": "contradicted", "not comparable": "not tested"}
_AXIS = "words about curves are read on the figure's axis, from 0 to 1, and not as ratios"
_WORDS = "what the paper says in words is read with the margin of the same words elsewhere"
# Why a claim is judged otherwise, where the reason is not that of its verdict.
MENDED = {
    "kk-fig7-rf-auc-m100": _WORDS,
    "kk-fig7-knn-auc-m100": _WORDS,
    "kk-fig13-vs-12-strategic": (
        "clearly lower was tested as lower by any amount; it is now read as lower by more than 0.1,"
        " because less than 0.1 is read as only slightly lower in the same section"
    ),
    "kk-fig7-trend-m": "the sentence is about Fig. 7c to 7e, so it is tested up to groups of 300",
    "kk-fig10-trend": (
        "the paper reports a rise from 300 to 500 users, so the fall is tested up to 300"
    ),
    "kk-fig6b-upturn-m500": "it is said that some targets lose more, not that the mean falls",
    "crowd-fig15-sfc-loc-max-user-last-week-pl": _WORDS,
    "crowd-fig15-sfc-loc-max-roi-last-week-pl": _WORDS,
    "crowd-tab4-order": "a thousand releases of the cabs decide where five did not",
    "crowd-takeaway-dp": "the cabs decide, on which the claim is about the paper's own data",
    "fano-fig5-tight-at-small-s": _AXIS,
    "fano-fig5-T-half": _AXIS,
    "fano-fig7-map-flat": _AXIS,
    "threshold-fig6-clt-close": "the margin was widened after the result was known",
}


def moved(gathered: Mapping[str, pd.DataFrame], book: Path = claims.BOOK) -> pd.DataFrame:
    """List the claims whose verdict is not that of the rule used until 25 November 2026.

    Parameters
    ----------
    gathered : mapping of str to pandas.DataFrame
        Judged claims of each paper.
    book : Path
        The folder whose `claims/earlier.csv` has the earlier verdicts.

    Returns
    -------
    pandas.DataFrame
        Index: claim. Columns: before, now, substitute, why. A verdict that only has another name
        (`RENAMED`) did not move.
    """
    earlier = pd.read_csv(book / "claims" / "earlier.csv", index_col="id")["verdict"]
    rows = {}
    for found in gathered.values():
        for name, row in found.iterrows():
            before, now = str(earlier.get(name, "none")), row["verdict"]
            if before != now and RENAMED.get(before) != now:
                why = MENDED.get(str(name)) or _why_moved(row)
                rows[str(name)] = [before, now, row["substitute"] or "none", why]
    columns = ["before", "now", "substitute", "why"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("id")


def _why_moved(row: pd.Series) -> str:
    """The reason of the present verdict."""
    reason = str(row["reason"])
    if row["verdict"] == "not tested":
        return f"not the paper's own data: {reason}" if row["substitute"] else reason
    if row["verdict"] == "contradicted":
        return f"one 95% level for all numbers, in place of three standard errors: {reason}"
    return reason


def placed(table: pd.DataFrame, pages: Mapping[str, str]) -> pd.DataFrame:
    """Add the page of each claim.

    Parameters
    ----------
    table : pandas.DataFrame
        Judged claims.
    pages : mapping of str to str
        Label of a cell to the page that has it.

    Returns
    -------
    pandas.DataFrame
        The table with columns `chapter` and `within_paper`
        (`lib.papers.within_paper.words`).

    Raises
    ------
    ValueError
        If no page has the label of a claim.
    """
    for name, cell in table["cell"].items():
        if cell not in pages:
            raise ValueError(f"claim {name}: no page has a label ({cell})=")
    chapters = [pages[cell] for cell in table["cell"]]
    words = within_paper.words()
    within = [words.get(str(name), "") for name in table.index]
    return table.assign(chapter=chapters, within_paper=within)[list(claims.COLUMNS[1:])]


def labels(notebooks: Path = NOTEBOOKS) -> dict[str, str]:
    """Find the page of each label.

    Parameters
    ----------
    notebooks : Path
        Folder of the notebooks.

    Returns
    -------
    dict of str to str
        Label to the chapter or replication page that has it, such as `replication/kk`.
    """
    found = {}
    for file in sorted(notebooks.glob("*.py")) + sorted(notebooks.glob("replication/*.py")):
        page = file.relative_to(notebooks).with_suffix("").as_posix()
        text = file.read_text(encoding="utf-8")
        for label in re.findall(r"(?m)^(?:# )?\(([^()\s]+)\)=\s*$", text):
            found[label] = page
    return found


def write(gathered: Mapping[str, pd.DataFrame], book: Path = claims.BOOK) -> list[Path]:
    """Write `claims/<paper>.csv` and `claims/moved.csv`.

    Parameters
    ----------
    gathered : mapping of str to DataFrame
        Judged claims of each paper.
    book : Path
        Folder of the book's pages.

    Returns
    -------
    list of Path
        The files.
    """
    written = []
    for paper, found in gathered.items():
        file = book / "claims" / f"{paper}.csv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(found.to_csv(lineterminator="\n"), encoding="utf-8", newline="\n")
        written.append(file)
    if (book / "claims" / "earlier.csv").exists():
        file = book / "claims" / "moved.csv"
        text = moved(gathered, book).to_csv(lineterminator="\n")
        file.write_text(text, encoding="utf-8", newline="\n")
        written.append(file)
    return written


def committed(book: Path = claims.BOOK) -> dict[str, pd.DataFrame]:
    """Read the verdicts that were written last.

    Parameters
    ----------
    book : Path
        Folder of the book's pages.

    Returns
    -------
    dict of str to DataFrame
        Judged claims of each paper that has a file.
    """
    files = {paper: book / "claims" / f"{paper}.csv" for paper in claims.PAPERS}
    return {paper: claims.read(file) for paper, file in files.items() if file.exists()}
