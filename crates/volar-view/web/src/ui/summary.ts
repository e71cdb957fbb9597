import type { Meta, Row, Run } from "../data/decode";
import { element, number } from "./dom";

interface Failure {
  what: string;
  time_s: number;
}

/** The failure as a sentence, if there is one. */
function failure(run: Run): string | null {
  const failure = run.summary.failure as Failure | null | undefined;
  return failure ? `${failure.what} (at ${number(failure.time_s)} s)` : null;
}

/** The verdict of a run, or of a live run so far. */
export class Verdict {
  readonly root = element("span", { class: "verdict", role: "status" });

  constructor(run: Run | null) {
    const { held, failure: failed } = run?.summary ?? {};
    this.show(typeof held === "boolean" ? held : null, failed as Failure | null, "");
  }

  show(held: boolean | null, failed: Failure | null | undefined, soFar: string): void {
    this.root.hidden = held === null && !failed;
    const text = failed ? (held === false ? "Not held" : "Failed") : held ? "Held" : "Not held";
    const words = `${text}${soFar}`;
    if (this.root.textContent !== words) this.root.textContent = words;
    this.root.className = `verdict ${held && !failed ? "good" : "bad"}`;
    this.root.title = failed?.what ?? "";
  }
}

/** The figures of a summary, each with the time it was measured in. */
export function figures(rows: Row[]): HTMLElement {
  const list = element("dl", { class: "summary" });
  for (const { name, value, unit, window } of rows) {
    const text = typeof value === "number" ? number(value) : String(value ?? "none");
    const term = element("dt", {}, name);
    if (window) term.append(" ", element("span", { class: "window" }, window));
    const figure = unit && value !== null ? `${text}\u202f${unit}` : text;
    list.append(element("div", {}, term, element("dd", {}, figure)));
  }
  return list;
}

/** The numbers of a run. */
export function summary(run: Run): HTMLElement {
  const section = element("section", { class: "card", id: "summary" }, element("h2", {}, "Summary"));
  const failed = failure(run);
  if (failed !== null) section.append(element("p", { class: "failure" }, failed));
  const warnings = run.summary.warnings;
  if (Array.isArray(warnings)) {
    for (const warning of warnings) section.append(element("p", { class: "warning" }, String(warning)));
  }
  section.append(figures(run.rows));
  return section;
}

/** How the run came about and how to do it again. */
export function origin(meta: Meta, run: Run): HTMLElement {
  const copy = element("button", { type: "button" }, "Copy");
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(run.command);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "Select and copy by hand";
    }
  });
  const scene = element("details", {}, element("summary", {}, "Scene and parameters"));
  scene.append(element("pre", { tabindex: "0" }, run.scene_toml));
  return element(
    "section",
    { class: "card", id: "origin" },
    element("h2", {}, "How to reproduce it"),
    element("div", { class: "command" }, element("pre", { tabindex: "0" }, run.command), copy),
    element("p", { class: "muted" }, run.about || `Volar ${meta.version}`),
    scene,
  );
}
