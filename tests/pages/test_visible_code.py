"""Chapters whose ideas are visible code: names and numbers do not come from cells out of sight."""

import ast
import builtins
import re

import nbformat
import pytest

from lib.execution import environment

CHAPTERS = [
    "foundations",
    "knock_knock",
    "guarantees",
    "knock_knock_defenses",
    "zero_knowledge",
    "crowd",
    "crowd_defenses",
    "fano",
    "fano_bounds",
    "thresholds",
    "audit",
    "audit_further",
]
FOLDED_CODE = {"remove-cell", "remove-input", "hide-input", "hide-cell"}
FOLDED_OUTPUT = {"remove-cell", "remove-output", "hide-output", "hide-cell"}
NUMBER = re.compile(r"(?<![\w.,])(?:\d+\.\d+|\d{1,3}(?:,\d{3})+)(?!\w|[.,]\d)")
LABEL = re.compile(r"(Sec\.|Section|Algorithms?|Theorem) \d+\.\d+( to \d+\.\d+)?")  # of a paper
SHOWN = re.compile(r"\d[\d,_]*(?:\.\d+)?")


def cells(chapter):
    file = environment.book() / f"{chapter}.ipynb"
    return nbformat.read(file, as_version=4).cells


def tags(cell):
    return set(cell.metadata.get("tags", []))


def unknown_names(code, known):
    """Names that the code reads and neither it nor earlier code assigns; `known` is extended."""
    read, comes = set(), set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else comes).add(node.id)
        elif isinstance(node, ast.alias):
            comes.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            comes.add(node.name)
        elif isinstance(node, ast.arg):
            comes.add(node.arg)
    known |= comes
    return read - known - set(dir(builtins))


def names_from_folded_cells(notebook_cells):
    known, found = set(), []
    for cell in notebook_cells:
        if cell.cell_type == "code" and not tags(cell) & FOLDED_CODE:
            found += sorted(unknown_names(cell.source, known))
    return found


def numbers_without_a_visible_source(notebook_cells):
    """Decimal numbers of the prose that no visible code, output or figure caption shows."""
    prose, seen = [], []
    for cell in notebook_cells:
        if cell.cell_type == "markdown":
            prose.append(LABEL.sub("", cell.source))
            continue
        if not tags(cell) & FOLDED_CODE:
            seen.append(cell.source)
        if not tags(cell) & FOLDED_OUTPUT:
            for output in cell.outputs:
                data = output.get("data", {})
                seen += [output.get("text", ""), data.get("text/plain", "")]
                seen.append(re.sub(r"<[^>]+>", " ", data.get("text/html", "")))
    shown = {text.replace(",", "").replace("_", "") for text in SHOWN.findall(" ".join(seen))}
    stated = dict.fromkeys(NUMBER.findall(" ".join(prose)))
    return [number for number in stated if not _is_shown(number, shown)]


def _is_shown(number, shown):
    """Whether a table shows the number, perhaps with more digits."""
    plain = number.replace(",", "")
    digits = len(plain.partition(".")[2])
    return any(each == plain or f"{float(each):.{digits}f}" == plain for each in shown)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_visible_name_is_assigned_in_a_visible_cell(chapter):
    assert names_from_folded_cells(cells(chapter)) == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_numbers_in_prose_stand_in_a_visible_output(chapter):
    assert numbers_without_a_visible_source(cells(chapter)) == []


def code_cell(source, text="", *named):
    cell = nbformat.v4.new_code_cell(source)
    cell.metadata["tags"] = list(named)
    if text:
        cell.outputs = [nbformat.v4.new_output("stream", text=text)]
    return cell


def test_a_name_and_a_number_out_of_sight_are_noticed():
    prose = nbformat.v4.new_markdown_cell("The AUC of Sec. 5.2 is 0.84 for 1,054 users.")
    folded = code_cell("auc = 0.8401", "0.8401; 1,054 users", "hide-input", "hide-output")
    use = code_cell("[print(auc) for each in range(3)]")
    assert names_from_folded_cells([folded, use]) == ["auc"]
    assert numbers_without_a_visible_source([prose, folded]) == ["0.84", "1,054"]
    open_cell = code_cell("auc = 0.8401", "0.8401; 1,054 users")
    assert names_from_folded_cells([open_cell, use]) == []
    assert numbers_without_a_visible_source([prose, open_cell]) == []
