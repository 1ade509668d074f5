// Filters and orders above the tables of the scoreboard. Without this file the page has all lines,
// no filters. What is chosen stands in the address: ?paper=Fano+loss&verdict=contradicted
(() => {
  const place = document.querySelector(".scoreboard-filters");
  const sections = [...document.querySelectorAll(".scoreboard")].map((box) => box.closest("section"));
  if (!place || !sections.length) return;
  sections[0].before(place); // beside all tables, so that it stays in view above each of them

  const lines = sections.flatMap((section) =>
    [...section.querySelectorAll(".scoreboard tbody tr")].map((row, position) => ({
      row,
      section,
      position,
      paper: section.querySelector("h2").firstChild.textContent.trim(),
      figure: row.cells[0].textContent.split(" / ")[0].trim(),
      data: row.cells[4].textContent.trim() || "none",
      verdict: row.querySelector(".verdict").textContent,
      text: row.textContent.toLowerCase(),
    })),
  );

  const choice = (name) => {
    const select = document.createElement("select");
    select.addEventListener("change", () => show());
    return [name, select];
  };
  const choices = Object.fromEntries(["paper", "figure", "data", "verdict"].map(choice));
  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = "any words";
  search.addEventListener("input", () => show());
  for (const [name, control] of [...Object.entries(choices), ["words", search]]) {
    const label = document.createElement("label");
    label.append(`${name} `, control);
    place.append(label);
  }
  const reset = document.createElement("button");
  reset.type = "button";
  reset.textContent = "reset";
  reset.addEventListener("click", () => {
    clear();
    sort(-1, 1);
    show();
  });
  const counter = document.createElement("p");
  counter.setAttribute("role", "status");
  place.append(counter, reset);

  function clear() {
    search.value = "";
    for (const select of Object.values(choices)) select.value = "";
  }

  // Each list offers what the others leave, in the order of the page, with its number of lines.
  function offer(name, wanted) {
    const numbers = new Map();
    for (const line of lines.filter((each) => fits(each, name))) {
      numbers.set(line[name], (numbers.get(line[name]) || 0) + 1);
    }
    const all = new Option("all", "");
    const others = [...numbers].map(([value, n]) => new Option(`${value} (${n})`, value));
    choices[name].replaceChildren(all, ...others);
    choices[name].value = numbers.has(wanted) ? wanted : "";
  }

  function fits(line, except) {
    const words = search.value.toLowerCase().split(/\s+/);
    return (
      words.every((word) => line.text.includes(word)) &&
      Object.entries(choices).every(
        ([name, select]) => name === except || !select.value || line[name] === select.value,
      )
    );
  }

  function show(remember = true) {
    for (const name of Object.keys(choices)) offer(name, choices[name].value);
    const seen = new Set();
    let n = 0;
    for (const line of lines) {
      const shown = fits(line);
      line.row.hidden = !shown;
      if (shown) {
        n += 1;
        seen.add(line.section);
      }
    }
    for (const section of sections) section.hidden = !seen.has(section);
    counter.textContent = `${n} of ${lines.length} claims`;
    if (remember) toAddress();
  }

  // -- the address --------------------------------------------------------------------------------

  function toAddress() {
    const address = new URL(location);
    for (const [name, control] of [...Object.entries(choices), ["words", search]]) {
      if (control.value) address.searchParams.set(name, control.value);
      else address.searchParams.delete(name);
    }
    try {
      history.replaceState(null, "", address);
    } catch {
      // some browsers keep the address of a file as it is
    }
  }

  function fromAddress() {
    const given = new URLSearchParams(location.search);
    search.value = given.get("words") || "";
    for (const name of Object.keys(choices)) {
      const wanted = given.get(name) || "";
      choices[name].replaceChildren(new Option("all", ""), new Option(wanted, wanted));
      choices[name].value = wanted;
    }
  }

  // A link to a section that the filters hide clears them.
  function reveal() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !sections.some((section) => section.contains(target))) return;
    if (!target.closest("[hidden]")) return;
    clear();
    show();
    target.scrollIntoView();
  }

  // -- orders -------------------------------------------------------------------------------------

  // By a column, up or down, inside each table; column -1 is the page's own order.
  function sort(column, direction) {
    const value = (line) => line.row.cells[column].textContent.trim();
    const compare = (a, b) =>
      (column < 0 ? a.position - b.position : value(a).localeCompare(value(b), "en", { numeric: true })) *
        direction || a.position - b.position;
    for (const section of sections) {
      const body = section.querySelector(".scoreboard tbody");
      const own = lines.filter((line) => line.section === section).sort(compare);
      body.append(...own.map((line) => line.row));
      [...section.querySelectorAll(".scoreboard thead th")].forEach((head, i) => {
        if (i === column) head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      });
    }
  }

  for (const section of sections) {
    [...section.querySelectorAll(".scoreboard thead th")].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () =>
        sort(column, head.getAttribute("aria-sort") === "ascending" ? -1 : 1),
      );
    });
  }

  addEventListener("hashchange", reveal);
  fromAddress();
  show(false);
  reveal();
})();
