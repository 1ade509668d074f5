// What every page does beside the theme's own scripts. Without this file nothing is lost but comfort.
(() => {
  // A search hit: mark its words and go to the first. (The theme loads the search's script on every
  // page, and Sphinx then leaves this out.)
  function showHit() {
    if (typeof SphinxHighlight === "undefined" || document.querySelector("#search-results")) return;
    SphinxHighlight.highlightSearchWords(); // marks a little later
    setTimeout(() => {
      const first = document.querySelector("article .highlighted");
      if (!first || location.hash) return;
      open(first);
      first.scrollIntoView({ block: "center" });
    }, 100);
  }

  // Everything folded around a place is opened.
  function open(place) {
    for (let e = place; e; e = e.parentElement) {
      if (e.tagName === "DETAILS") e.open = true;
      if (e.classList.contains("toggle-hidden")) e.querySelector("button.toggle-button")?.click();
    }
  }

  function showTarget() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    open(target);
    target.scrollIntoView();
  }

  // A figure in the whole window, at a click or with the keyboard.
  function enlarge() {
    const figures = [...document.querySelectorAll(".bd-article .cell_output img, .bd-article img.enlarge")];
    if (!figures.length) return;
    const dialog = document.createElement("dialog");
    dialog.className = "enlarged";
    dialog.addEventListener("click", () => dialog.close());
    document.body.append(dialog);
    for (const figure of figures) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "enlarge-button";
      button.title = "Enlarge";
      figure.replaceWith(button);
      button.append(figure);
      button.addEventListener("click", () => {
        const close = document.createElement("button");
        close.textContent = "Close";
        const large = figure.cloneNode();
        large.removeAttribute("id");
        dialog.setAttribute("aria-label", figure.alt);
        dialog.replaceChildren(large, close);
        dialog.showModal();
      });
    }
  }

  // On a phone a line of a table of words is a card: each cell says which column it is.
  function nameColumns() {
    for (const table of document.querySelectorAll("table.wordy")) {
      if (table.tHead.rows.length > 1) continue;
      const heads = [...table.tHead.rows[0].cells].map(head => head.textContent.trim());
      for (const row of table.querySelectorAll("tbody tr"))
        [...row.cells].forEach((cell, i) => { cell.dataset.column = heads[i] || ""; });
    }
  }

  // A number and its interval.
  function markIntervals() {
    for (const cell of document.querySelectorAll("table.dataframe td"))
      if (cell.textContent.length < 32 && /\[.+\]/.test(cell.textContent)) cell.classList.add("interval");
  }

  // A formula that is wider than a phone scrolls inside itself, also for those without a mouse.
  function reachable() {
    for (const formula of document.querySelectorAll("span.math")) {
      const drawn = formula.firstElementChild?.getBoundingClientRect();
      if (drawn && drawn.right > formula.parentElement.getBoundingClientRect().right + 1) formula.classList.add("wide-formula");
    }
    for (const box of document.querySelectorAll(".wide-formula, div.math, div.cell_output, .pst-scrollable-table-container")) {
      if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    }
  }

  // What the theme leaves without a name, or with a wrong role, for those who listen to the page.
  function speak() {
    for (const summary of document.querySelectorAll("li > details > summary")) {
      const entry = summary.closest("li").querySelector("a");
      if (entry && !summary.textContent.trim()) summary.setAttribute("aria-label", `Pages of ${entry.textContent}`);
    }
    for (const list of document.querySelectorAll(".citation-list[role=list]")) list.removeAttribute("role");
  }

  function start() {
    speak();
    enlarge();
    nameColumns();
    markIntervals();
    showHit();
    showTarget();
    setTimeout(reachable, 500);
  }
  addEventListener("hashchange", showTarget);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
