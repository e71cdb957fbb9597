// Reads what `crates/volar-view/src/encode.rs` writes; the layout is described there.

export interface Mesh {
  vertices: Float32Array;
  triangles: Uint32Array;
}

export interface Body {
  name: string;
  role: "object" | "palm" | "finger" | "other";
  finger: string;
  mesh: number | null;
}

export interface Joint {
  name: string;
  slides: boolean;
  /** Channel of the coordinate, rad or mm. */
  position: number;
  /** Channel of the effort, N m or N. */
  effort: number;
}

export interface Plot {
  id: string;
  title: string;
  unit: string;
  log: boolean;
  split: boolean;
  series: { label: string; channel: number }[];
}

export interface Run {
  summary: Record<string, unknown>;
  scene_toml: string;
  command: string;
  version: string;
}

export interface Meta {
  format: number;
  mode: "report" | "recording" | "live";
  scene: string;
  version: string;
  bodies: Body[];
  meshes: Mesh[];
  joints: Joint[];
  groups: string[];
  channels: number;
  plots: Plot[];
  run: Run | null;
  transient_end: number | null;
}

export interface Contact {
  group: number;
  a: number;
  b: number;
  point: [number, number, number];
  normal: [number, number, number];
  normalForce: number;
  /** Friction force on `a`, N. */
  friction: [number, number, number];
  margin: number;
  area: number;
}

export interface Patch {
  a: number;
  b: number;
  /** How many triangles lie on the surface of `a`; the rest lie on that of `b`. */
  onA: number;
  /** Nine numbers per triangle, in the frame of `a`. */
  corners: Float32Array;
  /** Pressure of each triangle, Pa. */
  pressures: Float32Array;
}

const FRAME_HEAD = 16;
const CONTACT_BYTES = 68;

/** A frame, still in the bytes it came in. */
export class Frame {
  readonly time: number;
  /** Values of all channels. */
  readonly values: Float32Array;
  /** Seven numbers per body: position, orientation (w, x, y, z). */
  readonly poses: Float32Array;
  private readonly floats: Float32Array;
  private readonly halves: Uint16Array;
  private readonly count: number;
  private readonly contactsAt: number;

  constructor(bytes: ArrayBuffer, start: number, meta: Meta) {
    const view = new DataView(bytes, start);
    this.count = view.getUint32(4, true);
    this.time = view.getFloat64(8, true);
    const floats = start + FRAME_HEAD;
    this.values = new Float32Array(bytes, floats, meta.channels);
    this.poses = new Float32Array(bytes, floats + 4 * meta.channels, 7 * meta.bodies.length);
    this.contactsAt = floats + 4 * meta.channels + 28 * meta.bodies.length;
    const length = this.count * CONTACT_BYTES;
    this.floats = new Float32Array(bytes, this.contactsAt, length / 4);
    this.halves = new Uint16Array(bytes, this.contactsAt, length / 2);
  }

  contacts(): Contact[] {
    const contacts: Contact[] = [];
    for (let i = 0; i < this.count; i++) {
      const h = (i * CONTACT_BYTES) / 2;
      const f = (i * CONTACT_BYTES) / 4 + 2;
      const at = this.floats;
      contacts.push({
        group: this.halves[h],
        a: this.halves[h + 1],
        b: this.halves[h + 2],
        point: [at[f], at[f + 1], at[f + 2]],
        normal: [at[f + 3], at[f + 4], at[f + 5]],
        normalForce: at[f + 6],
        friction: [at[f + 7], at[f + 8], at[f + 9]],
        margin: at[f + 10],
        area: at[f + 11],
      });
    }
    return contacts;
  }
}

/** Frames in a row. */
export function decodeFrames(bytes: ArrayBuffer, meta: Meta): Frame[] {
  return records(bytes).map((start) => new Frame(bytes, start, meta));
}

/** Patches by number of frame. */
export function decodePatches(bytes: ArrayBuffer, from = 0): Map<number, Patch[]> {
  const found = new Map<number, Patch[]>();
  for (const start of records(bytes, from)) {
    const view = new DataView(bytes);
    const patches: Patch[] = [];
    let at = start + 12;
    for (let i = 0; i < view.getUint32(start + 8, true); i++) {
      const onA = view.getUint32(at + 4, true);
      const count = onA + view.getUint32(at + 8, true);
      patches.push({
        a: view.getUint16(at, true),
        b: view.getUint16(at + 2, true),
        onA,
        corners: new Float32Array(bytes, at + 12, 9 * count),
        pressures: new Float32Array(bytes, at + 12 + 36 * count, count),
      });
      at += 12 + 40 * count;
    }
    found.set(view.getUint32(start + 4, true), patches);
  }
  return found;
}

/** Length of the record at the start. */
export function recordLength(bytes: ArrayBuffer): number {
  return new DataView(bytes).getUint32(0, true);
}

function records(bytes: ArrayBuffer, from = 0): number[] {
  const view = new DataView(bytes);
  const starts: number[] = [];
  for (let at = from; at < bytes.byteLength; ) {
    const length = at + 4 <= bytes.byteLength ? view.getUint32(at, true) : 0;
    if (length < 8 || length % 4 !== 0 || at + length > bytes.byteLength) {
      throw new Error("The data of this page are damaged: a record has an impossible length.");
    }
    starts.push(at);
    at += length;
  }
  return starts;
}

/** The meta data, with meshes decoded. */
export function decodeMeta(text: string): Meta {
  const meta = JSON.parse(text);
  if (meta.format !== 1) {
    throw new Error(`The data have format ${meta.format}; this page reads format 1.`);
  }
  meta.meshes = meta.meshes.map((mesh: { vertices: string; triangles: string }) => ({
    vertices: new Float32Array(fromBase64(mesh.vertices)),
    triangles: new Uint32Array(fromBase64(mesh.triangles)),
  }));
  meta.run ??= null;
  meta.transient_end ??= null;
  return meta;
}

export function fromBase64(text: string): ArrayBuffer {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

export async function unzipped(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
