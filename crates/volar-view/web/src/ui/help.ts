import { element } from "./dom";

const KEYS: [string, string][] = [
  ["Space", "play or pause"],
  [". ,", "one frame on, one frame back (also → ←)"],
  ["] [", "faster, slower"],
  ["R", "back to the start; restarts a live run"],
  ["Home End", "to the start; to the end, or the front of a live run"],
  ["F", "forces: normal red, friction green"],
  ["P", "pressure on the patches of contact"],
  ["O", "overlap of the solids"],
  ["E", "edges of the triangles"],
  ["X", "see through the bodies"],
  ["C", "camera follows the palm"],
  ["N", "names of the fingers"],
  ["V", "view from the start"],
  ["1 2 3", "from the front, the side, above"],
  ["T", "dark or light"],
  ["?", "this help"],
];

const MOUSE: [string, string][] = [
  ["drag", "turn the scene; arrow keys when it has the focus"],
  ["Ctrl and drag", "in a live run: pull at a body with a spring"],
  ["right drag", "move it; Shift and arrow keys"],
  ["wheel", "zoom; plus and minus keys"],
  ["click a contact", "in the list below the plots: go there"],
  ["click a plot", "go to that time"],
  ["drag in a plot", "zoom into a stretch of time; double click to leave"],
];

/** An overlay that says what keys do. */
export function help(): HTMLDialogElement {
  const list = (rows: [string, string][]) =>
    element(
      "dl",
      {},
      ...rows.map(([keys, what]) =>
        element("div", {}, element("dt", {}, ...keys.split(" ").map((key) => element("kbd", {}, key))), element("dd", {}, what)),
      ),
    );
  const close = element("button", { type: "button" }, "Close");
  const dialog = element(
    "dialog",
    { id: "help", "aria-label": "Help" },
    element("div", { class: "title" }, element("h2", {}, "Keys"), close),
    list(KEYS),
    element("h2", {}, "Mouse"),
    element(
      "dl",
      {},
      ...MOUSE.map(([how, what]) => element("div", {}, element("dt", {}, how), element("dd", {}, what))),
    ),
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
