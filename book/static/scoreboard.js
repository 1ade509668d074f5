// Filters above the tables of the scoreboard. Without this file the page has all lines and no filters.
(() => {
  const place = document.querySelector(".scoreboard-filters");
  const sections = [...document.querySelectorAll(".scoreboard")].map((box) => box.closest("section"));
  if (!place || !sections.length) return;

  const lines = sections.flatMap((section) =>
    [...section.querySelectorAll(".scoreboard tbody tr")].map((row) => ({
      row,
      section,
      paper: section.querySelector("h2").firstChild.textContent.trim(),
      figure: row.cells[0].textContent.split(" / ")[0].trim(),
      data: row.cells[4].textContent.trim() || "none",
      verdict: row.cells[5].querySelector("strong").textContent,
      text: row.textContent.toLowerCase(),
    })),
  );

  const choice = (name) => {
    const select = document.createElement("select");
    select.addEventListener("change", show);
    return [name, select];
  };
  const choices = Object.fromEntries(["paper", "figure", "data", "verdict"].map(choice));
  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = "any words";
  search.addEventListener("input", show);
  for (const [name, control] of [...Object.entries(choices), ["words", search]]) {
    const label = document.createElement("label");
    label.append(`${name} `, control);
    place.append(label);
  }
  const counter = document.createElement("p");
  counter.setAttribute("role", "status");
  place.append(counter);

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

  function show() {
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
  }
  show();
})();
