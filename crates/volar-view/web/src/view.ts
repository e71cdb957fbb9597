import type { Contact, Meta, Patch } from "./data/decode";
import { type History, posesAt } from "./data/history";
import { fetchPatches, type LiveConnection } from "./data/server";
import { Hand } from "./scene/hand";
import { LivePlayer } from "./scene/live";
import type { Player } from "./scene/player";
import { type Layers, Stage } from "./scene/stage";
import { Contacts } from "./ui/contacts";
import { element, toggle } from "./ui/dom";
import { help } from "./ui/help";
import { Joints } from "./ui/joints";
import { listen } from "./ui/keys";
import { Parameters } from "./ui/parameters";
import { Plots } from "./ui/plots";
import { preparePrint } from "./ui/print";
import { Scales } from "./ui/scales";
import { figures, origin, summary, Verdict } from "./ui/summary";
import { switchTheme } from "./ui/theme";
import { Transport } from "./ui/transport";

/** Time between redraws of the plots of a live run, ms. */
const PLOT_PERIOD = 250;

const LAYER_NAMES: [keyof Layers, string, string][] = [
  ["forces", "Forces", "Forces on the object: normal red, friction green (F)"],
  ["pressure", "Pressure", "Pressure on the patches of contact (P)"],
  ["overlap", "Overlap", "Overlap of the solids (O)"],
  ["edges", "Edges", "Edges of the triangles (E)"],
  ["seeThrough", "See through", "See through the bodies (X)"],
  ["follow", "Follow", "The camera follows the palm (C)"],
  ["labels", "Names", "Names of the fingers (N)"],
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
    labels: true,
  };
  private readonly toggles = new Map<keyof Layers, (on: boolean) => void>();
  /** None on a machine that cannot draw in three dimensions. */
  private readonly stage: Stage | null;
  private readonly transport: Transport;
  private readonly plots: Plots;
  private readonly joints: Joints | null;
  private readonly contacts: Contacts;
  private readonly notice = element("p", { class: "notice", role: "status" });
  private readonly verdict: Verdict;
  /** Figures of a live run so far. */
  private readonly soFar = element("section", { class: "card", id: "summary", hidden: "" });
  private readonly scales: Scales = new Scales();
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
    this.verdict = new Verdict(meta.run);
    const changed = () => this.draw();
    this.transport = new Transport(player, history, changed);
    this.plots = new Plots(meta, history, (time) => {
      if (!player.live) player.setPlaying(false);
      player.seek(time);
      changed();
    });
    this.joints = meta.joints.length > 0 ? new Joints(meta.joints) : null;
    this.joints?.widen(history.frames);
    this.contacts = new Contacts(meta, (contact) => this.visit(contact));
    const dialog = help();
    const stageHolder = element("div", { class: "canvas-holder" });
    const tools = this.tools();
    const parameters = connection ? this.parameters(connection) : null;

    const side = element("div", { class: "side" });
    if (meta.run) side.append(summary(meta.run));
    if (parameters) side.append(this.soFar, parameters.root);
    if (this.joints && player.live) side.append(this.joints.root);
    side.append(element("h2", { class: "plots-title" }, "Over time"), this.plots.root);
    if (this.joints && !player.live) side.append(this.joints.root);
    side.append(this.contacts.root);
    if (meta.run) side.append(origin(meta, meta.run));
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
          this.scales.root,
          this.notice,
          this.transport.root,
        ),
        side,
      ),
      dialog,
    );

    this.stage = this.build(stageHolder);
    this.scaleArrows();
    preparePrint(this.stage, this.plots);
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
    const light = element("button", { type: "button", title: "Dark or light (T)", "aria-label": "Dark or light" }, "◐");
    light.addEventListener("click", switchTheme);
    const ask = element("button", { type: "button", title: "Help (?)", "aria-label": "Help" }, "?");
    ask.addEventListener("click", () => dialog.showModal());
    const mode = { report: "report", recording: "recording", live: "live" }[this.meta.mode];
    const header = element("header", {}, element("span", { class: "brand" }, "Volar"), title);
    header.append(this.verdict.root, element("span", { class: "mode" }, mode), element("span", { class: "spring" }), light, ask);
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

  private parameters(connection: LiveConnection): Parameters {
    return new Parameters(
      (name, value) => connection.send({ do: "set", name, value }),
      () => connection.send({ do: "reset" }),
    );
  }

  private wantsPatches(): boolean {
    return this.layers.pressure || this.layers.overlap;
  }

  /** The longest arrow is that of the largest force of the run. */
  private scaleArrows(): void {
    const channel = this.meta.plots.find((plot) => plot.id === "largest-force")?.series[0].channel ?? 0;
    const largest = this.history.frames.reduce((most, frame) => Math.max(most, frame.values[channel]), 0);
    this.stage?.forces.setLargest(largest);
  }

  /** Goes to a contact and makes what happens there visible. */
  private visit(contact: Contact): void {
    const { point, normal, area, depth } = contact.figures;
    for (const layer of ["pressure", "overlap", "seeThrough"] as const) this.setLayer(layer, true);
    const size = Math.max(2 * Math.sqrt(area[0]), 20 * depth[0]);
    this.stage?.visit(point, normal, size);
    this.stage?.canvas.scrollIntoView({ block: "nearest" });
  }

  private connect(connection: LiveConnection, parameters: Parameters | null): void {
    const player = this.player as LivePlayer;
    const hand = this.stage ? new Hand(this.stage, (grip) => connection.send(grip ? { do: "pull", grip } : { do: "release" })) : null;
    connection.onFrames = (frames, patches) => {
      this.history.append(frames);
      if (this.history.isFull) connection.send({ do: "history" });
      this.joints?.widen(frames);
      this.stalePlots = true;
      if (patches) this.takePatches(patches);
    };
    connection.onState = (state) => {
      player.state = state;
      parameters?.update(state);
      hand?.show(state.pull);
      this.verdict.show(state.held, state.failure, " so far");
      this.soFar.hidden = !state.rows;
      if (state.rows) this.soFar.replaceChildren(element("h2", {}, "Summary so far"), figures(state.rows));
      this.notice.textContent = state.error ?? "";
      this.notice.classList.toggle("bad", state.error !== null);
    };
    connection.onConnected = (connected) => {
      document.body.dataset.connection = connected ? "open" : "lost";
      this.notice.classList.toggle("bad", !connected);
      this.notice.textContent = connected ? "" : "Connection lost, trying again. What was received stays here. If `volar view` was restarted, open its new address.";
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
        this.scaleArrows();
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
      this.contacts.update(frame);
    }
    this.plots.mark(time);
    this.showPatches(index);
    if (this.stage) this.scales.update(this.stage);
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
    const touching = this.history.frames[index]?.count > 0;
    const known = !(this.player instanceof LivePlayer) || this.player.atFront();
    const shown = touching && known && this.wantsPatches() ? this.history.patchesNear(index) : [];
    this.stage?.showPatches(shown);
  }
}
