import { decodeFrames, decodeMessage, decodeMeta, decodePatches, unzipped } from "./decode";
import type { Frame, Meta, Patch, Row } from "./decode";
import { History } from "./history";

export interface Parameter {
  name: string;
  label: string;
  unit: string;
  min: number;
  max: number;
  value: number;
  logarithmic: boolean;
}

/** How a live run stands; the same for all who watch it. */
export interface LiveState {
  playing: boolean;
  speed: number;
  parameters: Parameter[];
  error: string | null;
  /** A spring that somebody pulls at a body with. */
  pull: Pull | null;
  /** Whether the object is held so far; none before it can be told and without a grasp. */
  held: boolean | null;
  failure: { what: string; time_s: number } | null;
  /** Figures of the summary so far; none without a grasp. */
  rows: Row[] | null;
}

export interface Pull {
  from: [number, number, number];
  to: [number, number, number];
  /** N. */
  force: number;
}

async function get(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(await response.text());
  return response;
}

export async function fetchMeta(): Promise<Meta> {
  return decodeMeta(await (await get("meta")).text());
}

export async function fetchHistory(meta: Meta): Promise<History> {
  const bytes = await unzipped(await (await get("frames")).arrayBuffer());
  return new History(Infinity, decodeFrames(bytes, meta));
}

/** Patches at a frame of a recording. */
export async function fetchPatches(frame: number): Promise<Patch[]> {
  const bytes = await (await get(`patches/${frame}`)).arrayBuffer();
  return decodePatches(bytes).get(frame) ?? [];
}

/** A connection to a live run that comes back by itself when it drops. */
export class LiveConnection {
  onFrames: (frames: Frame[], patches: Patch[] | null) => void = () => {};
  onState: (state: LiveState) => void = () => {};
  onConnected: (connected: boolean) => void = () => {};
  private socket: WebSocket | null = null;
  private wait = 250;
  private wantsPatches = false;

  constructor(private readonly meta: Meta) {}

  connect(): void {
    const address = new URL("socket", location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      this.onConnected(true);
      this.send({ do: "patches", value: this.wantsPatches });
    };
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.onState(JSON.parse(event.data));
      else this.take(event.data);
    };
    socket.onclose = () => {
      this.socket = null;
      this.onConnected(false);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, 4000);
    };
  }

  private take(bytes: ArrayBuffer): void {
    const { frames, patches } = decodeMessage(bytes, this.meta);
    this.onFrames(frames, patches);
    // The server sends no more than a few frames ahead of these.
    this.send({ do: "shown" });
  }

  showPatches(wanted: boolean): void {
    this.wantsPatches = wanted;
    this.send({ do: "patches", value: wanted });
  }

  send(message: { do: string; name?: string; value?: number | boolean; grip?: unknown }): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
