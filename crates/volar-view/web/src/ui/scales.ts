import { DECADES, RAMP_CSS } from "../scene/patches";
import type { Stage } from "../scene/stage";
import { element, number } from "./dom";

/** What colours and arrows in the scene stand for. */
export class Scales {
  readonly root = element("div", { class: "scales" });
  private readonly pressure = element("div", { class: "scale pressure-scale", title: "Pressure; logarithmic, the same over the whole run" });
  private readonly least = element("span");
  private readonly greatest = element("span");
  private readonly force = element("div", { class: "scale force-scale", title: "Lengths of arrows go with the square root of the force" });
  private readonly arrow = element("span", { class: "arrow-length" });
  private readonly newtons = element("span");

  constructor() {
    const ramp = element("span", { class: "ramp" });
    ramp.style.background = RAMP_CSS;
    this.pressure.append(this.least, ramp, this.greatest);
    this.force.append(this.arrow, this.newtons);
    this.root.append(this.force, this.pressure);
  }

  update(stage: Stage): void {
    const { greatest } = stage.patches;
    this.pressure.hidden = !(stage.layers.pressure && greatest > 0);
    set(this.least, number(greatest / 10 ** DECADES / 1000, 2));
    set(this.greatest, `${number(greatest / 1000, 3)} kPa`);
    const force = round(stage.forces.largest);
    this.force.hidden = !(stage.layers.forces && force > 0);
    if (this.force.hidden) return;
    const width = `${Math.round(stage.arrowPixels(force))}px`;
    if (this.arrow.style.width !== width) this.arrow.style.width = width;
    set(this.newtons, `${number(force)} N`);
  }
}

/** A round number of about a quarter of a value: its arrow is half as long. */
function round(value: number): number {
  if (!(value > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(value / 4));
  const nice = [5, 2, 1].find((m) => m * power <= value / 4) ?? 1;
  return nice * power;
}

function set(holder: HTMLElement, text: string): void {
  if (holder.textContent !== text) holder.textContent = text;
}
