import type { Frame, Patch } from "./decode";

/** Frames in order of time, and patches at some of them. */
export class History {
  frames: Frame[] = [];
  /** Sorted numbers of the frames at which patches are known. */
  private patchKeys: number[] = [];
  private patches = new Map<number, Patch[]>();

  constructor(
    private readonly most: number,
    frames: Frame[] = [],
    patches: Map<number, Patch[]> = new Map(),
  ) {
    this.frames = frames;
    this.patches = patches;
    this.patchKeys = [...patches.keys()].sort((a, b) => a - b);
  }

  get start(): number {
    return this.frames.length > 0 ? this.frames[0].time : 0;
  }

  get end(): number {
    return this.frames.length > 0 ? this.frames[this.frames.length - 1].time : 0;
  }

  /** Adds frames; time that runs back starts a new history. */
  append(frames: Frame[]): void {
    for (const frame of frames) {
      if (this.frames.length > 0 && frame.time < this.end) this.frames = [];
      if (this.frames.length > 0 && frame.time === this.end) this.frames.pop();
      this.frames.push(frame);
    }
  }

  /** Whether there are more frames than are worth keeping. */
  get isFull(): boolean {
    return this.frames.length > this.most;
  }

  /** Number of the last frame that is not later than a time. */
  at(time: number): number {
    let low = 0;
    let high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle].time <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  setPatches(frame: number, patches: Patch[]): void {
    this.patches = new Map([[frame, patches]]);
    this.patchKeys = [frame];
  }

  /** Patches at the known frame nearest to a frame. */
  patchesNear(frame: number): Patch[] {
    let best = -1;
    for (const key of this.patchKeys) {
      if (best < 0 || Math.abs(key - frame) < Math.abs(best - frame)) best = key;
    }
    return this.patches.get(best) ?? [];
  }
}

/** Poses at a time between two frames, seven numbers per body. */
export function posesAt(history: History, time: number): Float32Array {
  const index = history.at(time);
  const before = history.frames[index];
  const after = history.frames[index + 1];
  if (!after || time <= before.time) return before.poses;
  const part = (time - before.time) / (after.time - before.time);
  const poses = new Float32Array(before.poses.length);
  for (let at = 0; at < poses.length; at += 7) {
    // Quaternions q and −q are the same orientation: take the near one.
    let dot = 0;
    for (let k = 3; k < 7; k++) dot += before.poses[at + k] * after.poses[at + k];
    const sign = dot < 0 ? -1 : 1;
    for (let k = 0; k < 7; k++) {
      const next = after.poses[at + k] * (k < 3 ? 1 : sign);
      poses[at + k] = before.poses[at + k] + part * (next - before.poses[at + k]);
    }
    const length = Math.hypot(poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]) || 1;
    for (let k = 3; k < 7; k++) poses[at + k] /= length;
  }
  return poses;
}
