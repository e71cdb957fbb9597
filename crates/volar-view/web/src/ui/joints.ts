import type { Frame, Joint } from "../data/decode";
import { element, number } from "./dom";

/** Where the joints of the gripper are and what acts in them. */
export class Joints {
  readonly root: HTMLElement;
  private readonly rows: { joint: Joint; bar: HTMLElement; position: HTMLElement; effort: HTMLElement }[] = [];
  private readonly ranges: number[][];

  constructor(joints: Joint[]) {
    const table = element("table", { class: "joints" });
    table.append(
      element(
        "thead",
        {},
        element("tr", {}, ...["Joint", "", "Position", "Effort"].map((name) => element("th", { scope: "col" }, name))),
      ),
    );
    const body = element("tbody");
    for (const joint of joints) {
      const bar = element("span", { class: "joint-mark" });
      const position = element("td", { class: "figure" });
      const effort = element("td", { class: "figure" });
      body.append(
        element(
          "tr",
          {},
          element("th", { scope: "row" }, joint.name),
          element("td", { class: "joint-track", title: span(joint) }, element("span", { class: "joint-line" }, bar)),
          position,
          effort,
        ),
      );
      this.rows.push({ joint, bar, position, effort });
    }
    this.ranges = joints.map(({ limits }) => [...(limits ?? [Infinity, -Infinity])]);
    table.append(body);
    this.root = element("section", { class: "card", id: "joints", tabindex: "0", "aria-label": "Joints" }, element("h2", {}, "Joints"), table);
  }

  /** Marks show the place between the limits; of a joint without, within where it has been. */
  widen(frames: Frame[]): void {
    this.rows.forEach(({ joint }, i) => {
      if (joint.limits) return;
      for (const frame of frames) {
        const at = frame.values[joint.position];
        this.ranges[i] = [Math.min(this.ranges[i][0], at), Math.max(this.ranges[i][1], at)];
      }
    });
  }

  update(frame: Frame): void {
    this.rows.forEach(({ joint, bar, position, effort }, i) => {
      const at = frame.values[joint.position];
      const [low, high] = this.ranges[i];
      const part = high > low ? (at - low) / (high - low) : 0.5;
      bar.style.left = `${(100 * Math.min(Math.max(part, 0), 1)).toFixed(1)}%`;
      set(position, `${number(joint.slides ? at : (180 / Math.PI) * at, 3)} ${joint.slides ? "mm" : "°"}`);
      set(effort, `${number(frame.values[joint.effort], 3)} ${joint.slides ? "N" : "N m"}`);
    });
  }
}

/** What a bar spans. */
function span({ limits, slides }: Joint): string {
  if (!limits) return "No limits: from where it has been least to where it has been most";
  const [low, high] = limits.map((at) => number(slides ? at : (180 / Math.PI) * at, 3));
  return `Limits: ${low} to ${high} ${slides ? "mm" : "°"}`;
}

function set(cell: HTMLElement, text: string): void {
  if (cell.textContent !== text) cell.textContent = text;
}
