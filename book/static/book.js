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

  // The name of each column of a table, all levels of its head.
  function columnNames(table) {
    const names = [];
    for (const row of table.tHead?.rows || []) {
      let column = 0;
      for (const cell of row.cells)
        for (let i = 0; i < cell.colSpan; i++, column++) {
          const name = cell.textContent.trim();
          if (name) names[column] = names[column] ? `${names[column]}, ${name}` : name;
        }
    }
    return names;
  }

  // A line of a table that is too wide is a card: each cell says which column it is. The first cell
  // of a line may span several lines, so columns are counted from the last one.
  function nameColumns(table) {
    const names = columnNames(table);
    const width = Math.max(0, ...[...(table.tHead?.rows || [])].map(row => [...row.cells].reduce((n, cell) => n + cell.colSpan, 0)));
    for (const row of table.querySelectorAll("tbody tr")) {
      const missing = width - row.cells.length;
      [...row.cells].forEach((cell, i) => { cell.dataset.column = names[i + missing] || ""; });
    }
  }

  // All columns of a table stay in sight: a table that is too wide gets a smaller print, and if that
  // is not enough its lines become cards.
  const TABLES = ".bd-article table.dataframe, .bd-article .pst-scrollable-table-container table";
  function fitTables() {
    for (const table of document.querySelectorAll(TABLES)) {
      if (table.closest(".scoreboard") || !table.parentElement.clientWidth) continue; // hidden, or has its own cards
      table.classList.remove("narrow", "cards");
      const box = table.closest("div.cell_output, .pst-scrollable-table-container");
      for (const more of ["narrow", "cards"]) {
        if (!box || table.scrollWidth <= box.clientWidth + 1 && table.offsetWidth <= box.clientWidth + 1) break;
        table.classList.add(more);
      }
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
    document.querySelectorAll(TABLES).forEach(nameColumns);
    markIntervals();
    fitTables();
    showHit();
    showTarget();
    setTimeout(reachable, 500);
  }
  addEventListener("hashchange", showTarget);
  addEventListener("resize", fitTables);
  document.addEventListener("toggle", fitTables, true); // what was folded had no width
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
