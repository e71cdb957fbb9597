"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const slider = document.getElementById("slice");

// One plot of each kind is shown: the chosen figure, the chosen slice.
function show(kind) {
  const chooser = document.querySelector(`.chooser[data-kind="${kind}"]`);
  const slice = kind === "map" && slider ? slider.value : "0";
  for (const figure of document.querySelectorAll(`figure[data-kind="${kind}"]`)) {
    figure.hidden = figure.dataset.figure !== chooser.value || figure.dataset.slice !== slice;
  }
}
for (const chooser of document.querySelectorAll(".chooser")) {
  chooser.addEventListener("change", () => show(chooser.dataset.kind));
}
if (slider) {
  const text = document.getElementById("slice-text");
  const texts = JSON.parse(text.dataset.texts);
  slider.addEventListener("input", () => {
    text.textContent = texts[slider.value];
    show("map");
  });
}

// A run that is clicked on: how to do it again, and its report once that is done.
document.addEventListener("click", (event) => {
  const cell = event.target.closest(".cell");
  const picked = document.getElementById("picked");
  if (!cell || !picked) return;
  const row = cell.dataset.row;
  picked.hidden = false;
  picked.textContent = `${data.command} ${row} --out run-${row}\n`;
  const link = document.createElement("a");
  link.href = `../run-${row}/report.html`;
  link.textContent = `then: report and replay of run ${row}`;
  picked.append(link);
});

// Scatter of two columns.
const names = Object.keys(data.columns).filter((n) => data.columns[n].some((v) => v !== null));
const selects = ["across", "up"].map((id) => document.getElementById(id));
for (const select of selects) {
  for (const name of names) select.add(new Option(name, name));
  select.addEventListener("change", scatter);
}
selects[0].value = names[Math.min(1, names.length - 1)];
selects[1].value = names[names.length - 1];
scatter();

function scatter() {
  const [xs, ys] = selects.map((select) => data.columns[select.value]);
  const rows = data.columns.row;
  const pairs = rows.map((row, i) => [xs[i], ys[i], row]).filter((p) => p[0] !== null && p[1] !== null);
  const ends = [0, 1].map((k) => {
    const values = pairs.map((p) => p[k]);
    return [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
  });
  const at = (v, [a, b], from, to) => from + (to - from) * (b > a ? (v - a) / (b - a) : 0.5);
  const label = (v) => Number(v.toPrecision(3)).toString();
  const dots = pairs.map(([x, y, row]) =>
    `<circle class="cell" data-row="${row}" cx="${at(x, ends[0], 80, 540).toFixed(1)}" cy="${at(y, ends[1], 360, 20).toFixed(1)}" r="2.5" fill="#0072b2" fill-opacity="0.6"><title>run ${row}: ${label(x)}, ${label(y)}</title></circle>`);
  const corner = (x, y, anchor, v) => `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#444">${Number.isFinite(v) ? label(v) : ""}</text>`;
  document.getElementById("scatter").innerHTML =
    `<svg xmlns="http://www.w3.org/2000/svg" width="560" height="400" viewBox="0 0 560 400" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/><rect x="80" y="20" width="460" height="340" fill="none" stroke="#888"/>${dots.join("")}${corner(80, 378, "start", ends[0][0])}${corner(540, 378, "end", ends[0][1])}${corner(74, 360, "end", ends[1][0])}${corner(74, 28, "end", ends[1][1])}</svg>`;
}
