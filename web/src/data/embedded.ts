import { decodeFrames, decodeMeta, decodePatches, fromBase64, unzipped, type Meta } from "./decode";
import { History } from "./history";

function text(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}

/** The run inside this page, if there is one. */
export async function embedded(): Promise<{ meta: Meta; history: History } | null> {
  const metaText = text("volar-meta");
  if (metaText === null) return null;
  const meta = decodeMeta(metaText);
  const frames = decodeFrames(await unzipped(fromBase64(text("volar-frames") ?? "")), meta);
  const patches = decodePatches(await unzipped(fromBase64(text("volar-patches") ?? "")));
  return { meta, history: new History(Infinity, frames, patches) };
}
