import type { History } from "../data/history";
import { SPEEDS, type Player } from "../scene/player";
import { element } from "./dom";

/** Play, pause, step, speed and the slider of time. */
export class Transport {
  readonly root: HTMLElement;
  private readonly playButton: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly clock: HTMLOutputElement;
  private readonly speeds: HTMLSelectElement;
  private dragging = false;

  constructor(
    private readonly player: Player,
    private readonly history: History,
    private readonly changed: () => void,
  ) {
    const button = (label: string, title: string, act: () => void) => {
      const made = element("button", { type: "button", title, "aria-label": title }, label);
      made.addEventListener("click", () => {
        act();
        this.changed();
      });
      return made;
    };
    this.playButton = button("▶", "Play (Space)", () => this.player.setPlaying(!this.player.playing()));
    this.playButton.classList.add("play");
    this.slider = element("input", { type: "range", min: "0", max: "1", step: "any", value: "0", "aria-label": "Time" });
    this.slider.addEventListener("input", () => {
      this.dragging = true;
      if (!this.player.live) this.player.setPlaying(false);
      this.player.seek(this.timeOf(Number(this.slider.value)));
      this.changed();
    });
    for (const end of ["change", "pointerup", "blur"]) {
      this.slider.addEventListener(end, () => {
        this.dragging = false;
      });
    }
    this.clock = element("output", { class: "clock" });
    this.speeds = element("select", { "aria-label": "Speed" });
    for (const speed of SPEEDS) {
      this.speeds.append(element("option", { value: String(speed) }, `${speed}×`));
    }
    this.speeds.addEventListener("change", () => {
      this.player.setSpeed(Number(this.speeds.value));
      this.changed();
    });
    this.root = element(
      "div",
      { class: "transport", role: "group", "aria-label": "Time" },
      button("⟲", player.live ? "Restart the run (R)" : "Back to the start (R)", () => this.player.restart()),
      button("‹", "One frame back (,)", () => this.player.step(-1)),
      this.playButton,
      button("›", "One frame on (.)", () => this.player.step(1)),
      this.slider,
      this.clock,
      this.speeds,
    );
  }

  private timeOf(part: number): number {
    return this.history.start + part * (this.history.end - this.history.start);
  }

  /** Shows where time is. */
  update(): void {
    const time = this.player.time();
    const length = this.history.end - this.history.start;
    const part = length > 0 ? (time - this.history.start) / length : 0;
    if (!this.dragging) this.slider.value = String(part);
    const text = `${time.toFixed(3)} s`;
    if (this.clock.value !== text) {
      this.clock.value = text;
      this.slider.setAttribute("aria-valuetext", text);
    }
    const playing = this.player.playing();
    const label = playing ? "❚❚" : "▶";
    if (this.playButton.textContent !== label) {
      this.playButton.textContent = label;
      const title = playing ? "Pause (Space)" : "Play (Space)";
      this.playButton.title = title;
      this.playButton.setAttribute("aria-label", title);
    }
    const speed = this.player.speed();
    if (Number(this.speeds.value) !== speed) this.speeds.value = String(speed);
  }
}
