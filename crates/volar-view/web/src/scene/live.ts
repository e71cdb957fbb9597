import type { History } from "../data/history";
import type { LiveConnection, LiveState } from "../data/server";
import type { Player } from "./player";

/** Follows a live run; its past can be looked at meanwhile. */
export class LivePlayer implements Player {
  readonly live = true;
  state: LiveState = { playing: false, speed: 1, parameters: [], error: null, pull: null, held: null, failure: null, rows: null };
  /** A time in the past that is looked at; none when at the front. */
  private past: number | null = null;

  constructor(
    private readonly history: History,
    private readonly connection: LiveConnection,
  ) {}

  time = () => this.past ?? this.history.end;
  playing = () => this.state.playing;
  speed = () => this.state.speed;
  atFront = () => this.past === null;

  toFront(): void {
    this.past = null;
  }

  setPlaying(playing: boolean): void {
    this.past = null;
    this.connection.send({ do: playing ? "play" : "pause" });
  }

  setSpeed(speed: number): void {
    this.connection.send({ do: "speed", value: speed });
  }

  seek(time: number): void {
    this.past = time >= this.history.end ? null : Math.max(time, this.history.start);
  }

  step(by: 1 | -1): void {
    const frames = this.history.frames;
    const index = this.history.at(this.time()) + by;
    if (index < frames.length) {
      if (this.state.playing) this.connection.send({ do: "pause" });
      this.seek(frames[Math.max(index, 0)].time);
    } else {
      this.past = null;
      this.connection.send({ do: "step" });
    }
  }

  restart(): void {
    this.past = null;
    this.connection.send({ do: "restart" });
  }

  tick(): void {
    // After a restart there may be no such past any more.
    if (this.past !== null && this.past > this.history.end) this.past = null;
  }
}
