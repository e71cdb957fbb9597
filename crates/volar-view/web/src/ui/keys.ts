import { SPEEDS, type Player } from "../scene/player";
import type { Layers, Stage } from "../scene/stage";
import { switchTheme } from "./theme";

export interface Keyed {
  player: Player;
  stage: Stage | null;
  help: HTMLDialogElement;
  flip: (layer: keyof Layers) => void;
  toEnd: () => void;
  changed: () => void;
}

const LAYERS: Record<string, keyof Layers> = {
  f: "forces",
  p: "pressure",
  o: "overlap",
  e: "edges",
  x: "seeThrough",
  c: "follow",
  n: "labels",
};

const VIEWS: Record<string, [number, number, number]> = {
  "1": [0, -1, 0.0001],
  "2": [1, 0, 0.0001],
  "3": [0, -0.001, 1],
};

/** Everything that can be done, by keys. */
export function listen(keyed: Keyed): void {
  const { player, stage, help } = keyed;
  const faster = (by: 1 | -1) => {
    const now = SPEEDS.findIndex((speed) => speed >= player.speed());
    player.setSpeed(SPEEDS[Math.min(Math.max(now + by, 0), SPEEDS.length - 1)]);
  };
  const actions: Record<string, () => void> = {
    " ": () => player.setPlaying(!player.playing()),
    ".": () => player.step(1),
    ",": () => player.step(-1),
    ArrowRight: () => player.step(1),
    ArrowLeft: () => player.step(-1),
    "]": () => faster(1),
    "[": () => faster(-1),
    r: () => player.restart(),
    Home: () => player.seek(-Infinity),
    End: keyed.toEnd,
    v: () => stage?.look(),
    t: switchTheme,
    "?": () => (help.open ? help.close() : help.showModal()),
  };

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.closest("input[type=text], select, pre, dialog") && event.key !== "?") return;
    // Sliders and buttons keep the keys they have by themselves.
    const slider = target.matches("input[type=range]");
    if (slider && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    if (target.matches("button, summary") && (event.key === " " || event.key === "Enter")) return;
    if (stage && target === stage.canvas && camera(stage, event)) {
      event.preventDefault();
      return;
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[key] ?? (key in LAYERS ? () => keyed.flip(LAYERS[key]) : null) ?? (key in VIEWS ? () => stage?.look(VIEWS[key]) : null);
    if (!action) return;
    event.preventDefault();
    action();
    keyed.changed();
  });
}

/** Turns, moves or zooms the view; true when the key does so. */
function camera(stage: Stage, event: KeyboardEvent): boolean {
  const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0;
  const up = { ArrowDown: -1, ArrowUp: 1 }[event.key] ?? 0;
  if (across !== 0 || up !== 0) {
    if (event.shiftKey) stage.pan(0.1 * across, 0.1 * up);
    else stage.turn(0.1 * across, 0.1 * up);
    return true;
  }
  if (event.key === "+" || event.key === "=") stage.zoom(1 / 1.15);
  else if (event.key === "-") stage.zoom(1.15);
  else return false;
  return true;
}
