import type { Meta, Patch } from "./data/decode";
import { type History, posesAt } from "./data/history";
import { fetchPatches, type LiveConnection } from "./data/server";
import { LivePlayer } from "./scene/live";
import { RAMP_CSS } from "./scene/patches";
import type { Player } from "./scene/player";
import { type Layers, Stage } from "./scene/stage";
import { element, number, toggle } from "./ui/dom";
import { help } from "./ui/help";
import { Joints } from "./ui/joints";
import { listen } from "./ui/keys";
import { Parameters } from "./ui/parameters";
import { Plots } from "./ui/plots";
import { origin, summary, verdict } from "./ui/summary";
import { switchTheme } from "./ui/theme";
import { Transport } from "./ui/transport";

/** Plots of a live run are drawn anew this often, ms. */
const PLOT_PERIOD = 250;

const LAYER_NAMES: [keyof Layers, string, string][] = [
  ["forces", "Forces", "Forces on the object: normal red, friction green (F)"],
  ["pressure", "Pressure", "Pressure on the patches of contact (P)"],
  ["overlap", "Overlap", "Overlap of the solids (O)"],
  ["edges", "Edges", "Edges of the triangles (E)"],
  ["seeThrough", "See through", "See through the bodies (X)"],
  ["follow", "Follow", "The camera follows the palm (C)"],
];

/** The page: a scene, its time, its numbers. */
export class View {
  private readonly layers: Layers = {
    edges: false,
    forces: true,
    pressure: true,
    overlap: false,
    seeThrough: false,
    follow: false,
  };
  private readonly toggles = new Map<keyof Layers, (on: boolean) => void>();
  /** None on a machine that cannot draw in three dimensions. */
  private readonly stage: Stage | null;
  private readonly transport: Transport;
  private readonly plots: Plots;
  private readonly joints: Joints | null;
  private readonly notice = element("p", { class: "notice", role: "status" });
  private readonly greatest = element("span");
  private readonly scale = element("div", { class: "pressure-scale" });
  private shownTime = NaN;
  private stalePlots = true;
  private plotsAt = 0;
  private asked = -1;
  private asking = false;
  private last = 0;

