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
  /** Number of its series in plots by finger; none for the object. */
  group: number | null;
}

export interface Joint {
  name: string;
  slides: boolean;
  /** Least and greatest coordinate, rad or mm. */
  limits: [number, number] | null;
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
  /** When the summary looks at it. */
  window: { from: number; to: number; text: string } | null;
  /** What the summary says of it; may be empty. */
  note: string;
}

/** A figure of the summary. */
export interface Row {
  name: string;
  value: number | string | null;
  unit: string;
  /** When it was measured; empty for the whole run. */
  window: string;
}

export interface Run {
  summary: Record<string, unknown>;
  rows: Row[];
  scene_toml: string;
  command: string;
  /** Version, commit, date and machine. */
  about: string;
}

export interface Meta {
  format: number;
  mode: "report" | "recording" | "live";
  scene: string;
  version: string;
  bodies: Body[];
  meshes: Mesh[];
  joints: Joint[];
  channels: number;
  /** Figures of a contact, in the order of a frame's bytes. */
  contact_fields: ContactField[];
  /** Colours of arrows. */
  colours: { normal_force: string; friction_force: string };
  plots: Plot[];
  run: Run | null;
  transient_end: number | null;
  /** Colours of pressure reach up to this, Pa; none in a live run. */
  greatest_pressure: number | null;
}

export interface ContactField {
  name: string;
  unit: string;
  about: string;
  /** One number, or three of a vector in world axes. */
  size: number;
}

/** A patch of contact; forces act on body `a`. */
export interface Contact {
  a: number;
  b: number;
  /** Figures by the names of `Meta.contact_fields`. */
  figures: Record<string, Float32Array>;
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
/** In front of the figures of a contact: the numbers of its bodies. */
const CONTACT_HEAD = 4;
const FORMAT = 2;

/** A frame, still in the bytes it came in. */
export class Frame {
  readonly time: number;
  /** Values of all channels. */
  readonly values: Float32Array;
  /** Seven numbers per body: position, orientation (w, x, y, z). */
  readonly poses: Float32Array;
  /** How many contacts there are. */
  readonly count: number;
  private readonly contactsAt: number;

  constructor(
    private readonly bytes: ArrayBuffer,
    start: number,
    private readonly meta: Meta,
  ) {
    const view = new DataView(bytes, start);
    this.count = view.getUint32(4, true);
    this.time = view.getFloat64(8, true);
    const floats = start + FRAME_HEAD;
    this.values = new Float32Array(bytes, floats, meta.channels);
    this.poses = new Float32Array(bytes, floats + 4 * meta.channels, 7 * meta.bodies.length);
    this.contactsAt = floats + 4 * meta.channels + 28 * meta.bodies.length;
  }

  contacts(): Contact[] {
    const contacts: Contact[] = [];
    let at = this.contactsAt;
    for (let i = 0; i < this.count; i++) {
      const [a, b] = new Uint16Array(this.bytes, at, 2);
      at += CONTACT_HEAD;
      const figures: Contact["figures"] = {};
      for (const { name, size } of this.meta.contact_fields) {
        figures[name] = new Float32Array(this.bytes, at, size);
        at += 4 * size;
      }
      contacts.push({ a, b, figures });
    }
    return contacts;
  }
}

/** Frames in a row. */
export function decodeFrames(bytes: ArrayBuffer, meta: Meta): Frame[] {
  return records(bytes).map((start) => new Frame(bytes, start, meta));
}

/** A message of a live run: how many frames, the frames, and perhaps patches at the last. */
export function decodeMessage(bytes: ArrayBuffer, meta: Meta): { frames: Frame[]; patches: Patch[] | null } {
  const starts = records(bytes, 4);
  const count = new DataView(bytes).getUint32(0, true);
  const frames = starts.slice(0, count).map((start) => new Frame(bytes, start, meta));
  const patches = starts.length > count ? decodePatches(bytes, starts[count]) : null;
  return { frames, patches: patches ? ([...patches.values()][0] ?? []) : null };
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
  if (meta.format !== FORMAT) {
    throw new Error(`The data have format ${meta.format}; this page reads format ${FORMAT}.`);
  }
  meta.meshes = meta.meshes.map((mesh: { vertices: string; triangles: string }) => ({
    vertices: new Float32Array(fromBase64(mesh.vertices)),
    triangles: new Uint32Array(fromBase64(mesh.triangles)),
  }));
  meta.run ??= null;
  meta.transient_end ??= null;
  meta.greatest_pressure ??= null;
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
