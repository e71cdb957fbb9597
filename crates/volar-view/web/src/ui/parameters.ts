import type { LiveState, Parameter } from "../data/server";
import { element, number } from "./dom";

const STEPS = 1000;

/** Sliders of what can be changed while a run goes on. */
export class Parameters {
  readonly root = element("section", { class: "card", id: "parameters" });
  private rows = new Map<string, { slider: HTMLInputElement; field: HTMLInputElement }>();
  private names = "";

  constructor(
    private readonly set: (name: string, value: number) => void,
    private readonly reset: () => void,
  ) {}

  update(state: LiveState): void {
    const names = state.parameters.map((p) => p.name).join("\n");
    if (names !== this.names) {
      this.names = names;
      this.build(state.parameters);
    }
    for (const parameter of state.parameters) {
      const row = this.rows.get(parameter.name);
      if (!row) continue;
      // What somebody has in hand is not moved away.
      if (document.activeElement !== row.slider) row.slider.value = String(place(parameter, parameter.value));
      if (document.activeElement !== row.field) row.field.value = plain(parameter.value);
      row.slider.setAttribute("aria-valuetext", `${number(parameter.value)} ${parameter.unit}`);
    }
  }

  private build(parameters: Parameter[]): void {
    this.rows.clear();
    const reset = element("button", { type: "button", title: "All parameters as the scene has them" }, "Reset");
    reset.addEventListener("click", () => this.reset());
    this.root.replaceChildren(element("div", { class: "card-title" }, element("h2", {}, "Parameters"), reset));
    for (const parameter of parameters) {
      const { name, label, unit, min, max } = parameter;
      const slider = element("input", { type: "range", min: "0", max: String(STEPS), step: "1", "aria-label": label });
      const field = element("input", {
        type: "text",
        inputmode: "decimal",
        "aria-label": unit ? `${label}, ${unit}` : label,
        name,
      });
      slider.addEventListener("input", () => {
        const value = valueAt(parameter, Number(slider.value));
        field.value = plain(value);
        this.set(name, value);
      });
      field.addEventListener("change", () => {
        const value = Number(field.value.replace(",", ".").replace("−", "-"));
        const sound = field.value.trim() !== "" && Number.isFinite(value) && value >= min && value <= max;
        field.setCustomValidity(sound ? "" : `from ${number(min)} to ${number(max)} ${unit}`);
        field.reportValidity();
        if (!sound) return;
        slider.value = String(place(parameter, value));
        this.set(name, value);
      });
      this.rows.set(name, { slider, field });
      this.root.append(
        element("div", { class: "parameter" }, element("span", {}, label), slider, field, element("span", { class: "unit" }, unit)),
      );
    }
  }
}

function plain(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function place({ min, max, logarithmic }: Parameter, value: number): number {
  const part = logarithmic ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.round(STEPS * part);
}

function valueAt({ min, max, logarithmic }: Parameter, at: number): number {
  const part = at / STEPS;
  return logarithmic ? min * (max / min) ** part : min + part * (max - min);
}