  constructor(
    private readonly meta: Meta,
    private readonly history: History,
    private readonly player: Player,
    private readonly connection: LiveConnection | null,
  ) {
    document.body.dataset.mode = meta.mode;
    const changed = () => this.draw();
    this.transport = new Transport(player, history, changed);
    this.plots = new Plots(meta, history, (time) => {
      if (!player.live) player.setPlaying(false);
      player.seek(time);
      changed();
    });
    this.joints = meta.joints.length > 0 ? new Joints(meta.joints) : null;
    this.joints?.widen(history.frames);
    const dialog = help();
    const stageHolder = element("div", { class: "canvas-holder" });
    const tools = this.tools();
    const parameters = connection ? new Parameters((name, value) => connection.send({ do: "set", name, value })) : null;

    const side = element("div", { class: "side" });
    if (meta.run) side.append(summary(meta.run));
    if (parameters) side.append(parameters.root);
    if (this.joints && player.live) side.append(this.joints.root);
    side.append(element("h2", { class: "plots-title" }, "Over time"), this.plots.root);
    if (this.joints && !player.live) side.append(this.joints.root);
    if (meta.run) side.append(origin(meta, meta.run));
    const bar = element("span", { class: "ramp" });
    bar.style.background = RAMP_CSS;
    this.scale.append("0", bar, this.greatest);
    this.scale.hidden = true;
    document.body.append(
      this.header(dialog),
      element(
        "main",
        {},
        element(
          "section",
          { class: "stage", "aria-label": "Replay" },
          tools,
          stageHolder,
          this.scale,
          this.notice,
          this.transport.root,
        ),
        side,
      ),
      dialog,
    );

    this.stage = this.build(stageHolder);
    this.usualForce();
    listen({
      player,
      stage: this.stage,
      help: dialog,
      flip: (layer) => this.setLayer(layer, !this.layers[layer]),
      toEnd: () => player.seek(Infinity),
      changed,
    });
    if (connection) this.connect(connection, parameters);
    if (!player.live && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.setPlaying(true);
    requestAnimationFrame((now) => this.loop(now));
  }

  /** The scene; without WebGL the page shows all the rest. */
  private build(holder: HTMLElement): Stage | null {
    try {
      return new Stage(holder, this.meta, this.layers, this.history.frames);
    } catch {
      holder.append(
        element("p", { class: "no-scene" }, "No view in 3-D: this browser has no WebGL, or it is switched off. Plots and numbers do not need it."),
      );
      return null;
    }
  }

  private header(dialog: HTMLDialogElement): HTMLElement {
    const title = element("h1", {}, this.meta.scene || "Scene");
    const badge = verdict(this.meta.run);
    const light = element("button", { type: "button", title: "Dark or light (T)", "aria-label": "Dark or light" }, "◐");
    light.addEventListener("click", switchTheme);
    const ask = element("button", { type: "button", title: "Help (?)", "aria-label": "Help" }, "?");
    ask.addEventListener("click", () => dialog.showModal());
    const mode = { report: "report", recording: "recording", live: "live" }[this.meta.mode];
    const header = element("header", {}, element("span", { class: "brand" }, "Volar"), title);
    if (badge) header.append(badge);
    header.append(element("span", { class: "mode" }, mode), element("span", { class: "spring" }), light, ask);
    return header;
  }

  private tools(): HTMLElement {
    const tools = element("div", { class: "tools", role: "group", "aria-label": "What is shown" });
    for (const [layer, label, title] of LAYER_NAMES) {
      const made = toggle(label, title, this.layers[layer], (on) => this.setLayer(layer, on));
      this.toggles.set(layer, made.set);
      tools.append(made.button);
    }
    return tools;
  }

  private setLayer(layer: keyof Layers, on: boolean): void {
    this.layers[layer] = on;
    this.toggles.get(layer)?.(on);
    this.stage?.applyLayers();
    if (this.connection && (layer === "pressure" || layer === "overlap")) this.connection.showPatches(this.wantsPatches());
    this.shownTime = NaN;
    this.asked = -1;
    this.draw();
  }

  private wantsPatches(): boolean {
    return this.layers.pressure || this.layers.overlap;
  }

  /** Arrows are scaled to the median of the greatest forces over time. */
  private usualForce(): void {
    const forces = this.meta.plots.find((plot) => plot.id === "normal-force")?.series ?? [];
    const greatest = this.history.frames
      .map((frame) => Math.max(0, ...forces.map(({ channel }) => frame.values[channel])))
      .filter((force) => force > 0)
      .sort((a, b) => a - b);
    this.stage?.setUsualForce(greatest[Math.floor(greatest.length / 2)] ?? 1);
  }

  private connect(connection: LiveConnection, parameters: Parameters | null): void {
    const player = this.player as LivePlayer;
    connection.onFrame = (frame, patches) => {
      this.history.append(frame);
      this.joints?.widen([frame]);
      this.stalePlots = true;
      if (patches) this.takePatches(patches);
    };
    connection.onState = (state) => {
      player.state = state;
      parameters?.update(state);
      this.notice.textContent = state.error ?? "";
      this.notice.classList.toggle("bad", state.error !== null);
    };
    connection.onConnected = (connected) => {
      document.body.dataset.connection = connected ? "open" : "lost";
      this.notice.classList.toggle("bad", !connected);
      this.notice.textContent = connected ? "" : "Connection lost, trying again. What was received stays here. If `volar view` was started anew, open its new address.";
    };
    connection.showPatches(this.wantsPatches());
  }

  takePatches(patches: Patch[]): void {
    this.history.setPatches(this.history.frames.length - 1, patches);
    this.asked = -1;
  }

  private loop(now: number): void {
    requestAnimationFrame((next) => this.loop(next));
    this.player.tick(Math.min(now - this.last, 100));
    this.last = now;
    this.draw();
    if (this.stalePlots && now - this.plotsAt > PLOT_PERIOD) {
      this.stalePlots = false;
      this.plotsAt = now;
      if (this.player.live) {
        this.plots.refresh();
        this.usualForce();
      }
    }
  }

  /** Brings everything to the present time; does nothing when it is there. */
  private draw(): void {
    this.transport.update();
    const time = this.player.time();
    const index = this.history.at(time);
    const frame = this.history.frames[index];
    if (!frame) return;
    if (time !== this.shownTime) {
      this.shownTime = time;
      this.stage?.show(posesAt(this.history, time), frame);
      this.joints?.update(frame);
    }
    this.plots.mark(time);
    this.showPatches(index);
  }

  private showPatches(index: number): void {
    if (this.asked === index) return;
    if (this.meta.mode === "recording" && this.wantsPatches()) {
      if (this.asking) return;
      this.asking = true;
      fetchPatches(index)
        .then((patches) => this.history.setPatches(index, patches))
        .catch(() => this.history.setPatches(index, []))
        .finally(() => {
          this.asking = false;
          this.hangPatches(index);
        });
      this.asked = index;
      return;
    }
    this.asked = index;
    this.hangPatches(index);
  }

  private hangPatches(index: number): void {
    // Patches of another time would be wrong once nothing touches any more; of
    // a live run only those at the front are known.
    const touching = this.history.frames[index]?.contacts().length > 0;
    const known = !(this.player instanceof LivePlayer) || this.player.atFront();
    const shown = touching && known && this.wantsPatches() ? this.history.patchesNear(index) : [];
    this.stage?.showPatches(shown);
    const greatest = this.stage?.patches.greatest ?? 0;
    this.scale.hidden = !(this.layers.pressure && greatest > 0);
    const text = `${number(greatest / 1000, 3)} kPa`;
    if (this.greatest.textContent !== text) this.greatest.textContent = text;
  }
}
