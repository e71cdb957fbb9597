import type { History } from "../data/history";

/** What drives time: a replay by the clock, or a live run. */
export interface Player {
  readonly live: boolean;
  time(): number;
  playing(): boolean;
  speed(): number;
  setPlaying(playing: boolean): void;
  setSpeed(speed: number): void;
  seek(time: number): void;
  /** One frame on or back. */
  step(by: 1 | -1): void;
  restart(): void;
  /** Called before every picture. */
  tick(milliseconds: number): void;
}

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

/** Plays a history that is complete. */
export class Replay implements Player {
  readonly live = false;
  private now: number;
  private runs = false;
  private rate = 1;

  constructor(private readonly history: History) {
    this.now = history.start;
  }

  time = () => this.now;
  playing = () => this.runs;
  speed = () => this.rate;

  setPlaying(playing: boolean): void {
    if (playing && this.now >= this.history.end) this.now = this.history.start;
    this.runs = playing;
  }

  setSpeed(speed: number): void {
    this.rate = speed;
  }

  seek(time: number): void {
    this.now = Math.min(Math.max(time, this.history.start), this.history.end);
  }

  step(by: 1 | -1): void {
    this.runs = false;
    const index = this.history.at(this.now) + by;
    const frame = this.history.frames[Math.min(Math.max(index, 0), this.history.frames.length - 1)];
    this.now = frame.time;
  }

  restart(): void {
    this.now = this.history.start;
  }

  tick(milliseconds: number): void {
    if (!this.runs) return;
    this.now += (this.rate * milliseconds) / 1000;
    if (this.now >= this.history.end) {
      this.now = this.history.end;
      this.runs = false;
    }
  }
}
