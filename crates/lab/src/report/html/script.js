// What the page gains with scripts: sorting, filters, buttons that copy, and the runs as files.
"use strict";
(() => {
  const all = (what, within = document) => [...within.querySelectorAll(what)];
  const make = (name, fields = {}, ...children) => {
    const node = Object.assign(document.createElement(name), fields);
    node.append(...children);
    return node;
  };

  // The number that a cell begins with, times in ns; what has none is sorted behind.
  const units = { ns: 1, "µs": 1e3, ms: 1e6, s: 1e9, B: 1, KiB: 1024, MiB: 1048576 };
  const value = (text) => {
    const found = /^[^\d-]*(-?\d+(?:\.\d+)?)(?:\s*×\s*(\d+))?\s*(ns|µs|ms|s|B|KiB|MiB)?\b/.exec(text);
    if (!found || text.trim() === "") return Infinity;
    return parseFloat(found[1]) * parseFloat(found[2] || 1) * (units[found[3]] || 1);
  };
  const numeric = ["n", "r", "s", "k", "m", "t", "a", "y", "i"];

  const places = new Map();
  const sort = (table, at, button) => {
    const head = button.parentNode;
    const descending = head.getAttribute("aria-sort") === "ascending";
    all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = [...body.rows];
    // Rows that this column holds equal stand in the page's own order, whichever columns were sorted by before.
    if (!places.has(body)) places.set(body, new Map(rows.map((row, place) => [row, place])));
    const place = places.get(body);
    const isNumber = numeric.some((name) => head.classList.contains(name));
    const text = (row) => row.cells[at].textContent.trim();
    const order = (a, b) => {
      if (!isNumber) return text(a).localeCompare(text(b), "en", { numeric: true });
      const [x, y] = [value(text(a)), value(text(b))];
      return x === y ? 0 : x < y ? -1 : 1;
    };
    // Blank cells stay last in both directions.
    const blank = (row) => text(row) === "";
    rows.sort((a, b) => blank(a) - blank(b) || (descending ? -order(a, b) : order(a, b)) || place.get(a) - place.get(b));
    body.append(...rows);
  };
  all("table.verdicts, table.results, table.who, table.fastest").forEach((table) => {
    all("thead th", table).forEach((head, at) => {
      if (head.classList.contains("p")) return;
      const button = make("button", { type: "button", className: "sort" }, ...head.childNodes);
      button.addEventListener("click", () => sort(table, at, button));
      head.append(button);
    });
  });

  // Labels stand in the table of contestants; a row of results is looked up there by its name.
  const sections = all("section.contest");
  const about = (section) => {
    const known = new Map();
    all("table.who tbody tr", section).forEach((row) => {
      const name = row.cells[0].firstChild.textContent.trim();
      const labels = row.cells[3].textContent.split(", ");
      const before = known.get(name) || { text: "", labels: [] };
      known.set(name, { text: before.text + " " + row.textContent.toLowerCase(), labels: before.labels.concat(labels) });
    });
    return known;
  };
  const tools = document.getElementById("tools");
  if (tools) {
    const known = new Map(sections.map((section) => [section, about(section)]));
    const labels = new Set();
    known.forEach((names) => names.forEach((who) => who.labels.filter(Boolean).forEach((label) => labels.add(label))));
    const contest = make("input", { type: "search", id: "contest-filter", placeholder: "keccak, 1 KiB, tie …" });
    const contestant = make("input", { type: "search", id: "contestant-filter", placeholder: "fairlane, avx2, Rust …" });
    const label = make("select", { id: "label-filter" }, make("option", { value: "" }, "any"));
    [...labels].sort().forEach((name) => label.append(make("option", { value: name }, name)));
    const shown = make("p", { className: "shown", role: "status" });
    tools.append(
      make("label", {}, "Contests", contest), make("label", {}, "Contestants", contestant));
    if (labels.size > 0) tools.append(make("label", {}, "Labelled", label));
    tools.append(shown);
    tools.hidden = false;

    const words = (input) => input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const holds = (text, asked) => asked.every((word) => text.includes(word));
    const filter = () => {
      const contests = words(contest);
      const contestants = words(contestant);
      const lines = all("table.verdicts tbody tr, table.fastest tbody tr");
      const wanted = new Set();
      lines.forEach((row) => {
        row.hidden = !holds(row.textContent.toLowerCase(), contests);
        if (!row.hidden) wanted.add(row.cells[0].textContent);
      });
      all(".suite").forEach((suite) => { suite.hidden = !suite.querySelector("tbody tr:not([hidden])"); });
      sections.forEach((section) => {
        const title = section.querySelector("h2").textContent;
        section.hidden = ![...wanted].some((id) => title === id || title.startsWith(id + ","));
        const names = known.get(section);
        all("table.results tbody tr, table.who tbody tr, table.runs tbody tr", section).forEach((row) => {
          const name = row.querySelector("th").firstChild.textContent.trim();
          const who = names.get(name) || { text: name.toLowerCase(), labels: [] };
          row.hidden = !holds(who.text, contestants) || (label.value !== "" && !who.labels.includes(label.value));
        });
      });
      const count = lines.filter((row) => !row.hidden).length;
      const active = contests.length + contestants.length > 0 || label.value !== "";
      shown.textContent = active ? `${count} of ${lines.length} heats shown; ratios stay those to the fastest of all.` : "";
    };
    [contest, contestant, label].forEach((input) => input.addEventListener("input", filter));
  }

  // The clipboard is not there for every page from a file; a selection is.
  all(".command").forEach((line) => {
    const code = line.querySelector("code");
    const button = make("button", { type: "button" }, "Copy");
    button.setAttribute("aria-label", "Copy the command");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    line.append(button);
  });

  // A run as it was before it was packed into the page.
  const read = async (held) => {
    if (held.type === "application/json") return held.textContent;
    const bytes = Uint8Array.from(atob(held.textContent), (c) => c.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(unpacked).text();
  };
  const downloads = document.getElementById("downloads");
  const runs = all("script[id^=run-]");
  runs.forEach((held) => {
    const name = held.dataset.name;
    const button = make("button", { type: "button" }, `Save ${name}`);
    button.addEventListener("click", async () => {
      const link = make("a", { download: name });
      link.href = URL.createObjectURL(new Blob([await read(held)], { type: "application/json" }));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
    downloads.append(button, " ");
  });

  // What a link names may be folded.
  const unfold = () => {
    const named = document.getElementById(location.hash.slice(1));
    const folded = named && (named.closest("details") || named.querySelector(":scope > details"));
    if (!folded || folded.open) return;
    folded.open = true;
    named.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  unfold();

  // The samples of a heat, drawn when they are asked for: where the page has room for them, they are in its run.
  const draw = (name, fields, ...children) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(fields).forEach(([field, value]) => node.setAttribute(field, value));
    node.append(...children);
    return node;
  };
  const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  const [WIDTH, HEIGHT, LEFT, BARS, BINS] = [640, 84, 48, 520, 42];

  // One contestant: its samples over its own median, by round, and how many there are of each time.
  const sampled = (samples, median, processes, [low, high]) => {
    const y = (ratio) => 4 + (HEIGHT - 8) * (high - Math.min(Math.max(ratio, low), high)) / (high - low);
    const x = (round) => LEFT + (BARS - LEFT - 12) * round / samples.length;
    const place = (number) => number.toFixed(1);
    const bins = Array(BINS).fill(0);
    let dots = "";
    samples.forEach((ns, round) => {
      if (ns === null) return;
      const at = y(ns / median);
      dots += `M${place(x(round))} ${place(at)}h2`;
      bins[Math.min(BINS - 1, Math.floor((at - 4) / (HEIGHT - 8) * BINS))] += 1;
    });
    const most = Math.max(...bins);
    const tall = (HEIGHT - 8) / BINS;
    const bar = (count, bin) => {
      const [top, long] = [4 + bin * tall, (WIDTH - BARS) * count / most].map(place);
      return count > 0 ? `M${BARS} ${top}h${long}v${place(tall)}H${BARS}z` : "";
    };
    const ends = [];
    processes.slice(0, -1).reduce((sum, { rounds }) => { ends.push(sum + rounds); return sum + rounds; }, 0);
    const said = (ratio) => draw("text", { x: LEFT - 6, y: place(y(ratio) + 4) }, `${ratio.toFixed(2)}×`);
    return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "sampled", "aria-hidden": "true" },
      draw("path", { class: "one", d: `M${LEFT} ${place(y(1))}H${WIDTH}` }),
      draw("path", { class: "between", d: ends.map((end) => `M${place(x(end))} 0V${HEIGHT}`).join("") }),
      draw("path", { d: dots }), draw("path", { class: "bars", d: bins.map(bar).join("") }),
      ...[low, 1, high].map(said));
  };

  const pictures = (heat) => {
    const sorted = (samples) => samples.filter((ns) => ns !== null).sort((a, b) => a - b);
    const times = heat.contestants.map(({ name, samples }) => [name, samples, sorted(samples)])
      .filter(([, , kept]) => kept.length > 0);
    const over = (share) => times.map(([, , kept]) => quantile(kept, share) / quantile(kept, 0.5));
    const ends = [Math.min(0.98, ...over(0.01)), Math.min(2, Math.max(1.05, ...over(0.95)))];
    return times.map(([name, samples, kept]) => {
      const counts = `${kept.length} of ${samples.length} samples were kept`;
      const picture = sampled(samples, quantile(kept, 0.5), heat.processes || [], ends);
      return make("figure", {}, make("figcaption", {}, `${name}: ${counts}`), picture);
    });
  };

  const held = runs.length === 1 && !runs[0].dataset.name.includes("-without-samples") && runs[0];
  let heats;
  const heatsOf = async () => {
    const seen = new Map();
    return new Map(JSON.parse(await read(held)).contests.map((heat) => {
      const key = `${heat.suite} ${heat.id}`;
      if (!seen.has(key)) seen.set(key, { n: seen.size, k: 0 });
      const group = seen.get(key);
      group.k += 1;
      return [`c${group.n}-${group.k - 1}`, heat];
    }));
  };
  all("div.heat").filter((place) => held && place.querySelector("table")).forEach((place) => {
    const folded = make("details", { className: "samples" }, make("summary", {}, "Samples"));
    folded.addEventListener("toggle", async () => {
      heats ??= heatsOf();
      const note = "Each dot is a sample by its round, over the contestant's own median; bars say how many samples " +
        "took that long. What lies beyond the scale is drawn at its end; lines divide processes.";
      folded.append(make("p", { className: "note" }, note), ...pictures((await heats).get(place.id)));
    }, { once: true });
    place.append(folded);
  });

  // Paper has no folds.
  addEventListener("beforeprint", () => all("details:not(.samples)").forEach((folded) => { folded.open = true; }));
})();
