import type { Meta, Run } from "../data/decode";
import { element, number } from "./dom";

/** What the numbers of a summary are called, and their units. */
const NAMES: Record<string, [string, string]> = {
  duration_s: ["Simulated time", "s"],
  drift_mm: ["Drift", "mm"],
  rotation_deg: ["Rotation", "°"],
  creep_um_per_s: ["Creep", "µm/s"],
  creep_deg_per_s: ["Rotational creep", "°/s"],
  slip_um: ["Plastic slip", "µm"],
  friction_margin: ["Friction margin", ""],
  force_std_n: ["Standard deviation of the normal force", "N"],
  palm_load_n: ["Load on the palm", "N"],
  max_force_n: ["Largest normal force", "N"],
  max_depth_mm: ["Largest depth", "mm"],
  kinetic_energy_ratio: ["Kinetic energy over the expected", ""],
  steps: ["Steps", ""],
  rejected: ["Rejected steps", ""],
  evaluations: ["Evaluations", ""],
  wall_s: ["Computing time", "s"],
  real_time_factor: ["Speed against real time", "×"],
  law: ["Contact law", ""],
  integrator: ["Integrator", ""],
};

/** Shown elsewhere. */
const APART = ["held", "failure", "scene"];

/** Numbers by name: forces of fingers, loads by direction. */
const GROUPS: Record<string, [string, string]> = {
  normal_force_n: ["Normal force", "N"],
  pull_loads_n: ["Pull until slip", "N"],
};

/** The failure as a sentence, if there is one. */
function failure(run: Run): string | null {
  const failure = run.summary.failure as { what: string; time_s: number } | null | undefined;
  return failure ? `${failure.what} (at ${number(failure.time_s)} s)` : null;
}

export function verdict(run: Run | null): HTMLElement | null {
  if (!run) return null;
  const { held } = run.summary;
  const failed = failure(run) !== null;
  if (typeof held !== "boolean" && !failed) return null;
  const text = failed ? "Failed" : held ? "Held" : "Not held";
  return element("span", { class: `verdict ${held && !failed ? "good" : "bad"}` }, text);
}

/** The numbers of a run. */
export function summary(run: Run): HTMLElement {
  const list = element("dl", { class: "summary" });
  const row = (name: string, value: string, unit: string) => {
    const text = unit ? `${value}\u202f${unit}` : value;
    list.append(element("div", {}, element("dt", {}, name), element("dd", {}, text)));
  };
  for (const [key, [name, unit]] of Object.entries(GROUPS)) {
    for (const [part, value] of Object.entries(run.summary[key] ?? {})) {
      if (typeof value === "number") row(`${name}, ${part}`, number(value), unit);
      else row(`${name}, ${part}`, "none", "");
    }
  }
  const known = Object.keys(NAMES);
  const place = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length);
  const entries = Object.entries(run.summary).sort(([a], [b]) => place(a) - place(b));
  for (const [key, value] of entries) {
    if (APART.includes(key) || value === null || typeof value === "object") continue;
    const [name, unit] = NAMES[key] ?? [key.replaceAll("_", " "), ""];
    row(name, typeof value === "number" ? number(value) : String(value), unit);
  }
  const section = element("section", { class: "card", id: "summary" }, element("h2", {}, "Summary"));
  const failed = failure(run);
  if (failed !== null) section.append(element("p", { class: "failure" }, failed));
  const warnings = run.summary.warnings;
  if (Array.isArray(warnings)) {
    for (const warning of warnings) section.append(element("p", { class: "warning" }, String(warning)));
  }
  section.append(list);
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
    element("p", { class: "muted" }, `Volar ${run.version || meta.version}`),
    scene,
  );
}
