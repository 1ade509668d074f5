"""The frame of interactive figures: controls, a drawing, its result in words, and a note.

Numbers, drawing and script are in one page, which requests nothing else. It stays hidden without
scripts and on paper, where a figure of the chapter replaces it. `book.css` has its styles.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from lib.papers import figures

_DASHES = {"-": "", "--": "7 4", "-.": "8 3 2 3", ":": "2 3"}


def line_styles(
    names: Mapping[str, str], dashes: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the label, colour and dashes of lines as `lib.papers.figures` draws them.

    Parameters
    ----------
    names : mapping of str to str
        Name in the table of `lib.papers.figures` -> label.
    dashes : mapping of str to str, optional
        Dashes (SVG's `stroke-dasharray`) of lines that are drawn differently here.

    Returns
    -------
    dict of str to dict
        For each name its "label", "color" and "dash".
    """
    found = {}
    for name, label in names.items():
        look = figures.line_style(name, markers=False)
        dash = (dashes or {}).get(name, _DASHES.get(str(look.get("linestyle")), "9 3 2 3 2 3"))
        color = look.get("color", "#000000")
        color = "currentColor" if color == "#000000" else color  # black is white on a dark page
        found[name] = {"label": label, "color": color, "dash": dash}
    return found


def page(
    controls: Mapping[str, Sequence[str]],
    start: Sequence[int],
    label: str,
    note: str,
    given: Mapping[str, Any],
    script: str,
    height: int = 330,
) -> str:
    """Write an interactive figure as HTML.

    Parameters
    ----------
    controls : mapping of str to sequence of str
        Name of a control -> the text of each of its positions. A control with two positions is a
        list of choices, any other a slider.
    start : sequence of int
        Initial position of each control.
    label : str
        Description of the drawing for readers who cannot see it.
    note : str
        HTML below the drawing.
    given : mapping
        Numbers for the script.
    script : str
        JavaScript that defines `show`, which draws. It may use `given`, `controls` (elements, in
        their order), `svg`, `draw(kind, attributes, text)`, `line(points, look)`,
        `value(look, text)`, which writes a line's name and value, and the paragraph `output`.
    height : int, default 330
        Height of the drawing; its width is 560.

    Returns
    -------
    str
        The HTML.
    """
    inputs = "\n".join(
        _control(name, places, at)
        for (name, places), at in zip(controls.items(), start, strict=True)
    )
    texts = json.dumps([list(places) for places in controls.values()], ensure_ascii=False)
    numbers = json.dumps(given, separators=(",", ":"), ensure_ascii=False)
    return (
        f'<div class="explorer" hidden>\n{inputs}\n'
        f'<svg viewBox="0 0 560 {height}" role="img" aria-label="{escape(label)}"></svg>\n'
        f'<p aria-live="polite"></p>\n<small>{note}</small>\n<script>\n(() => {{\n'
        f"  const given = {numbers};\n  const places = {texts};\n"
        f"{_FRAME}{script}{_START}}})();\n</script>\n</div>\n"
    )


def _control(name: str, places: Sequence[str], at: int) -> str:
    words = f"<span>{escape(name)} <b></b></span>"
    if len(places) > 2:
        slider = f'<input type="range" min="0" max="{len(places) - 1}" step="1" value="{at}">'
        return f"<label>{words}{slider}</label>"
    options = "".join(
        f'<option value="{i}"{" selected" if i == at else ""}>{escape(each)}</option>'
        for i, each in enumerate(places)
    )
    return f"<label><span>{escape(name)}</span><select>{options}</select></label>"


_FRAME = """\
  const box = document.currentScript.parentElement, svg = box.querySelector("svg");
  const controls = [...box.querySelectorAll("input, select")], output = box.querySelector("p");
  const left = 66, right = 540;
  const draw = (kind, at, inside) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [name, value] of Object.entries(at)) e.setAttribute(name, value);
    if (inside !== undefined) e.textContent = inside;
    svg.append(e);
  };
  const line = (points, look) => draw("polyline", {
    points: points.map(p => p.join(",")).join(" "), fill: "none", stroke: look.color,
    "stroke-width": 2.5, "stroke-dasharray": look.dash});
  const value = (look, text) => {
    const word = document.createElement("span");
    word.textContent = look.label;
    word.style.borderBottom = "3px solid " + look.color;
    output.append(word, " " + text.replace("-", "\\u2011"));
  };
  const grid = (y, text) => {
    draw("line", {x1: left, x2: right, y1: y, y2: y, stroke: "currentColor",
                  "stroke-opacity": .2});
    draw("text", {x: left - 6, y: y + 4, "text-anchor": "end"}, text);
  };
  const under = (x, y, text) => draw("text", {x, y, "text-anchor": "middle"}, text);
"""

_START = """\
  const move = () => {
    svg.replaceChildren();
    output.textContent = "";
    show();
    controls.forEach((control, i) => {
      const text = places[i][control.value], shown = control.parentElement.querySelector("b");
      if (shown) { shown.textContent = text; control.setAttribute("aria-valuetext", text); }
    });
  };
  for (const each of controls) each.addEventListener("input", move);
  box.hidden = false;
  move();
"""
